-- The conditions about which users are mailed (docs/decisions/0075-notices.md). A row begins when a job first finds the
-- condition, and ends when the job no longer finds it. `subject` is what the condition is about, for example an API key.
create table notices (
  id uuid primary key,
  tenant_id uuid not null references tenants,
  kind text not null check (kind in (
    'receiver_failing', 'key_expiring', 'unexpected_money', 'outcome_unknown', 'provider_down')),
  subject text not null,
  detail jsonb not null check (jsonb_typeof(detail) = 'object'),
  since timestamptz not null,
  seen_at timestamptz not null,
  mailed_at timestamptz,
  ended_at timestamptz
);
create unique index notices_current on notices (tenant_id, kind, subject) where ended_at is null;
alter table notices enable row level security;
create policy everybody on notices using (true);
create policy tenants_in_scope on notices as restrictive to gapura_tenant
  using (coalesce(tenant_id = any ((select tenants_in_scope())::uuid[]), false));
