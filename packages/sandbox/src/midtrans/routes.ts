import Router from '@koa/router'
import type { Context } from 'koa'
import QRCode from 'qrcode'
import { parseJson, readBody } from '../body.ts'
import type { Order } from '../order.ts'
import type { Sandbox } from '../provider.ts'
import { sendReport } from '../report.ts'
import { sendAnswer } from '../steering.ts'
import { chargeOrder } from './charge-order.ts'
import { type Answer, refusal } from './errors.ts'
import { serverKeyOf } from './merchant.ts'
import { actionMessage, midtransOrder, payerPageUrl, statusMessage } from './messages.ts'
import { type Action, actOn } from './order.ts'
import { qrString } from './qris.ts'
import { answerRefund } from './refund.ts'

const ORDER_ACTIONS: readonly Action[] = ['cancel', 'expire', 'approve', 'deny']

export function midtransRoutes(sandbox: Sandbox): Router {
  const router = new Router()

  router.post('/v2/charge', async ctx => {
    const answer = chargeOrder(sandbox, {
      serverKey: serverKeyOf(ctx.headers.authorization),
      path: ctx.path,
      headers: ctx.headers,
      body: parseJson(await readBody(ctx.req)),
      idempotencyKey: ctx.get('idempotency-key') || undefined,
      overrideNotification: ctx.get('x-override-notification') || undefined,
      appendNotification: ctx.get('x-append-notification') || undefined,
    })
    // The merchant is notified of a pending order only if the sandbox's settings require this notification. The
    // merchant is always notified of a card payment, because a card payment is never pending.
    const { created } = answer
    if (created && (created.status !== 'pending' || sandbox.settings.pendingNotifications)) {
      sendReport(sandbox, created)
    }
    await sendAnswer(ctx, answer)
  })

  router.get('/v2/:id/status', ctx => {
    const found = findOrder(sandbox, ctx, ctx.params.id)
    if ('refused' in found) return say(ctx, found.refused)
    ctx.body = statusMessage(midtransOrder(found.order), sandbox.publicUrl)
  })

  for (const action of ORDER_ACTIONS) {
    router.post(`/v2/:id/${action}`, ctx => {
      const found = findOrder(sandbox, ctx, ctx.params.id)
      if ('refused' in found) return say(ctx, found.refused)
      const changed = actOn(found.order, action)
      if (!changed) return say(ctx, refusal('412'))
      sandbox.store.recordOrder(changed)
      sendReport(sandbox, changed)
      ctx.body = actionMessage(midtransOrder(changed), action)
    })
  }

  for (const path of ['/v2/:id/refund', '/v2/:id/refund/online/direct']) {
    router.post(path, async ctx => {
      const text = await readBody(ctx.req)
      const found = findOrder(sandbox, ctx, ctx.params.id)
      if ('refused' in found) return say(ctx, found.refused)
      const key = ctx.get('idempotency-key') || undefined
      await sendAnswer(ctx, answerRefund(sandbox, found.order, text, key))
    })
  }

  router.get(['/v2/qris/:id/qr-code', '/v2/gopay/:id/qr-code'], async ctx => {
    const order = sandbox.store.findById(ctx.params.id ?? '')
    if (order?.provider !== 'midtrans') return say(ctx, refusal('404'))
    ctx.type = 'png'
    ctx.set('cache-control', 'public, max-age=86400, immutable')
    ctx.body = await QRCode.toBuffer(qrString(midtransOrder(order)), { width: 480, margin: 2 })
  })

  router.get(['/v2/akulaku/redirect/:id', '/v2/kredivo/redirect/:id'], ctx => {
    const order = sandbox.store.findById(ctx.params.id ?? '')
    if (order?.provider !== 'midtrans') return say(ctx, refusal('404'))
    ctx.redirect(payerPageUrl(midtransOrder(order), sandbox.publicUrl))
  })

  router.all('/{*rest}', ctx => say(ctx, refusal('404')))
  return router
}

/** Finds one of this merchant's orders by its order_id or transaction ID. Other merchants' orders are not found. */
function findOrder(
  sandbox: Sandbox,
  ctx: Context,
  id: string | undefined,
): { order: Order } | { refused: Answer } {
  const serverKey = serverKeyOf(ctx.headers.authorization)
  if (!serverKey) return { refused: refusal('401') }
  const byId = sandbox.store.findById(id ?? '')
  const order =
    byId?.provider === 'midtrans' && byId.merchant === serverKey
      ? byId
      : sandbox.store.findOfMerchant('midtrans', serverKey, id ?? '')
  return order ? { order } : { refused: refusal('404') }
}

function say(ctx: Context, answer: Answer): void {
  ctx.status = answer.httpStatus
  ctx.body = answer.body
}
