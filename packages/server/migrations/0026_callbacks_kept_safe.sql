-- A verified callback that cannot be understood is kept as `unreadable`. Every row satisfies the narrower check that this
-- one replaces, so there is nothing to validate.
alter table provider_callbacks drop constraint provider_callbacks_status_check;
alter table provider_callbacks add constraint provider_callbacks_status_check
  check (status in ('received', 'applied', 'repeated', 'refused', 'ignored', 'unmatched', 'unreadable')) not valid;

-- The callbacks whose status is `unreadable`, one row each, until they are reprocessed. Providers send such a message
-- again, because it is not acknowledged: the digest of its bytes recognises it.
create table unreadable_callbacks (
  callback_id uuid primary key,
  provider_account_id uuid not null,
  digest bytea not null check (octet_length(digest) = 32),
  repeats integer not null default 0 check (repeats >= 0),
  last_received_at timestamptz not null,
  -- Null: the payments that it may be about still have to be inquired about.
  inquired_at timestamptz,
  unique (provider_account_id, digest)
);
create index unreadable_callbacks_uninquired on unreadable_callbacks (last_received_at) where inquired_at is null;

-- Credentials that were replaced verify callbacks until valid_until. Nothing else is done with them.
create table previous_provider_credentials (
  id uuid primary key,
  provider_account_id uuid not null references provider_accounts (id),
  credentials_sealed text not null,
  replaced_at timestamptz not null,
  valid_until timestamptz not null check (valid_until > replaced_at)
);
create index previous_provider_credentials_account on previous_provider_credentials (provider_account_id);
create trigger previous_provider_credentials_announced after insert or delete or update on previous_provider_credentials
  for each row execute function announce_change('account', 'provider_account_id');

-- callback_sources: addresses that callbacks are accepted from; empty: any. inquire_above: in cents; a callback that
-- proves itself by a static token alone credits no larger sum before the provider confirmed it. Null: no such limit.
alter table provider_accounts add column callback_sources cidr[] not null default '{}';
alter table provider_accounts add column inquire_above bigint default 1000000000;
