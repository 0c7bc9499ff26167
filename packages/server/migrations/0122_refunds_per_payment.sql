-- A merchant can create at most 100 refunds of a payment, including failed ones (MAX_REFUNDS in
-- payments/refund/refundable.ts). Without this limit, refunds of one cent could make a payment's lists so long that they
-- exceed the memory of the process.
create or replace function check_refund_is_left() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  paid bigint;
  refunded bigint;
  created bigint;
begin
  select amount_paid into paid from payments
  where tenant_id = new.tenant_id and id = new.payment_id and mode = new.mode for update;
  if not found then
    raise exception 'refund % has no payment', new.id using errcode = 'check_violation', constraint = 'refunds_are_left';
  end if;
  select coalesce(sum(amount) filter (where status <> 'failed' and source = 'amount_paid'), 0),
         count(*) filter (where origin = 'merchant')
  into refunded, created from refunds where tenant_id = new.tenant_id and payment_id = new.payment_id;
  if new.source = 'amount_paid' and (paid is null or new.origin in ('merchant', 'operator') and refunded > paid) then
    raise exception 'refunds of % exceed the amount paid of payment %', refunded, new.payment_id
      using errcode = 'check_violation', constraint = 'refunds_are_left';
  end if;
  if new.origin = 'merchant' and created > 100 then
    raise exception 'payment % has more than 100 refunds', new.payment_id
      using errcode = 'check_violation', constraint = 'refunds_are_limited';
  end if;
  if new.refunded_money_id is not null then
    perform from unexpected_money m
    where m.id = new.refunded_money_id and m.tenant_id = new.tenant_id and m.payment_id = new.payment_id
      and m.mode = new.mode and m.return_status is null and m.kind <> 'reversal' and m.status = 'refunded'
      and m.credited = (new.source <> 'uncredited') and new.amount <= m.amount;
    if not found then
      raise exception 'refund % does not follow from unexpected money %', new.id, new.refunded_money_id
        using errcode = 'check_violation', constraint = 'refunds_are_left';
    end if;
  end if;
  return null;
end $$;
