// Grants the service's runtime role the rights that its statements require. The role owns nothing, so it
// cannot alter a table or disable a trigger. In append-only tables, it can only insert rows.
//
// The rights are granted after every migration. During an upgrade, the previous version of the service still runs and
// needs its rights. If a version no longer needs a right, remove the right only in the version after it.

import type pg from 'pg'
import { MigrationError } from './migration-error.ts'

/**
 * The rights of the service's role on each table, in addition to SELECT. Only the owner of a table that is not listed
 * here can access the table. In the table payments, the role may update only the columns that a statement of the
 * service updates. Other columns, such as the amount, never change.
 */
export const writes: Record<string, string> = {
  account_outcomes: 'insert, update, delete',
  additional_attempts: 'insert, delete',
  additional_deliveries: 'insert, update, delete',
  additional_endpoints: 'insert, update, delete',
  api_keys: 'insert, update',
  api_requests: 'insert',
  audit_log: 'insert',
  balances: 'insert, update',
  book_accounts: '',
  book_backfills: '',
  book_transfers: 'insert',
  customer_erasures: 'insert, update',
  entitlements: 'insert, update, delete',
  invitations: 'insert, update, delete',
  fee_charges: 'insert',
  fee_schedules: 'insert',
  ledger_differences: 'insert, update',
  ledger_entries: 'insert',
  ledger_seals: 'insert',
  ledger_statements: 'insert',
  ledger_verifications: 'insert, update',
  login_limits: 'insert, update, delete',
  login_throttles: 'insert, update, delete',
  management_requests: 'insert, update, delete',
  notices: 'insert, update, delete',
  passkeys: 'insert, update, delete',
  password_resets: 'insert, update, delete',
  payment_references: 'insert, update',
  payment_search: '',
  payment_transitions: 'insert',
  payments: `insert, update (amount_paid, amount_received, attempt, expires_at, failure_reason, last_checked_at, method_data,
    next_check_at, paid_at, paid_reference, provider, provider_account_id, provider_payment_id, receipt, reversed_at, status,
    transition_count, unconfirmed_since, updated_at)`,
  previous_provider_credentials: 'insert, update, delete',
  previous_webhook_secrets: 'insert, update, delete',
  provider_accounts: 'insert, update',
  provider_callbacks: 'insert, update',
  reconciliation_checks: 'insert, update, delete',
  reconciliation_differences: 'insert, update',
  reconciliation_runs: 'insert, update',
  recovery_codes: 'insert, update, delete',
  refresh_tokens: 'insert, update, delete',
  refunds: `insert, update (bank_reference, failed_at_provider, failure_reason, next_check_at, provider_refund_id, requested_at,
    status, succeeded_at, updated_at)`,
  rejected_callbacks: 'insert, update, delete',
  routing_rules: 'insert, delete',
  schema_migrations: '',
  sealed_keys: 'insert, update',
  second_factor_challenges: 'insert, update, delete',
  session_keys: 'insert, update, delete',
  sessions: 'insert, update, delete',
  settlement_lines: 'insert',
  settlements: 'insert, update, delete',
  signing_keys: 'insert, update',
  tenant_branding: 'insert, update',
  tenant_limits: 'insert, update',
  tenants: 'insert, update',
  tier_limits: 'update',
  totp_secrets: 'insert, update, delete',
  unexpected_money: 'insert, update',
  unreadable_callbacks: 'insert, update, delete',
  users: 'insert, update',
  webhook_attempts: 'insert',
  webhook_endpoints: 'insert, update',
  webhook_events: 'insert, delete',
  webhook_queue: 'insert, update, delete',
  workers: 'insert, update, delete',
}

/**
 * The job queue's schema (Graphile Worker), which has its own migrations. The service reads and writes all rows in
 * its tables, but never alters the tables.
 */
const QUEUE = 'graphile_worker'
const queueWrites: Record<string, string> = { _private_: 'insert, update, delete' }

/**
 * Makes the rights of the service's database role match the list in this file. Changes only rights that differ, because
 * every change makes PostgreSQL plan the statements of all connections again. Runs in a transaction, so that a running
 * service never loses its rights.
 */
export async function giveRights(client: pg.Client, role: string): Promise<void> {
  await inTransaction(client, () => makeRightsSo(client, role))
}

type Right = { table: string; what: string; column: string | null }

const rightsIn = ([table, list]: [string, string]): Right[] =>
  [...`select, ${list}`.matchAll(/(\w+)(?: \(([^)]+)\))?/g)].flatMap(([, what = '', columns]) =>
    (columns?.split(/,\s*/) ?? [null]).map(column => ({ table, what: what.toUpperCase(), column })),
  )

