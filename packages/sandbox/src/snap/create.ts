import { parseJson } from '../body.ts'
import type { NewOrder, Order } from '../order.ts'
import type { Sandbox } from '../provider.ts'
import type { Rule } from '../rules.ts'
import { acceptedAnswer, type CreateAnswer, type Steering, steeringOf } from '../steering.ts'
import { refusal, type Service, type SnapAnswer, success } from './answer.ts'
import { authenticated } from './call.ts'
import type { SnapCall, SnapProfile, SnapRequest } from './profile.ts'
import { ruleRefusal } from './ruled.ts'

/** A SNAP service that creates an order, such as QR code generation. */
export type CreateService = {
  service: Service
  // `referenceOf` and `customerOf` read the body before it is validated, because the request log also needs
  // the reference and customer of rejected requests.
  referenceOf: (body: unknown) => string
  customerOf: (body: unknown) => string
  judge: (sandbox: Sandbox, call: SnapCall, now: number) => { asked: NewOrder } | { refused: SnapAnswer }
  answer: (sandbox: Sandbox, order: Order) => Record<string, unknown>
  // Returns the response to a second call with the same X-EXTERNAL-ID, or undefined for the first call.
  repeated: (sandbox: Sandbox, call: SnapCall, now: number) => Decided | undefined
  // Stores the response to a call. If the call is repeated, the function `repeated` returns this response.
  remember: (sandbox: Sandbox, call: SnapCall, decided: Decided, now: number) => void
}

export type Decided = { status: number; code: string; body: string; created?: Order }

/** Handles a create request. Stores the order and its log entry in one transaction. */
export function createOrder(
  sandbox: Sandbox,
  profile: SnapProfile,
  create: CreateService,
  request: SnapRequest,
): CreateAnswer & { created?: Order } {
  const now = Date.now()
  const call = authenticated(sandbox, profile, create.service, request)
  const body = parseJson(request.text)
  const [reference, customer] = [create.referenceOf(body), create.customerOf(body)]
  const steering = steeringOf(sandbox, customer, reference)
  return sandbox.store.together(() => {
    const decided = 'refused' in call ? written(call.refused) : decide(sandbox, create, call, steering, now)
    // A customer name can select a simulated failure. If the first request got no response because of the
    // name, a repeated request gets no response either.
    const answer = acceptedAnswer(decided.status < 400 ? steering : undefined, decided)
    sandbox.store.requests.add({
      at: now,
      provider: profile.provider,
      method: request.method,
      path: request.path,
      reference: reference.slice(0, 200),
      idempotencyKey: 'refused' in call ? null : call.externalId,
      steering: steering ?? null,
      answeredStatus: answer.status,
      answeredCode: answer.body === decided.body ? decided.code : null,
    })
    return { ...answer, ...(decided.created && { created: decided.created }) }
  })
}

function decide(
  sandbox: Sandbox,
  create: CreateService,
  call: SnapCall,
  steering: Steering | undefined,
  now: number,
): Decided {
  // A simulated outage or rate limit returns its error before the request is validated. The error is not stored as the
  // response to this request, so a repeated request is processed again.
  if (steering === 'outage') return written(refusal(create.service, 'unavailable'))
  if (steering === 'rate_limit') return written(refusal(create.service, 'tooManyRequests'))
  const repeated = create.repeated(sandbox, call, now)
  if (repeated) return repeated
  const decided = judged(sandbox, create, call, steering, now)
  create.remember(sandbox, call, decided, now)
  return decided
}

function judged(
  sandbox: Sandbox,
  create: CreateService,
  call: SnapCall,
  steering: Steering | undefined,
  now: number,
): Decided {
  const outcome = create.judge(sandbox, call, now)
  if ('refused' in outcome) return written(outcome.refused)
  if (steering === 'inactive') return written(refusal(create.service, 'notActivated'))
  if (steering === 'reject') return written(refusal(create.service, 'suspectedFraud'))
  const order = sandbox.store.insertOrder(outcome.asked)
  return { ...written(success(create.service, create.answer(sandbox, order))), created: order }
}

export function written({ status, code, body }: SnapAnswer): Decided {
  return { status, code, body: JSON.stringify(body) }
}

/** Returns the text at the given path in a JSON value, or an empty string if there is no text at that path. */
export function textAt(body: unknown, ...path: string[]): string {
  let value = body
  for (const key of path) value = (value as Record<string, unknown> | null | undefined)?.[key]
  return typeof value === 'string' ? value : ''
}

/**
 * Reads the customer's name from additionalInfo, because only virtual account requests have a separate field for
 * the name.
 */
export function customerInAdditionalInfo(body: unknown): string {
  const name = textAt(body, 'additionalInfo', 'customerName')
  if (name) return name
  const part = (field: string) => textAt(body, 'additionalInfo', 'customerDetails', field)
  return `${part('firstName')} ${part('lastName')}`.trim()
}

/** Adds validation rules to a service. They are applied before the service's own validation. */
export function ruled(rules: readonly Rule[], create: CreateService): CreateService {
  return {
    ...create,
    judge(sandbox, call, now) {
      const refused = ruleRefusal(rules, create.service, call)
      return refused ? { refused } : create.judge(sandbox, call, now)
    },
  }
}
