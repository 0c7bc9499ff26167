// Moves tenants between a Citus cluster's workers while the service processes payments
// (test/support/running-payments.ts). A worker is a PostgreSQL server that stores part of the rows.
// GAPURA_TEST_CITUS_SPARE_NODE can contain a server's address, such as 127.0.0.1:9713. The test then also adds this
// server to the cluster.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type CitusDatabase,
  type CitusNode,
  coordinator,
  distributedDatabase,
  runOn,
} from '../../../test/support/citus-cluster.ts'
import { nodeOf } from '../../../test/support/citus-service.ts'
import { fakeServer } from '../../../test/support/fake-server.ts'
import { balancesOf, paymentsOf, runningPayments } from '../../../test/support/running-payments.ts'
import { entriesSql } from '../../../test/support/trigger-statements.ts'
import { lockPayments } from '../../payments/payment.sql.ts'
import { createDb } from '../db.ts'
import { detectDistribution } from '../distributed-database.ts'
import { queryShards } from '../shard-query.ts'
import { inScope, scopeOfTenant } from '../tenant-scope.ts'

const spareNode = process.env.GAPURA_TEST_CITUS_SPARE_NODE
if (coordinator && !spareNode)
  process.stderr.write(
    'No node is added to the Citus cluster: GAPURA_TEST_CITUS_SPARE_NODE is not set. Tenants move between the workers.\n',
  )

const guide = readFileSync(join(import.meta.dirname, '../../../../../docs/guides/scaling.md'), 'utf8')
/**
 * The SQL statements that the guide contains. The first lists the owners of the distributed tables. The second
 * splits a shard so that one tenant gets its own shard.
 */
const [ownersSql = '', splitSql = ''] = [...guide.matchAll(/```sql\n(.*?)```/gs)].map(([, sql]) => sql)

/**
 * Returns SQL that splits the tenant's shard so that the tenant gets its own shard, and that moves all
 * resulting shards to the node `to`.
 */
const isolateSql = (tenantId: string, to: CitusNode) =>
  splitSql
    .replace('<tenant id>', tenantId)
    .replace("nodename = '10.0.0.7' and nodeport = 5432", `nodename = '${to.host}' and nodeport = ${to.port}`)

const moveSql = (shard: string, from: CitusNode, to: CitusNode) => `
  select citus_move_shard_placement(
    ${shard}, '${from.host}', ${from.port}, '${to.host}', ${to.port}, 'force_logical')`

const receiver = await fakeServer()

