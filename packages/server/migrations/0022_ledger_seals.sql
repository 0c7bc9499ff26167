-- Entries are sealed in batches: each seal's hash covers the one before it and every entry since (docs/decisions/0026).
-- Seals are a table of their own, so that whoever seals locks no balance that a posting waits for.

-- One number for each round of sealing, and for each statement: a statement covers the seals of the rounds before it.
create sequence ledger_rounds;

create table ledger_seals (
  tenant_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  from_version bigint not null check (from_version > 0),
  to_version bigint not null,
  -- Of the seal that ends at from_version - 1; of the first, 32 zeros.
  previous_hash bytea not null check (octet_length(previous_hash) = 32),
  hash bytea not null check (octet_length(hash) = 32),
  -- How entries become bytes; src/ledger/entry-bytes.ts.
  encoding smallint not null default 1 check (encoding = 1),
  round bigint not null,
  sealed_at timestamptz not null default now(),
  primary key (tenant_id, mode, to_version),
  -- One successor each: no two seals cover an entry.
  unique (tenant_id, mode, from_version),
  check (to_version >= from_version)
);

create trigger ledger_seals_are_appended before update or delete on ledger_seals for each row
  execute function refuse_change('seals are append-only');
create trigger ledger_seals_are_kept before truncate on ledger_seals for each statement
  execute function refuse_change('seals are append-only');

-- A seal begins where the one before it ends, and carries its hash; it covers entries that are there.
create function check_seals_follow() returns trigger language plpgsql as $$
declare
  broken record;
begin
  select seal.tenant_id, seal.mode, seal.from_version into broken
  from appended seal
  left join ledger_seals previous
    on previous.tenant_id = seal.tenant_id and previous.mode = seal.mode and previous.to_version = seal.from_version - 1
  where (seal.from_version > 1 and previous.to_version is null)
     or seal.previous_hash <> coalesce(previous.hash, decode(repeat('00', 32), 'hex'))
     or not exists (
       select from ledger_entries e
       where e.tenant_id = seal.tenant_id and e.mode = seal.mode and e.version = seal.to_version)
  limit 1;
  if found then
    raise exception 'the seal from % of balance (%, %) does not follow the one before it',
      broken.from_version, broken.tenant_id, broken.mode using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger ledger_seals_follow after insert on ledger_seals
  referencing new table as appended for each statement execute function check_seals_follow();

-- What was said of all balances at a moment, signed (a JWS). What convicts is a copy that is kept elsewhere.
create table ledger_statements (
  round bigint primary key,
  root bytea not null check (octet_length(root) = 32),
  statement text not null,
  stated_at timestamptz not null default now()
);
create trigger ledger_statements_are_appended before update or delete on ledger_statements for each row
  execute function refuse_change('statements are append-only');
create trigger ledger_statements_are_kept before truncate on ledger_statements for each statement
  execute function refuse_change('statements are append-only');

-- The grants say it too, for a service that is no superuser.
do $$
begin
  execute format('revoke update, delete, truncate on ledger_seals, ledger_statements from public, %I', current_user);
end $$;
