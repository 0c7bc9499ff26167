import Router from '@koa/router'
import type { Context } from 'koa'
import { z } from 'zod'
import { heldCents, type MoneyReturn } from './money-return.ts'
import type { Order } from './order.ts'
import type { Sandbox } from './provider.ts'
import { providerOf } from './report.ts'

const LISTED = 1000

const pageQuery = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(LISTED).default(LISTED),
})
const ordersQuery = pageQuery.extend({ payment_code: z.string().optional() })

/** Returns the simulated providers' records, so that a test can compare them with the merchant's records. */
export function recordRoutes(sandbox: Pick<Sandbox, 'store' | 'providers'>): Router {
  const { store } = sandbox
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
    ctx.body = { count: orders.length, orders: orders.map(order => orderRecord(sandbox, order)) }
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

/** Returns the parsed query. If it is invalid, sets the error response and returns undefined. */
function readQuery<T>(schema: z.ZodType<T>, ctx: Context): T | undefined {
  const query = schema.safeParse(ctx.query)
  if (query.success) return query.data
  const field = String(query.error.issues[0]?.path[0])
  ctx.status = 400
  ctx.body = { error: 'invalid', field, message: `${field}: ${query.error.issues[0]?.message}` }
  return undefined
}

function orderRecord(sandbox: Pick<Sandbox, 'providers'>, order: Order) {
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
    held_cents: heldCents(order),
    created_at: isoTime(order.createdAt),
    expires_at: isoTime(order.expiresAt),
    settled_at: isoTime(order.settledAt),
    receipts: receiptsOf(sandbox, order),
    returns: order.returns.map(returnRecord),
  }
}

/**
 * Returns a list with the receipt of a paid order, or an empty list if the order is not paid. If the order
 * was paid more than once, the receipt contains the amount of the last payment.
 */
function receiptsOf(sandbox: Pick<Sandbox, 'providers'>, order: Order) {
  if (order.status !== 'paid') return []
  const id = providerOf(sandbox, order).receiptId?.(order) ?? order.id
  return [{ id, amount_cents: order.recordedCents, at: isoTime(order.settledAt) }]
}

function returnRecord({ id, kind, key, amountCents, status, createdAt, finalAt }: MoneyReturn) {
  return {
    id,
    kind,
    key,
    amount_cents: amountCents,
    status,
    created_at: isoTime(createdAt),
    final_at: isoTime(finalAt),
  }
}

function isoTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
