// Adds a worker to a Citus cluster while the service processes payments, and moves shards to it with Citus'
// rebalancer. A worker is a PostgreSQL server that stores part of the rows. GAPURA_TEST_CITUS_SPARE_NODE is the new
// worker's address, such as 127.0.0.1:9713.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type CitusDatabase,
  coordinator,
  distributedDatabase,
  runOn,
} from '../../../test/support/citus-cluster.ts'
import { fakeServer } from '../../../test/support/fake-server.ts'
import { balancesOf, paymentsOf, runningPayments } from '../../../test/support/running-payments.ts'
import { midtrans } from '../../providers/midtrans/midtrans.ts'
import { verifyLedger } from '../../verification/verify-ledger.ts'

const spareNode = process.env.GAPURA_TEST_CITUS_SPARE_NODE

const guide = readFileSync(join(import.meta.dirname, '../../../../../docs/guides/scaling.md'), 'utf8')
/**
 * The SQL statements in the guide that copy the reference tables to the new worker, start the rebalancer, and
 * wait until the rebalancer has finished.
 */
const rebalanceSql = [...guide.matchAll(/```sql\n(.*?)```/gs)]
  .map(([, sql = '']) => sql)
  .find(sql => sql.includes('citus_rebalance_start'))
  ?.split(';\n')
  .filter(Boolean)

const receiver = await fakeServer()

describe.skipIf(!coordinator || !spareNode)('a Citus cluster that is rebalanced while payments run', () => {
  let cluster: CitusDatabase
  let payments: Awaited<ReturnType<typeof runningPayments>>

  beforeAll(async () => {
    cluster = await distributedDatabase()
    payments = await runningPayments(cluster, receiver)
    await payments.during(async () => {
      const [host = '', port] = (spareNode as string).split(':')
      await cluster.addWorker({ host, port: Number(port) })
      for (const statement of rebalanceSql as string[]) await runOn(cluster.url, statement)
    })
  }, 900_000)
  afterAll(async () => {
    await payments?.stop()
    await cluster.drop()
  })

  test("rebalancing spreads each table's shards evenly: no Citus worker has more than one shard more than another worker", async () => {
    const jobs = await runOn(cluster.url, 'select state from pg_dist_background_job')
    expect(jobs).toEqual([{ state: 'finished' }])
    const uneven = await runOn(
      cluster.url,
      `select table_name, array_agg(shards) as shards from (
         select logicalrelid::text as table_name, groupid, count(*) as shards
         from pg_dist_shard join pg_dist_placement using (shardid) where shardminvalue is not null group by 1, 2
       ) placed group by 1 having count(*) < 3 or max(shards) - min(shards) > 1`,
    )
    expect(uneven).toEqual([])
  })

  test('while Citus moves shards to a new worker, each request succeeds or gets 503 with Retry-After', () => {
    expect(payments.errors.filter(({ status, retryAfter }) => status !== 503 || !retryAfter)).toEqual([])
  })

  test('each payment created while Citus moves shards to a new worker is paid and credited once', async () => {
    const { found, expected } = await paymentsOf(cluster, payments)
    expect(found).toEqual(expected)
  })

  test('after Citus moves shards to a new worker, verifying the ledger finds no difference', async () => {
    const { found, expected } = await balancesOf(cluster, payments)
    expect(found).toEqual(expected)
    const differences: unknown[] = []
    await verifyLedger({ db: payments.db, providers: new Map([['midtrans', midtrans]]) as never }, [], {
      onDifference: difference => void differences.push(difference),
      onPage: () => {},
    })
    expect(differences).toEqual([])
  }, 60_000)
})
