// Creates a database on the Citus cluster at GAPURA_TEST_CITUS_URL. The URL must connect as a superuser to a
// database on the coordinator in which all nodes are registered.

import pg from 'pg'
import { onTestFinished, vi } from 'vitest'
import { createDb, type Db } from '../../src/db/db.ts'
import { distribute } from '../../src/db/distribute/distribute.ts'
import { detectDistribution } from '../../src/db/distributed-database.ts'
import { patience } from '../../src/db/migrate/lock-wait.ts'
import { migrate, migrationsDirectory } from '../../src/db/migrate/migrate.ts'
import { newId } from '../../src/values/id.ts'
import { databaseUrl } from './database-url.ts'

export const coordinator = process.env.GAPURA_TEST_CITUS_URL
if (!coordinator)
  process.stderr.write('The tests on a Citus cluster are skipped: GAPURA_TEST_CITUS_URL is not set.\n')

export type CitusNode = { host: string; port: number; isCoordinator: boolean }

export type CitusDatabase = {
  /** Connects to the coordinator as a superuser. */
  url: string
  /** Connects to the coordinator with the role that owns the tables. The role is not a superuser. */
  ownerUrl: string
  /** Connects to the coordinator with the service's role. */
  serviceUrl: string
  nodes: CitusNode[]
  /** Returns the URL of a database on a node. The database defaults to the test database. */
  urlOf(node: CitusNode, database?: string): string
  /**
   * Creates the database on another server and adds this server to the cluster as a worker. The worker has no shards
   * until some shards are moved to it.
   */
  addWorker(address: { host: string; port: number }): Promise<CitusNode>
  drop(): Promise<void>
}

/** Runs statements on a new connection, and returns the last statement's rows. */
export async function runOn<Row extends pg.QueryResultRow>(
  url: string,
  ...statements: string[]
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: Row[] = []
    for (const statement of statements) ({ rows } = await client.query<Row>(statement))
    return rows
  } finally {
    await client.end()
  }
}

/**
 * Returns SQL that adds Citus to the setting output_plugin_libraries, so that Citus can split shards with its
 * own output plugin. Only some PostgreSQL releases have this setting (docs/guides/scaling.md).
 */
const allowSplits = (database: string) => `do $$ begin
  if current_setting('output_plugin_libraries', true) is not null then
    alter database ${database} set output_plugin_libraries = pgoutput, test_decoding, citus;
  end if;
end $$`

/** Creates a migrated database on every node. The tables are not distributed yet. */
export async function citusDatabase(): Promise<CitusDatabase> {
  const name = `gapura_test_${newId().replaceAll('-', '')}`
  const url = databaseUrl(coordinator as string, name)
  const urlOf = ({ host, port }: CitusNode, database = name) => {
    const at = new URL(databaseUrl(coordinator as string, database))
    ;[at.hostname, at.port] = [host, String(port)]
    return at.href
  }
  const nodes = await runOn<CitusNode>(
    coordinator as string,
    `select nodename as host, nodeport as port, groupid = 0 as "isCoordinator" from pg_dist_node`,
  )
  const prepare = async (node: CitusNode) => {
    await runOn(
      urlOf(node, 'postgres'),
      `create role ${name}_owner login`,
      `create database ${name} owner ${name}_owner`,
      `do $$ begin
         if to_regrole('gapura_tenant') is null then create role gapura_tenant; end if;
         if not (select rolcanlogin from pg_roles where rolname = 'gapura_tenant') then
           alter role gapura_tenant login;
         end if;
       end $$`,
      `create role ${name} login noinherit`,
      `grant gapura_tenant to ${name}, ${name}_owner`,
    )
    await runOn(urlOf(node), 'create extension citus', allowSplits(name))
  }
  const register = ({ host, port, isCoordinator }: CitusNode) =>
    runOn(
      url,
      `select ${isCoordinator ? 'citus_set_coordinator_host' : 'citus_add_node'}('${host}', ${port})`,
    )
  for (const node of nodes) await prepare(node)
  for (const node of nodes) await register(node)
  const as = (username: string) => Object.assign(new URL(url), { username }).href
  const [ownerUrl, serviceUrl] = [as(`${name}_owner`), as(name)]
  await migrate(ownerUrl, migrationsDirectory, { patience, say: () => {}, runtimeRole: name })
  return {
    ...{ url, ownerUrl, serviceUrl, nodes, urlOf },
    async addWorker(address) {
      const node = { ...address, isCoordinator: false }
      nodes.push(node)
      await prepare(node)
      await register(node)
      return node
    },
    async drop() {
      // Drops the workers' databases before the coordinator's database. Otherwise, the coordinator's maintenance would
      // connect to the workers' databases again.
      for (const node of [...nodes].sort((a, b) => Number(a.isCoordinator) - Number(b.isCoordinator)))
        await dropDatabase(urlOf(node, 'postgres'), name)
    },
  }
}

