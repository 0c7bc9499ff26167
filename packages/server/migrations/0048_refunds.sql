-- Refunds and chargebacks of paid payments (docs/refunds.md). The commit that inserts a refund also debits it.
--
-- A posting also locks the payments first. The same order prevents deadlocks.
-- allow lock-table: this migration alters the table anyway
lock table payments in access exclusive mode;
create table refunds (
  tenant_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  mode text not null,
  -- 1 for the payment's first refund. Part of the reference that the provider receives.
  number integer not null,
  reference text not null,
  amount bigint not null,
  status text not null,
  method text not null,
  origin text not null,
  reason text not null,
  -- The provider account that received the money.
  provider text not null,
  provider_account_id uuid not null,
  provider_refund_id text,
  failure_reason text,
  -- The payer's account, for a refund that the Owner transfers; and the reference of that transfer.
  bank_account jsonb,
  bank_reference text,
  -- For refunds that the provider or a cardholder made: the record of returned money.
  unexpected_money_id uuid references unexpected_money (id),
  idempotency_key text,
  fingerprint bytea,
  -- When the provider was first asked. A refund is never requested twice.
  requested_at timestamptz,
  next_check_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  succeeded_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, payment_id, number),
  unique (tenant_id, mode, idempotency_key),
  foreign key (tenant_id, payment_id) references payments,
  constraint refunds_amount_check check (amount > 0),
  constraint refunds_mode_check check (mode in ('live', 'test')),
  constraint refunds_status_check check (status in ('pending', 'succeeded', 'failed')),
  constraint refunds_method_check check (method in ('provider', 'manual')),
  constraint refunds_origin_check check (origin in ('merchant', 'operator', 'provider', 'chargeback')),
  constraint refunds_manual_has_bank_account check (method = 'provider' or bank_account is not null),
  constraint refunds_have_a_key check ((origin = 'merchant') = (idempotency_key is not null and fingerprint is not null)),
  constraint refunds_of_provider_have_a_record check ((origin in ('provider', 'chargeback')) = (unexpected_money_id is not null))
);
create unique index refunds_by_record on refunds (tenant_id, unexpected_money_id) where unexpected_money_id is not null;
create index refunds_due on refunds (next_check_at) where next_check_at is not null;
create index refunds_by_id on refunds (id);

create trigger refunds_are_kept before delete on refunds for each row execute function refuse_change('refunds are kept');
create trigger refunds_terms_are_fixed before update on refunds for each row
  when ((new.tenant_id, new.id, new.payment_id, new.mode, new.number, new.reference, new.amount, new.method, new.origin,
         new.reason, new.provider_account_id, new.bank_account, new.unexpected_money_id, new.idempotency_key, new.fingerprint,
         new.created_at)
        is distinct from
        (old.tenant_id, old.id, old.payment_id, old.mode, old.number, old.reference, old.amount, old.method, old.origin,
         old.reason, old.provider_account_id, old.bank_account, old.unexpected_money_id, old.idempotency_key, old.fingerprint,
         old.created_at))
  execute function refuse_change('the terms of a refund are fixed');
-- pending, then succeeded or failed; failed also follows succeeded, as for a chargeback that was won.
create trigger refunds_go_forward before update on refunds for each row
  when (old.status = 'failed' and new.status <> 'failed' or old.status = 'succeeded' and new.status = 'pending')
  execute function refuse_change('a refund does not go back to an earlier status');
create trigger refunds_are_requested_once before update on refunds for each row
  when (old.requested_at is not null and new.requested_at is distinct from old.requested_at)
  execute function refuse_change('a refund is requested once');

-- What merchants and the operator refund never exceeds what the payer paid. The payment is locked, so that two concurrent
-- refunds do not both pass.
create function check_refund_is_left() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  paid bigint;
  refunded bigint;
begin
  select amount_paid into paid from payments
  where tenant_id = new.tenant_id and id = new.payment_id and mode = new.mode for update;
  select coalesce(sum(amount), 0) into refunded from refunds
  where tenant_id = new.tenant_id and payment_id = new.payment_id and status <> 'failed';
  if paid is null or new.origin in ('merchant', 'operator') and refunded > paid then
    raise exception 'refunds of % exceed the amount paid of payment %', refunded, new.payment_id
      using errcode = 'check_violation', constraint = 'refunds_are_left';
  end if;
  return null;
end $$;
create trigger refunds_are_left after insert on refunds for each row execute function check_refund_is_left();

-- The totals that the API shows with a payment: refunds that succeeded, and what the provider or a cardholder took back.
alter table payments
  add column amount_refunded bigint not null default 0,
  add column amount_reversed bigint not null default 0;
create function count_refund() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  change bigint := case when new.status = 'succeeded' then new.amount else 0 end
    - case when tg_op = 'UPDATE' and old.status = 'succeeded' then old.amount else 0 end;
