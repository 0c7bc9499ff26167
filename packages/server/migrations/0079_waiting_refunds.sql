-- Finds the refunds that wait for the Owner (payments/refund/refund-list.sql.ts), which are few among all refunds.
drop index concurrently if exists refunds_waiting;
create index concurrently refunds_waiting on refunds (id)
  where status = 'pending' and next_check_at is null and origin = 'merchant';
