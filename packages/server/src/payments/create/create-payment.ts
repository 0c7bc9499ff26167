// Creates a payment in two commits. The first stores the payment with its idempotency key, reference and account. The
// second stores the outcome of the charge (charge-payment.ts). If the process crashes between the two commits, a
// background job finds the payment (inquire/sweep-due-payments.ts). A charge with an unknown outcome is followed by
// status inquiries, not by another charge.

import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { FeeTerms } from '../../fees/fee.ts'
import { feeTermsAt, type TenantFees } from '../../fees/fee-schedule.ts'
import { storeFeeTerms } from '../../fees/stored-fee-rule.ts'
import { addLogFields, type Logger } from '../../logging/log.ts'
import type { InquiryLimits } from '../../provider-accounts/inquiry-limits.ts'
import type { LoadAccount } from '../../provider-accounts/load-account.ts'
import type { ProviderHealth } from '../../provider-accounts/provider-health.ts'
import { PROVIDER_TIMEOUT_MS } from '../../providers/http-client.ts'
import type { Providers } from '../../providers/provider.ts'
import type { Candidate, RoutesOf } from '../../routing/route.ts'
import { asPayment } from '../../tracing/span.ts'
import { newId } from '../../values/id.ts'
import type { Mode } from '../../values/mode.ts'
import { after, type Clock } from '../../values/time.ts'
import { channelCodeOf } from '../method.ts'
import { findPaymentByKeyInBatch, insertPaymentInBatch } from '../payment.sql.ts'
import { hasTransitioned, isShown, type Payment, type PaymentEvent } from '../payment.ts'
import { newPaymentCode } from '../payment-code.ts'
import { listTransitions } from '../read/payment-list.sql.ts'
import type { Recorded, RecordInBatch } from '../record/event-batch.ts'
import { chargePayment, type PayerData } from './charge-payment.ts'
import {
  chooseAccounts,
  chooseAccountsAgain,
  pickFirstAccount,
  type ReservedAccount,
} from './choose-accounts.ts'
import type { CreatePaymentInput } from './create-input.ts'
import { FINGERPRINT_VERSION, fingerprintOf } from './fingerprint.ts'
import { actionForRepeat, CHARGE_ENDS_AFTER_MS, pauseBeforeChargeMs } from './idempotency.ts'
import { repeatInquiries } from './repeat-inquiries.ts'
import { isReturnUrlOfMode } from './return-url.ts'
import { keyInProgress, waitingRepeats } from './waiting-repeats.ts'

/**
 * A repeated request checks repeatedly whether the first request with its idempotency key has ended. These are the
 * delays between the checks: the delay starts at `first` and doubles each time, up to `longest`.
 */
const WAIT_STEPS_MS = { first: 25, longest: 500 }
const RETRY_AFTER_SECONDS = 5

/** Counts this process's requests that are waiting for an earlier request with the same idempotency key. */
const waits = waitingRepeats()
/** Limits the status inquiries that this process sends because merchants repeat their create requests. */
const inquiries = repeatInquiries()

type Deps = {
  db: Db
  providers: Providers
  clock: Clock
  log: Logger
  publicUrl: string
  publicIp: string | undefined
  recordInBatch: RecordInBatch
  accountOf: LoadAccount
  routesOf: RoutesOf
  feesOf: (tenantId: string) => Promise<TenantFees>
  health: ProviderHealth
  inquiryLimits: InquiryLimits
}

export type Created = { payment: Payment; replayed: boolean }

export async function createPayment(
  app: Deps,
  caller: { tenantId: string; mode: Mode },
  idempotencyKey: string,
  input: CreatePaymentInput,
): Promise<Created> {
  const receivedAt = app.clock()
  if (input.return_url !== undefined && !isReturnUrlOfMode(input.return_url, caller.mode))
    throw fault('return_url_not_https', {}, { field: 'return_url' })
  const choice = await chooseOrFind(app, caller, idempotencyKey, input)
  if ('known' in choice) return repeatRequest(app, choice.known, input, receivedAt)

  // Releases the slot for the charge before this request waits for another request with the same idempotency
  // key. A waiting request must not occupy a slot.
  const charged = await storeAndCharge(app, { ...caller, idempotencyKey, input }, choice).finally(() =>
    choice.slot?.release(),
  )
  if (charged) return { payment: shownOrError(charged), replayed: false }
  const winner = await findPaymentByKeyInBatch(app.db, caller.tenantId, caller.mode, idempotencyKey)
  // If Citus splits a shard during the insert, the insert stores no row and reports no error.
  if (!winner) throw fault('database_busy', {}, { retryAfterSeconds: 1 })
  return repeatRequest(app, winner, input, receivedAt)
}

