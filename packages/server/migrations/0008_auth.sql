-- Random keys of our own, sealed under the master key. `hash` keys the hashes of API keys, refresh and reset
-- tokens: it stays when the master key is replaced, so that they go on working.
create table sealed_keys (
  name text primary key,
  key_sealed text not null,
  created_at timestamptz not null default now()
);

-- The library reckons with these milliseconds as a JavaScript number, and this service reads bigint as BigInt.
alter table login_limits alter column expire type double precision;
