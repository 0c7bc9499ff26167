import Router from '@koa/router'
import type { Context } from 'koa'
import { z } from 'zod'
import type { Order } from './order.ts'
import type { Sandbox } from './provider.ts'

const LISTED = 1000

const pageQuery = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(LISTED).default(LISTED),
})
const ordersQuery = pageQuery.extend({ payment_code: z.string().optional() })

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
    const query = readQuery(ordersQuery, ctx)
    if (!query) return
    const { payment_code: code, after, limit } = query
    const orders = code === undefined ? store.listAfter(after, limit) : store.listByCode(code, limit)
    ctx.body = { count: orders.length, orders: orders.map(orderRecord) }
  })

  router.get('/notifications', ctx => {
    const query = readQuery(pageQuery, ctx)
    if (!query) return
    const sent = store.notifications.listAttemptsAfter(query.after, query.limit)
    ctx.body = {
      count: sent.length,
      notifications: sent.map(each => ({
        seq: each.seq,
        at: isoTime(each.at),
        provider: each.provider,
        reference: each.reference,
        url: each.url,
        says: each.says,
        try: each.try,
        request_body: each.requestBody,
        answered_status: each.answeredStatus,
      })),
    }
  })

  return router
}

/** Undefined when the query was refused: the answer is written then. */
function readQuery<T>(schema: z.ZodType<T>, ctx: Context): T | undefined {
  const query = schema.safeParse(ctx.query)
  if (query.success) return query.data
  const field = String(query.error.issues[0]?.path[0])
  ctx.status = 400
  ctx.body = { error: 'invalid', field, message: `${field}: ${query.error.issues[0]?.message}` }
  return undefined
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
