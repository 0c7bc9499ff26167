-- One debit and one credit of each refund.
drop index concurrently if exists ledger_entries_one_for_refund;
create unique index concurrently ledger_entries_one_for_refund on ledger_entries (tenant_id, refund_id, entry_type)
  where refund_id is not null;