describe.skipIf(!coordinator)(
  'payments stay correct while tenants of a Citus cluster are moved between nodes',
  () => {
    let cluster: CitusDatabase
    let moved: string
    let payments: Awaited<ReturnType<typeof runningPayments>>

    beforeAll(async () => {
      cluster = await distributedDatabase()
      payments = await runningPayments(cluster, receiver)
      moved = payments.tenants[0] as string
      await payments.during(moveTenants)
    }, 600_000)
    afterAll(async () => {
      await payments?.stop()
      await cluster.drop()
    })

    /**
     * Moves a tenant to a shard of its own on another worker, and then moves this shard back. If there is a
     * spare node, finally moves the shard there.
     */
    async function moveTenants(): Promise<void> {
      const home = (await nodeOf(cluster, moved)) as CitusNode
      const workers = cluster.nodes.filter(({ isCoordinator }) => !isCoordinator)
      const other = workers.find(node => node !== home) as CitusNode
      await runOn(cluster.url, isolateSql(moved, other))
      await move(other, home)
      if (!spareNode) return
      const [host = '', port] = spareNode.split(':')
      const spare = await cluster.addWorker({ host, port: Number(port) })
      await runOn(cluster.url, `select replicate_reference_tables('force_logical')`)
      await move(home, spare)
    }

    async function move(from: CitusNode, to: CitusNode): Promise<void> {
      const [row] = await runOn<{ shard: string }>(
        cluster.url,
        `select get_shard_id_for_distribution_column('payments', '${moved}'::uuid)::text as shard`,
      )
      await runOn(cluster.url, moveSql(row?.shard as string, from, to))
    }

    test('each distributed table has the primary key and owner that moving a shard requires', async () => {
      const tables = await runOn(
        cluster.url,
        `select c.relname from citus_tables t join pg_class c on c.oid = t.table_name
       where c.relreplident <> 'd' or not exists (select from pg_index where indrelid = c.oid and indisprimary)
         or c.relowner <> (select relowner from pg_class where oid = 'payments'::regclass)`,
      )
      expect(tables).toEqual([])
      expect(await runOn(cluster.url, ownersSql)).toHaveLength(1)
    })

    test('after a tenant is moved to another worker, its shard contains only this tenant', async () => {
      const [shard] = await runOn(
        cluster.url,
        `select shardminvalue = shardmaxvalue as "isIsolated" from pg_dist_shard
       where shardid = get_shard_id_for_distribution_column('payments', '${moved}'::uuid)`,
      )
      expect(shard).toEqual({ isIsolated: true })
      if (spareNode) expect(`${(await nodeOf(cluster, moved))?.port}`).toBe(spareNode.split(':')[1])
    })

    test('while a tenant is moved between workers, each request succeeds or gets 503 with Retry-After', () => {
      expect(payments.errors.filter(({ status, retryAfter }) => status !== 503 || !retryAfter)).toEqual([])
    })

    test('each payment created while a tenant is moved between Citus workers is paid and credited once', async () => {
      const { found, expected } = await paymentsOf(cluster, payments)
      expect(found).toEqual(expected)
    })

    test('after a tenant moves between workers, each balance equals the sum of its payments and entries', async () => {
      const { found, expected } = await balancesOf(cluster, payments)
      expect(found).toEqual(expected)
    })

    test("after a tenant moves to another shard, other tenants' scopes do not contain its rows", async () => {
      const pool = createDb(cluster.serviceUrl, { max: 1 })
      const visible = (scope: string) =>
        inScope(scopeOfTenant(scope), async () => {
          const { rows } = await pool.raw('select id from payments where tenant_id = ?', [moved])
          return rows.length > 0
        })
      try {
        expect([await visible(moved), await visible(payments.tenants[1] as string)]).toEqual([true, false])
      } finally {
        await pool.destroy()
      }
    })

    test('after a tenant is moved to another shard, invalid ledger entries are rejected and entries cannot be deleted', async () => {
      const [last] = await runOn<{ version: string; balance: string }>(
        cluster.url,
        `select version, balance from balances where tenant_id = '${moved}' and mode = 'live'`,
      )
      const wrong = entriesSql([[moved, Number(last?.version) + 1, 10, Number(last?.balance) + 11]])
      await expect(runOn(cluster.url, wrong)).rejects.toThrow('does not follow the one before it')
      await expect(
        runOn(cluster.url, `delete from ledger_entries where tenant_id = '${moved}'`),
      ).rejects.toThrow('the ledger is append-only')
      await expect(
        runOn(cluster.url, `update balances set balance = balance + 1 where tenant_id = '${moved}'`),
      ).rejects.toThrow('is not what its last entry says')
    })

    test('while a transaction holds a lock on a payment, Citus cannot move the shard that stores the payment', async () => {
      const pool = createDb(cluster.serviceUrl, { max: 1 })
      // Takes the lock that Citus takes before it moves or splits the shard. 7 is the number of the lock mode
      // EXCLUSIVE.
      const block = () =>
        runOn(
          cluster.url,
          `set lock_timeout = '500ms'`,
          `select lock_shard_metadata(7, array[get_shard_id_for_distribution_column('payments', '${moved}'::uuid)])`,
        )
      try {
        await detectDistribution([pool])
        await pool.transaction(async tx => {
          const { tenantId, id: paymentId } = payments.created.find(
            ({ tenantId }) => tenantId === moved,
          ) as (typeof payments.created)[number]
          expect(await lockPayments(tx, [{ tenantId, paymentId }])).toHaveLength(1)
          await expect(block()).rejects.toThrow('lock timeout')
        })
        await block()
      } finally {
        await pool.destroy()
      }
    })

    test('queryShards finds rows on every node, even on a node with a single tenant', async () => {
      const pool = createDb(cluster.serviceUrl, { max: 1 })
      try {
        await detectDistribution([pool])
        const rows = await queryShards<{ id: string }>(
          pool,
          'balances',
          'select distinct tenant_id as id from balances',
        )
        expect(rows.map(({ id }) => id).toSorted()).toEqual(payments.tenants.toSorted())
      } finally {
        await pool.destroy()
      }
    })
  },
)
