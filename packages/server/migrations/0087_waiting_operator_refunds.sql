-- The refunds that wait for the Owner now include refunds of the operator (payments/refund/refund-list.sql.ts).
drop index concurrently if exists refunds_waiting;
create index concurrently refunds_waiting on refunds (id)
  where status = 'pending' and next_check_at is null and origin in ('merchant', 'operator');
