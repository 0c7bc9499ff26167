import type { Tx } from '../db/db.ts'

/**
 * Makes checks due of payments that are open, challenged ones included, and of those that ended unpaid within the three
 * days for which providers are asked about them anyway (payments/check-due-payments.ts). An ended payment whose last check
 * is yet to come keeps its time. A payment that another transaction holds is left out: it is being changed right now.
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
