import type { Tx } from '../db/db.ts'

/**
 * Schedules status inquiries now for open payments, including challenged ones. Also for payments that ended unpaid
 * within the 72 hours in which providers are polled about them anyway (payments/check-due-payments.ts). An ended
 * payment with a scheduled last check keeps its time. A payment locked by another transaction is skipped, because it
 * is being changed.
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
