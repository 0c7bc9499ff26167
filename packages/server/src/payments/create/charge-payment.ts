// Charges a payment at its provider account. If a charge certainly created no payable order, the next account is tried.
// Each attempt is stored before its charge is sent. Charges are sent outside of database transactions.

import type { Logger } from '../../logging/log.ts'
import type { LoadAccount } from '../../provider-accounts/load-account.ts'
import type { ChargeSlot, ProviderHealth } from '../../provider-accounts/provider-health.ts'
import { ProviderError } from '../../providers/provider.ts'
import type { Candidate } from '../../routing/route.ts'
import { after, type Clock } from '../../values/time.ts'
import { acceptedEvent } from '../accepted-event.ts'
import {
  attemptStartedAt,
  hasTransitioned,
  type Payment,
  type PaymentEvent,
  referenceOf,
} from '../payment.ts'
import type { EventToRecord, RecordInBatch } from '../record/event-batch.ts'
import { pickAccount } from './choose-accounts.ts'
import { CHARGE_ENDS_AFTER_MS, CHARGE_STARTS_WITHIN_MS } from './idempotency.ts'
import { recordAcceptance } from './record-acceptance.ts'
import { returnUrlOf } from './return-url.ts'

/**
 * The delay between a charge request with an unknown outcome and the first status inquiry. The delay gives
 * the provider time to finish the charge.
 */
const FIRST_INQUIRY_AFTER_MS = 5_000

type Deps = {
  clock: Clock
  log: Logger
  publicUrl: string
  publicIp: string | undefined
  recordInBatch: RecordInBatch
  accountOf: LoadAccount
  health: ProviderHealth
}

/** The payer's data that a charge request contains. */
export type PayerData = Pick<Payment, 'customerName' | 'customerEmail' | 'customerPhone' | 'customerIp'>

/**
 * Charges the payment at its account, then at the fallback accounts `others` in order. After a charge with an unknown
 * outcome, no other account is charged, because the payer could pay twice.
 *
 * If the merchant repeated the create request, `payer` contains the data of the repeated request, because the stored
 * data may have been erased (retention/erase-customers.ts).
 *
 * `slot` is the reserved slot for a concurrent charge at the payment's own account. A charge at another account takes a
 * free slot of that account.
 */
export async function chargePayment(
  app: Deps,
  started: Payment,
  others: readonly Candidate[],
  payer: PayerData = started,
  slot?: ChargeSlot,
): Promise<Payment> {
  let payment = started
  let left = others
  let mayComeBack = false
  for (;;) {
    const outcome = await sendCharge(app, payment, payer, payment === started ? slot : undefined)
    if (!(outcome instanceof ProviderError) || !createdNothingPayable(outcome))
      return recordOutcome(app, payment, outcome, mayComeBack)
    const next = pickAccount(app, payment.tenantId, left)
    if (!next) return recordOutcome(app, payment, outcome, mayComeBack || left.length > 0)
    mayComeBack ||= outcome.kind === 'unavailable'
    left = next.others
    const tried = await recordNextAttempt(app, payment, next.account, outcome)
    // If another process changed the payment while this charge was in flight, the payment is not charged at another
    // account. For example, the payer may have paid.
    if (!tried) return recordOutcome(app, payment, outcome, mayComeBack)
    payment = tried
  }
}

/**
 * Returns whether the failed charge certainly created no order that the payer can pay. Only then may another account
 * charge the payment.
 */
const createdNothingPayable = ({ kind }: ProviderError): boolean =>
  kind === 'unavailable' || kind === 'inactive'

