-- Failed log-ins (docs/decisions/0033-login-limits.md). subject: hash of an account's address, or of a source. lane: who
-- shares the count; the service names it. Rows that are not touched for a day count for nothing.
--
-- login_limits stays for processes of the version before, and is dropped in a later release.
create table login_throttles (
  subject bytea not null check (octet_length(subject) = 32),
  lane text not null check (length(lane) <= 100),
  failures double precision not null check (failures >= 0),
  last_at timestamptz not null,
  primary key (subject, lane)
);
create index login_throttles_last_at on login_throttles (last_at);

-- API keys that the dashboard uses for test payments. Each belongs to a session and ends with it, and five minutes after
-- it was made. They are not in api_keys, whose rows stay forever and are listed.
create table session_keys (
  id uuid primary key,
  key_hash bytea not null unique check (octet_length(key_hash) = 32),
  tenant_id uuid not null references tenants (id),
  user_id uuid not null references users (id),
  session_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index session_keys_expires_at on session_keys (expires_at);

alter table session_keys enable row level security;
create policy everybody on session_keys using (true);
create policy tenants_in_scope on session_keys as restrictive to gapura_tenant
  using (coalesce(tenant_id = any ((select tenants_in_scope())::uuid[]), false));
grant insert on session_keys to gapura_tenant;
