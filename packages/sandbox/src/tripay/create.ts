import type { Context } from 'koa'
import { readBody } from '../body.ts'
import type { Sandbox } from '../provider.ts'
import { acceptedAnswer, type CreateAnswer, type Steering, sendAnswer, steeringOf } from '../steering.ts'
import { parseBody, readCreateRequest } from './create-request.ts'
import { type Answer, invalidApiKey, refusal } from './errors.ts'
import { merchantOf } from './merchant.ts'
import { transactionMessage } from './messages.ts'
import { newOrder, tripayOrder } from './order.ts'

/** Handles a create request. Stores the order and its log entry in one transaction. */
export async function createTransaction(sandbox: Sandbox, ctx: Context): Promise<void> {
  const body = parseBody(await readBody(ctx.req), ctx.get('content-type'))
  const reference = textOf(body, 'merchant_ref').slice(0, 200)
  const steering = steeringOf(sandbox, textOf(body, 'customer_name'), reference)
  const now = Date.now()
  const answer = sandbox.store.together(() => {
    const decided = decide(sandbox, ctx, body, steering, now)
    const sent = answerOf(decided, steering)
    sandbox.store.requests.add({
      at: now,
      provider: 'tripay',
      method: 'POST',
      path: ctx.path,
      reference,
      idempotencyKey: null,
      steering: steering ?? null,
      answeredStatus: sent.status,
      // Tripay has no error codes, so the log entry contains the error message instead.
      answeredCode: 'refused' in decided ? decided.refused.body.message : 'UNPAID',
    })
    return sent
  })
  await sendAnswer(ctx, answer)
}

type Decided = { created: Record<string, unknown> } | { refused: Answer }

function answerOf(decided: Decided, steering: Steering | undefined): CreateAnswer {
  if ('created' in decided) {
    const body = JSON.stringify({ success: true, message: '', data: decided.created })
    return acceptedAnswer(steering, { status: 200, body })
  }
  const { status, body } = decided.refused
  return { status, contentType: 'application/json', body: JSON.stringify(body), pauseMs: 0 }
}

function decide(
  sandbox: Sandbox,
  ctx: Context,
  body: unknown,
  steering: Steering | undefined,
  now: number,
): Decided {
  if (steering === 'outage') return { refused: refusal('Service Unavailable', 503) }
  const merchant = merchantOf(sandbox, ctx.headers.authorization)
  if (!merchant) return { refused: invalidApiKey }
  if (steering === 'rate_limit') return { refused: refusal('Too Many Attempts.', 429) }
  const outcome = readCreateRequest(body, merchant.credentials, now)
  if ('refused' in outcome) return outcome
  if (steering === 'inactive') return { refused: refusal('Payment channel is not active') }
  if (steering === 'reject') return { refused: refusal('Transaction rejected by payment channel') }
  const created = sandbox.store.insertOrder(newOrder(sandbox, merchant.id, outcome.asked, now))
  return { created: transactionMessage(tripayOrder(created), sandbox.publicUrl) }
}

/** Reads a field from a body that is not validated yet, because rejected requests are also logged. */
function textOf(body: unknown, field: string): string {
  const value = (body as Record<string, unknown> | null | undefined)?.[field]
  return typeof value === 'string' ? value : ''
}
