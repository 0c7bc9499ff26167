// The Citus cluster's versions of the trigger functions that run once per statement. Citus runs such a trigger on the
// shard, where it cannot join the new rows with a distributed table. Each function therefore reads the new rows first,
// and then runs queries for one tenant at a time. distributed-triggers.test.ts checks that these functions have the
// same effects as the functions in migrations/.
//
// A single PostgreSQL server uses the functions in migrations/. The functions in this file take 60 % more CPU time for
// 100 entries across 100 tenants (docs/decisions/0083-citus.md).

/**
 * Checks that the version and the amount of each new ledger entry continue those of the last entry of its
 * balance. Then updates the balance (migrations/0003_ledger.sql).
 */
const appendToBalance = `create or replace function append_to_balance() returns trigger language plpgsql as $$
  declare
    appended_to record;
    broken bigint;
  begin
    for appended_to in
      -- Entries that follow another new entry are compared with it here. The others start from a stored entry.
      select tenant_id, mode, max(version) as version, (array_agg(balance_after order by version desc))[1] as balance,
        min(version) filter (where follows and start <> previous_balance) as broken,
        array_agg(version) filter (where not follows) as versions, array_agg(start) filter (where not follows) as starts
      from (
        select tenant_id, mode, version, balance_after,
          balance_after - case entry_type when 'credit' then amount else -amount end as start,
          lag(version) over entries is not distinct from version - 1 as follows,
          lag(balance_after) over entries as previous_balance
        from appended
        window entries as (partition by tenant_id, mode order by version)
      ) entry
      group by tenant_id, mode order by tenant_id, mode
    loop
      broken := appended_to.broken;
      for i in 1..cardinality(appended_to.versions) loop
        if appended_to.versions[i] = 1 then
          if appended_to.starts[i] <> 0 then broken := 1; end if;
        else
          perform from ledger_entries
          where tenant_id = appended_to.tenant_id and mode = appended_to.mode
            and version = appended_to.versions[i] - 1 and balance_after = appended_to.starts[i];
          if not found then broken := appended_to.versions[i]; end if;
        end if;
      end loop;
      if broken is not null then
        raise exception 'entry % of balance (%, %) does not follow the one before it',
          broken, appended_to.tenant_id, appended_to.mode using errcode = 'check_violation';
      end if;

      update balances set balance = appended_to.balance, version = appended_to.version
      where tenant_id = appended_to.tenant_id and mode = appended_to.mode;
      if not found then
        raise exception 'an entry has no balance' using errcode = 'foreign_key_violation';
      end if;
    end loop;
    return null;
  end $$`

/**
 * Returns SQL for a trigger function that adds amounts to the balances of a tenant's accounts. The query `postings`
 * selects the amounts.
 */
const postToAccounts = (
  name: string,
  postings: string,
) => `create or replace function ${name}() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
  declare
    posting record;
  begin
    for posting in
      select tenant_id, mode, account_id, sum(amount)::bigint as amount from (${postings}) posting
      group by tenant_id, mode, account_id order by tenant_id, mode, account_id
    loop
      insert into book_accounts as account (tenant_id, mode, account_id, balance)
      values (posting.tenant_id, posting.mode, posting.account_id, posting.amount)
      on conflict (tenant_id, mode, account_id) do update set balance = account.balance + excluded.balance;
    end loop;
    return null;
  end $$`

const ofEntries = (entries: string) =>
  `select tenant_id, mode, counter_account as account_id, case entry_type when 'debit' then amount else -amount end as amount
   from ${entries}`

const postings = [
  postToAccounts('post_entries_to_accounts', ofEntries('appended')),
  postToAccounts(
    'move_completed_entries',
    `${ofEntries('completed')}
     union all
     select tenant_id, mode, '00000000-0000-0000-0000-000000000002', case entry_type when 'debit' then -amount else amount end
     from completed`,
  ),
  postToAccounts(
    'post_transfers_to_accounts',
    `select tenant_id, mode, to_account as account_id, amount from appended
     union all
     select tenant_id, mode, from_account, -amount from appended`,
  ),
]

/**
 * Checks each new ledger seal (a hash of ledger entries): the seal must follow the seal before it, and an
 * entry must exist at its end (migrations/0022_ledger_seals.sql).
 */
const checkSealsFollow = `create or replace function check_seals_follow() returns trigger language plpgsql as $$
  declare
    seal record;
    previous bytea;
    follows boolean;
  begin
    for seal in select * from appended order by tenant_id, mode, from_version loop
      select hash into previous from ledger_seals
      where tenant_id = seal.tenant_id and mode = seal.mode and to_version = seal.from_version - 1;
      follows := (found or seal.from_version = 1)
        and seal.previous_hash = coalesce(previous, decode(repeat('00', 32), 'hex'));
      perform from ledger_entries
      where tenant_id = seal.tenant_id and mode = seal.mode and version = seal.to_version;
      if not (follows and found) then
        raise exception 'the seal from % of balance (%, %) does not follow the one before it',
          seal.from_version, seal.tenant_id, seal.mode using errcode = 'check_violation';
      end if;
    end loop;
    return null;
  end $$`

/**
 * Inserts deliveries of new events to tenants' additional webhook endpoints. Because the job queue is on the
 * coordinator, a worker cannot enqueue the job that sends the deliveries. Instead, the background check for
 * overdue deliveries (jobs/sweep.ts) sends them.
 */
const queueAdditionalDeliveries = `create or replace function queue_additional_deliveries() returns trigger language plpgsql as $$
  declare
    event record;
    endpoint uuid;
  begin
    for event in select tenant_id, id, mode, type, created_at from new_event order by tenant_id, id loop
      for endpoint in
        select id from additional_endpoints
        where tenant_id = event.tenant_id and mode = event.mode and enabled
          and (event_types = '{}' or event.type = any(event_types))
        order by id
      loop
        insert into additional_deliveries (tenant_id, event_id, endpoint_id, next_attempt_at)
        values (event.tenant_id, event.id, endpoint, event.created_at);
      end loop;
    end loop;
    return null;
  end $$`

export const distributedTriggers: readonly string[] = [
  appendToBalance,
  ...postings,
  checkSealsFollow,
  queueAdditionalDeliveries,
]
