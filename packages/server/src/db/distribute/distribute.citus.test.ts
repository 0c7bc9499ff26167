// Distributes a new database over a Citus cluster, that is, several PostgreSQL servers (nodes), one of which is the
// coordinator. The environment variable GAPURA_TEST_CITUS_URL connects as a superuser to a database of the coordinator
// in which the nodes are registered. The test creates a separate database on every node.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseUrl } from '../../../test/support/database-url.ts'
import { newId } from '../../values/id.ts'
import { migrate } from '../migrate/migrate.ts'
import { placements } from '../placement.ts'
import { distribute } from './distribute.ts'

const coordinator = process.env.GAPURA_TEST_CITUS_URL
if (!coordinator)
  process.stderr.write('The tests on a Citus cluster are skipped: GAPURA_TEST_CITUS_URL is not set.\n')

describe.skipIf(!coordinator)('distribute on a Citus cluster', () => {
  const name = `gapura_test_${newId().replaceAll('-', '')}`
  const url = coordinator ? databaseUrl(coordinator, name) : ''
  let nodes: { host: string; port: number; isCoordinator: boolean }[]

  const on = async <Row extends pg.QueryResultRow>(at: string, ...statements: string[]): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: at })
    await client.connect()
    try {
      let rows: Row[] = []
      for (const statement of statements) ({ rows } = await client.query<Row>(statement))
      return rows
    } finally {
      await client.end()
    }
  }
  const urlOf = ({ host, port }: { host: string; port: number }, database: string) => {
    const at = new URL(databaseUrl(coordinator as string, database))
    ;[at.hostname, at.port] = [host, String(port)]
    return at.href
  }

  beforeAll(async () => {
    nodes = await on(
      coordinator as string,
      `select nodename as host, nodeport as port, groupid = 0 as "isCoordinator" from pg_dist_node`,
    )
    for (const node of nodes) {
      await on(urlOf(node, 'postgres'), `create database ${name}`)
      await on(urlOf(node, name), 'create extension citus')
    }
    for (const { host, port, isCoordinator } of nodes)
      await on(
        url,
        `select ${isCoordinator ? 'citus_set_coordinator_host' : 'citus_add_node'}('${host}', ${port})`,
      )
    await migrate(url)
  }, 120_000)
  afterAll(async () => {
    // The workers' databases are dropped first: the coordinator's maintenance would reconnect to them.
    for (const node of [...nodes].sort((a, b) => Number(a.isCoordinator) - Number(b.isCoordinator)))
      await on(urlOf(node, 'postgres'), `drop database ${name} with (force)`)
  })

  test('if distribute is interrupted and called again, it moves every table to its declared placement without repeating a finished step', async () => {
    const said: string[] = []
    const interrupted = new Error('interrupted')
    const say = (line: string) => {
      if (said.push(line) === 4) throw interrupted
    }
    await expect(distribute(url, { dryRun: false, say })).rejects.toBe(interrupted)
    const steps = Number(/of (\d+)/.exec(said[0] as string)?.[1])
    expect(await distribute(url, { dryRun: false, say: () => {} })).toBe(steps - 3)
    expect(await distribute(url, { dryRun: false, say: () => {} })).toBe(0)
    const moved = await on<{ table: string; kind: string }>(
      url,
      `select table_name::text as table, citus_table_type as kind from citus_tables
       where citus_table_type in ('distributed', 'reference') and table_name not in (select inhrelid from pg_inherits)`,
    )
    expect(Object.fromEntries(moved.map(({ table, kind }) => [table, kind]))).toEqual(
      Object.fromEntries(
        Object.entries(placements)
          .filter(([, { kind }]) => kind !== 'local')
          .map(([table, { kind }]) => [table, kind === 'sharded' ? 'distributed' : 'reference']),
      ),
    )
  }, 300_000)

  test('on a distributed database, a new balance without a ledger entry is rejected at commit unless it is zero', async () => {
    const [one, other] = [newId(), newId()]
    const insert = (id: string, balance: number) =>
      on(url, `insert into balances (tenant_id, mode, balance) values ('${id}', 'live', ${balance})`)
    await insert(one, 0)
    await expect(insert(other, 1)).rejects.toThrow('could not commit transaction')
    const rows = await on<{ id: string }>(url, 'select tenant_id as id from balances')
    expect(rows).toEqual([{ id: one }])
  })
})
