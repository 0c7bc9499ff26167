-- Tenant data: the tenant leads every primary key and unique constraint, so that a distributed
-- PostgreSQL can shard by it and every rule below holds within one shard.

create table payments (
  tenant_id uuid not null,
  id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  payment_code text not null check (payment_code ~ '^GP[0-9]{6}-[0-9A-HJKMNP-TV-Z]{10}$'),
  idempotency_key text not null check (idempotency_key <> ''),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  amount bigint not null check (amount between 1 and 100000000000000),
  currency text not null check (currency = 'IDR'),
  method_type text not null check (method_type in ('virtual_account', 'qris', 'e_wallet', 'over_the_counter')),
  channel text not null check (channel = lower(channel)),
  method_detail jsonb not null,
  method_data jsonb,
  status text not null check (status in (
    -- Internal, never shown by the API: see src/payments/payment.ts.
    'charging', 'unknown', 'uncharged', 'rejected',
    'pending', 'paid', 'failed', 'expired', 'cancelled', 'challenged')),
  transition_count integer not null default 0,
  provider text not null,
  provider_account_id uuid not null,
  provider_payment_id text,
  customer_name text not null default '',
  customer_email text not null default '',
  customer_phone text not null default '',
  items jsonb not null default '[]',
  expiry_minutes integer not null check (expiry_minutes between 2 and 43200),
  expires_at timestamptz not null,
  paid_at timestamptz,
  amount_paid bigint check (amount_paid > 0),
  failure_reason text,
  -- When the sweep asks the provider about this payment next; null: never.
  next_check_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, mode, idempotency_key),
  check ((status = 'paid') = (paid_at is not null)),
  check ((status = 'paid') = (amount_paid is not null))
);
-- The sweep's only query: what is due, and no timer job per payment.
create index payments_due on payments (next_check_at) where next_check_at is not null;

-- Where a reference given to a provider leads. It is global, since a callback names a reference and no
-- tenant, and it makes references unique over all tenants: two payments that share one would mix up
-- whose money arrived. The account is part of it: a callback signed with another account's credentials
-- says nothing about this payment.
create table payment_references (
  reference text primary key,
  tenant_id uuid not null,
  payment_id uuid not null,
  provider_account_id uuid not null
);

create table payment_transitions (
  tenant_id uuid not null,
  payment_id uuid not null,
  number integer not null,
  at timestamptz not null,
  from_status text,
  to_status text not null,
  cause text not null,
  detail text,
  primary key (tenant_id, payment_id, number)
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % refused: %', lower(tg_op), tg_table_name, tg_argv[0] using errcode = 'restrict_violation';
end $$;

create trigger payments_nothing_leaves_paid before update on payments for each row
  when (old.status = 'paid' and (new.status, new.amount_paid, new.paid_at) is distinct from (old.status, old.amount_paid, old.paid_at))
  execute function refuse_change('a paid payment stays as it was paid');
create trigger payments_terms_are_fixed before update on payments for each row
  when ((new.tenant_id, new.id, new.mode, new.payment_code, new.idempotency_key, new.fingerprint, new.amount, new.currency)
        is distinct from
        (old.tenant_id, old.id, old.mode, old.payment_code, old.idempotency_key, old.fingerprint, old.amount, old.currency))
  execute function refuse_change('what was agreed at creation is fixed');
create trigger payments_are_kept before delete on payments for each row
  execute function refuse_change('payments are kept');
