-- The control plane: who may call, which provider accounts exist, who may use them. Small tables that
-- every node of a distributed PostgreSQL would hold whole (Citus: reference tables), so their keys need
-- no tenant in front.

create table tenants (
  id uuid primary key,
  role text not null check (role in ('owner', 'partner', 'client')),
  tier text not null check (tier in ('starter', 'growth', 'enterprise')),
  name text not null check (name <> ''),
  parent_id uuid references tenants (id),
  status text not null default 'active' check (status in ('active', 'suspended')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A Client may stand below a Partner; nobody else stands below anybody.
  check (role = 'client' or parent_id is null)
);
create index tenants_parent on tenants (parent_id) where parent_id is not null;

create table users (
  id uuid primary key,
  tenant_id uuid not null references tenants (id),
  email text not null,
  password_hash text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- One address, one login, whatever the tenant and the casing.
create unique index users_email on users (lower(email));
create index users_tenant on users (tenant_id);

create table api_keys (
  id uuid primary key,
  tenant_id uuid not null references tenants (id),
  mode text not null check (mode in ('live', 'test')),
  name text not null,
  key_hash bytea not null unique check (octet_length(key_hash) = 32),
  display_prefix text not null,
  created_by uuid references users (id),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_tenant on api_keys (tenant_id);

create table signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_jwk_sealed text not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz
);

create table provider_accounts (
  id uuid primary key,
  provider_code text not null,
  mode text not null check (mode in ('live', 'test')),
  name text not null,
  credentials_sealed text not null,
  -- Null: the provider's own host for the mode.
  base_url text,
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table entitlements (
  tenant_id uuid not null references tenants (id),
  provider_account_id uuid not null references provider_accounts (id),
  -- Lower is tried first where no routing rule decides.
  priority integer not null default 100,
  created_at timestamptz not null default now(),
  primary key (tenant_id, provider_account_id)
);

create table routing_rules (
  tenant_id uuid not null,
  id uuid not null,
  position integer not null,
  -- A null condition matches everything; amounts are cents, both ends included.
  method_type text check (method_type in ('virtual_account', 'qris', 'e_wallet', 'over_the_counter')),
  channel text,
  min_amount bigint,
  max_amount bigint,
  provider_account_id uuid not null,
  -- Rules of one position share the payments that match them in proportion to their weights.
  weight integer not null default 1 check (weight > 0),
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, provider_account_id) references entitlements on delete cascade
);

create table webhook_endpoints (
  tenant_id uuid primary key references tenants (id),
  callback_url text,
  secret_sealed text not null,
  previous_secret_sealed text,
  previous_secret_expires_at timestamptz,
  updated_at timestamptz not null default now(),
  check ((previous_secret_sealed is null) = (previous_secret_expires_at is null))
);