/** Stores and charges the payment. Returns undefined if a payment with this idempotency key exists. */
async function storeAndCharge(
  app: Deps,
  {
    idempotencyKey,
    input,
    ...caller
  }: { tenantId: string; mode: Mode; idempotencyKey: string; input: CreatePaymentInput },
  { account, others, expiryMinutes, slot }: ReservedAccount & { expiryMinutes: number },
): Promise<Payment | undefined> {
  const now = app.clock()
  const channel = { methodType: input.method_type, channel: account.channel.code }
  const feeTerms = feeTermsAt(await app.feesOf(caller.tenantId), channel, now)
  const payment = newPayment(
    caller,
    idempotencyKey,
    fingerprintOf(input, FINGERPRINT_VERSION),
    { ...input, expiry_minutes: expiryMinutes },
    account,
    feeTerms,
    now,
  )
  return asPayment(payment.id, 'create payment', async () => {
    if (!(await insert(app, payment))) return undefined
    addLogFields({ paymentId: payment.id, paymentCode: payment.paymentCode })
    return chargePayment(app, payment, others, payment, slot)
  })
}

/**
 * Chooses the account that charges the payment. If no account can be chosen, returns the existing payment with this
 * idempotency key, if there is one. Otherwise, the key is usually not looked up, because the insert detects a repeated
 * key. This saves a query per new payment.
 */
async function chooseOrFind(
  app: Deps,
  caller: { tenantId: string; mode: Mode },
  idempotencyKey: string,
  input: CreatePaymentInput,
): Promise<(ReservedAccount & { expiryMinutes: number }) | { known: Payment }> {
  const find = () => findPaymentByKeyInBatch(app.db, caller.tenantId, caller.mode, idempotencyKey)
  try {
    const { candidates, expiryMinutes } = await chooseAccounts(app, {
      ...caller,
      methodType: input.method_type,
      channel: channelCodeOf(input.method_detail),
      amount: BigInt(input.amount),
      expiryMinutes: input.expiry_minutes ?? null,
      customerPhone: input.customer_phone,
    })
    // A circuit breaker that is not closed may allow only one trial charge. So that a repeated request does not use it
    // up, the idempotency key is looked up before an account is picked.
    const known = candidates.every(({ accountId }) => app.health.isClosed(accountId))
      ? undefined
      : await find()
    return known ? { known } : { ...pickFirstAccount(app, caller.tenantId, candidates), expiryMinutes }
  } catch (error) {
    const known = await find()
    if (known) return { known }
    throw error
  }
}

function newPayment(
  caller: { tenantId: string; mode: Mode },
  idempotencyKey: string,
  fingerprint: Buffer,
  input: CreatePaymentInput & { expiry_minutes: number },
  chosen: Candidate,
  feeTerms: FeeTerms | null,
  now: Date,
): Payment {
  return {
    tenantId: caller.tenantId,
    id: newId(),
    mode: caller.mode,
    paymentCode: newPaymentCode(now),
    idempotencyKey,
    fingerprint,
    fingerprintVersion: FINGERPRINT_VERSION,
    amount: BigInt(input.amount),
    currency: input.currency,
    methodType: input.method_type,
    channel: chosen.channel.code,
    methodDetail: input.method_detail,
    methodData: null,
    status: 'charging',
    transitionCount: 0,
    provider: chosen.provider.code,
    providerAccountId: chosen.accountId,
    attempt: 1,
    providerPaymentId: null,
    ...payerOfRequest(input),
    items: input.items,
    returnUrl: input.return_url ?? null,
    expiryMinutes: input.expiry_minutes,
    expiresAt: after(now, input.expiry_minutes * 60_000),
    paidAt: null,
    amountPaid: null,
    amountRefunded: 0n,
    amountReversed: 0n,
    paidReference: null,
    receipt: null,
    reversedAt: null,
    unconfirmedSince: null,
    failureReason: null,
    amountReceived: null,
    nextCheckAt: after(now, CHARGE_ENDS_AFTER_MS),
    feeTerms: feeTerms && storeFeeTerms(feeTerms),
    createdAt: now,
    updatedAt: now,
  }
}

const payerOfRequest = (input: CreatePaymentInput): PayerData => ({
  customerName: input.customer_name,
  customerEmail: input.customer_email,
  customerPhone: input.customer_phone,
  customerIp: input.customer_ip ?? null,
})

/**
 * Inserts the payment. If its payment code is already in use (each day has 2^50 possible codes), retries the
 * insert with a new code.
 */
async function insert(app: Deps, payment: Payment): Promise<boolean> {
  for (;;) {
    try {
      return await insertPaymentInBatch(app.db, payment)
    } catch (error) {
      if ((error as { constraint?: string }).constraint !== 'payment_references_pkey') throw error
      payment.paymentCode = newPaymentCode(app.clock())
    }
  }
}

async function repeatRequest(
  app: Deps,
  holder: Payment,
  input: CreatePaymentInput,
  receivedAt: Date,
): Promise<Created> {
  addLogFields({ paymentId: holder.id, paymentCode: holder.paymentCode })
  let leave: (() => void) | undefined
  const wait = (ms: number) => {
    leave ??= waits.enter(holder)
    return pause(ms)
  }
  try {
    return await continueRepeat(app, holder, { input, receivedAt }, wait)
  } finally {
    leave?.()
  }
}

