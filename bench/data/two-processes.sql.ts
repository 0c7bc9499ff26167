// Reads what two service processes stored in the database after both received the same requests.

import { query } from '../host/query.ts'

/** Counts the results of the create requests. `charged` is the number of payments with a unique provider ID. */
export async function foundOfCreates(url: string, run: string): Promise<Record<string, number>> {
  const [found] = await query<Record<string, number>>(
    url,
    `select count(distinct (p.tenant_id, p.id))::integer as payments, count(t.number)::integer as moved,
            count(distinct p.provider_payment_id) filter (where p.status = 'pending' and p.attempt = 1)::integer as charged
     from payments p
     left join payment_transitions t on t.tenant_id = p.tenant_id and t.payment_id = p.id
     where p.idempotency_key like $1 || '-%' and p.mode = 'live'`,
    [run],
  )
  return found as Record<string, number>
}

export async function foundOfPayments(url: string, references: string[]): Promise<Record<string, number>> {
  const [found] = await query<Record<string, number>>(
    url,
    `with payment as (
       select p.tenant_id, p.id, p.status from payment_references r
       join payments p on p.tenant_id = r.tenant_id and p.id = r.payment_id where r.reference = any($1)
     )
     select (select count(*)::integer from payment where status = 'paid') as paid,
            (select count(*)::integer from payment_transitions t join payment p on p.tenant_id = t.tenant_id and p.id = t.payment_id
             where t.to_status = 'paid') as moved,
            (select count(*)::integer from ledger_entries e join payment p on p.tenant_id = e.tenant_id and p.id = e.payment_id) as credited,
            (select count(*)::integer from webhook_events w join payment p on p.tenant_id = w.tenant_id and p.id = w.payment_id) as told`,
    [references],
  )
  return found as Record<string, number>
}

export async function callbacksAreApplied(url: string): Promise<boolean> {
  const waiting = await query(url, `select from provider_callbacks where status = 'received' limit 1`)
  return waiting.length === 0
}
