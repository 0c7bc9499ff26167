-- A payer's name, email address, phone number and IP address can be erased (docs/decisions/0072-personal-data.md). All
-- other parts of an order stay fixed, and so do the ledger and its seals, which contain no personal data.
alter table payments add column customer_erased_at timestamptz;

-- Per tenant, the payment up to which the hourly job has erased the payers' data.
create table customer_erasures (
  tenant_id uuid primary key,
  erased_to uuid not null
);
alter table customer_erasures enable row level security;
create policy everybody on customer_erasures using (true);
create policy tenants_in_scope on customer_erasures as restrictive to gapura_tenant
  using (coalesce(tenant_id = any ((select tenants_in_scope())::uuid[]), false));

drop trigger payments_orders_are_fixed on payments;
create trigger payments_orders_are_fixed before update of
    method_type, method_detail, customer_name, customer_email, customer_phone, items, return_url, customer_ip,
    expiry_minutes, created_at, customer_erased_at
  on payments for each row
  when ((new.method_type, new.method_detail, new.items, new.return_url, new.expiry_minutes, new.created_at)
        is distinct from
        (old.method_type, old.method_detail, old.items, old.return_url, old.expiry_minutes, old.created_at)
        or (new.customer_name, new.customer_email, new.customer_phone, new.customer_ip, new.customer_erased_at)
        is distinct from
        (old.customer_name, old.customer_email, old.customer_phone, old.customer_ip, old.customer_erased_at)
        and (old.customer_erased_at is not null or new.customer_erased_at is null
             or (new.customer_name, new.customer_email, new.customer_phone) <> ('', '', '') or new.customer_ip is not null))
  execute function refuse_change('what was agreed at creation is fixed');

-- The service may not update these columns otherwise.
create function erase_customers(of_tenant uuid, ids uuid[], at timestamptz) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  erased integer;
begin
  if current_setting('role') = 'gapura_tenant' and of_tenant = any (tenants_in_scope()) is not true then
    return 0;
  end if;
  update payments set customer_name = '', customer_email = '', customer_phone = '', customer_ip = null, customer_erased_at = at
  where tenant_id = of_tenant and id = any (ids) and customer_erased_at is null
    and status in ('pending', 'paid', 'failed', 'expired', 'cancelled', 'challenged')
    and (customer_name <> '' or customer_email <> '' or customer_phone <> '' or customer_ip is not null);
  get diagnostics erased = row_count;
  return erased;
end $$;
revoke execute on function erase_customers(uuid, uuid[], timestamptz) from public;
grant execute on function erase_customers(uuid, uuid[], timestamptz) to gapura_tenant;
