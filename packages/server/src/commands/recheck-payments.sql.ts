import type { Tx } from '../db/db.ts'

/**
 * Schedules an immediate status inquiry for two kinds of payments: open payments, including challenged ones (held
 * for review), and unpaid payments whose expiry time was less than 72 hours ago.
 *
 * Skips an ended payment whose last inquiry is still scheduled, and a locked payment, whose status is about
 * to be updated.
 */
export async function makeChecksDue(tx: Tx): Promise<number> {
  const { rows } = await tx.raw<{ rows: unknown[] }>(
    `with unsettled as (
       select tenant_id, id from payments
       where status in ('pending', 'unknown', 'challenged') and (next_check_at is null or next_check_at > now())
          or status in ('expired', 'cancelled', 'failed') and next_check_at is null
             and expires_at between now() - interval '72 hours' and now()
       for update skip locked
     )
     update payments p set next_check_at = now()
     from unsettled u where p.tenant_id = u.tenant_id and p.id = u.id
     returning 1`,
  )
  return rows.length
}
