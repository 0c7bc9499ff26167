-- The checks at the end of a transaction name the tenant of the row in the condition of each table that they read. On
-- Citus, such a query reads only the shard of the row, so the trigger may run it there. If a table gets its tenant from
-- another table of the query, Citus plans a query on all shards and rejects it (docs/decisions/0083-citus.md).
create or replace function check_balance() returns trigger language plpgsql as $$
begin
  perform from balances b
  left join lateral (
    select e.version, e.balance_after from ledger_entries e
    where e.tenant_id = new.tenant_id and e.mode = new.mode order by e.version desc limit 1
  ) last on true
  where b.tenant_id = new.tenant_id and b.mode = new.mode
    and (b.version, b.balance) = (coalesce(last.version, 0), coalesce(last.balance_after, 0));
  if not found then
    raise exception 'balance (%, %) is not what its last entry says', new.tenant_id, new.mode using errcode = 'check_violation';
  end if;
  return null;
end $$;

create or replace function check_book() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  perform from balances b
  where b.tenant_id = new.tenant_id and b.mode = new.mode
    and b.balance + (
      select coalesce(sum(a.balance), 0) from book_accounts a where a.tenant_id = new.tenant_id and a.mode = new.mode) = 0;
  if not found then
    raise exception 'the accounts of book (%, %) do not sum to zero', new.tenant_id, new.mode using errcode = 'check_violation';
  end if;
  return null;
end $$;

create or replace function check_fee_change() returns trigger language plpgsql as $$
begin
  perform
  from fee_charges c
  cross join lateral (
    select sum(f.net) as net, sum(f.tax) as tax, sum(f.operator_net) as operator_net, sum(f.operator_tax) as operator_tax
    from fee_charges f where f.tenant_id = new.tenant_id and f.payment_id = new.payment_id
  ) left_over
  where c.tenant_id = new.tenant_id and c.payment_id = new.payment_id and c.number = 0
    and left_over.net between 0 and c.net and left_over.tax between 0 and c.tax
    and left_over.operator_net between 0 and c.operator_net and left_over.operator_tax between 0 and c.operator_tax
    and left_over.net + left_over.tax = (
      select sum(case e.entry_type when 'debit' then e.amount else -e.amount end) from ledger_entries e
      where e.tenant_id = new.tenant_id and e.payment_id = new.payment_id and e.counter_account = '00000000-0000-0000-0000-000000000003');
  if not found then
    raise exception 'the changes of the fee of payment % do not follow from its charge', new.payment_id
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
