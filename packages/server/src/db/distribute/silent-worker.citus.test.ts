// Tests a Citus cluster with a worker that stops responding while its connections stay open. The test adds
// this worker, the server at GAPURA_TEST_CITUS_SPARE_NODE (for example 127.0.0.1:9713), to the cluster.

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
import { databaseProxy } from '../../../test/support/database-proxy.ts'
import { makeTenant } from '../../../test/support/make.ts'
import { findPaymentByKeyInBatch } from '../../payments/payment.sql.ts'

const spareNode = process.env.GAPURA_TEST_CITUS_SPARE_NODE

describe.skipIf(!coordinator || !spareNode)(
  'if a worker of a Citus cluster stops responding, only the tenants whose rows are on this worker are affected',
  () => {
    let cluster: CitusDatabase

    beforeAll(async () => {
      cluster = await distributedDatabase()
    }, 300_000)
    afterAll(() => cluster.drop())

    /** Moves a tenant's rows to another node. */
    async function move(tenantId: string, to: CitusNode): Promise<void> {
      const from = (await nodeOf(cluster, tenantId)) as CitusNode
      await runOn(
        cluster.url,
        `select citus_move_shard_placement(get_shard_id_for_distribution_column('payments', '${tenantId}'::uuid),
         '${from.host}', ${from.port}, '${to.host}', ${to.port}, 'block_writes')`,
      )
    }

    test('if a database worker stops responding, only its tenants get 503, and no payment is charged twice', async () => {
      const proxy = await databaseProxy(`postgres://postgres@${spareNode}/postgres`)
      const silent = await cluster.addWorker({ host: '127.0.0.1', port: Number(new URL(proxy.url).port) })
      await runOn(cluster.url, `select replicate_reference_tables('block_writes')`)
      const db = await servicePool(cluster)
      const lost = await makeTenant(db)
      await move(lost, silent)
      let other = await makeTenant(db)
      while ((await nodeOf(cluster, other)) === silent) other = await makeTenant(db)
      const { charged, state, keyOf, create, stop } = await citusService(cluster, { db })
      onTestFinished(stop)
      const [lostKey, otherKey] = [await keyOf(lost), await keyOf(other)]
      state.afterCharge = async () => proxy.freeze()
      const idempotencyKey = randomUUID()
      try {
        const interrupted = create(lostKey, idempotencyKey)
        await expect.poll(() => charged).toHaveLength(1)
        state.afterCharge = async () => {}
        for (let times = 0; times < 4; times++) expect((await create(otherKey)).status).toBe(200)
        const { status, headers } = await interrupted
        expect([status, headers.get('retry-after')]).toEqual([503, '1'])
        expect(charged).toHaveLength(5)
      } finally {
        proxy.mend()
      }
      expect(await findPaymentByKeyInBatch(db, lost, 'live', idempotencyKey)).toMatchObject({
        status: 'charging',
        paymentCode: charged[0],
      })
      // The clock is a minute ahead, so the charge request can no longer be running. If the merchant repeats
      // the request, the service therefore sends a status inquiry about the charge.
      state.aheadMs = 60_000
      expect((await create(lostKey, idempotencyKey)).status).toBe(200)
      expect(charged).toHaveLength(5)
    }, 180_000)
  },
)
