import type { Tx } from '../db/db.ts'

/**
 * Makes status inquiries due now for open payments, including challenged ones, and for payments that ended unpaid less
 * than 72 hours ago. A last check that is already scheduled for an ended payment keeps its time. A payment locked by
 * another transaction is skipped, because that transaction is changing it.
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
