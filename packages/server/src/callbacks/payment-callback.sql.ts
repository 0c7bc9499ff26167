import type { Db } from '../db/db.ts'
import type { CallbackStatus } from './callback.sql.ts'

/**
 * A callback about a payment. The headers and the body are omitted, because they can contain a provider's
 * credentials.
 */
export type PaymentCallback = {
  id: string
  provider: string
  status: CallbackStatus
  reason: string | null
  receivedAt: Date
  processedAt: Date | null
}

/**
 * The maximum number of callbacks listed per payment. A payment usually has one to three callbacks, but a provider
 * that repeats its callbacks can send many more.
 */
const CALLBACKS_LISTED = 100

/** Returns the latest callbacks about a payment, at most 100, oldest first. */
export async function listCallbacksOfPayment(
  db: Db,
  tenantId: string,
  paymentId: string,
): Promise<PaymentCallback[]> {
  const { rows } = await db.raw<{ rows: PaymentCallback[] }>(
    `select id, provider, status, reason, received_at as "receivedAt", processed_at as "processedAt"
     from provider_callbacks where payment_id = :paymentId and tenant_id = :tenantId
     order by id desc limit :limit`,
    { tenantId, paymentId, limit: CALLBACKS_LISTED },
  )
  return rows.reverse()
}
