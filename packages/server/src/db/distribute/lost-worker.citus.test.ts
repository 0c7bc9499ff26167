// Disconnects a worker of a Citus cluster, that is, a PostgreSQL server with a part of the rows, while the service runs.

import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { alwaysHealthy } from '../../../test/support/always-healthy.ts'
import {
  type CitusDatabase,
  type CitusNode,
  coordinator,
  distributedDatabase,
  runOn,
  servicePool,
} from '../../../test/support/citus-cluster.ts'
import { appConfig, serve } from '../../../test/support/compose-app.ts'
import { makeTenant, noCallbackRules } from '../../../test/support/make.ts'
import { anOrder } from '../../../test/support/order.ts'
import { newApiKey } from '../../auth/api-keys/api-key.ts'
import { compose } from '../../compose.ts'
import { listAttempts } from '../../payments/attempt.sql.ts'
import { findPaymentByKeyInBatch } from '../../payments/payment.sql.ts'
import { midtrans } from '../../providers/midtrans/midtrans.ts'
import type { AnyProvider, Charge } from '../../providers/provider.ts'
import { newId } from '../../values/id.ts'
import type { Db } from '../db.ts'

const methodData = { type: 'virtual_account', bank: 'BCA', va_number: '812785002530231' } as const

describe.skipIf(!coordinator)('a Citus cluster that loses a worker', () => {
  let cluster: CitusDatabase

  beforeAll(async () => {
    cluster = await distributedDatabase()
  }, 300_000)
  afterAll(() => cluster.drop())

  /** Serves the API with one provider account. The provider reports each charge that it received when it is inquired. */
  async function service(db: Db) {
    const accountId = newId()
    const charged: string[] = []
    const state = { aheadMs: 0, afterCharge: async () => {} }
    const provider = {
      ...midtrans,
      async charge(_: unknown, { reference }: Charge) {
        charged.push(reference)
        await state.afterCharge()
        return { providerPaymentId: `p-${reference}`, methodData }
      },
      inquire: async (_: unknown, { reference }: { reference: string }) =>
        charged.includes(reference)
          ? {
              reference,
              providerPaymentId: `p-${reference}`,
              fact: { type: 'pending', methodData },
            }
          : 'absent',
    } as unknown as AnyProvider
    const dataDir = await mkdtemp(join(tmpdir(), 'gapura-citus-'))
    const { app, close } = await compose(
      { ...appConfig, databaseUrl: cluster.serviceUrl, masterKey: randomBytes(32), dataDir },
      {
        db,
        health: alwaysHealthy,
        clock: () => new Date(Date.now() + state.aheadMs),
        providers: new Map([['midtrans', provider]]),
        accountOf: async id => ({
          provider,
          account: { id, mode: 'live', credentials: {}, baseUrl: null },
          callbackRules: noCallbackRules,
        }),
        routesOf: async () => ({
          accounts: [{ id: accountId, providerCode: 'midtrans', mode: 'live', priority: 0 }],
          rules: [],
        }),
      },
    )
    const server = await serve(app)
    onTestFinished(async () => {
      await server.stop()
      await close()
      await rm(dataDir, { recursive: true, force: true })
    })
    /** Inserts an API key without the service, whose statement Citus rejects. */
    async function keyOf(tenantId: string): Promise<string> {
      const key = newApiKey('live')
      const hash = app.secrets.hash(key).toString('hex')
      await runOn(
        cluster.url,
        `insert into api_keys (id, tenant_id, mode, name, key_hash, display_prefix)
         values ('${newId()}', '${tenantId}', 'live', 'server', '\\x${hash}', 'gp_live_x')`,
      )
      return key
    }
    const create = (key: string, idempotencyKey: string = randomUUID()) =>
      fetch(`${server.url}/v1/payments/create`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Authorization: `ApiKey ${key}`,
          'X-Idempotency-Key': idempotencyKey,
        },
        body: JSON.stringify(anOrder({ customer_email: '', customer_phone: '081234567890' })),
      })
    return { charged, state, keyOf, create }
  }

  /** Creates tenants until there is one whose rows are on the worker and one whose rows are on another worker. */
  async function tenantsAround(db: Db, worker: CitusNode): Promise<{ lost: string; other: string }> {
    const found: { lost?: string; other?: string } = {}
    while (!found.lost || !found.other) {
      const id = await makeTenant(db)
      const [row] = await runOn<{ port: number }>(
        cluster.url,
        `select nodeport as port from citus_shards
         where shardid = get_shard_id_for_distribution_column('payments', '${id}'::uuid)`,
      )
      found[row?.port === worker.port ? 'lost' : 'other'] = id
    }
    return found as { lost: string; other: string }
  }

  /** Closes all connections to the database of the worker, and rejects new ones until the returned function is called. */
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

  test('while a worker is unavailable, its tenants get 503, the others create payments, and no payment is charged again afterwards', async () => {
    const db = await servicePool(cluster)
    const worker = cluster.nodes.find(({ isCoordinator }) => !isCoordinator) as CitusNode
    const { lost, other } = await tenantsAround(db, worker)
    const { charged, state, keyOf, create } = await service(db)
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
      // Half of the payment codes belong to the unavailable worker.
      for (let times = 0; times < 8; times++) expect((await create(otherKey)).status).toBe(200)
    } finally {
      await restore()
    }
    expect(charged).toHaveLength(9)
    const stored = await findPaymentByKeyInBatch(db, lost, 'live', idempotencyKey)
    expect(stored).toMatchObject({ status: 'charging', paymentCode: charged[0] })
    expect(stored && (await listAttempts(db, stored))).toHaveLength(1)
    // The charge is so old that it has ended. The repeated request inquires about its result.
    state.aheadMs = 60_000
    expect((await create(lostKey, idempotencyKey)).status).toBe(200)
    expect(charged).toHaveLength(9)
    expect((await create(lostKey)).status).toBe(200)
    expect(charged).toHaveLength(10)
  }, 120_000)

  test.each([
    ['committed', 'had recorded', true],
    ['rolled back', 'had not recorded', false],
  ])(
    'a transaction left prepared on a worker is %s by the recovery if the coordinator %s its commit',
    async (_, __, isRecorded) => {
      const reference = `GP-${randomUUID()}`
      const [place] = await runOn<{ shard: string; port: number }>(
        cluster.url,
        `select shardid as shard, nodeport as port from citus_shards
       where shardid = get_shard_id_for_distribution_column('payment_references', '${reference}'::text)`,
      )
      const worker = cluster.nodes.find(({ port }) => port === place?.port) as CitusNode
      // Citus identifies its transactions by the group of the coordinator, a process and two numbers.
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
})
