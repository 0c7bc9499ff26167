import type { Context } from 'koa'
import { readBody } from '../body.ts'
import type { Order } from '../order.ts'
import type { Sandbox } from '../provider.ts'
import type { Rule } from '../rules.ts'
import { acceptedAnswer, type CreateAnswer, type Steering, sendAnswer, steeringOf } from '../steering.ts'
import { type Answer, rateLimited, refusal, validationRefusal } from './errors.ts'
import { callerOf } from './merchant.ts'
import { type Asked, newOrder, ownOrders, type XenditOrder, xenditOrder } from './order.ts'
import { ruleRefusal } from './rules.ts'
import { textAt } from './schema.ts'

/** The parts of a create request that differ between Xendit products. */
export type Creation = {
  read: (body: unknown, ctx: Context) => { asked: Asked } | { refused: Answer }
  customerOf: (body: unknown) => string
  accepted: (order: XenditOrder) => { status: number; body: Record<string, unknown> }
  // `reference` is the field that contains the merchant's reference. `duplicate` returns the error message for a
  // reference that was already used. If references can be reused, `duplicate` is absent.
  reference: 'reference_id' | 'external_id'
  duplicate?: (reference: string) => string
  // The rules that the official libraries check for this request. Absent if no official library can send the
  // request.
  rules?: readonly Rule[]
  // True if the request supports the idempotency header. Xendit documents this header only for v2 payment requests.
  replays?: boolean
}

type Decided = Answer & { created?: Order }

/** Handles a create request. Stores the order and its log entry in one transaction. */
export async function answerCreate(sandbox: Sandbox, ctx: Context, creation: Creation): Promise<void> {
  const body = parseJson(await readBody(ctx.req))
  const reference = (textAt(body, creation.reference) ?? textAt(body, 'reference_id') ?? '').slice(0, 200)
  const steering = steeringOf(sandbox, creation.customerOf(body), reference)
  const idempotencyKey = (creation.replays && ctx.get('idempotency-key')) || undefined
  const now = Date.now()
  const { answer, headers } = sandbox.store.together(() => {
    const decided = decide(sandbox, ctx, creation, body, steering, idempotencyKey, now)
    const sent = answerOf(decided, steering)
    sandbox.store.requests.add({
      at: now,
      provider: 'xendit',
      method: 'POST',
      path: ctx.path,
      reference,
      idempotencyKey: idempotencyKey ?? null,
      steering: steering ?? null,
      answeredStatus: sent.status,
      answeredCode: sent.body === JSON.stringify(decided.body) ? decided.code : null,
    })
    return { answer: sent, headers: decided.headers ?? {} }
  })
  ctx.set(headers)
  await sendAnswer(ctx, answer)
}

function answerOf(decided: Decided, steering: Steering | undefined): CreateAnswer {
  const written = { status: decided.status, body: JSON.stringify(decided.body) }
  if (decided.status < 300) return acceptedAnswer(steering, written)
  return { ...written, contentType: 'application/json', pauseMs: 0 }
}

function decide(
  sandbox: Sandbox,
  ctx: Context,
  creation: Creation,
  body: unknown,
  steering: Steering | undefined,
  idempotencyKey: string | undefined,
  now: number,
): Decided {
  const caller = callerOf(ctx.headers.authorization)
  if ('refused' in caller) return caller.refused
  if (steering === 'outage') return refusal('CHANNEL_UNAVAILABLE')
  if (steering === 'rate_limit') return rateLimited()
  const scope = idempotencyKey && `xendit:${caller.key}:${idempotencyKey}`
  const first = scope && sandbox.store.findReplay(scope)
  if (first) {
    const earlier = JSON.parse(first.body)
    return { status: first.status, code: earlier.status ?? earlier.error_code, body: earlier }
  }
  const decided = judge(sandbox, ctx, creation, caller.key, body, steering, now)
  if (scope) sandbox.store.saveReplay(scope, decided.status, JSON.stringify(decided.body))
  return decided
}

function judge(
  sandbox: Sandbox,
  ctx: Context,
  { read, accepted, duplicate, rules = [] }: Creation,
  key: string,
  body: unknown,
  steering: Steering | undefined,
  now: number,
): Decided {
  if (body === undefined) return validationRefusal('path', [{ path: [], message: 'is not valid JSON' }])
  const refused = ruleRefusal(rules, body)
  if (refused) return refused
  const outcome = read(body, ctx)
  if ('refused' in outcome) return outcome.refused
  if (steering === 'inactive') return refusal('CHANNEL_NOT_ACTIVATED')
  if (steering === 'reject') return refusal('ACCOUNT_ACCESS_BLOCKED')
  const { asked } = outcome
  if (duplicate && !ownOrders(sandbox, key, [asked.product], asked.reference).next().done) {
    return refusal('DUPLICATE_ERROR', duplicate(asked.reference))
  }
  const created = sandbox.store.insertOrder(newOrder(sandbox, key, asked, now))
  const { status, body: message } = accepted(xenditOrder(created))
  return { status, code: String(message.status), body: message, created }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