async function makeRightsSo(client: pg.Client, role: string): Promise<void> {
  await assertActsForTenants(client, role)
  for (const { change } of await selectChanges(client, changesOfRights, role)) await client.query(change)
}

/**
 * Returns statements that grant the rights which the role lacks. Rights that the role inherits from other roles count
 * as well. The query reads only catalogs, so the role itself may run it.
 */
export async function missingRights(client: pg.ClientBase, role: string): Promise<string[]> {
  return (await selectChanges(client, grantsOfMissing, role)).map(({ change }) => change)
}

async function selectChanges(
  client: pg.ClientBase,
  sql: string,
  role: string,
): Promise<{ change: string }[]> {
  const rights = JSON.stringify(Object.entries(writes).flatMap(rightsIn))
  const { rows } = await client.query(sql, [role, rights, QUEUE, JSON.stringify(queueWrites)])
  return rows
}

// The parameters of the following SQL are: $1 the role, $2 its rights, $3 the schema of the job queue, $4 the role's
// rights in that schema.

const wantedRights = `tables as (
    select c.oid, c.relname, c.relnamespace::regnamespace::text as schema, c.relkind, c.relacl, c.relrowsecurity
    from pg_class c
    where c.relnamespace in ('public'::regnamespace, to_regnamespace($3)) and c.relkind in ('r', 'p', 'v', 'S')
      and not c.relispartition
      and not exists (
        select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
          and (d.deptype = 'e' or d.deptype = 'i' and c.relkind = 'S'))
  ), wanted as (
    select t.oid, t.relkind, 'SELECT' as what, null::name as attname from tables t where t.schema = $3 or t.relkind = 'S'
    union
    select t.oid, t.relkind, 'USAGE', null from tables t where t.relkind = 'S'
    union
    select t.oid, t.relkind, listed.what, a.attname
    from tables t
    join jsonb_to_recordset($2::jsonb) listed ("table" text, what text, "column" text) on listed."table" = t.relname
    left join pg_attribute a on a.attrelid = t.oid and a.attname = listed."column" and not a.attisdropped
    where t.schema = 'public' and t.relkind <> 'S' and (listed."column" is null or a.attname is not null)
    union
    select t.oid, t.relkind, upper(what), null
    from tables t, jsonb_each_text($4::jsonb) listed (name, list), regexp_split_to_table(list, ',\\s*') as what
    where t.schema = $3 and t.relkind = 'r' and starts_with(t.relname, listed.name)
  )`

/** Selects the grants that do not concern a table or sequence, and the policies that the role needs. */
const otherGrants = `
  select format('grant usage on schema %I to %I', nspname, $1) as change, 3 as turn from pg_namespace
  where nspname in ('public', $3) and not has_schema_privilege($1, oid, 'usage')
  union all
  -- The service may call every security definer function; each function checks its caller itself.
  select format('grant execute on function %s to %I', oid::regprocedure, $1), 3 from pg_proc
  where pronamespace = 'public'::regnamespace and prosecdef and not has_function_privilege($1, oid, 'execute')
  union all
  -- The job queue enables row-level security on its tables. Without a policy, only the owner would see their rows,
  -- despite the grants.
  select format('create policy everybody on %s using (true)', oid::regclass), 3 from tables
  where schema = $3 and relrowsecurity and not exists (select from pg_policy where polrelid = tables.oid)`

const grantsOfMissing = `
  with ${wantedRights}
  select format('grant %s%s on %s to %I', what, ' (' || quote_ident(attname) || ')', oid::regclass, $1::text) as change,
         2 as turn
  from wanted
  where not case
    when relkind = 'S' then has_sequence_privilege($1, oid, what)
    when attname is null then has_table_privilege($1, oid, what)
    else has_column_privilege($1, oid, attname, what) end
  union all ${otherGrants}
  order by turn, change`

/** Selects the GRANT and REVOKE statements that make the role's rights match the list. */
const changesOfRights = `
  with of_role as (select to_regrole(quote_ident($1)) as id), ${wantedRights}, of_tables as (
    select t.oid, t.relkind, acl.privilege_type as what, null::name as attname
    from tables t, of_role, aclexplode(t.relacl) acl where acl.grantee = of_role.id
  ), actual as (
    select * from of_tables
    union all
    select t.oid, t.relkind, acl.privilege_type, a.attname
    from tables t join pg_attribute a on a.attrelid = t.oid, of_role, aclexplode(a.attacl) acl
    where acl.grantee = of_role.id
      -- Revoking a privilege on a table also revokes the same privilege on its columns. Grants on columns must
      -- therefore be repeated.
      and not exists (select from of_tables whole where whole.oid = t.oid and whole.what = acl.privilege_type)
  ), changes as (
    select 2 as turn, 'grant' as verb, 'to' as whom, * from (select * from wanted except select * from actual) missing
    union all
    select 1, 'revoke', 'from', * from (select * from actual except select * from wanted) extra
  )
  select format('%s %s on %s %s %s %I', verb, string_agg(what || coalesce(' (' || quote_ident(attname) || ')', ''), ', '),
    case relkind when 'S' then 'sequence' else 'table' end, oid::regclass, whom, $1) as change, turn
  from changes group by turn, verb, whom, relkind, oid
  union all ${otherGrants}
  union all
  select format('revoke create, temporary on database %I from public, %I', datname, $1), 1 from pg_database
  where datname = current_database() and has_database_privilege($1, oid, 'create, temporary')
  order by turn, change`

