import type { Context } from 'koa'
import { readBody } from '../body.ts'
import type { Sandbox } from '../provider.ts'
import { acceptedAnswer, type CreateAnswer, type Steering, sendAnswer, steeringOf } from '../steering.ts'
import { readCreateRequest } from './create-request.ts'
import { type Answer, refusals } from './errors.ts'
import { type Fields, fieldsOf, textOf } from './fields.ts'
import { authenticated } from './merchant.ts'
import { createdMessage } from './messages.ts'
import { duitkuOrder, newOrder } from './order.ts'

/** Handles a create request. Stores the order and a log entry for the request in one transaction. */
export async function createTransaction(sandbox: Sandbox, ctx: Context): Promise<void> {
  const fields = fieldsOf(await readBody(ctx.req), ctx.get('content-type'))
  const reference = textOf(fields, 'merchantOrderId').slice(0, 200)
  const steering = steeringOf(sandbox, textOf(fields, 'customerVaName'), reference)
  const now = Date.now()
  const answer = sandbox.store.together(() => {
    const decided = decide(sandbox, fields, steering, now)
    const sent = answerOf(decided, steering)
    sandbox.store.requests.add({
      at: now,
      provider: 'duitku',
      method: 'POST',
      path: ctx.path,
      reference,
      idempotencyKey: null,
      steering: steering ?? null,
      answeredStatus: sent.status,
      answeredCode: 'refused' in decided ? decided.refused.body.Message : '00',
    })
    return sent
  })
  await sendAnswer(ctx, answer)
}

type Decided = { created: Record<string, string> } | { refused: Answer }

function answerOf(decided: Decided, steering: Steering | undefined): CreateAnswer {
  if ('created' in decided)
    return acceptedAnswer(steering, { status: 200, body: JSON.stringify(decided.created) })
  const { status, body } = decided.refused
  return { status, contentType: 'application/json', body: JSON.stringify(body), pauseMs: 0 }
}

function decide(sandbox: Sandbox, fields: Fields, steering: Steering | undefined, now: number): Decided {
  if (steering === 'outage') return { refused: refusals.outage }
  const [merchantCode, reference, amount, signature] = [
    'merchantCode',
    'merchantOrderId',
    'paymentAmount',
    'signature',
  ].map(name => textOf(fields, name))
  const caller = authenticated(sandbox, { merchantCode, signature }, `${merchantCode}${reference}${amount}`)
  if ('refused' in caller) return caller
  if (steering === 'rate_limit') return { refused: refusals.rateLimited }
  const outcome = readCreateRequest(fields)
  if ('refused' in outcome) return outcome
  if (steering === 'inactive') return { refused: refusals.channelNotAvailable }
  // A simulated rejection returns the error for an amount above the maximum, whatever the amount is. Duitku documents
  // no other error for a well-formed request.
  if (steering === 'reject') return { refused: refusals.maximumExceeded }
  const { id } = caller.merchant
  if (sandbox.store.findOfMerchant('duitku', id, outcome.asked.reference))
    return { refused: refusals.referenceUsed }
  const created = sandbox.store.insertOrder(newOrder(sandbox, id, outcome.asked, now))
  return { created: createdMessage(duitkuOrder(created), sandbox.publicUrl) }
}