begin
  if change <> 0 then
    update payments
    set amount_refunded = amount_refunded + case when new.origin = 'chargeback' then 0 else change end,
        amount_reversed = amount_reversed + case when new.origin = 'chargeback' then change else 0 end
    where tenant_id = new.tenant_id and id = new.payment_id;
  end if;
  return null;
end $$;
create trigger refunds_are_counted after insert or update on refunds for each row execute function count_refund();
create function count_reversal() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update payments set amount_reversed = amount_reversed + new.amount
  where tenant_id = new.tenant_id and id = new.payment_id;
  return null;
end $$;
create trigger unexpected_money_reversals_are_counted after insert on unexpected_money for each row
  when (new.kind = 'reversal' and new.credited) execute function count_reversal();

-- An entry about a refund. A refund is debited once, in the commit that records it, and credited back at most once, when
-- it failed. A refund of the merchant needs a balance that covers it.
alter table ledger_entries
  add column refund_id uuid,
  add constraint ledger_entries_refund_id_fkey foreign key (tenant_id, refund_id) references refunds (tenant_id, id) not valid;
create function check_entry_names_its_refund() returns trigger language plpgsql as $$
declare
  refund refunds;
begin
  select * into refund from refunds r
  where r.tenant_id = new.tenant_id and r.id = new.refund_id and r.payment_id = new.payment_id and r.mode = new.mode
    and r.amount = new.amount and r.unexpected_money_id is not distinct from new.unexpected_money_id
    and (new.entry_type = 'debit' or r.status = 'failed');
  if not found then
    raise exception 'an entry of % does not follow from refund %', new.amount, new.refund_id using errcode = 'check_violation';
  end if;
  if new.entry_type = 'debit' and refund.origin = 'merchant' and new.balance_after < 0 then
    raise exception 'the balance does not cover refund %', new.refund_id
      using errcode = 'check_violation', constraint = 'ledger_entries_cover_refunds';
  end if;
  return new;
end $$;
create trigger ledger_entries_name_their_refund before insert on ledger_entries for each row
  when (new.refund_id is not null) execute function check_entry_names_its_refund();
drop trigger ledger_entries_are_appended on ledger_entries;
create trigger ledger_entries_are_appended before delete or update of
    tenant_id, id, mode, version, payment_id, entry_type, amount, balance_after, reference_id, reason, created_at,
    unexpected_money_id, refund_id
  on ledger_entries for each row
  execute function refuse_change('the ledger is append-only; correct it with a new entry');

-- A refund is recorded together with its debit.
create function check_refund_is_posted() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  debits integer;
  credits integer;
begin
  select count(*) filter (where entry_type = 'debit'), count(*) filter (where entry_type = 'credit') into debits, credits
  from ledger_entries where tenant_id = new.tenant_id and payment_id = new.payment_id and refund_id = new.id;
  if debits <> 1 or credits <> (select (status = 'failed')::integer from refunds where tenant_id = new.tenant_id and id = new.id) then
    raise exception 'refund % is not debited once, or credited back without having failed', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger refunds_are_posted after insert or update on refunds
  deferrable initially deferred for each row execute function check_refund_is_posted();

create or replace function check_paid_is_credited() returns trigger language plpgsql as $$
begin
  perform from ledger_entries
  where tenant_id = new.tenant_id and payment_id = new.id and entry_type = 'credit' and amount = new.amount_paid
    and unexpected_money_id is null and refund_id is null
    and counter_account is distinct from '00000000-0000-0000-0000-000000000003';
  if not found then
    raise exception 'payment % is paid without its credit of %', new.id, new.amount_paid using errcode = 'check_violation';
  end if;
  return null;
end $$;

alter table webhook_events add constraint webhook_events_types check (
  type in ('payment.paid', 'payment.failed', 'payment.expired', 'payment.cancelled', 'payment.challenged',
    'payment.paid_again', 'payment.reversed', 'payment.refunded', 'refund.failed', 'webhook.test')) not valid;
alter table webhook_events drop constraint webhook_events_type_check;

alter table refunds enable row level security;
create policy everybody on refunds using (true);
create policy tenants_in_scope on refunds as restrictive to gapura_tenant
  using (coalesce(tenant_id = any ((select tenants_in_scope())::uuid[]), false));
grant select, insert, update on refunds to gapura_tenant;

-- The totals of payments that were reversed, or whose refund or chargeback the Owner accepted, before this migration.
-- allow rows-at-once: few payments have such records, and they are looked up by the records
update payments p set amount_reversed = returned.reversed, amount_refunded = returned.refunded
from (
  select tenant_id, payment_id,
         coalesce(sum(amount) filter (where kind <> 'refund'), 0) as reversed,
         coalesce(sum(amount) filter (where kind = 'refund'), 0) as refunded
  from unexpected_money
  where credited and status <> 'dismissed' and (kind = 'reversal' or return_status = 'succeeded')
  group by tenant_id, payment_id
) returned
where p.tenant_id = returned.tenant_id and p.id = returned.payment_id;
