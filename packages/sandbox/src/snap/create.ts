import { parseJson } from '../body.ts'
import type { NewOrder, Order } from '../order.ts'
import type { Sandbox } from '../provider.ts'
import type { Rule } from '../rules.ts'
import { acceptedAnswer, type CreateAnswer, type Steering, steeringOf } from '../steering.ts'
import { refusal, type Service, type SnapAnswer, success } from './answer.ts'
import { authenticated } from './call.ts'
import type { SnapCall, SnapProfile, SnapRequest } from './profile.ts'
import { ruleRefusal } from './ruled.ts'

/** One service that creates something to be paid. */
export type CreateService = {
  service: Service
  // Read before anything is checked: what was asked is logged, and steered, either way.
  referenceOf: (body: unknown) => string
  customerOf: (body: unknown) => string
  judge: (sandbox: Sandbox, call: SnapCall, now: number) => { asked: NewOrder } | { refused: SnapAnswer }
  answer: (sandbox: Sandbox, order: Order) => Record<string, unknown>
  // What a second call with the same X-EXTERNAL-ID gets; undefined when it is the first.
  repeated: (sandbox: Sandbox, call: SnapCall, now: number) => Decided | undefined
  // Keeps what `repeated` looks for.
  remember: (sandbox: Sandbox, call: SnapCall, decided: Decided, now: number) => void
}

export type Decided = { status: number; code: string; body: string; created?: Order }

/** Answers a create request and writes it down together with what it created, in one commit. */
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
    // Also when it is repeated: a request that was never answered is not answered the second time either.
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
  // Both come before the request is looked at: nothing is remembered of it.
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

/** A text at this path of a body of any shape, or nothing. */
export function textAt(body: unknown, ...path: string[]): string {
  let value = body
  for (const key of path) value = (value as Record<string, unknown> | null | undefined)?.[key]
  return typeof value === 'string' ? value : ''
}

/** Only a virtual account has a name of its own; the others carry one in additionalInfo. */
export function customerInAdditionalInfo(body: unknown): string {
  const name = textAt(body, 'additionalInfo', 'customerName')
  if (name) return name
  const part = (field: string) => textAt(body, 'additionalInfo', 'customerDetails', field)
  return `${part('firstName')} ${part('lastName')}`.trim()
}

/** The service with the rules checked before anything else is judged. */
export function ruled(rules: readonly Rule[], create: CreateService): CreateService {
  return {
    ...create,
    judge(sandbox, call, now) {
      const refused = ruleRefusal(rules, create.service, call)
      return refused ? { refused } : create.judge(sandbox, call, now)
    },
  }
}
