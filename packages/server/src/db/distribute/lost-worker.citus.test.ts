// Disconnects a worker from a Citus cluster while the service runs. A worker is a PostgreSQL server that stores
// part of the rows.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  type CitusDatabase,
  type CitusNode,
  coordinator,
  distributedDatabase,
  runOn,
  servicePool,
} from '../../../test/support/citus-cluster.ts'
import { citusService, nodeOf } from '../../../test/support/citus-service.ts'
import { makeTenant } from '../../../test/support/make.ts'
import { listAttempts } from '../../payments/attempt.sql.ts'
import { findPaymentByKeyInBatch } from '../../payments/payment.sql.ts'
import { newId } from '../../values/id.ts'
import type { Db } from '../db.ts'

describe.skipIf(!coordinator)(
  'if a Citus cluster loses a worker, it keeps serving other tenants, and prepared transactions are recovered',
  () => {
    let cluster: CitusDatabase

    beforeAll(async () => {
      cluster = await distributedDatabase()
    }, 300_000)
    afterAll(() => cluster.drop())

    /**
     * Creates tenants until one tenant's rows are on the given `worker` and another tenant's rows are on a
     * different worker.
     */
    async function tenantsAround(db: Db, worker: CitusNode): Promise<{ lost: string; other: string }> {
      const found: { lost?: string; other?: string } = {}
      while (!found.lost || !found.other) {
        const id = await makeTenant(db)
        found[(await nodeOf(cluster, id)) === worker ? 'lost' : 'other'] = id
      }
      return found as { lost: string; other: string }
    }

    /**
     * Closes all connections to the worker's database, and rejects new connections until the returned
     * function is called.
     */
    async function lose(worker: CitusNode): Promise<() => Promise<unknown>> {
      const name = new URL(cluster.url).pathname.slice(1)
      const allow = (isAllowed: boolean) =>
        runOn(cluster.urlOf(worker, 'postgres'), `alter database ${name} with allow_connections ${isAllowed}`)
      await allow(false)
      await runOn(
        cluster.urlOf(worker, 'postgres'),
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      )
      return () => allow(true)
    }

    test('while a database worker is unavailable, only its tenants get 503, and no payment is charged twice', async () => {
      const db = await servicePool(cluster)
      const worker = cluster.nodes.find(({ isCoordinator }) => !isCoordinator) as CitusNode
      const { lost, other } = await tenantsAround(db, worker)
      const { charged, state, keyOf, create, stop } = await citusService(cluster, { db })
      onTestFinished(stop)
      const [lostKey, otherKey] = [await keyOf(lost), await keyOf(other)]
      let restore: () => Promise<unknown> = async () => {}
      state.afterCharge = async () => {
        restore = await lose(worker)
      }
      const idempotencyKey = randomUUID()
      try {
        const interrupted = await create(lostKey, idempotencyKey)
        expect([interrupted.status, interrupted.headers.get('retry-after')]).toEqual([503, '1'])
        state.afterCharge = async () => {}
        const rejected = await create(lostKey)
        expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '1'])
        expect(charged).toHaveLength(1)
        // About half of the generated payment codes belong to the unavailable worker. With several payments,
        // the test is almost certain to use such a code.
        for (let times = 0; times < 8; times++) expect((await create(otherKey)).status).toBe(200)
      } finally {
        await restore()
      }
      expect(charged).toHaveLength(9)
      const stored = await findPaymentByKeyInBatch(db, lost, 'live', idempotencyKey)
      expect(stored).toMatchObject({ status: 'charging', paymentCode: charged[0] })
      expect(stored && (await listAttempts(db, stored))).toHaveLength(1)
      // The clock moves so far that the charge request must have ended. If the merchant now repeats the create
      // request, the service sends a status inquiry about the charge to the provider.
      state.aheadMs = 60_000
      expect((await create(lostKey, idempotencyKey)).status).toBe(200)
      expect(charged).toHaveLength(9)
      expect((await create(lostKey)).status).toBe(200)
      expect(charged).toHaveLength(10)
    }, 120_000)

    test.each([
      ['commits', 'had recorded', true],
      ['rolls back', 'had not recorded', false],
    ])(
      "a Citus cluster's recovery %s a transaction that a worker had prepared, if the coordinator %s its commit",
      async (_, __, isRecorded) => {
        const reference = `GP-${randomUUID()}`
        const [place] = await runOn<{ shard: string; port: number }>(
          cluster.url,
          `select shardid as shard, nodeport as port from citus_shards
       where shardid = get_shard_id_for_distribution_column('payment_references', '${reference}'::text)`,
        )
        const worker = cluster.nodes.find(({ port }) => port === place?.port) as CitusNode
        // The ID of a Citus transaction consists of the coordinator's group number, a process ID and two
        // further numbers.
        const transaction = `citus_0_${isRecorded ? 999_991 : 999_992}_1_0`
        await runOn(
          cluster.urlOf(worker),
          'set citus.enable_manual_changes_to_shards = on',
          'begin',
          `insert into payment_references_${place?.shard}
         (reference, tenant_id, payment_id, provider_account_id, provider, started_at)
       values ('${reference}', '${newId()}', '${newId()}', '${newId()}', 'midtrans', now())`,
          `prepare transaction '${transaction}'`,
        )
        if (isRecorded)
          await runOn(
            cluster.url,
            `insert into pg_dist_transaction (groupid, gid)
         select groupid, '${transaction}' from pg_dist_node where nodeport = ${worker.port}`,
          )
        await runOn(cluster.url, 'select recover_prepared_transactions()')
        const found = await runOn(
          cluster.url,
          `select from payment_references where reference = '${reference}'`,
        )
        expect(found).toHaveLength(isRecorded ? 1 : 0)
        const left = `select from pg_prepared_xacts where gid = '${transaction}'`
        expect(await runOn(cluster.urlOf(worker), left)).toEqual([])
      },
    )
  },
)
