-- A provider may report another amount for a refund or chargeback that was already debited. The debit is then credited
-- back, and a new record with the new amount is debited (docs/decisions/0053-refunds.md). A refund or chargeback of the
-- provider therefore has at most one debit that was not credited back, whatever number of records it has.
create or replace function check_refund_is_posted() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  debits integer;
  credits integer;
  in_transit bigint;
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
  return null;
end $$;