/**
 * Transfers the tables from the runtime role to the migrating role, if a single role has been used for both until now.
 * The runtime role gets its rights in the same transaction, so a running service is not interrupted.
 */
export async function takeOver(client: pg.Client, role: string, say: (line: string) => void): Promise<void> {
  const { rows } = await client.query<{ owner: string; owned: boolean; may: boolean }>(
    `select current_user as owner, pg_has_role($1, 'usage') as may, exists (
       select from pg_class where relowner = to_regrole(quote_ident($1)) and relnamespace = 'public'::regnamespace
     ) as owned`,
    [role],
  )
  const [{ owner, owned, may } = { owner: '', owned: false, may: false }] = rows
  if (!owned) return
  if (!may)
    throw new MigrationError(
      `the tables belong to ${role}, and ${owner} cannot take ownership; as a superuser, run: grant ${role} to ${owner}; then start again`,
    )
  await inTransaction(client, async () => {
    // Changing the owner of the tables locks all tables. The lock timeout is shorter than PostgreSQL's deadlock
    // timeout. Therefore, if this transaction and the running service are in a deadlock, this transaction fails, and
    // the service's transaction continues.
    await client.query(`set local lock_timeout = '500ms'`)
    const { rows } = await client.query<{ change: string }>(changesOfOwner, [role, owner, QUEUE])
    for (const { change } of rows) await client.query(change)
    await makeRightsSo(client, role)
  })
  say(`transferred all tables from ${role} to ${owner}`)
}

/**
 * Selects the statements that give a role's objects a new owner. `reassign owned` is not used, because it would also
 * change the role's other databases on the server. Schemas come first, because a new owner needs the right to create
 * objects in them. Parameters: $1 role, $2 new owner, $3 job queue schema.
 */
const changesOfOwner = `
  with of_role as (select to_regrole(quote_ident($1)) as id), spaces as (
    select oid from pg_namespace where oid in ('public'::regnamespace, to_regnamespace($3))
  ), owned as (
    select 1 as turn, 'schema' as kind, quote_ident(nspname) as name from pg_namespace, of_role where nspowner = id
    union all
    select 2, case relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end, c.oid::regclass::text
    from pg_class c, of_role
    where relowner = id and relnamespace in (select oid from spaces) and relkind in ('r', 'p', 'v', 'S')
      and not exists (
        select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and c.relkind = 'S' and d.deptype in ('a', 'i'))
    union all
    select 3, case prokind when 'p' then 'procedure' else 'function' end, p.oid::regprocedure::text
    from pg_proc p, of_role where proowner = id and pronamespace in (select oid from spaces)
    union all
    select 4, 'type', t.oid::regtype::text
    from pg_type t left join pg_class c on c.oid = t.typrelid, of_role
    where typowner = id and typnamespace in (select oid from spaces)
      and (typtype in ('d', 'e') or typtype = 'c' and c.relkind = 'c')
  )
  select format('alter %s %s owner to %I', kind, name, $2::text) as change from owned order by turn, name`

/**
 * Checks that the runtime role can switch to the role gapura_tenant for statements in a tenant scope. The runtime role
 * must not inherit the rights of gapura_tenant. With these rights, the tenant policies would apply to every statement,
 * and the service would find no rows.
 */
async function assertActsForTenants(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query<{ inherits: boolean; may: boolean }>(
    `select pg_has_role($1, 'gapura_tenant', 'usage') as inherits, pg_has_role($1, 'gapura_tenant', 'member') as may
     where to_regrole('gapura_tenant') is not null`,
    [role],
  )
  const [{ inherits, may } = { inherits: false, may: true }] = rows
  if (may && !inherits) return
  throw new MigrationError(
    `the role ${role} must be able to switch to the role gapura_tenant, but must not inherit its rights; as a superuser, run: ${advice(role)}; then start again`,
  )
}

const advice = (role: string): string =>
  `alter role ${role} noinherit; revoke gapura_tenant from ${role}; grant gapura_tenant to ${role}`

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
