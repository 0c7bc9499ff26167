-- The book of a tenant and mode: double entry (docs/book.md). A transfer moves an amount from one account of the book to
-- another. The account `merchant` keeps its balance in `balances` and its chain in `ledger_entries`; each entry now also
-- names its counter-account, so that one row holds both postings of a transfer.
--
-- An account is a provider account's id, or one of these ids:
--   00000000-0000-0000-0000-000000000001  merchant (only in `balances` and `ledger_entries`)
--   00000000-0000-0000-0000-000000000002  unassigned: entries of earlier versions, until the job complete_books has run
--   00000000-0000-0000-0000-000000000003  fee:operator
--   00000000-0000-0000-0000-000000000004  fee:partner
--   00000000-0000-0000-0000-000000000005  refunds_in_transit
--   00000000-0000-0000-0000-000000000006  payouts_in_transit
--   00000000-0000-0000-0000-000000000007  adjustment
-- src/ledger/account.ts has the same list.
--
-- These locks come first and in the order in which a posting takes them, which prevents deadlocks. They wait for postings
-- in progress, so the statements below see all entries.
-- allow lock-table: the migration is short, and it is retried if it waits for a lock
lock table payments in access exclusive mode;
alter table ledger_entries
  add column counter_account uuid,
  alter column payment_id drop not null,
  add constraint ledger_entries_have_a_counter_account check (
    counter_account is not null
    and counter_account not in ('00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002')) not valid,
  -- Fees, payouts and adjustments may have no payment. The bytes of a seal show such an entry with an id of zeros.
  add constraint ledger_entries_of_payments check (
    case
      when payment_id is null then counter_account in (
        '00000000-0000-0000-0000-000000000003', '00000000-0000-0000-0000-000000000004',
        '00000000-0000-0000-0000-000000000006', '00000000-0000-0000-0000-000000000007')
      else payment_id <> '00000000-0000-0000-0000-000000000000'
    end) not valid;

-- The provider account that received the money that an entry is about. The rows that this reads never change.
create function provider_account_of(of_tenant uuid, of_payment uuid, of_money uuid) returns uuid language sql stable as $$
  select coalesce(
    (select m.provider_account_id from unexpected_money m where m.id = of_money),
    (select coalesce(r.provider_account_id, p.provider_account_id)
     from payments p
     left join payment_references r
       on r.reference = p.paid_reference and r.tenant_id = p.tenant_id and r.payment_id = p.id
     where p.tenant_id = of_tenant and p.id = of_payment))
$$;

-- The previous version names no counter-account. This version omits it if the money may belong to another provider
-- account than the payment's latest attempt.
create function set_counter_account() returns trigger language plpgsql as $$
begin
  new.counter_account := provider_account_of(new.tenant_id, new.payment_id, new.unexpected_money_id);
  return new;
end $$;
create trigger ledger_entries_find_their_counter_account before insert on ledger_entries for each row
  when (new.counter_account is null) execute function set_counter_account();

-- Entries stay as they are, except that an entry of an earlier version gets its counter-account, once.
drop trigger ledger_entries_are_appended on ledger_entries;
create trigger ledger_entries_are_appended before delete or update of
    tenant_id, id, mode, version, payment_id, entry_type, amount, balance_after, reference_id, reason, created_at,
    unexpected_money_id
  on ledger_entries for each row
  execute function refuse_change('the ledger is append-only; correct it with a new entry');
create trigger ledger_entries_keep_their_counter_account before update of counter_account on ledger_entries for each row
  when (old.counter_account is not null) execute function refuse_change('the ledger is append-only; correct it with a new entry');

-- The balances of all accounts except `merchant`. A provider account's balance is negative while the provider owes money.
create table book_accounts (
  tenant_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  account_id uuid not null,
  balance bigint not null,
  primary key (tenant_id, mode, account_id),
  constraint book_accounts_leave_out_merchant check (account_id <> '00000000-0000-0000-0000-000000000001')
);
insert into book_accounts (tenant_id, mode, account_id, balance)
select tenant_id, mode, '00000000-0000-0000-0000-000000000002', -balance from balances where version > 0;

-- Transfers that do not touch `merchant`.
create table book_transfers (
  tenant_id uuid not null,
  id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  from_account uuid not null,
  to_account uuid not null,
  amount bigint not null,
  payment_id uuid,
  reference_id text not null,
  reason text not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, payment_id) references payments,
  constraint book_transfers_amount_check check (amount > 0),
  constraint book_transfers_have_two_accounts check (from_account <> to_account),
  constraint book_transfers_leave_out_merchant check (
    '00000000-0000-0000-0000-000000000001' not in (from_account, to_account)
    and '00000000-0000-0000-0000-000000000002' not in (from_account, to_account)),
  constraint book_transfers_say_why check (reason ~ '\S')
);
create index book_transfers_payment on book_transfers (tenant_id, payment_id) where payment_id is not null;
create trigger book_transfers_are_appended before update or delete on book_transfers for each row
  execute function refuse_change('the book is append-only; correct it with a new transfer');
create trigger book_transfers_are_kept before truncate on book_transfers for each statement
  execute function refuse_change('the book is append-only; correct it with a new transfer');

