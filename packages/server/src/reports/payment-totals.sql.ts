// SQL subqueries that add up a payment's ledger entries, unexpected money and refunds for a comparison with the
// provider's data. In each of them, `p` is the payment, and `:returnedBefore` is the time up to which returned money
// counts. The fields of PaymentRecords (difference.ts) describe the sums.

import { accountIdOf } from '../ledger/account.ts'

/** Returns a condition that restricts a tenant column to one tenant on a distributed database, or an empty text. */
type Only = (column: string) => string

/**
 * Adds up the payment's ledger entries. A refund by bank transfer is excluded from `debited` and `pending`, because the
 * provider still owes its money. Fees are excluded, because the provider's data does not contain the operator's fees.
 */
export const ledgerTotals = (only: Only): string => `
  select count(*) filter (where is_own_credit) as credits,
         coalesce(sum(change) filter (where is_own_credit), 0)::bigint as credited,
         coalesce(sum(change) filter (where not is_own_credit and not is_of_return), 0)::bigint as "creditedBesides",
         coalesce(sum(-change) filter (where is_returned and not is_manual and is_made), 0)::bigint as debited,
         coalesce(sum(-change) filter (where is_returned and not is_manual and not is_made), 0)::bigint as pending,
         coalesce(sum(-change) filter (where is_returned and is_manual), 0)::bigint as "refundedManually",
         sum(change) filter (where is_returned or not is_of_return)::bigint as "ledgerAmount"
  from ledger_entries e
  left join refunds r on r.tenant_id = e.tenant_id and r.id = e.refund_id ${only('r.tenant_id')}
  left join unexpected_money u on u.id = e.unexpected_money_id
  cross join lateral (
    select case e.entry_type when 'credit' then e.amount else -e.amount end as change,
           e.entry_type = 'credit' and e.unexpected_money_id is null and e.refund_id is null as is_own_credit,
           -- A credit for a failed refund or a won chargeback cancels its debit. Earlier versions of the service
           -- posted both without a refund, but with the record of the returned money.
           e.entry_type = 'debit' or e.refund_id is not null or u.return_status is not null as is_of_return,
           coalesce(r.method = 'manual', false) as is_manual,
           -- Money that the provider took back without a refund, in a reversal, is always gone.
           coalesce(r.succeeded_at < :returnedBefore, r.id is null) as is_made
  ) as meaning
  cross join lateral (select is_of_return and e.created_at < :returnedBefore as is_returned) as period
  where e.tenant_id = p.tenant_id and e.payment_id = p.id and e.mode = p.mode
    and e.counter_account is distinct from '${accountIdOf('fee:operator')}' ${only('e.tenant_id')}`

/** Adds up the payment's unexpected money that is not in the ledger. */
export const unexpectedTotals = `
  select coalesce(sum(m.amount) filter (where m.status = 'open' and m.return_status is null), 0)::bigint as waiting,
         coalesce(sum(m.amount) filter (where m.status = 'open' and m.return_status is not null), 0)::bigint as held,
         coalesce(sum(m.amount) filter (
           where m.status = 'dismissed' and m.kind = 'refund' and m.return_status <> 'failed'), 0)::bigint
           as "dismissedRefunds"
  from unexpected_money m
  where m.tenant_id = p.tenant_id and m.payment_id = p.id and not m.credited`

/**
 * Adds up the operator's refunds of money that was never credited and therefore has no ledger entries. `hasReturns` is
 * true if any refund or chargeback at the provider is recorded for the payment.
 */
export const refundTotals = (only: Only): string => `
  select coalesce(sum(f.amount) filter (where is_uncredited), 0)::bigint as "refundedUncredited",
         coalesce(sum(f.amount) filter (where is_uncredited and is_by_provider and is_made), 0)::bigint
           as "returnedUncredited",
         coalesce(sum(f.amount) filter (
           where is_uncredited and is_by_provider and not is_made and f.created_at < :returnedBefore), 0)::bigint
           as pending,
         coalesce(bool_or(is_by_provider), false) as "hasReturns"
  from refunds f
  cross join lateral (
    select f.source = 'uncredited' and f.status <> 'failed' as is_uncredited,
           f.method = 'provider' as is_by_provider,
           coalesce(f.succeeded_at < :returnedBefore, false) as is_made
  ) as meaning
  where f.tenant_id = p.tenant_id and f.payment_id = p.id ${only('f.tenant_id')}`
