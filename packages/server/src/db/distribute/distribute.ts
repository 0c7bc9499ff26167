// Distributes an installation's tables across the nodes of a Citus cluster, which consists of several PostgreSQL
// servers. Runs on the cluster's coordinator (docs/guides/scaling.md).

import { pendingIn } from '../migrate/migrate.ts'
import { lockMigrations } from '../migrate/migration-lock.ts'
import { placements } from '../placement.ts'
import { DatabaseClient } from '../primary/database-client.ts'
import {
  type DatabaseFunction,
  DistributionError,
  distributionPlan,
  type ForeignKey,
  functionsStep,
  type Placements,
  type Step,
} from './distribution-plan.ts'

/** Selects the database's foreign keys. The names are quoted where SQL requires this. */
export const foreignKeysSql = `
  select quote_ident(conname) as name, conrelid::regclass::text as from, confrelid::regclass::text as to,
    pg_get_constraintdef(oid) as definition
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0
  order by conrelid::regclass::text, conname`

/** Selects the names and bodies of the functions in the database schema. */
export const functionsSql = `
  select proname as name, prosrc as body from pg_proc where pronamespace = 'public'::regnamespace`

type Options = {
  dryRun: boolean
  say: (line: string) => void
  /**
   * The placement of each table, which defines the node or nodes that store the table's rows. Only tests pass
   * other placements than the default.
   */
  declared?: Placements
}

/**
 * Runs the unfinished steps that distribute the tables to the nodes of a Citus cluster. Returns the number of
 * these steps. With `dryRun`, the function only prints the steps. `url` must connect to the coordinator as the
 * owner of the tables.
 */
export async function distribute(
  url: string,
  { dryRun, say, declared = placements }: Options,
): Promise<number> {
  const client = new DatabaseClient({ connectionString: url, application_name: 'gapura-distribute' })
  client.on('error', () => {}) // if the connection fails, the current query reports the error, so this event is ignored
  await client.connect()
  try {
    await client.query('set statement_timeout = 0; set lock_timeout = 0')
    // The lock blocks migrations until the last step, because the steps are planned for the current database schema.
    if (!dryRun) await lockMigrations(client, say)
    if (!dryRun) await rejectRunningWorkers(client)
    const steps = await planOf(client, declared)
    for (const [i, step] of steps.entries()) {
      say(`Step ${i + 1} of ${steps.length}: ${step.tables.join(', ') || 'functions of the database'}`)
      if (dryRun) for (const statement of step.statements) say(`  ${statement};`)
      else await run(client, step)
    }
    return steps.length
  } finally {
    await client.end()
  }
}

/**
 * Tables can be distributed to a cluster only while no process of the service is running. A running process
 * would not notice that tables have moved, and would write to them during the move.
 */
async function rejectRunningWorkers(client: DatabaseClient): Promise<void> {
  const { rows } = await client.query(
    `select from workers where seen_at > now() - interval '15 seconds' limit 1`,
  )
  if (rows.length > 0)
    throw new DistributionError('a worker of the service is running; stop all Gapura processes first')
}

async function planOf(client: DatabaseClient, declared: Placements): Promise<Step[]> {
  const { rows: extensions } = await client.query(`select from pg_extension where extname = 'citus'`)
  if (extensions.length === 0)
    throw new DistributionError('the database does not have the extension citus; install it on every node')
  if ((await pendingIn(client)).length > 0)
    throw new DistributionError('migrations are missing; run: gapura-server migrate')
  await rejectWorkersWithoutTenantRole(client)
  const current = await currentPlacements(client)
  if (current.payments === undefined) await rejectIncompleteBooks(client)
  const { rows: foreignKeys } = await client.query<ForeignKey>(foreignKeysSql)
  const { rows: functions } = await client.query<DatabaseFunction>(functionsSql)
  return [...functionsStep(current, functions), ...distributionPlan(declared, current, foreignKeys)]
}

/**
 * Throws an error unless the tenant role can log in to every worker. Citus needs this login, because it
 * connects to the workers with the role that runs the statement.
 */
async function rejectWorkersWithoutTenantRole(client: DatabaseClient): Promise<void> {
  await client.query('begin')
  await client.query('set local role gapura_tenant')
  const { rows } = await client.query<{ error: string }>(
    `select format('%s:%s: %s', nodename, nodeport, result) as error from run_command_on_workers('select 1')
     where not success`,
  )
  await client.query('rollback')
  if (rows[0] !== undefined)
    throw new DistributionError(
      `the role gapura_tenant cannot log in to a worker; on every node, run: alter role gapura_tenant login (${rows[0].error})`,
    )
}

/**
 * Throws an error if ledger entries from an earlier release still have no counter-account, because a cluster
 * rejects such entries. The service adds the counter-accounts after an upgrade, on a single PostgreSQL server,
 * and must finish before the tables are distributed.
 */
async function rejectIncompleteBooks(client: DatabaseClient): Promise<void> {
  const { rows } = await client.query('select from book_backfills limit 1')
  if (rows.length > 0)
    throw new DistributionError(
      'some ledger entries from an earlier release have no counter-account yet; start the service so that it adds the counter-accounts, wait until the table book_backfills is empty, and run distribute again',
    )
}

async function currentPlacements(client: DatabaseClient): Promise<Placements> {
  const { rows } = await client.query<{ table: string; kind: string; column: string }>(
    `select table_name::text as table, citus_table_type as kind, distribution_column as column from citus_tables
     where citus_table_type in ('distributed', 'reference')`,
  )
  return Object.fromEntries(
    rows.map(({ table, kind, column }) => [
      table,
      kind === 'reference' ? { kind } : { kind: 'sharded', column: column as 'tenant_id' },
    ]),
  ) as Placements
}

async function run(client: DatabaseClient, { statements }: Step): Promise<void> {
  await client.query('begin')
  try {
    // Citus considers triggers unsafe by default. Our triggers are safe, because they read and write only the same
    // tenant's rows, which are on the same node.
    await client.query('set local citus.enable_unsafe_triggers = on')
    // In Citus, a transaction that has changed a reference table must not use several connections to one node. This
    // transaction therefore changes the shards one after another.
    await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
    for (const statement of statements) await client.query(statement)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
