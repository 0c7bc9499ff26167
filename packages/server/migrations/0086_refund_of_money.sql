-- A record of unexpected money has at most one refund that has not failed. The index also finds all refunds of a record.
drop index concurrently if exists refunds_by_refunded_money;
create unique index concurrently refunds_by_refunded_money
  on refunds (tenant_id, refunded_money_id, (case status when 'failed' then number else 0 end))
  where refunded_money_id is not null;
