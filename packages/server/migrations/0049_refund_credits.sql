-- The credit of a payment, now apart from the credits of refunds that failed and of fees that were returned
-- (…0003 is the account fee:operator). Migration 0051 gives it its name.
drop index concurrently if exists ledger_entries_one_credit_of_payment;
create unique index concurrently ledger_entries_one_credit_of_payment on ledger_entries (tenant_id, payment_id)
  where entry_type = 'credit' and unexpected_money_id is null and refund_id is null
    and counter_account is distinct from '00000000-0000-0000-0000-000000000003';
