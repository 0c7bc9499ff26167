-- A payment may be tried at several provider accounts, one after the other, each time under a reference of its
-- own: the payment code, then the code with -2, -3, … A payment knows its latest try.
alter table payments
  add column attempt smallint not null default 1 check (attempt >= 1),
  -- By which reference, and as which receipt of the provider's, the money that paid it came.
  add column paid_reference text,
  add column receipt text,
  -- When the provider took back what had been paid; the ledger then has a debit.
  add column reversed_at timestamptz check (reversed_at is null or status = 'paid');
-- Until now a payment had one reference. The check of its credit cannot wait for the end: the table is altered below.
set constraints payments_paid_is_credited immediate;
update payments set paid_reference = payment_code where status = 'paid';
set constraints payments_paid_is_credited deferred;
-- By what it was paid may be learnt later, but what is known decides which further money is a second payment.
create trigger payments_paid_by_one_receipt before update on payments for each row
  when (old.status = 'paid'
        and (old.paid_reference is not null and new.paid_reference is distinct from old.paid_reference
             or old.receipt is not null and new.receipt is distinct from old.receipt))
  execute function refuse_change('by what a payment was paid is fixed once it is known');
create trigger payments_reversed_once before update on payments for each row
  when (old.reversed_at is not null and new.reversed_at is distinct from old.reversed_at)
  execute function refuse_change('a payment is taken back once');

-- The directory of references is the record of tries, too. A try is given an end when another one follows it;
-- how the last one stands is the payment's own status.
alter table payment_references
  add column number smallint not null default 1 check (number >= 1),
  add column provider text,
  add column started_at timestamptz,
  add column ended_at timestamptz,
  add column reason text;
update payment_references r set provider = p.provider, started_at = p.created_at
from payments p where p.tenant_id = r.tenant_id and p.id = r.payment_id;
alter table payment_references
  alter column provider set not null,
  alter column started_at set not null,
  add check ((ended_at is null) = (reason is null));
-- Whose money a reference means is for good: a provider may tell of it at any time.
create trigger payment_references_are_kept before delete on payment_references for each row
  execute function refuse_change('references are kept');
create trigger payment_references_are_all_kept before truncate on payment_references for each statement
  execute function refuse_change('references are kept');
create trigger payment_references_end_once before update on payment_references for each row
  when ((new.reference, new.tenant_id, new.payment_id, new.provider_account_id, new.number, new.provider, new.started_at)
        is distinct from
        (old.reference, old.tenant_id, old.payment_id, old.provider_account_id, old.number, old.provider, old.started_at)
        or old.ended_at is not null and (new.ended_at, new.reason) is distinct from (old.ended_at, old.reason))
  execute function refuse_change('a try only ends, and once');

-- Charges whose outcome nobody knows, oldest first; those without a next check wait for the operator.
create index payments_unknown on payments (updated_at) where status = 'unknown';

-- Money that arrived otherwise than was agreed, for the Owner to decide on. It may belong to no payment yet, so
-- it is kept by provider account.
create table unexpected_money (
  id uuid primary key,
  kind text not null check (kind in (
    -- no payment of the account has the reference
    'unknown_reference',
    -- the payment was paid already
    'second_payment',
    -- more, or less, than the amount
    'overpaid', 'underpaid',
    -- the payment was over: expired, cancelled, failed or rejected
    'late',
    -- taken back by the provider after it was paid
    'reversal')),
  status text not null default 'open' check (status in ('open', 'accepted', 'refunded')),
  provider text not null,
  provider_account_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  reference text not null,
  -- The provider's own id of this arrival of money; empty where it has none.
  receipt text not null,
  tenant_id uuid,
  payment_id uuid,
  amount bigint not null check (amount > 0),
  expected_amount bigint,
  -- Whether the ledger has it.
  credited boolean not null,
  paid_at timestamptz not null,
  created_at timestamptz not null,
  decided_at timestamptz,
  reason text,
  check ((status = 'open') = (decided_at is null)),
  check ((tenant_id is null) = (payment_id is null)),
  check (payment_id is not null or kind = 'unknown_reference')
);
-- What waits for the Owner is in here once for each receipt, whatever it is called in the end. Beside it a receipt
-- may have a record of money that was credited without asking, and one of its reversal.
create unique index unexpected_money_receipts on unexpected_money
  (provider_account_id, reference, receipt, (kind in ('late', 'overpaid')), (kind = 'reversal'));
