-- The payer's data is also erased from payments that no provider has accepted. Such a payment is not visible to the
-- merchant, but it stores the data, too. The payer's data is needed only to charge a payment. If the merchant repeats the
-- create request, the charge takes the data from the request.
create or replace function erase_customers(of_tenant uuid, ids uuid[], at timestamptz) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  erased integer;
begin
  if current_setting('role') = 'gapura_tenant' and of_tenant = any (tenants_in_scope()) is not true then
    return 0;
  end if;
  -- Refunds are inserted and changed while their payment is locked.
  perform from payments where tenant_id = of_tenant and id = any (ids) order by id for update;
  update payments p set customer_name = '', customer_email = '', customer_phone = '', customer_ip = null, customer_erased_at = at
  where tenant_id = of_tenant and id = any (ids) and customer_erased_at is null
    and (customer_name <> '' or customer_email <> '' or customer_phone <> '' or customer_ip is not null
         or exists (select from refunds r
                    where r.tenant_id = of_tenant and r.payment_id = p.id and r.bank_account is not null));
  get diagnostics erased = row_count;
  update refunds set bank_account = erased_bank_account(bank_account)
  where tenant_id = of_tenant and payment_id = any (ids) and status <> 'pending'
    and bank_account is distinct from erased_bank_account(bank_account);
  return erased;
end $$;

-- The hourly job of earlier releases moved erased_to past payments that it did not erase. The job therefore starts again
-- at the oldest payment, and stores its position in this column. The trigger on refunds still uses erased_to.
alter table customer_erasures add column all_erased_to uuid;
