-- The responses of management requests with an idempotency key, for 24 hours (audit/run-once.ts). A row is written in the
-- transaction of the request's effect, so neither exists without the other.
create table management_requests (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants (id),
  user_id uuid not null references users (id),
  key text not null check (key ~ '^[\x21-\x7e]{1,255}$'),
  request_hash bytea not null,
  -- Null only inside the transaction that runs the request. Encrypted, because some responses contain secrets.
  response_sealed text,
  expires_at timestamptz not null,
  unique (tenant_id, user_id, key)
);
create index management_requests_expiry on management_requests (expires_at);

alter table management_requests enable row level security;
create policy everybody on management_requests using (true);
create policy tenants_in_scope on management_requests as restrictive to gapura_tenant
  using (coalesce(tenant_id = any ((select tenants_in_scope())::uuid[]), false));
grant select, insert, update on management_requests to gapura_tenant;
