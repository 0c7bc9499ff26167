-- Refresh tokens, as hashes. The tokens of one login are a family.
create table refresh_tokens (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  family_id uuid not null,
  user_id uuid not null references users (id),
  issued_at timestamptz not null default now(),
  expires_at timestamptz not null,
  spent_at timestamptz,
  revoked_at timestamptz
);
create index refresh_tokens_family on refresh_tokens (family_id);
create index refresh_tokens_user on refresh_tokens (user_id);
