import type Router from '@koa/router'
import type { Context } from 'koa'
import { readBody } from '../body.ts'
import type { Sandbox } from '../provider.ts'
import { sendAnswer } from '../steering.ts'
import { parseJson } from './create.ts'
import { type Answer, refusal, validationRefusal } from './errors.ts'
import { callerOf } from './merchant.ts'
import { findOwn } from './order.ts'
import { createRefund, findDispute, findRefund, refundMessage } from './refund.ts'
import { disputeMessage } from './return-notification.ts'

const MOST_PER_PAGE = 100

/**
 * Adds the refund calls of Xendit's API, as documented in docs/Refund.md of Xendit's official clients, and
 * the call that returns a dispute (chargeback).
 */
export function refundRoutes(sandbox: Sandbox, router: Router): void {
  router.post('/refunds', async ctx => {
    const body = parseJson(await readBody(ctx.req))
    const caller = callerOf(ctx.headers.authorization)
    if ('refused' in caller) return say(ctx, caller.refused)
    if (body === undefined) {
      return say(ctx, validationRefusal('path', [{ path: [], message: 'is not valid JSON' }]))
    }
    const key = ctx.get('idempotency-key') || undefined
    await sendAnswer(ctx, createRefund(sandbox, caller.key, body, key))
  })

  router.get('/refunds', ctx => {
    const caller = callerOf(ctx.headers.authorization)
    if ('refused' in caller) return say(ctx, caller.refused)
    say(ctx, listRefunds(sandbox, caller.key, new URLSearchParams(ctx.querystring)))
  })

  router.get('/refunds/:id', ctx => {
    const caller = callerOf(ctx.headers.authorization)
    if ('refused' in caller) return say(ctx, caller.refused)
    const found = findRefund(sandbox, caller.key, ctx.params.id ?? '')
    if (!found) return say(ctx, refusal('DATA_NOT_FOUND'))
    ctx.body = refundMessage(found.order, found.refund)
  })

  router.post('/refunds/:id/cancel', ctx => {
    const caller = callerOf(ctx.headers.authorization)
    if ('refused' in caller) return say(ctx, caller.refused)
    const found = findRefund(sandbox, caller.key, ctx.params.id ?? '')
    // Requests to cancel a refund are always rejected, as if the refund were already final.
    say(ctx, refusal(found ? 'INELIGIBLE_TRANSACTION_STATUS' : 'DATA_NOT_FOUND'))
  })

  // docs.xendit.co manage-disputes-via-api
  router.get('/v1/disputes/:id', ctx => {
    const caller = callerOf(ctx.headers.authorization)
    if ('refused' in caller) return say(ctx, caller.refused)
    const found = findDispute(sandbox, caller.key, ctx.params.id ?? '')
    if (!found) return say(ctx, refusal('DATA_NOT_FOUND'))
    ctx.body = disputeMessage(found.order, found.dispute)
  })
}

/** Returns the refunds between `after_id` and `before_id`, newest first. */
function listRefunds(sandbox: Sandbox, merchant: string, query: URLSearchParams): Answer {
  const requestId = query.get('payment_request_id')
  if (!requestId) {
    return validationRefusal('path', [{ path: ['payment_request_id'], message: 'is required' }])
  }
  const order = findOwn(sandbox, merchant, requestId, ['v2', 'v3'])
  const all = (order?.returns ?? []).filter(({ kind }) => kind === 'refund').toReversed()
  const limit = Math.min(Math.max(Number(query.get('limit')) || 10, 1), MOST_PER_PAGE)
  const at = (name: string) => all.findIndex(({ id }) => id === query.get(name))
  const end = at('before_id') === -1 ? all.length : at('before_id')
  const rest = all.slice(at('after_id') + 1, end)
  const data = order ? rest.slice(0, limit).map(refund => refundMessage(order, refund)) : []
  return { status: 200, code: '', body: { data, has_more: rest.length > limit } }
}

function say(ctx: Context, { status, body }: Answer): void {
  ctx.status = status
  ctx.body = body
}