async function continueRepeat(
  app: Deps,
  holder: Payment,
  { input, receivedAt }: { input: CreatePaymentInput; receivedAt: Date },
  wait: (ms: number) => Promise<void>,
): Promise<Created> {
  const waitUntil = after(app.clock(), PROVIDER_TIMEOUT_MS)
  let payment = holder
  // Each repeated request sends at most one status inquiry and one charge. If the outcome is still unknown,
  // the background job in sweep-due-payments.ts sends further inquiries.
  let step = WAIT_STEPS_MS.first
  let hasInquired = false
  let hasCharged = false
  // A repeated request charges the payment only if the payment was `uncharged` before the request arrived, or if an
  // inquiry found no order. It does not charge the payment after another request's charge has failed. Otherwise, while
  // the provider is unavailable, simultaneous requests would charge the payment one after the other.
  let wasUncharged = holder.updatedAt <= receivedAt
  for (;;) {
    const next = actionForRepeat(payment, input, app.clock())
    if (next === 'conflict') {
      throw fault('idempotency_key_reused')
    } else if (next === 'wait' && app.clock() < waitUntil) {
      wasUncharged = false
      await wait(step)
      step = Math.min(2 * step, WAIT_STEPS_MS.longest)
      payment = await reread(app, payment)
    } else if (next === 'wait') {
      throw keyInProgress()
    } else if (next === 'inquire' && !hasInquired) {
      hasInquired = true
      wasUncharged = false
      payment = await inquiries.refresh(app, payment)
    } else if (next === 'charge' && !hasCharged && (wasUncharged || (await isFoundAbsent(app, payment)))) {
      hasCharged = true
      payment = await chargeAgain(app, payment, payerOfRequest(input))
    } else {
      return { payment: shownOrError(payment), replayed: true }
    }
  }
}

/**
 * Returns whether the payment is `uncharged` because an inquiry found no order, and not because a charge failed.
 * Another request or process may have sent the inquiry.
 */
async function isFoundAbsent(app: Deps, { tenantId, id, transitionCount }: Payment): Promise<boolean> {
  const transitions = await listTransitions(app.db, tenantId, id)
  return transitions[transitionCount - 1]?.cause === 'inquiry'
}

/**
 * Charges a payment again if its last charge created no order. If no account accepts the payment now, returns the
 * payment unchanged, so that the request gets the error of the last charge.
 *
 * If several requests with the same idempotency key arrive together, the transition table lets only one of them start
 * the charge. The other requests get the payment with the started charge, and wait for the outcome.
 */
async function chargeAgain(app: Deps, payment: Payment, payer: PayerData): Promise<Payment> {
  const candidates = await chooseAccountsAgain(app, { ...payment, ...payer })
  if (!candidates) return payment
  const { account, others, slot } = pickFirstAccount(app, payment.tenantId, candidates)
  try {
    const started = await recordChargeStart(app, payment, account)
    if (started.kind !== 'changed') return started.payment
    return await chargePayment(app, started.payment, others, payer, slot)
  } finally {
    slot?.release()
  }
}

/**
 * Records that a payment is charged again because its previous charge created no order. The expiry time starts anew, so
 * that the payer has the full time to pay.
 */
function recordChargeStart(
  app: Deps,
  payment: Payment,
  { provider, accountId }: Candidate,
): Promise<Recorded> {
  const now = app.clock()
  const event: PaymentEvent = {
    type: 'charge_started',
    provider: provider.code,
    providerAccountId: accountId,
    reason: payment.failureReason ?? 'nothing was created',
    expiresAt: after(now, payment.expiryMinutes * 60_000),
    nextCheckAt: after(now, CHARGE_ENDS_AFTER_MS),
  }
  return app.recordInBatch({
    tenantId: payment.tenantId,
    paymentId: payment.id,
    event: current => (hasTransitioned(payment, current) ? undefined : event),
    cause: 'create',
  })
}

async function reread(app: Deps, payment: Payment): Promise<Payment> {
  const found = await findPaymentByKeyInBatch(app.db, payment.tenantId, payment.mode, payment.idempotencyKey)
  if (!found) throw new Error(`payment ${payment.id} no longer exists`)
  return found
}

/**
 * Returns the payment if the API can show its status. Otherwise, throws the error for the status, with a
 * Retry-After header if the client may retry.
 */
function shownOrError(payment: Payment): Payment {
  if (isShown(payment.status)) return payment
  const { provider, failureReason } = payment
  const detail = failureReason ?? 'no answer yet'
  const [, field, reason = detail] = fieldPrefix.exec(detail) ?? []
  if (payment.status === 'rejected') throw fault('provider_refused', { provider, reason }, { field })
  const id = payment.status === 'uncharged' ? 'provider_created_nothing' : 'provider_outcome_unknown'
  const retryAfterSeconds = Math.max(RETRY_AFTER_SECONDS, pauseBeforeChargeMs(payment) / 1_000)
  throw fault(id, { provider, reason }, { field, retryAfterSeconds })
}

/**
 * Matches an adapter's error message that starts with an invalid field's name and a colon. A provider's
 * message may contain a colon too, so only names that look like a field match.
 */
const fieldPrefix = /^([a-z]+_[\w.]+): (.*)$/s
