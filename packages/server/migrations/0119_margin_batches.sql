-- Finds the entries and transfers of a batch of Partners' margins by the batch's reference, so that ledger verification can
-- compare them (verification/margin-batches.sql.ts). Only margins have no payment, so the indexes are small, and payments
-- do not update them. The collation sorts references in the same order as JavaScript does.
-- allow concurrently-by-itself: each of these statements can be repeated
drop index concurrently if exists ledger_entries_without_payment;
create index concurrently ledger_entries_without_payment on ledger_entries ((reference_id collate "C"))
  where payment_id is null;
drop index concurrently if exists book_transfers_without_payment;
create index concurrently book_transfers_without_payment on book_transfers ((reference_id collate "C"))
  where payment_id is null;
