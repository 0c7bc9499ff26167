-- A refund or chargeback that a provider reports is debited automatically only if the payment has that much left: what
-- was credited for it, minus its other debits (docs/invariants.md, M36). Fees are not part of this sum. The Owner may
-- accept a larger amount, and the refund then has the Owner's reason. The check runs at commit, when the transaction has
-- posted all its entries. `refunds_are_left` has locked the payment, so concurrent transactions see each other's entries.
-- It is part of this function, because on a Citus cluster, a migration cannot add a trigger to a distributed table.
create or replace function check_refund_is_posted() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  debits integer;
  credits integer;
  in_transit bigint;
  remainder bigint;
  refund refunds;
begin
  select * into refund from refunds where tenant_id = new.tenant_id and id = new.id;
  select count(*) filter (where entry_type = 'debit'), count(*) filter (where entry_type = 'credit') into debits, credits
  from ledger_entries where tenant_id = new.tenant_id and payment_id = new.payment_id and refund_id = new.id;
  if refund.source = 'uncredited' then
    -- The money leaves the provider's account in the book, and waits in transit while the refund is pending.
    select coalesce(sum(case '00000000-0000-0000-0000-000000000005'::uuid when to_account then amount when from_account then -amount end), 0)
    into in_transit from book_transfers
    where tenant_id = new.tenant_id and payment_id = new.payment_id and reference_id = new.reference;
    if debits + credits <> 0 or in_transit <> (case refund.status when 'pending' then refund.amount else 0 end) then
      raise exception 'refund % of money that was not credited is not posted', new.id using errcode = 'check_violation';
    end if;
  elsif debits <> 1 or credits <> (refund.status = 'failed')::integer then
    raise exception 'refund % is not debited once, or credited back without having failed', new.id using errcode = 'check_violation';
  end if;
  if refund.unexpected_money_id is not null and refund.status <> 'failed' then
    perform from refunds r
    join unexpected_money other on other.id = r.unexpected_money_id
    join unexpected_money own on own.id = refund.unexpected_money_id
    where r.tenant_id = new.tenant_id and r.payment_id = new.payment_id and r.id <> new.id and r.status <> 'failed'
      and other.kind = own.kind and other.provider_account_id = own.provider_account_id
      and other.reference = own.reference and other.provider_id = own.provider_id;
    if found then
      raise exception 'refund % debits what another refund has debited for the same refund or chargeback of the provider', new.id
        using errcode = 'check_violation', constraint = 'refunds_are_posted';
    end if;
  end if;
  if tg_op = 'INSERT' and refund.origin in ('provider', 'chargeback') and refund.reason = '' then
    select coalesce(sum(case entry_type when 'credit' then amount else -amount end), 0) into remainder
    from ledger_entries
    where tenant_id = new.tenant_id and payment_id = new.payment_id
      and counter_account is distinct from '00000000-0000-0000-0000-000000000003'
      and counter_account is distinct from '00000000-0000-0000-0000-000000000004';
    if remainder < 0 then
      raise exception 'refund % exceeds what was received for payment % by %', new.id, new.payment_id, -remainder
        using errcode = 'check_violation', constraint = 'refunds_are_posted';
    end if;
  end if;
  return null;
end $$;
