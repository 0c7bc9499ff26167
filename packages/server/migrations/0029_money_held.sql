-- What refunds and chargebacks hold of a tenant's balance until the Owner decides: read with every balance.
drop index concurrently if exists unexpected_money_held;
create index concurrently unexpected_money_held on unexpected_money (tenant_id, mode) include (amount)
  where status = 'open' and return_status is not null;
