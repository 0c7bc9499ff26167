-- One receipt can need several records for the Owner: it grows after a decision, the provider takes it back and pays it
-- again, or money of it goes back to the payer (docs/decisions/0030-what-the-provider-holds.md).
--
-- The release before inserts by `unexpected_money_receipts`, which allows one waiting record for a receipt. So a later
-- record carries its place in the receipt in `receipt`, and the provider's own id in provider_id. A release that no longer
-- needs that index can put the place into the index instead.
alter table unexpected_money
  -- The provider's own id of the arrival or return, where `receipt` holds more than that.
  add column provider_id text,
  -- Cents of the receipt that earlier records, or the payment's own credit, account for. This record is about what follows.
  add column from_amount bigint not null default 0,
  -- 1 plus the number of times the provider had taken the receipt's money back before.
  add column round integer not null default 1,
  -- Of a refund or chargeback only: what the provider last reported of it.
  add column return_status text,
  -- Null: the provider did not report how much went back.
  alter column amount drop not null,
  drop constraint unexpected_money_kind_check,
  drop constraint unexpected_money_status_check,
  drop constraint unexpected_money_check2,
  add constraint unexpected_money_kind_check check (kind in (
    'unknown_reference', 'second_payment', 'overpaid', 'underpaid', 'late', 'reversal',
    -- more for the receipt that paid the payment
    'increase',
    -- the provider reports payment again after it had taken the money back
    'paid_after_reversal',
    -- money that went back to the payer at the provider
    'refund', 'chargeback')) not valid,
  add constraint unexpected_money_status_check
    check (status in ('open', 'accepted', 'refunded', 'dismissed')) not valid,
  add constraint unexpected_money_has_payment
    check (payment_id is not null or kind in ('unknown_reference', 'refund', 'chargeback')) not valid,
  add constraint unexpected_money_place check (from_amount >= 0 and round >= 1) not valid,
  add constraint unexpected_money_later_records_are_qualified
    check (provider_id is not null or from_amount = 0 and round = 1 and return_status is null) not valid,
  add constraint unexpected_money_return_status check (
    case when kind in ('refund', 'chargeback')
      then return_status is not null and return_status in ('pending', 'succeeded', 'failed')
      else return_status is null end) not valid,
  -- A debit needs a sum, so only a return that the Owner has not accepted can be without one.
  add constraint unexpected_money_has_amount
    check (amount is not null or return_status is not null and not credited) not valid,
  add constraint unexpected_money_only_returns_are_dismissed
    check (status <> 'dismissed' or return_status is not null) not valid;

create trigger unexpected_money_keeps_its_place before update on unexpected_money for each row
  when ((new.provider_id, new.from_amount, new.round, new.return_status is null)
        is distinct from (old.provider_id, old.from_amount, old.round, old.return_status is null))
  execute function refuse_change('a record is about one part of one receipt');
create or replace trigger unexpected_money_only_grows before update on unexpected_money for each row
  when (new.amount < old.amount or new.amount is null and old.amount is not null
        or new.amount <> old.amount and (old.status <> 'open' or old.credited))
  execute function refuse_change('what arrived only grows, and only while nothing came of it');
create trigger unexpected_money_dismissal_is_final before update on unexpected_money for each row
  when (old.status = 'dismissed' and new.* is distinct from old.*)
  execute function refuse_change('a dismissed record stays as it is');
-- pending, then succeeded or failed; failed also follows succeeded, as for a chargeback that was won.
create trigger unexpected_money_return_goes_forward before update on unexpected_money for each row
  when (old.return_status = 'failed' and new.return_status <> 'failed'
        or old.return_status = 'succeeded' and new.return_status = 'pending')
  execute function refuse_change('a return does not go back to an earlier status');

-- An accepted return is one debit of its whole amount. If the return turns out not to have happened, one credit of the
-- same amount follows.
create or replace function check_entry_names_its_money() returns trigger language plpgsql as $$
begin
  perform from unexpected_money m
  where m.id = new.unexpected_money_id and m.tenant_id = new.tenant_id and m.payment_id = new.payment_id and m.mode = new.mode
    and case
      when m.return_status is not null then new.amount = m.amount
        and (new.entry_type = 'debit' or exists (
          select from ledger_entries e
          where e.tenant_id = new.tenant_id and e.unexpected_money_id = m.id and e.entry_type = 'debit'))
      when new.entry_type = 'credit' then m.kind <> 'reversal' and new.amount = m.amount
      else new.amount <= m.amount
    end;
  if not found then
    raise exception 'an entry of % does not follow from unexpected money %', new.amount, new.unexpected_money_id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- The Owner credited the payment before any provider reported its money. Null once a provider confirms or contradicts it.
alter table payments
  add column unconfirmed_since timestamptz,
  add constraint payments_unconfirmed_is_paid check (unconfirmed_since is null or status = 'paid') not valid;
create trigger payments_confirmed_once before update on payments for each row
  when (old.status = 'paid' and new.unconfirmed_since is not null
        and new.unconfirmed_since is distinct from old.unconfirmed_since)
  execute function refuse_change('a payment that was confirmed stays confirmed');
