-- A day's payments are reconciled by a worker the morning after, live and test apart. The worker that has the run extends
-- its claim as it goes on; once that is over another worker continues where it stood.
create table reconciliation_runs (
  -- Of Asia/Jakarta.
  day date not null,
  mode text not null check (mode in ('live', 'test')),
  id uuid not null unique,
  started_at timestamptz not null,
  claim uuid,
  claimed_until timestamptz,
  -- When everything that needs no provider was compared.
  compared_at timestamptz,
  -- When the last pass ended. With payments left to ask about, another pass follows at retry_at.
  ended_at timestamptz,
  retry_at timestamptz,
  completed_at timestamptz,
  settlement bigint not null default 0,
  unknown_lines bigint not null default 0,
  inquiry bigint not null default 0,
  -- [{ provider, provider_account_id, payments, retried }]
  not_checked jsonb not null default '[]',
  differences bigint not null default 0,
  primary key (day, mode),
  check ((claim is null) = (claimed_until is null)),
  check (completed_at is null or ended_at is not null)
);

-- Payments that a run asks their provider about.
create table reconciliation_checks (
  day date not null,
  mode text not null,
  tenant_id uuid not null,
  payment_id uuid not null,
  provider_account_id uuid not null,
  -- null: not answered yet. untold: the provider has no way to tell, so it is not asked again.
  outcome text check (outcome in ('answered', 'untold')),
  primary key (day, mode, tenant_id, payment_id),
  foreign key (day, mode) references reconciliation_runs (day, mode)
);
create index reconciliation_checks_waiting
  on reconciliation_checks (day, mode, provider_account_id, tenant_id, payment_id) where outcome is null;

-- What runs found. A matter is open once at most: a payment, or a reference of an account that leads to none, and what
-- disagrees about it.
create table reconciliation_differences (
  id uuid primary key,
  matter text not null,
  -- Of the run that found it first.
  day date not null,
  mode text not null check (mode in ('live', 'test')),
  kind text not null,
  "between" text not null,
  tenant_id uuid,
  payment_id uuid,
  payment_code text,
  reference text not null,
  provider text not null,
  provider_account_id uuid not null,
  provider_payment_id text,
  our_status text,
  our_amount bigint,
  ledger_amount bigint,
  their_status text,
  their_amount bigint,
  source text,
  detail text not null,
  found_at timestamptz not null,
  last_found_at timestamptz not null,
  -- When the Owner was notified by mail.
  told_at timestamptz,
  closed_at timestamptz,
  closed_by text check (closed_by in ('run', 'owner')),
  reason text,
  check ((tenant_id is null) = (payment_id is null)),
  check ((closed_at is null) = (closed_by is null)),
  check ((closed_by is not distinct from 'owner') = (reason is not null))
);
create unique index reconciliation_differences_matter on reconciliation_differences (matter) where closed_at is null;
create index reconciliation_differences_open on reconciliation_differences (id) where closed_at is null;
create index reconciliation_differences_of_payment on reconciliation_differences (payment_id);
create index reconciliation_differences_untold on reconciliation_differences (found_at)
  where told_at is null and closed_at is null;
create index reconciliation_differences_by_day on reconciliation_differences (day, mode);
create index reconciliation_differences_dismissed on reconciliation_differences (matter) where closed_by = 'owner';

-- Only the Owner asks for them, and the service itself: gapura_tenant has no right to them.
alter table reconciliation_checks enable row level security;
create policy everybody on reconciliation_checks using (true);
create policy tenants_in_scope on reconciliation_checks as restrictive to gapura_tenant
  using (coalesce(tenant_id = any ((select tenants_in_scope())::uuid[]), false));
alter table reconciliation_differences enable row level security;
create policy everybody on reconciliation_differences using (true);
create policy tenants_in_scope on reconciliation_differences as restrictive to gapura_tenant
  using (coalesce(tenant_id = any ((select tenants_in_scope())::uuid[]), false));
