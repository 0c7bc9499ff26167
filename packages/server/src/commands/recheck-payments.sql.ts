import type { Db } from '../db/db.ts'

/** Payments that await an outcome, including challenged ones (held for review). */
export const openStatuses = ['pending', 'unknown', 'challenged'] as const

const isOpen = `status in ('pending', 'unknown', 'challenged') and (next_check_at is null or next_check_at > now())`

/**
 * Selects ended, unpaid payments, except those whose last status inquiry is still scheduled, because this
 * inquiry will be sent anyway.
 */
const endedUnpaid = `status in ('expired', 'cancelled', 'failed') and next_check_at is null
  and expires_at <= now() and greatest(expires_at, updated_at) >= now() - interval '72 hours'`

type OpenPayments = { tenantId: string; mode: 'live' | 'test'; status: (typeof openStatuses)[number] }

/**
 * A position in the part of the index `payments_by_kind` that contains one tenant's payments of one mode and
 * status.
 */
export type OpenPosition = { methodType: string; provider: string; id: string }

export const BEFORE_ALL_OPEN: OpenPosition = {
  methodType: '',
  provider: '',
  id: '00000000-0000-0000-0000-000000000000',
}

/**
 * A payment read from the database. `matches` is true if the command must schedule a status inquiry for the
 * payment.
 */
type Read = { id: string; matches: boolean }

/**
 * Reads a tenant's next open payments after the position `after`, for one mode and one status. The order is
 * that of the database index.
 */
export async function listOpenPayments(
  db: Db,
  open: OpenPayments,
  after: OpenPosition,
  limit: number,
): Promise<(Read & OpenPosition)[]> {
  const { rows } = await db.raw<{ rows: (Read & OpenPosition)[] }>(
    `select method_type as "methodType", provider, id, ${isOpen} as matches from payments
     where tenant_id = :tenantId and mode = :mode and status = :status
       and (method_type, provider, id) > (:methodType, :provider, :id::uuid)
     order by method_type, provider, id limit :limit`,
    { ...open, ...after, limit },
  )
  return rows
}

/** Reads a tenant's next payments in the order of their creation, whatever their status. */
export async function listLaterPayments(
  db: Db,
  tenantId: string,
  afterId: string,
  limit: number,
): Promise<Read[]> {
  const { rows } = await db.raw<{ rows: Read[] }>(
    `select id, ${endedUnpaid} as matches from payments
     where tenant_id = :tenantId and id > :afterId order by id limit :limit`,
    { tenantId, afterId, limit },
  )
  return rows
}

/**
 * Schedules an immediate status inquiry for those of these payments that still need one. Skips a locked payment,
 * because its status is about to be updated. Returns the number of scheduled inquiries.
 */
export async function makeChecksDue(db: Db, tenantId: string, paymentIds: string[]): Promise<number> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `with unsettled as (
       select id from payments
       where tenant_id = :tenantId and id = any(:paymentIds::uuid[]) and (${isOpen} or ${endedUnpaid})
       for update skip locked
     )
     update payments p set next_check_at = now()
     from unsettled u where p.tenant_id = :tenantId and p.id = u.id
     returning 1`,
    { tenantId, paymentIds: paymentIds as never },
  )
  return rows.length
}
