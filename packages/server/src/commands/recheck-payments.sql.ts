import type { Tx } from '../db/db.ts'

/**
 * Those that are open, and those that ended unpaid within the three days for which providers are asked about them
 * anyway (payments/check-due-payments.ts). An ended one whose look is still to come keeps it: the look is the last.
 * What another transaction holds is left out, since it is being told of right now.
 */
export async function makeChecksDue(tx: Tx): Promise<number> {
  const { rows } = await tx.raw<{ rows: unknown[] }>(
    `with unsettled as (
       select tenant_id, id from payments
       where status in ('pending', 'unknown') and (next_check_at is null or next_check_at > now())
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
