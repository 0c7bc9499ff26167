-- The Owner's refunds of unexpected money are refunds like any other (docs/decisions/0074-operator-refunds.md).
--
-- `source` is the money that a refund returns: a part of `amount_paid`; money that was credited in addition; or money
-- that was never credited, so that the refund changes no balance of the merchant.
--
-- These locks come first and in the order in which a posting takes them, so that the migration cannot deadlock with a
-- posting. A new refund takes them in the other order. If the two wait for each other, the migration is retried.
-- allow lock-table: the migration is short, and it is retried if it waits for a lock
lock table unexpected_money, refunds in access exclusive mode;
alter table refunds
  add column source text not null default 'amount_paid',
  -- The record of received money that a refund of the operator returns.
  add column refunded_money_id uuid;
alter table refunds
  add constraint refunds_source_check check (source in ('amount_paid', 'separate_credit', 'uncredited')) not valid,
  add constraint refunds_of_operator_name_their_money check ((origin = 'operator') = (refunded_money_id is not null)) not valid,
  add constraint refunds_of_other_sources_are_of_operator check (origin = 'operator' or source = 'amount_paid') not valid,
  add constraint refunds_refunded_money_id_fkey foreign key (refunded_money_id) references unexpected_money (id) not valid;

drop trigger refunds_terms_are_fixed on refunds;
create trigger refunds_terms_are_fixed before update on refunds for each row
  when ((new.tenant_id, new.id, new.payment_id, new.mode, new.number, new.reference, new.amount, new.method, new.origin,
         new.source, new.reason, new.provider_account_id, new.unexpected_money_id, new.refunded_money_id,
         new.idempotency_key, new.fingerprint, new.created_at)
        is distinct from
        (old.tenant_id, old.id, old.payment_id, old.mode, old.number, old.reference, old.amount, old.method, old.origin,
         old.source, old.reason, old.provider_account_id, old.unexpected_money_id, old.refunded_money_id,
         old.idempotency_key, old.fingerprint, old.created_at)
        or new.bank_account is distinct from old.bank_account
        and (new.status = 'pending' or new.bank_account is distinct from erased_bank_account(old.bank_account)))
  execute function refuse_change('the terms of a refund are fixed');

-- Refunds never exceed the money that was received. The refunds of `amount_paid` are summed. Other money has its own
-- record, and a record has at most one refund that has not failed (migration 0086).
create or replace function check_refund_is_left() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  paid bigint;
  refunded bigint;
begin
  select amount_paid into paid from payments
  where tenant_id = new.tenant_id and id = new.payment_id and mode = new.mode for update;
  if not found then
    raise exception 'refund % has no payment', new.id using errcode = 'check_violation', constraint = 'refunds_are_left';
  end if;
  if new.source = 'amount_paid' then
    select coalesce(sum(amount), 0) into refunded from refunds
    where tenant_id = new.tenant_id and payment_id = new.payment_id and status <> 'failed' and source = 'amount_paid';
    if paid is null or new.origin in ('merchant', 'operator') and refunded > paid then
      raise exception 'refunds of % exceed the amount paid of payment %', refunded, new.payment_id
        using errcode = 'check_violation', constraint = 'refunds_are_left';
    end if;
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

drop trigger refunds_are_counted on refunds;
create trigger refunds_are_counted after insert or update on refunds for each row
  when (new.source = 'amount_paid') execute function count_refund();

-- A refund of money that was never credited has no entry in the ledger.
create or replace function check_entry_names_its_refund() returns trigger language plpgsql as $$
declare
  refund refunds;
begin
  select * into refund from refunds r
  where r.tenant_id = new.tenant_id and r.id = new.refund_id and r.payment_id = new.payment_id and r.mode = new.mode
    and r.amount = new.amount and r.unexpected_money_id is not distinct from new.unexpected_money_id
    and r.source <> 'uncredited' and (new.entry_type = 'debit' or r.status = 'failed');
  if not found then
    raise exception 'an entry of % does not follow from refund %', new.amount, new.refund_id using errcode = 'check_violation';
  end if;
  if new.entry_type = 'debit' and refund.origin = 'merchant' and new.balance_after < 0 then
    raise exception 'the balance does not cover refund %', new.refund_id
      using errcode = 'check_violation', constraint = 'ledger_entries_cover_refunds';
  end if;
  return new;
end $$;
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
  return null;
end $$;

-- A refunded record is open again only if its refund failed.
drop trigger unexpected_money_is_decided_once on unexpected_money;
create trigger unexpected_money_is_decided_once before update on unexpected_money for each row
  when (old.status not in ('open', 'refunded') and new.status = 'open'
        or old.status = 'refunded' and new.* is distinct from old.*
           and (new.status <> 'open' or new.credited is distinct from old.credited)
        or old.credited and not new.credited
        or old.payment_id is not null and (new.tenant_id is distinct from old.tenant_id or new.payment_id is distinct from old.payment_id))
  execute function refuse_change('what was decided, credited or assigned stays so');
create function check_refund_of_money_failed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  standing integer;
  failed integer;
begin
  select count(*) filter (where status <> 'failed'), count(*) filter (where status = 'failed') into standing, failed
  from refunds where tenant_id = new.tenant_id and refunded_money_id = new.id;
  if failed = 0 or standing > 0 and exists (select from unexpected_money where id = new.id and status <> 'refunded') then
    raise exception 'unexpected money % is open again, but its refund did not fail', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger unexpected_money_is_reopened after update on unexpected_money
  deferrable initially deferred for each row
  when (old.status = 'refunded' and new.status = 'open') execute function check_refund_of_money_failed();
