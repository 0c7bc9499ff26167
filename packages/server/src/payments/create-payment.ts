// Creates a payment in two commits with the provider's answer between them: first the row, with its key,
// its reference and the account that will charge; then what the provider said. A crash in between leaves a
// row that the sweep finds. After an unknown outcome the provider is asked, never charged again.

import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../app.ts'
import { GatewayError, providerError } from '../errors.ts'
import { newId } from '../id.ts'
import type { Mode } from '../mode.ts'
import { isWholeRupiah } from '../money.ts'
import { ProviderError } from '../providers/provider.ts'
import { PROVIDER_TIMEOUT_MS } from '../providers/request.ts'
import { activeMethods, type Candidate, route } from '../routing/route.ts'
import type { CreatePaymentInput } from './create-input.ts'
import { CHARGE_ENDS_AFTER_MS, fingerprintOf, repeatOf } from './idempotency.ts'
import { channelAsSent, channelField, channelOf } from './method.ts'
import { findPaymentByKey, insertPayment } from './payment.sql.ts'
import { hasMoved, isShown, type Payment, type PaymentEvent } from './payment.ts'
import { newPaymentCode } from './payment-code.ts'
import type { Recorded } from './record-event.ts'
import { refreshPayment } from './refresh-payment.ts'

/** After a time-out the provider gets a moment to finish what it began. */
const FIRST_INQUIRY_AFTER_MS = 5_000
/** The pause between two looks at a first request that is still running, doubled each time up to the second. */
const WAIT_STEPS_MS = { first: 25, longest: 500 }
const REPEAT_AFTER_SECONDS = 5

type Deps = Pick<
  App,
  'db' | 'providers' | 'clock' | 'log' | 'publicUrl' | 'record' | 'accountOf' | 'routesOf'
>

export type Created = { payment: Payment; replayed: boolean }

export async function createPayment(
  app: Deps,
  caller: { tenantId: string; mode: Mode },
  idempotencyKey: string,
  input: CreatePaymentInput,
): Promise<Created> {
  const fingerprint = fingerprintOf(input)
  // A known key is answered before routing: what the tenant may do now does not change what it did then.
  const known = await findPaymentByKey(app.db, caller.tenantId, caller.mode, idempotencyKey)
  if (known) return repeat(app, known, fingerprint)

  const payment = newPayment(
    caller,
    idempotencyKey,
    fingerprint,
    input,
    await chooseRoute(app, caller, input),
    app.clock(),
  )
  if (!(await insert(app, payment))) {
    const winner = await findPaymentByKey(app.db, caller.tenantId, caller.mode, idempotencyKey)
    if (!winner) throw new Error(`the holder of idempotency key ${idempotencyKey} is gone`)
    return repeat(app, winner, fingerprint)
  }
  return { payment: answer(await charge(app, payment)), replayed: false }
}

async function chooseRoute(
  app: Deps,
  caller: { tenantId: string; mode: Mode },
  input: CreatePaymentInput,
): Promise<Candidate> {
  const routes = await app.routesOf(caller.tenantId)
  const channel = channelOf(input.method_detail)
  const wanted = { mode: caller.mode, methodType: input.method_type, channel, amount: BigInt(input.amount) }
  const [chosen] = route(app.providers, routes, wanted, Math.random)
  if (!chosen) {
    const offered = activeMethods(app.providers, routes, caller.mode)
      .flatMap(({ methods }) => methods.filter(method => method.type === input.method_type))
      .flatMap(method => method.channels.map(each => each.code))
    const available =
      offered.length > 0
        ? `available: ${[...new Set(offered)].join(', ')}`
        : `no ${input.method_type} channel is enabled`
    throw new GatewayError(
      'BAD_REQUEST',
      `${channelField[input.method_type]}: ${channelAsSent(input.method_detail)} is not enabled for this tenant; ${available}`,
    )
  }
  checkLimits(chosen, input)
  return chosen
}

function checkLimits({ provider, channel }: Candidate, input: CreatePaymentInput): void {
  const { wholeRupiah, minAmount, maxAmount, minExpiryMinutes, maxExpiryMinutes } = channel.limits
  const amount = BigInt(input.amount)
  const refuse = (field: string, limit: string): never => {
    throw new GatewayError('BAD_REQUEST', `${field}: ${provider.name} ${limit} for ${channel.name}`)
  }
  if (wholeRupiah && !isWholeRupiah(amount))
    refuse('amount', 'takes whole rupiah only (a multiple of 100 cents)')
  if (minAmount !== undefined && amount < minAmount) refuse('amount', `takes at least ${minAmount} cents`)
  if (maxAmount !== undefined && amount > maxAmount) refuse('amount', `takes at most ${maxAmount} cents`)
  if (input.expiry_minutes < minExpiryMinutes)
    refuse('expiry_minutes', `takes at least ${minExpiryMinutes} minutes`)
  if (input.expiry_minutes > maxExpiryMinutes)
    refuse('expiry_minutes', `takes at most ${maxExpiryMinutes} minutes`)
}

function newPayment(
  caller: { tenantId: string; mode: Mode },
  idempotencyKey: string,
  fingerprint: Buffer,
  input: CreatePaymentInput,
  chosen: Candidate,
  now: Date,
): Payment {
  return {
    tenantId: caller.tenantId,
    id: newId(),
    mode: caller.mode,
    paymentCode: newPaymentCode(now),
    idempotencyKey,
    fingerprint,
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
    providerPaymentId: null,
    customerName: input.customer_name,
    customerEmail: input.customer_email,
    customerPhone: input.customer_phone,
    items: input.items,
    expiryMinutes: input.expiry_minutes,
    expiresAt: after(now, input.expiry_minutes * 60_000),
    paidAt: null,
    amountPaid: null,
    failureReason: null,
    amountReceived: null,
    nextCheckAt: after(now, CHARGE_ENDS_AFTER_MS),
    createdAt: now,
    updatedAt: now,
  }
}