async function sendCharge(
  app: Deps,
  payment: Payment,
  payer: PayerData,
  slot: ChargeSlot | undefined,
): Promise<PaymentEvent | ProviderError> {
  const loaded = await app.accountOf(payment.providerAccountId)
  if (!loaded) throw new Error(`there is no provider account ${payment.providerAccountId}`)
  const { provider, account } = loaded
  // Once CHARGE_ENDS_AFTER_MS have passed since `updatedAt`, other requests and the sweep assume that this charge has
  // ended. If this charge were sent late, they could charge the payment a second time.
  if (app.clock() > after(payment.updatedAt, CHARGE_STARTS_WITHIN_MS)) {
    app.log.warn(
      { tenantId: payment.tenantId, paymentId: payment.id, attempt: payment.attempt },
      'the charge was not sent, because storing the charge attempt took too long',
    )
    return { type: 'not_created', reason: 'the charge was not sent, because the database was too slow' }
  }
  try {
    const accepted = await app.health.monitor(
      { accountId: account.id, providerCode: provider.code, tenantId: payment.tenantId, slot },
      'charge',
      () =>
        provider.charge(account, {
          reference: referenceOf(payment),
          amount: payment.amount,
          channel: payment.channel,
          methodDetail: payment.methodDetail,
          customer: {
            name: payer.customerName,
            email: payer.customerEmail,
            phone: payer.customerPhone,
          },
          items: payment.items,
          startedAt: attemptStartedAt(payment),
          expiryMinutes: payment.expiryMinutes,
          callbackUrl: `${app.publicUrl}/v1/callbacks/${provider.code}/${account.id}`,
          returnUrl: returnUrlOf(payment, app.publicUrl),
          ...(payer.customerIp !== null && { customerIp: payer.customerIp }),
          ...(app.publicIp !== undefined && { serviceIp: app.publicIp }),
        }),
    )
    return acceptedEvent(accepted, payment, app.publicUrl)
  } catch (error) {
    // An error that is not a ProviderError is a bug in this service. It may occur after the charge request was sent, so
    // the outcome of the charge is unknown.
    const fault =
      error instanceof ProviderError
        ? error
        : new ProviderError('unknown', 'its answer could not be read', { cause: error })
    app.log.warn(
      {
        err: error,
        tenantId: payment.tenantId,
        paymentId: payment.id,
        provider: provider.code,
        attempt: payment.attempt,
        kind: fault.kind,
      },
      'the provider did not accept the charge',
    )
    return fault
  }
}

/**
 * Records the start of a charge attempt at the next account. If another process has changed the payment since
 * it was read, records nothing and returns undefined.
 */
async function recordNextAttempt(
  app: Deps,
  payment: Payment,
  { provider, accountId }: Candidate,
  fault: ProviderError,
): Promise<Payment | undefined> {
  const event: PaymentEvent = {
    type: 'charge_started',
    provider: provider.code,
    providerAccountId: accountId,
    reason: fault.message,
    expiresAt: payment.expiresAt,
    nextCheckAt: after(app.clock(), CHARGE_ENDS_AFTER_MS),
  }
  const recorded = await app.recordInBatch({
    tenantId: payment.tenantId,
    paymentId: payment.id,
    event: current => (hasTransitioned(payment, current) ? undefined : event),
    cause: 'failover',
    detail: `${payment.provider}: ${fault.message}`,
  })
  return recorded.kind === 'changed' ? recorded.payment : undefined
}

async function recordOutcome(
  app: Deps,
  payment: Payment,
  outcome: PaymentEvent | ProviderError,
  mayComeBack: boolean,
): Promise<Payment> {
  const event = outcome instanceof ProviderError ? eventOfFailure(outcome, mayComeBack, app.clock()) : outcome
  const toRecord: EventToRecord = {
    tenantId: payment.tenantId,
    paymentId: payment.id,
    // Another process may have changed the payment during a slow charge. An acceptance by the provider is still
    // recorded if its charge attempt is the current one. A failure is not recorded, because a newer attempt may have
    // replaced the failed attempt.
    event: current =>
      !hasTransitioned(payment, current) || (event.type === 'accepted' && current.attempt === payment.attempt)
        ? event
        : undefined,
    known: payment,
    cause: 'create',
  }
  const applied = await (event.type === 'accepted'
    ? recordAcceptance(app, payment, toRecord)
    : app.recordInBatch(toRecord))
  return applied.payment
}

/**
 * Returns the payment event for a failed charge. `mayComeBack` is true if another account was temporarily
 * unavailable. In this case, the merchant can charge the payment again with the same idempotency key.
 */
function eventOfFailure(fault: ProviderError, mayComeBack: boolean, now: Date): PaymentEvent {
  switch (fault.kind) {
    case 'declined':
    case 'invalid':
      return { type: 'rejected', reason: fault.message }
    case 'inactive':
      return { type: mayComeBack ? 'not_created' : 'rejected', reason: fault.message }
    case 'unavailable':
      return { type: 'not_created', reason: fault.message }
    case 'unknown':
      return {
        type: 'outcome_unknown',
        reason: fault.message,
        nextCheckAt: after(now, FIRST_INQUIRY_AFTER_MS),
      }
  }
}
