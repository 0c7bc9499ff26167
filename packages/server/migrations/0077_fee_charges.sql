-- The fee of each payment that has one, with its parts, for reports and statements (docs/decisions/0058-fees.md). The
-- fee is charged in the transaction that credits the payment. A refund can return a part of it, in a row of its own.
create table fee_charges (
  tenant_id uuid not null,
  payment_id uuid not null,
  -- 0 is the charge. A change after a refund has the number of the payment's transition. Its amounts are negative if it
  -- returns a part of the fee, and positive if the refund failed afterwards.
  number integer not null check (number >= 0),
  mode text not null check (mode in ('live', 'test')),
  method_type text not null,
  channel text not null,
  -- What the merchant paid: before tax (DPP), and the tax (PPN).
  net bigint not null,
  tax bigint not null,
  -- The part of the operator.
  operator_net bigint not null,
  operator_tax bigint not null,
  charged_at timestamptz not null,
  primary key (tenant_id, payment_id, number),
  foreign key (tenant_id, payment_id) references payments,
  constraint fee_charges_are_positive check (
    number > 0
    or least(net, tax, operator_net, operator_tax) >= 0 and net + tax > 0 and operator_net + operator_tax <= net + tax)
);
create index fee_charges_by_day on fee_charges (tenant_id, charged_at);

create trigger fee_charges_are_appended before update or delete on fee_charges for each row
  execute function refuse_change('the fees are append-only; correct them with a new row');
create trigger fee_charges_are_kept before truncate on fee_charges for each statement
  execute function refuse_change('the fees are append-only; correct them with a new row');

-- At commit, a payment has one debit for its fee, with the amount of its charge, and never more than its credit.
create function check_fee_charge() returns trigger language plpgsql as $$
begin
  perform from payments p
  where p.tenant_id = new.tenant_id and p.id = new.payment_id and new.net + new.tax <= p.amount_paid
    and array[new.net + new.tax] = (
      select array_agg(e.amount) from ledger_entries e
      where e.tenant_id = new.tenant_id and e.payment_id = new.payment_id and e.entry_type = 'debit'
        and e.counter_account = '00000000-0000-0000-0000-000000000003');
  if not found then
    raise exception 'the fee of payment % is not the debit of its fee', new.payment_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger fee_charges_are_debited after insert on fee_charges
  deferrable initially deferred for each row when (new.number = 0) execute function check_fee_charge();

-- At commit, the charge and its changes add up to the fee that the ledger has, and no part is negative or more than was
-- charged.
create function check_fee_change() returns trigger language plpgsql as $$
begin
  perform
  from fee_charges c
  cross join lateral (
    select sum(f.net) as net, sum(f.tax) as tax, sum(f.operator_net) as operator_net, sum(f.operator_tax) as operator_tax
    from fee_charges f where f.tenant_id = c.tenant_id and f.payment_id = c.payment_id
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
create constraint trigger fee_changes_are_posted after insert on fee_charges
  deferrable initially deferred for each row when (new.number > 0) execute function check_fee_change();

alter table fee_charges enable row level security;
create policy everybody on fee_charges using (true);
create policy tenants_in_scope on fee_charges as restrictive to gapura_tenant
  using (coalesce(tenant_id = any ((select tenants_in_scope())::uuid[]), false));
grant select, insert on fee_charges to gapura_tenant;
