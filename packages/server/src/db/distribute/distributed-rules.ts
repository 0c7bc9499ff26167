// The functions and policies that differ between a Citus cluster and a single PostgreSQL server. Before it moves the
// tables, the command `distribute` installs the versions for a cluster. A migration that changes one of these functions
// or policies must keep this version on a cluster.

import { distributedTriggers } from './distributed-triggers.ts'

/**
 * Sends the tenant scope (the tenants whose rows a statement may see) to the workers with SET LOCAL. Citus
 * forwards no other form of SET, and forwards SET LOCAL only within a transaction.
 *
 * Outside a transaction, the service sends the scope and the statement in one message (scoped-query.ts), which Citus
 * does not recognize as a transaction. `create_intermediate_result` therefore starts a transaction. It runs its query
 * as a nested statement, for which Citus forwards SET LOCAL. The query's result is not used.
 */
const setTenants = [
  `create or replace function set_tenants_of_shards(tenants text) returns void language plpgsql
   set citus.propagate_set_commands = 'local' as $$
   begin
     execute format('set local gapura.tenants to %L', tenants);
   end $$`,
  `create or replace function set_tenants(tenants text) returns text language plpgsql as $$
   begin
     perform create_intermediate_result('scope', format('select from set_tenants_of_shards(%L)', tenants));
     return tenants;
   end $$`,
]

/**
 * Stores a payment's search words. The new row is cast to the type of `payments`, because on a shard it has the shard's
 * row type.
 */
const indexPaymentWords = `create or replace function index_payment_words() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
  begin
    insert into payment_search (tenant_id, payment_id, words)
    values (new.tenant_id, new.id, payment_search_words(row(new.*)::payments))
    on conflict (tenant_id, payment_id) do update set words = excluded.words;
    return null;
  end $$`

/**
 * Announces a configuration change to the processes that cache the configuration
 * (migrations/0016_announced_changes.sql). The processes listen only on the coordinator. Workers send no
 * notification, because a transaction with NOTIFY cannot take part in a two-phase commit.
 */
const announceChange = `create or replace function announce_change() returns trigger language plpgsql
  set bytea_output = 'hex' as $$
  begin
    if citus_is_coordinator() then
      perform pg_notify('gapura_changes', tg_argv[0] || ' ' || key)
      from (values (to_jsonb(old) ->> tg_argv[1]), (to_jsonb(new) ->> tg_argv[1])) as keys (key) where key is not null;
    end if;
    return null;
  end $$`

/**
 * Runs a query once for each shard of the first table on this node, and returns the rows as JSON (../shard-query.ts).
 * In each run, the name of one of its shards replaces the name of each table in the query.
 *
 * The other tables in the query must be reference tables or sharded by the same column as the first table. A reference
 * table has only one shard. For any other table, the query uses the shard with the same range of values as the first
 * table's shard.
 */
const queryShards = `create or replace function query_shards(tables text[], query text) returns jsonb
  language plpgsql as $$
  declare
    first record;
    shard record;
    of_shard text;
    found jsonb;
    rows jsonb := '[]';
  begin
    for first in
      select shardminvalue from pg_dist_shard join pg_dist_placement using (shardid)
      where logicalrelid = tables[1]::regclass and groupid = (select groupid from pg_dist_local_group)
    loop
      of_shard := query;
      for shard in
        select name, shard_name(logicalrelid, shardid) from unnest(tables) name
        join pg_dist_shard on logicalrelid = name::regclass
        where shardminvalue = first.shardminvalue or shardminvalue is null
      loop
        of_shard := regexp_replace(of_shard, '\\m' || shard.name || '\\M', shard.shard_name, 'g');
      end loop;
      execute format('select jsonb_agg(to_jsonb(found)) from (%s) found', of_shard) into found;
      rows := rows || coalesce(found, '[]');
    end loop;
    return rows;
  end $$`

/**
 * Takes the same lock that Citus takes on a tenant's shard to change rows. Citus cannot move or split the shard until
 * the transaction ends.
 *
 * When Citus moves shards, it locks them in ascending order, starting with the shard of `payments`. This
 * function locks the same shard first, so it cannot deadlock with a move. Only the owner of the table may
 * take this lock. Lock mode 5 is SHARE.
 */
const holdShard = `create or replace function hold_shard(tenant uuid) returns void language plpgsql
  security definer set search_path = public, pg_temp as $$
  begin
    perform lock_shard_metadata(5, array[get_shard_id_for_distribution_column('payments', tenant)]);
  end $$`

export const distributedFunctions: readonly string[] = [
  announceChange,
  queryShards,
  holdShard,
  ...setTenants,
  ...distributedTriggers,
  indexPaymentWords,
]

/**
 * Copies the functions to the workers that Citus does not copy by itself: `query_shards`, and the two
 * functions to which triggers pass a row of `payments`.
 */
export const functionsOfPayments: readonly string[] = [
  `select create_distributed_function('query_shards(text[], text)')`,
  `select create_distributed_function('payment_search_text(payments)')`,
  `select create_distributed_function('payment_search_words(payments)')`,
]

/**
 * Returns a statement that replaces the tables' restrictive tenant policies. Citus makes restrictive policies
 * permissive on the shards, so that every row would be visible. The new policies show the tenant role only the rows in
 * the tenant scope, and show other roles all rows.
 */
export const permissivePolicies = (tables: readonly string[]): string => `do $$
  declare
    held record;
  begin
    for held in
      select polrelid::regclass as name, pg_get_expr(polqual, polrelid) as condition from pg_policy
      where polname = 'tenants_in_scope' and polrelid = any ('{${tables.join()}}'::regclass[])
    loop
      execute format('alter policy everybody on %s using (not pg_has_role(''gapura_tenant'', ''usage''))', held.name);
      execute format('drop policy tenants_in_scope on %s', held.name);
      execute format('create policy tenants_in_scope on %s to gapura_tenant using (%s)', held.name, held.condition);
    end loop;
  end $$`

/**
 * Returns a statement that deletes the rows left on the coordinator after Citus has copied them to the shards.
 * The owner may not truncate append-only tables, so the statement grants this right and revokes it in the same
 * transaction.
 */
export const deleteCopiedRows = (tables: readonly string[]): string => `do $$
  declare
    moved record;
  begin
    for moved in
      select name, has_table_privilege(name, 'truncate') as may_truncate
      from unnest('{${tables.join()}}'::regclass[]) name
    loop
      if not moved.may_truncate then execute format('grant truncate on %s to current_user', moved.name); end if;
      perform truncate_local_data_after_distributing_table(moved.name);
      if not moved.may_truncate then execute format('revoke truncate on %s from current_user', moved.name); end if;
    end loop;
  end $$`