-- Only the three triggers below change accounts, in the statement that posts. They run as the owner of the tables, so the
-- service itself needs no right to write accounts.
create function post_entries_to_accounts() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into book_accounts as account (tenant_id, mode, account_id, balance)
  select tenant_id, mode, counter_account, sum(case entry_type when 'debit' then amount else -amount end)
  from appended group by tenant_id, mode, counter_account order by tenant_id, mode, counter_account
  on conflict (tenant_id, mode, account_id) do update set balance = account.balance + excluded.balance;
  return null;
end $$;
create trigger ledger_entries_are_posted after insert on ledger_entries
  referencing new table as appended for each statement execute function post_entries_to_accounts();

create function post_transfers_to_accounts() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into book_accounts as account (tenant_id, mode, account_id, balance)
  select tenant_id, mode, account_id, sum(amount)
  from (
    select tenant_id, mode, to_account as account_id, amount from appended
    union all
    select tenant_id, mode, from_account, -amount from appended
  ) posting
  group by tenant_id, mode, account_id order by tenant_id, mode, account_id
  on conflict (tenant_id, mode, account_id) do update set balance = account.balance + excluded.balance;
  return null;
end $$;
create trigger book_transfers_are_posted after insert on book_transfers
  referencing new table as appended for each statement execute function post_transfers_to_accounts();

create function move_completed_entries() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into book_accounts as account (tenant_id, mode, account_id, balance)
  select tenant_id, mode, account_id, sum(case entry_type when 'debit' then amount else -amount end)
  from (
    select tenant_id, mode, counter_account as account_id, entry_type, amount from completed
    union all
    select tenant_id, mode, '00000000-0000-0000-0000-000000000002', entry_type, -amount from completed
  ) posting
  group by tenant_id, mode, account_id order by tenant_id, mode, account_id
  on conflict (tenant_id, mode, account_id) do update set balance = account.balance + excluded.balance;
  return null;
end $$;
create trigger ledger_entries_are_completed after update on ledger_entries
  referencing new table as completed for each statement execute function move_completed_entries();

create trigger book_accounts_follow_postings before insert or update on book_accounts for each row
  when (pg_trigger_depth() = 0) execute function refuse_change('an account changes only with a transfer');
create trigger book_accounts_are_kept before delete on book_accounts for each row
  execute function refuse_change('accounts are kept');

-- At every commit, the accounts of a book sum to zero.
create function check_book() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from balances b
  where b.tenant_id = new.tenant_id and b.mode = new.mode
    and b.balance + (
      select coalesce(sum(a.balance), 0) from book_accounts a where a.tenant_id = b.tenant_id and a.mode = b.mode) = 0;
  if not found then
    raise exception 'the accounts of book (%, %) do not sum to zero', new.tenant_id, new.mode using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger book_accounts_sum_to_zero after insert or update on book_accounts
  deferrable initially deferred for each row execute function check_book();

-- The entries of earlier versions that have no counter-account yet, by book. A job completes them in batches.
create table book_backfills (
  tenant_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  next_version bigint not null,
  last_version bigint not null,
  primary key (tenant_id, mode)
);
insert into book_backfills (tenant_id, mode, next_version, last_version)
select tenant_id, mode, 1, version from balances where version > 0;

-- Completes up to `at_most` entries and returns whether more are left. Each call is one transaction, so the work
-- continues where it stopped. Books are completed in the order in which postings lock them, so the two cannot deadlock.
create function complete_books(at_most integer) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  book book_backfills := row('00000000-0000-0000-0000-000000000000', '', 0, 0);
  through bigint;
begin
  while at_most > 0 loop
    select * into book from book_backfills where (tenant_id, mode) > (book.tenant_id, book.mode)
    order by tenant_id, mode limit 1 for update skip locked;
    exit when not found;
    through := least(book.next_version + at_most - 1, book.last_version);
    update ledger_entries set counter_account = provider_account_of(tenant_id, payment_id, unexpected_money_id)
    where tenant_id = book.tenant_id and mode = book.mode and version between book.next_version and through
      and counter_account is null;
    if through = book.last_version then
      delete from book_backfills where tenant_id = book.tenant_id and mode = book.mode;
    else
      update book_backfills set next_version = through + 1 where tenant_id = book.tenant_id and mode = book.mode;
    end if;
    at_most := at_most - (through - book.next_version + 1)::integer;
  end loop;
  return exists (select from book_backfills);
end $$;
revoke execute on function complete_books(integer) from public;
select enqueue('complete_books', array['{}']::json[], array['complete_books'])
where exists (select from book_backfills);

-- The grants say the same, for a service that owns the tables. The owner keeps one right, for complete_books.
do $$
declare
  held record;
begin
  execute format('revoke update, delete, truncate on book_transfers from public, %I', current_user);
  execute format('grant update (counter_account) on ledger_entries to %I', current_user);
  for held in select * from (values
    ('book_accounts', 'select'),
    ('book_transfers', 'select, insert'),
    ('book_backfills', null)
  ) as tables (name, rights)
  loop
    execute format('alter table %I enable row level security', held.name);
    execute format('create policy everybody on %I using (true)', held.name);
    execute format('create policy tenants_in_scope on %I as restrictive to gapura_tenant
      using (coalesce(tenant_id = any ((select tenants_in_scope())::uuid[]), false))', held.name);
    if held.rights is not null then
      execute format('grant %s on %I to gapura_tenant', held.rights, held.name);
    end if;
  end loop;
end $$;
