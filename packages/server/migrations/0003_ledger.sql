-- One balance for each tenant and mode, and below it an append-only chain of entries: entry n carries the
-- balance of entry n - 1 plus or minus its amount. The database itself holds the chain together.

create table balances (
  tenant_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  balance bigint not null default 0,
  -- How many entries the chain has; the number of the last one.
  version bigint not null default 0 check (version >= 0),
  primary key (tenant_id, mode)
);

create table ledger_entries (
  tenant_id uuid not null,
  id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  version bigint not null check (version > 0),
  payment_id uuid not null,
  entry_type text not null check (entry_type in ('credit', 'debit')),
  amount bigint not null check (amount > 0),
  balance_after bigint not null,
  reference_id text not null,
  reason text not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, mode, version),
  foreign key (tenant_id, payment_id) references payments
);
create index ledger_entries_payment on ledger_entries (tenant_id, payment_id);
create unique index ledger_entries_one_credit on ledger_entries (tenant_id, payment_id) where entry_type = 'credit';

create trigger ledger_entries_are_appended before update or delete on ledger_entries for each row
  execute function refuse_change('the ledger is append-only; correct it with a new entry');
create trigger ledger_entries_are_kept before truncate on ledger_entries for each statement
  execute function refuse_change('the ledger is append-only; correct it with a new entry');

-- Looks at a whole statement at once: every new entry has the one before it, its balance follows, and the
-- balance moves to the last of them. Entries cannot be had without it.
create function append_to_balance() returns trigger language plpgsql as $$
declare
  broken record;
  moved integer;
  balances_of_entries integer;
begin
  select entry.tenant_id, entry.mode, entry.version into broken
  from appended entry
  left join ledger_entries previous
    on previous.tenant_id = entry.tenant_id and previous.mode = entry.mode and previous.version = entry.version - 1
  where (entry.version > 1 and previous.version is null)
     or entry.balance_after <> coalesce(previous.balance_after, 0)
        + case entry.entry_type when 'credit' then entry.amount else -entry.amount end
  limit 1;
  if found then
    raise exception 'entry % of balance (%, %) does not follow the one before it', broken.version, broken.tenant_id, broken.mode
      using errcode = 'check_violation';
  end if;

  update balances set balance = last.balance_after, version = last.version
  from (
    select distinct on (tenant_id, mode) tenant_id, mode, balance_after, version
    from appended order by tenant_id, mode, version desc
  ) last
  where balances.tenant_id = last.tenant_id and balances.mode = last.mode;
  get diagnostics moved = row_count;
  select count(distinct (tenant_id, mode)) into balances_of_entries from appended;
  if moved <> balances_of_entries then
    raise exception 'an entry has no balance' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger ledger_entries_follow after insert on ledger_entries
  referencing new table as appended for each statement execute function append_to_balance();

-- A balance is what its last entry says, at every commit; looked at as it then is, however often it moved.
create function check_balance() returns trigger language plpgsql as $$
begin
  perform from balances b
  left join lateral (
    select e.version, e.balance_after from ledger_entries e
    where e.tenant_id = b.tenant_id and e.mode = b.mode order by e.version desc limit 1
  ) last on true
  where b.tenant_id = new.tenant_id and b.mode = new.mode
    and (b.version, b.balance) = (coalesce(last.version, 0), coalesce(last.balance_after, 0));
  if not found then
    raise exception 'balance (%, %) is not what its last entry says', new.tenant_id, new.mode using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger balances_are_true after insert or update on balances
  deferrable initially deferred for each row execute function check_balance();
create trigger balances_are_kept before delete on balances for each row
  execute function refuse_change('balances are kept');

-- Money that arrived is in the ledger: a payment becomes paid only together with its credit.
create function check_paid_is_credited() returns trigger language plpgsql as $$
begin
  perform from ledger_entries
  where tenant_id = new.tenant_id and payment_id = new.id and entry_type = 'credit' and amount = new.amount_paid;
  if not found then
    raise exception 'payment % is paid without its credit of %', new.id, new.amount_paid using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger payments_paid_is_credited after insert or update on payments
  deferrable initially deferred for each row when (new.status = 'paid') execute function check_paid_is_credited();

-- The grants say it too, for a service that is no superuser.
do $$
begin
  execute format('revoke update, delete, truncate on ledger_entries from public, %I', current_user);
end $$;