/** A code that another payment has (one in 2^50 a day) is drawn again. */
async function insert(app: Deps, payment: Payment): Promise<boolean> {
  for (;;) {
    try {
      return await insertPayment(app.db, payment)
    } catch (error) {
      if ((error as { constraint?: string }).constraint !== 'payment_references_pkey') throw error
      payment.paymentCode = newPaymentCode(app.clock())
    }
  }
}

/** Asks the provider, once, and records what came of it. */
async function charge(app: Deps, payment: Payment): Promise<Payment> {
  const event = await askProvider(app, payment)
  const applied = await app.record({
    tenantId: payment.tenantId,
    paymentId: payment.id,
    // Whoever was away so long that the payment went on without it may still bring an acceptance, but no
    // longer a failure: that was one of its own try, and another may be under way.
    event: current => (event.type === 'accepted' || !hasMoved(payment, current) ? event : undefined),
    cause: 'create',
  })
  return applied.payment
}

async function askProvider(app: Deps, payment: Payment): Promise<PaymentEvent> {
  const loaded = await app.accountOf(payment.providerAccountId)
  if (!loaded) throw new Error(`there is no provider account ${payment.providerAccountId}`)
  const { provider, account } = loaded
  try {
    const accepted = await provider.charge(account, {
      reference: payment.paymentCode,
      amount: payment.amount,
      channel: payment.channel,
      methodDetail: payment.methodDetail,
      customer: { name: payment.customerName, email: payment.customerEmail, phone: payment.customerPhone },
      items: payment.items,
      startedAt: after(payment.expiresAt, -payment.expiryMinutes * 60_000),
      expiryMinutes: payment.expiryMinutes,
      callbackUrl: `${app.publicUrl}/v1/callbacks/${provider.code}/${account.id}`,
    })
    return { type: 'accepted', ...accepted }
  } catch (error) {
    // What is no ProviderError is a fault of ours, and the request may have gone out before it.
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
        kind: fault.kind,
      },
      'charge not accepted',
    )
    return eventOf(fault, app.clock())
  }
}

function eventOf(fault: ProviderError, now: Date): PaymentEvent {
  switch (fault.kind) {
    case 'declined':
    case 'invalid':
      return { type: 'rejected', reason: fault.message }
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

async function repeat(app: Deps, holder: Payment, fingerprint: Buffer): Promise<Created> {
  const waitUntil = after(app.clock(), PROVIDER_TIMEOUT_MS)
  let payment = holder
  // One request asks once and charges once; if that settles nothing, the sweep goes on with it.
  let step = WAIT_STEPS_MS.first
  let asked = false
  let charged = false
  for (;;) {
    const next = repeatOf(payment, fingerprint, app.clock())
    if (next === 'conflict') {
      throw new GatewayError('IDEMPOTENCY_CONFLICT', 'this X-Idempotency-Key was used with a different body')
    } else if (next === 'wait' && app.clock() < waitUntil) {
      await pause(step)
      step = Math.min(2 * step, WAIT_STEPS_MS.longest)
      payment = await reread(app, payment)
    } else if (next === 'wait') {
      throw new GatewayError(
        'IDEMPOTENCY_CONFLICT',
        'the first request with this X-Idempotency-Key is still running; repeat it',
        {
          retryAfterSeconds: 2,
        },
      )
    } else if (next === 'inquire' && !asked) {
      asked = true
      payment = await refreshPayment(app, payment)
    } else if (next === 'charge' && !charged) {
      const started = await startCharge(app, payment)
      // Of several repeats the table lets one start; the others wait for it.
      charged = started.kind === 'changed'
      payment = charged ? await charge(app, started.payment) : started.payment
    } else {
      return { payment: answer(payment), replayed: true }
    }
  }
}

/** The payer then has the whole time again. */
function startCharge(app: Deps, payment: Payment): Promise<Recorded> {
  const now = app.clock()
  const event: PaymentEvent = {
    type: 'charge_started',
    expiresAt: after(now, payment.expiryMinutes * 60_000),
    nextCheckAt: after(now, CHARGE_ENDS_AFTER_MS),
  }
  return app.record({ tenantId: payment.tenantId, paymentId: payment.id, event, cause: 'create' })
}

async function reread(app: Deps, payment: Payment): Promise<Payment> {
  const found = await findPaymentByKey(app.db, payment.tenantId, payment.mode, payment.idempotencyKey)
  if (!found) throw new Error(`payment ${payment.id} is gone`)
  return found
}

/** The payment, or the error that its internal status is to the caller. With Retry-After: repeat it. */
function answer(payment: Payment): Payment {
  if (isShown(payment.status)) return payment
  const detail = payment.failureReason ?? 'no answer yet'
  if (payment.status === 'rejected') throw providerError(payment.provider, detail)
  const known = payment.status === 'uncharged' ? 'nothing was created' : 'the outcome is being asked for'
  throw providerError(
    payment.provider,
    `${detail}; ${known}, repeat the request with the same X-Idempotency-Key`,
    { retryAfterSeconds: REPEAT_AFTER_SECONDS },
  )
}

const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms)
