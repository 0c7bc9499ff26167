import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { parseJson } from '../body.ts'
import type { NewOrder } from '../order.ts'
import type { Sandbox } from '../provider.ts'
import { textAt } from '../snap/create.ts'
import { acceptedAnswer, type CreateAnswer, type Steering, steeringOf } from '../steering.ts'
import { type Channel, freeCode } from './channels.ts'
import { authenticated, type DirectCall, type DirectRequest } from './direct-call.ts'
import { type DokuAnswer, refusal } from './errors.ts'
import { paymentCodeMessage } from './messages.ts'
import type { DirectDetail } from './order.ts'

// Creates payment codes for virtual accounts and convenience stores. The two types of request differ only in the name
// of a nested object.

const MINUTE_MS = 60_000
const DEFAULT_LIFE_MINUTES = 60
// The sandbox's own maximum amount, because DOKU documents none. Up to this amount, a JavaScript number can
// represent the cents exactly.
const AMOUNT_LIMIT = 1_000_000_000_000

const info = z.object({
  expired_time: z.int().positive().nullish(),
  // The sandbox does not support codes that can be paid more than once.
  reusable_status: z.literal(false).nullish(),
})

const shared = {
  order: z.object({
    invoice_number: z.string().min(1).max(64),
    amount: z.int().positive().max(AMOUNT_LIMIT),
  }),
  customer: z.object({ name: z.string().max(255).nullish(), email: z.string().max(128).nullish() }).nullish(),
  additional_info: z
    .looseObject({ override_notification_url: z.url({ protocol: /^https?$/ }).nullish() })
    .nullish(),
}

const fieldsOf = {
  va: z
    .object({ ...shared, virtual_account_info: info })
    .transform(({ virtual_account_info, ...rest }) => ({ ...rest, info: virtual_account_info })),
  store: z
    .object({ ...shared, online_to_offline_info: info })
    .transform(({ online_to_offline_info, ...rest }) => ({ ...rest, info: online_to_offline_info })),
}

/** Handles a DOKU request for a payment code. Stores the order and its log entry in one transaction. */
export function createPaymentCode(sandbox: Sandbox, channel: Channel, request: DirectRequest): CreateAnswer {
  const now = Date.now()
  const call = authenticated(sandbox, request)
  const body = parseJson(request.text)
  const reference = textAt(body, 'order', 'invoice_number')
  const steering = steeringOf(sandbox, textAt(body, 'customer', 'name'), reference)
  return sandbox.store.together(() => {
    const decided =
      'refused' in call ? refused(call.refused) : decide(sandbox, channel, call, body, steering, now)
    const answer = acceptedAnswer(decided.accepted ? steering : undefined, decided)
    sandbox.store.requests.add({
      at: now,
      provider: 'doku',
      method: request.method,
      path: request.path,
      reference: reference.slice(0, 200),
      idempotencyKey: 'refused' in call ? null : call.requestId,
      steering: steering ?? null,
      answeredStatus: answer.status,
      answeredCode: answer.body === decided.body ? decided.code : null,
    })
    return answer
  })
}

type Decided = {
  status: number
  // DOKU's error code for the request log. Null if the response contains no error code.
  code: string | null
  body: string
  // True if this request was accepted, or if it repeats the Request-Id of an accepted request. Only in these two cases
  // can the customer's name select a simulated failure that changes the response.
  accepted: boolean
}

function refused({ status, code, body }: DokuAnswer): Decided {
  return { status, code, body: JSON.stringify(body), accepted: false }
}

function decide(
  sandbox: Sandbox,
  channel: Channel,
  call: DirectCall,
  body: unknown,
  steering: Steering | undefined,
  now: number,
): Decided {
  if (steering === 'outage') return refused(refusal('service_unavailable', 'Service Unavailable'))
  if (steering === 'rate_limit') return refused(refusal('too_many_requests', 'Too Many Requests'))
  const scope = JSON.stringify(['doku', call.merchant.id, 'Request-Id', call.requestId])
  const first = sandbox.store.findReplay(scope)
  // A repeated Request-Id gets the response of the first request again. DOKU's documentation: "DOKU system
  // will send the same Response body with HTTP Status Code 409 Conflict" (idempotency-request).
  if (first) return { status: 409, code: null, body: first.body, accepted: true }
  const outcome = judge(sandbox, channel, call, body, now)
  if ('refused' in outcome) return refused(outcome.refused)
  if (steering === 'inactive') return refused(refusal('channel_not_activated', 'Channel is not activated'))
  if (steering === 'reject') return refused(refusal('transaction_rejected', 'Transaction is rejected'))
  const order = sandbox.store.insertOrder(outcome.asked)
  const answer = JSON.stringify(paymentCodeMessage(order, sandbox.publicUrl))
  sandbox.store.saveReplay(scope, 200, answer)
  return { status: 200, code: null, body: answer, accepted: true }
}

function judge(
  sandbox: Sandbox,
  channel: Channel,
  { merchant, requestId }: DirectCall,
  body: unknown,
  now: number,
): { asked: NewOrder } | { refused: DokuAnswer } {
  const parsedFields = fieldsOf[channel.kind].safeParse(body)
  if (!parsedFields.success) {
    const issue = parsedFields.error.issues[0]
    const field = issue?.path.join('.') || 'request body'
    return { refused: refusal('invalid_parameter', `${field} is invalid`) }
  }
  const { order, info: wanted, customer, additional_info } = parsedFields.data
  if (sandbox.store.findOfMerchant('doku', merchant.id, order.invoice_number)) {
    return { refused: refusal('invoice_number_already_used', 'order.invoice_number is already used') }
  }
  const { limits } = channel
  if (limits && (order.amount < limits.min || order.amount > limits.max)) {
    return { refused: refusal('invalid_parameter', 'order.amount is invalid') }
  }
  const url = additional_info?.override_notification_url ?? merchant.notificationUrl
  const cents = order.amount * 100
  const detail: DirectDetail = { kind: 'direct', product: channel.product, requestId }
  return {
    asked: {
      provider: 'doku',
      id: uuid(),
      merchant: merchant.id,
      reference: order.invoice_number,
      method: `${channel.kind === 'va' ? 'virtual_account' : 'store'} ${channel.label.toLowerCase()}`,
      number: freeCode(channel, sandbox.store.isNumberPending),
      customer: customer?.name ?? '',
      askedCents: cents,
      recordedCents: cents,
      status: 'pending',
      createdAt: now,
      expiresAt: now + (wanted.expired_time ?? DEFAULT_LIFE_MINUTES) * MINUTE_MS,
      settledAt: null,
      notificationUrls: url ? [url] : [],
      detail,
    },
  }
}