create index unexpected_money_by_status on unexpected_money (status, id);
create index unexpected_money_payment on unexpected_money (tenant_id, payment_id) where payment_id is not null;
create trigger unexpected_money_is_kept before delete on unexpected_money for each row
  execute function refuse_change('what arrived is kept');
create trigger unexpected_money_is_as_it_arrived before update on unexpected_money for each row
  when ((new.id, new.kind, new.provider, new.provider_account_id, new.mode, new.reference, new.receipt, new.paid_at,
         new.created_at)
        is distinct from
        (old.id, old.kind, old.provider, old.provider_account_id, old.mode, old.reference, old.receipt, old.paid_at,
         old.created_at))
  execute function refuse_change('what arrived is kept as it arrived');
-- A receipt may be told with a smaller sum first; what the Owner decided on, and what was credited, stays.
create trigger unexpected_money_only_grows before update on unexpected_money for each row
  when (new.amount < old.amount or new.amount <> old.amount and (old.status <> 'open' or old.credited))
  execute function refuse_change('what arrived only grows, and only while nothing came of it');
create trigger unexpected_money_is_decided_once before update on unexpected_money for each row
  when (old.status <> 'open' and new.status = 'open'
        or old.status = 'refunded' and new.* is distinct from old.*
        or old.credited and not new.credited
        or old.payment_id is not null and (new.tenant_id, new.payment_id) is distinct from (old.tenant_id, old.payment_id))
  execute function refuse_change('what was decided, credited or assigned stays so');

-- A payment has one credit of its own. What else moves for it names the arrival, or the reversal, that it is
-- about: one credit and one debit for each.
alter table ledger_entries
  add column unexpected_money_id uuid references unexpected_money (id),
  -- A debit may be about no arrival (a fee), but never about nothing.
  add constraint ledger_entries_say_why check (reason ~ '\S');
drop index ledger_entries_one_credit;
create unique index ledger_entries_one_credit on ledger_entries (tenant_id, payment_id)
  where entry_type = 'credit' and unexpected_money_id is null;
create unique index ledger_entries_one_for_unexpected_money
  on ledger_entries (tenant_id, unexpected_money_id, entry_type) where unexpected_money_id is not null;

create function check_entry_names_its_money() returns trigger language plpgsql as $$
begin
  perform from unexpected_money m
  where m.id = new.unexpected_money_id and m.tenant_id = new.tenant_id and m.payment_id = new.payment_id and m.mode = new.mode
    and case new.entry_type when 'credit' then m.kind <> 'reversal' and new.amount = m.amount else new.amount <= m.amount end;
  if not found then
    raise exception 'an entry of % does not follow from unexpected money %', new.amount, new.unexpected_money_id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger ledger_entries_name_their_money before insert on ledger_entries for each row
  when (new.unexpected_money_id is not null) execute function check_entry_names_its_money();

create or replace function check_paid_is_credited() returns trigger language plpgsql as $$
begin
  perform from ledger_entries
  where tenant_id = new.tenant_id and payment_id = new.id and entry_type = 'credit' and amount = new.amount_paid
    and unexpected_money_id is null;
  if not found then
    raise exception 'payment % is paid without its credit of %', new.id, new.amount_paid using errcode = 'check_violation';
  end if;
  return null;
end $$;

-- What happens to a payment that stays paid is told, too.
alter table webhook_events drop constraint webhook_events_type_check;
alter table webhook_events add constraint webhook_events_type_check check (
  type in ('payment.paid', 'payment.failed', 'payment.expired', 'payment.cancelled', 'payment.challenged',
    'payment.paid_again', 'payment.reversed', 'payment.refunded', 'webhook.test'));

-- Some providers sign the path they call.
alter table provider_callbacks add column path text not null default '';
alter table rejected_callbacks add column path text not null default '';
