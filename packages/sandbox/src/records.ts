import Router from '@koa/router'
import { z } from 'zod'
import type { Order } from './order.ts'
import type { Sandbox } from './provider.ts'

const ORDERS_LISTED = 1000

const ordersQuery = z.object({
  payment_code: z.string().optional(),
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(ORDERS_LISTED).default(ORDERS_LISTED),
})

/** What the providers themselves have on record, for a checker that compares it with what a merchant believes. */
export function recordRoutes({ store }: Pick<Sandbox, 'store'>): Router {
  const router = new Router()

  router.get('/requests', ctx => {
    const code = ctx.query.payment_code
    const entries = store.requests.list(typeof code === 'string' ? code : undefined)
    ctx.body = {
      count: entries.length,
      requests: entries.map(entry => ({
        at: new Date(entry.at).toISOString(),
        provider: entry.provider,
        method: entry.method,
        path: entry.path,
        reference: entry.reference,
        idempotency_key: entry.idempotencyKey,
        steering: entry.steering,
        answered_status: entry.answeredStatus,
        answered_code: entry.answeredCode,
      })),
    }
  })

  router.get('/orders', ctx => {
    const query = ordersQuery.safeParse(ctx.query)
    if (!query.success) {
      const field = String(query.error.issues[0]?.path[0])
      ctx.status = 400
      ctx.body = { error: 'invalid', field, message: `${field}: ${query.error.issues[0]?.message}` }
      return
    }
    const { payment_code: code, after, limit } = query.data
    const orders = code === undefined ? store.listAfter(after, limit) : store.listByCode(code, limit)
    ctx.body = { count: orders.length, orders: orders.map(orderRecord) }
  })

  return router
}

function orderRecord(order: Order) {
  return {
    seq: order.seq,
    provider: order.provider,
    id: order.id,
    reference: order.reference,
    method: order.method,
    number: order.number,
    status: order.status,
    asked_cents: order.askedCents,
    recorded_cents: order.recordedCents,
    created_at: isoTime(order.createdAt),
    expires_at: isoTime(order.expiresAt),
    settled_at: isoTime(order.settledAt),
  }
}

function isoTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
