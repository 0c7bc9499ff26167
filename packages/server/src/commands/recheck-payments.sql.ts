import type { Db } from '../db/db.ts'

/** Payments that await an outcome, including challenged ones (held for review). */
export const openStatuses = ['pending', 'unknown', 'challenged'] as const

const isOpen = `status in ('pending', 'unknown', 'challenged') and (next_check_at is null or next_check_at > now())`

/** An ended payment whose last inquiry is still scheduled is excluded, because the inquiry will be sent anyway. */
const endedUnpaid = `status in ('expired', 'cancelled', 'failed') and next_check_at is null
  and expires_at between now() - interval '72 hours' and now()`

type OpenPayments = { tenantId: string; mode: 'live' | 'test'; status: (typeof openStatuses)[number] }

/** A position in the index `payments_by_kind`, within one tenant, mode and status. */
export type OpenPosition = { methodType: string; provider: string; id: string }

export const BEFORE_ALL_OPEN: OpenPosition = {
  methodType: '',
  provider: '',
  id: '00000000-0000-0000-0000-000000000000',
}

/** A payment that was read. `matches` is true if an inquiry must be scheduled for it. */
type Read = { id: string; matches: boolean }

/** Reads a tenant's next open payments in one mode and with one status, in the order of the index. */
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
