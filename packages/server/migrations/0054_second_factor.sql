-- The second factor of a log-in (docs/decisions/0054-second-factor.md). A user has one if the row below is confirmed, or if the
-- user has a passkey.
create table totp_secrets (
  user_id uuid primary key references users (id),
  secret_sealed text not null,
  created_at timestamptz not null,
  -- Null until the user has proved with a code that an app has the secret.
  confirmed_at timestamptz,
  -- The time step of the last code that was accepted. A code of this or an earlier step is refused.
  last_step bigint not null default -1
);

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users (id),
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

-- Codes for a user who has lost the other factors, as hashes. Each works once.
create table recovery_codes (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  user_id uuid not null references users (id),
  used_at timestamptz
);
create index recovery_codes_user on recovery_codes (user_id);

-- What a user has to answer with a second factor: to finish a log-in, to confirm a session again, to register a passkey.
create table second_factor_challenges (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  user_id uuid not null references users (id),
  purpose text not null check (purpose in ('log_in', 'confirm', 'register_passkey')),
  -- The random value that a passkey signs; null until the options for a passkey were requested.
  passkey_challenge text,
  expires_at timestamptz not null
);
create index second_factor_challenges_user on second_factor_challenges (user_id);

-- When the user of the session last proved a second factor; null if the user had none.
alter table sessions add column proven_at timestamptz;
alter table tenants add column second_factor_required boolean not null default false;

-- A process caches these facts with the session.
create trigger totp_secrets_announced after insert or delete or update of confirmed_at on totp_secrets
  for each row execute function announce_change('user', 'user_id');
create trigger passkeys_announced after insert or delete on passkeys
  for each row execute function announce_change('user', 'user_id');
create trigger sessions_announced after update of proven_at on sessions
  for each row execute function announce_change('session', 'id');
