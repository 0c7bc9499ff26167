-- Erasing a payer also erases the payer's bank account in refunds (docs/decisions/0072-personal-data.md). Only the name
-- of the bank stays. A pending refund keeps the account, because the Owner still needs it for the transfer.
create function erased_bank_account(account jsonb) returns jsonb language sql immutable as
  $$ select account || '{"number": "", "holder_name": ""}' $$;

drop trigger refunds_terms_are_fixed on refunds;
create trigger refunds_terms_are_fixed before update on refunds for each row
  when ((new.tenant_id, new.id, new.payment_id, new.mode, new.number, new.reference, new.amount, new.method, new.origin,
         new.reason, new.provider_account_id, new.unexpected_money_id, new.idempotency_key, new.fingerprint, new.created_at)
        is distinct from
        (old.tenant_id, old.id, old.payment_id, old.mode, old.number, old.reference, old.amount, old.method, old.origin,
         old.reason, old.provider_account_id, old.unexpected_money_id, old.idempotency_key, old.fingerprint, old.created_at)
        or new.bank_account is distinct from old.bank_account
        and (new.status = 'pending' or new.bank_account is distinct from erased_bank_account(old.bank_account)))
  execute function refuse_change('the terms of a refund are fixed');

-- A refund that becomes final after its payer was erased loses the account, too.
create function erase_final_refund() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from payments
             where tenant_id = new.tenant_id and id = new.payment_id and customer_erased_at is not null)
    or exists (select from customer_erasures where tenant_id = new.tenant_id and erased_to >= new.payment_id) then
    new.bank_account := erased_bank_account(new.bank_account);
  end if;
  return new;
end $$;
create trigger refunds_are_erased_when_final before update on refunds for each row
  when (old.status = 'pending' and new.status <> 'pending' and new.bank_account is not null)
  execute function erase_final_refund();

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
    and status in ('pending', 'paid', 'failed', 'expired', 'cancelled', 'challenged')
    and (customer_name <> '' or customer_email <> '' or customer_phone <> '' or customer_ip is not null
         or exists (select from refunds r
                    where r.tenant_id = of_tenant and r.payment_id = p.id and r.bank_account is not null));
  get diagnostics erased = row_count;
  update refunds set bank_account = erased_bank_account(bank_account)
  where tenant_id = of_tenant and payment_id = any (ids) and status <> 'pending'
    and bank_account is distinct from erased_bank_account(bank_account);
  return erased;
end $$;

-- The service sets the bank account once, when it inserts the refund.
revoke update on refunds from gapura_tenant;
grant update (status, provider_refund_id, failure_reason, bank_reference, requested_at, next_check_at, updated_at, succeeded_at)
  on refunds to gapura_tenant;
