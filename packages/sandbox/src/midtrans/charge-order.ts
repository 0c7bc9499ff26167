import type { IncomingHttpHeaders } from 'node:http'
import { v7 as uuid } from 'uuid'
import type { NewOrder, Order, Status } from '../order.ts'
import type { Sandbox } from '../provider.ts'
import { acceptedAnswer, type CreateAnswer, type Steering, steeringOf } from '../steering.ts'
import { type ChargeRequest, readChargeRequest } from './charge-request.ts'
import { type Answer, refusal } from './errors.ts'
import { expiryOf } from './expiry.ts'
import { chargeMessage, denialMessage, midtransOrder } from './messages.ts'
import { holdsOrderId, type MidtransDetail } from './order.ts'
import { payerNumber } from './payer-number.ts'
import { midtransRules, ruleMessage } from './rules.ts'

export type ChargeCall = {
  serverKey: string | undefined
  path: string
  headers: IncomingHttpHeaders
  // The parsed body, or undefined if the body is not valid JSON.
  body: unknown
  idempotencyKey: string | undefined
  overrideNotification: string | undefined
  appendNotification: string | undefined
}

// Midtrans' pages contradict each other about the maximum number of notification addresses: two or three. The
// sandbox allows three.
const NOTIFICATION_URLS_KEPT = 3

/** Handles a charge request. Stores the order and a log entry for the request in one transaction. */
export function chargeOrder(sandbox: Sandbox, call: ChargeCall): CreateAnswer & { created?: Order } {
  const now = Date.now()
  const steering = steeringOf(sandbox, customerOf(call.body), referenceOf(call.body))
  return sandbox.store.together(() => {
    const decided = replayed(sandbox, call) ?? decide(sandbox, call, steering, now)
    const { httpStatus, code, body, created } = decided
    // A customer name can select a simulated failure. If the first request got no response because of the name, a
    // repeated request gets no response either.
    const answer = acceptedAnswer(code < '400' ? steering : undefined, { status: httpStatus, body })
    sandbox.store.requests.add({
      at: now,
      provider: 'midtrans',
      method: 'POST',
      path: call.path,
      reference: referenceOf(call.body),
      idempotencyKey: call.idempotencyKey ?? null,
      steering: steering ?? null,
      answeredStatus: answer.status,
      answeredCode: answer.body === body ? code : null,
    })
    return { ...answer, ...(created && { created }) }
  })
}

type Decided = { httpStatus: number; code: string; body: string; created?: Order }

function replayed(sandbox: Sandbox, call: ChargeCall): Decided | undefined {
  const scope = replayScope(call)
  const first = scope && sandbox.store.findReplay(scope)
  if (!first) return undefined
  return { httpStatus: first.status, code: JSON.parse(first.body).status_code, body: first.body }
}

/**
 * Returns the idempotency key combined with the merchant's server key. A server key contains no colon, so the keys
 * of two merchants never collide.
 */
function replayScope({ serverKey, idempotencyKey }: ChargeCall): string | undefined {
  return serverKey && idempotencyKey ? `midtrans:${serverKey}:${idempotencyKey}` : undefined
}

function decide(sandbox: Sandbox, call: ChargeCall, steering: Steering | undefined, now: number): Decided {
  if (!call.serverKey) return written(refusal('401'))
  if (steering === 'outage') return written(refusal('503'))
  if (steering === 'rate_limit') return written(refusal('429'))
  const outcome = judge(sandbox, call, call.serverKey, steering, now)
  const decided = 'asked' in outcome ? created(sandbox, outcome.asked) : written(outcome.refused)
  const scope = replayScope(call)
  if (scope) sandbox.store.saveReplay(scope, decided.httpStatus, decided.body)
  return decided
}

function created(sandbox: Sandbox, asked: NewOrder): Decided {
  const order = sandbox.store.insertOrder(asked)
  const message = chargeMessage(midtransOrder(order), sandbox.publicUrl)
  return { httpStatus: 200, code: String(message.status_code), body: JSON.stringify(message), created: order }
}

function written({ httpStatus, code, body }: Answer): Decided {
  return { httpStatus, code, body: JSON.stringify(body) }
}