/** Creates a database on every node and distributes its tables. */
export async function distributedDatabase(): Promise<CitusDatabase> {
  const cluster = await citusDatabase()
  await distribute(cluster.ownerUrl, { dryRun: false, say: () => {} })
  return cluster
}

/**
 * Creates a connection pool for one test, with the service's role. On these connections, the coordinator
 * reports each command that it sends to the workers.
 */
export async function servicePool({ serviceUrl }: CitusDatabase): Promise<Db> {
  const pool = createDb(`${serviceUrl}?options=-c%20citus.log_remote_commands%3Don`, { max: 4 })
  onTestFinished(() => pool.destroy())
  await detectDistribution([pool])
  return pool
}

/** The commands that the coordinator of the Citus cluster sent to the cluster's workers. */
type SentCommands = {
  /** The number of transactions that the coordinator prepared for a two-phase commit. */
  prepared: number
  /** The service's SQL statements that the Citus coordinator ran on several shards of one table. */
  acrossShards: string[]
  /**
   * The service's statements that the coordinator split into several parts. After one part, it sent this part's rows to
   * the worker that needed them for the next part.
   */
  inParts: string[]
}

/**
 * What the Citus coordinator may send to the workers for a request about one tenant: no two-phase commits, no
 * statements on several shards, and no statements that it splits into parts.
 */
export const ofOneShard: SentCommands = { prepared: 0, acrossShards: [], inParts: [] }

/** Calls `run`, and returns the commands that the coordinator sent to the workers during the call. */
export async function commandsDuring(run: () => Promise<unknown>): Promise<SentCommands> {
  const { emit } = pg.Client.prototype
  const reported = new Map<unknown, string[]>()
  const spy = vi.spyOn(pg.Client.prototype, 'emit').mockImplementation(function (this: unknown, ...event) {
    const [name, notice] = event as [string, { message: string }]
    if (name === 'notice') {
      const query = (this as { _activeQuery: unknown })._activeQuery
      reported.set(query, [...(reported.get(query) ?? []), notice.message])
    }
    return emit.apply(this as pg.Client, event)
  })
  try {
    await run()
  } finally {
    spy.mockRestore()
  }
  // Throws an error if the coordinator reports no commands at all. In this case, the test cannot detect any
  // commands, so all counts would wrongly be zero.
  if (reported.size === 0)
    throw new Error('the Citus coordinator reported none of the commands that it sent to the workers')
  const prepared = [...reported.values()]
    .flat()
    .filter(each => each.startsWith('issuing PREPARE TRANSACTION'))
  const queriesWith = (matches: (commands: string) => boolean) =>
    [...reported]
      .filter(([, messages]) => matches(messages.join('\n')))
      .map(([query]) => (query as { text: string }).text)
  return {
    prepared: prepared.length,
    acrossShards: queriesWith(isAcrossShards),
    inParts: queriesWith(commands => commands.includes('intermediate_result')),
  }
}

/** Citus appends the shard number to a table's name, as in `payments_102008`. */
function isAcrossShards(commands: string): boolean {
  const shards = new Map<string, Set<string>>()
  for (const [, table = '', shard = ''] of commands.matchAll(/\b([a-z_]+)_(\d{6,})\b/g))
    shards.set(table, (shards.get(table) ?? new Set()).add(shard))
  return [...shards.values()].some(({ size }) => size > 1)
}

const ATTEMPTS_TO_DROP = 10
/**
 * Drops a test's database and its roles. On a busy machine, PostgreSQL can fail to end the database's connections within
 * five seconds, because Citus opens new ones. The database is then dropped with a later attempt.
 */
async function dropDatabase(url: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await runOn(url, `drop database if exists ${name} with (force)`, `drop role ${name}, ${name}_owner`)
      return
    } catch (error) {
      if (attempt === ATTEMPTS_TO_DROP) throw error
    }
}