function judge(
  sandbox: Sandbox,
  call: ChargeCall,
  serverKey: string,
  steering: Steering | undefined,
  now: number,
): { asked: NewOrder } | { refused: Answer } {
  if (call.body === undefined) return { refused: refusal('413') }
  const request = readChargeRequest(call.body)
  if ('messages' in request) return { refused: refusal('400', { validation_messages: request.messages }) }
  const broken = ruleMessage(midtransRules.charge, call)
  if (broken) return { refused: refusal('400', { validation_messages: [broken] }) }
  const expiry = expiryOf(request.method.paymentType, request.method.acquirer, request.custom_expiry, now)
  if ('message' in expiry) return { refused: refusal('400', { validation_messages: [expiry.message] }) }
  if (steering === 'inactive') return { refused: refusal('402') }
  if (isUnknownToOvo(request.method)) return { refused: ovoUserUnknown() }
  const { order_id: reference } = request.transaction_details
  const earlier = sandbox.store.findOfMerchant('midtrans', serverKey, reference)
  if (earlier && holdsOrderId(earlier)) return { refused: refusal('406') }
  const asked = newOrder(sandbox, call, serverKey, request, expiry.expiresAt, now)
  // The fraud check comes last, because it applies only to valid charges.
  return steering === 'reject' ? { refused: denial(asked) } : { asked }
}

/**
 * Returns true for the test phone number with no OVO account. The sandbox defines this number, because Midtrans
 * documents none.
 */
const isUnknownToOvo = ({ payerPhone }: ChargeRequest['method']): boolean =>
  payerPhone !== undefined && /^(\+?62|0)80000000404$/.test(payerPhone)

/** The response if the phone number has no OVO account, from the sample at docs.midtrans.com (ewallet-ovo). */
const ovoUserUnknown = (): Answer =>
  refusal('404', { status_message: "User with requested phone number doesn't exist" })

/** Creates the response to a denied charge. A denied transaction is not stored, because it can never be paid. */
function denial(asked: NewOrder): Answer {
  const body = denialMessage(midtransOrder({ ...asked, seq: 0, status: 'failed', returns: [] }))
  return { httpStatus: 200, code: String(body.status_code), body }
}

function newOrder(
  sandbox: Sandbox,
  call: ChargeCall,
  serverKey: string,
  request: ChargeRequest,
  expiresAt: number | null,
  now: number,
): NewOrder {
  const { customNumber, ...method } = request.method
  const detail: MidtransDetail = { ...method, echoed: echoedOf(request) }
  const channel = method.bank ?? method.store ?? method.acquirer
  const cents = request.transaction_details.gross_amount * 100
  const isCard = method.paymentType === 'credit_card'
  return {
    provider: 'midtrans',
    id: uuid(),
    merchant: serverKey,
    reference: request.transaction_details.order_id,
    method: channel ? `${method.paymentType} ${channel}` : method.paymentType,
    number: isCard ? '' : payerNumber(channel ?? '', customNumber, sandbox.store.isNumberPending),
    customer: customerOf(request),
    askedCents: cents,
    recordedCents: cents,
    status: isCard ? cardStatus(method.maskedCard) : 'pending',
    createdAt: now,
    expiresAt,
    settledAt: null,
    notificationUrls: notificationUrls(call, defaultAddress(sandbox, serverKey)),
    detail,
  }
}

/**
 * Midtrans' published test cards: 4511…1117 is challenged (held for a fraud check), 4911…1113 is denied, all
 * others are accepted.
 */
function cardStatus(maskedCard: string | undefined): Status {
  if (maskedCard?.startsWith('451111') && maskedCard.endsWith('1117')) return 'challenged'
  if (maskedCard?.startsWith('491111') && maskedCard.endsWith('1113')) return 'failed'
  return 'paid'
}

/**
 * Returns the merchant's registered notification address or, if there is none, the address in the sandbox's
 * settings.
 */
function defaultAddress({ merchants, settings }: Sandbox, serverKey: string): string | undefined {
  return merchants.find('midtrans', serverKey)?.notificationUrl ?? settings.notificationUrl
}

function notificationUrls(call: ChargeCall, dashboard: string | undefined): string[] {
  const listed = (header: string | undefined) =>
    (header ?? '')
      .split(',')
      .map(url => url.trim())
      .filter(url => /^https?:\/\//.test(url) && URL.canParse(url))
  const override = listed(call.overrideNotification)
  const urls =
    override.length > 0 ? override : [...(dashboard ? [dashboard] : []), ...listed(call.appendNotification)]
  return urls.slice(0, NOTIFICATION_URLS_KEPT)
}

function echoedOf(request: ChargeRequest): Record<string, unknown> {
  const { custom_field1, custom_field2, custom_field3, metadata } = request
  const given = Object.entries({ custom_field1, custom_field2, custom_field3, metadata })
  return Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== null))
}

// The functions below read bodies that have not been validated, because the log also contains rejected
// requests.

function referenceOf(body: unknown): string {
  const details = (body as { transaction_details?: { order_id?: unknown } } | null | undefined)
    ?.transaction_details
  return typeof details?.order_id === 'string' ? details.order_id.slice(0, 200) : ''
}

function customerOf(body: unknown): string {
  const details = (body as { customer_details?: Record<string, unknown> | null } | null | undefined)
    ?.customer_details
  const names = [details?.first_name, details?.last_name].filter(name => typeof name === 'string')
  return names.join(' ').trim()
}
