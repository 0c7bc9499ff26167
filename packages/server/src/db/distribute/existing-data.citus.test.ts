// Distributes a database that already contains payments across a Citus cluster, which consists of several
// PostgreSQL servers (nodes). One of them is the coordinator (test/support/citus-cluster.ts).

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { alwaysHealthy } from '../../../test/support/always-healthy.ts'
import { type CitusDatabase, citusDatabase, coordinator, runOn } from '../../../test/support/citus-cluster.ts'
import { fakeServer } from '../../../test/support/fake-server.ts'
import {
  insertPendingPayment,
  later,
  makePayment,
  makeTenant,
  noCallbackRules,
} from '../../../test/support/make.ts'
import { until } from '../../../test/support/merchant.ts'
import { settlementCallback } from '../../../test/support/midtrans.ts'
import { refundScene } from '../../../test/support/refund-scene.ts'
import { tenantWithAllRows } from '../../../test/support/tenant-with-all-rows.ts'
import { callbackApplier } from '../../callbacks/apply-callbacks.ts'
import { insertCallbacks } from '../../callbacks/callback.sql.ts'
import { sealLedger } from '../../ledger/seal-ledger.ts'
import { createLog } from '../../logging/log.ts'
import { insertPaymentInBatch } from '../../payments/payment.sql.ts'
import type { Payment } from '../../payments/payment.ts'
import { recordEvents } from '../../payments/record/record-event.ts'
import { createRefund } from '../../payments/refund/create-refund.ts'
import { accountSlots } from '../../provider-accounts/account-slots.ts'
import { inquiryLimits } from '../../provider-accounts/inquiry-limits.ts'
import { midtrans } from '../../providers/midtrans/midtrans.ts'
import { newId } from '../../values/id.ts'
import { verifyLedger } from '../../verification/verify-ledger.ts'
import { webhookDelivery } from '../../webhooks/delivery/deliver-webhooks.ts'
import type { Lease } from '../../webhooks/delivery/lease.ts'
import { newWebhookSecret } from '../../webhooks/delivery/sign.ts'
import { webhookAgent } from '../../webhooks/delivery/webhook-agent.ts'
import { createDb, type Db } from '../db.ts'
import { detectDistribution } from '../distributed-database.ts'
import { placements } from '../placement.ts'
import { inScope, scopeOfTenant } from '../tenant-scope.ts'
import { distribute } from './distribute.ts'

const receiver = await fakeServer()
const log = createLog('silent')

describe.skipIf(!coordinator)('distribute moves existing payments to a Citus cluster', () => {
  let cluster: CitusDatabase
  let tenants: string[]
  let pending: Payment
  let paid: Payment

  beforeAll(async () => {
    cluster = await citusDatabase()
    const db = createDb(cluster.url, { max: 4 })
    tenants = []
    for (let n = 0; n < 3; n++) tenants.push(await tenantWithAllRows(db, work => work(db)))
    const tenantId = await makeTenant(db, { callbackUrl: receiver.url })
    tenants.push(tenantId)
    pending = await insertPendingPayment(db, { tenantId, amount: 100n })
    paid = await insertPendingPayment(db, { tenantId, amount: 100_000n })
    const other = await insertPendingPayment(db, { tenantId })
    const record = ({ id: paymentId }: Payment, event: object) =>
      db.transaction(tx =>
        recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' } as never], later(9)),
      )
    await record(paid, {
      type: 'paid',
      amountPaid: 100_000n,
      paidAt: later(1),
      reference: paid.paymentCode,
    })
    await record(other, { type: 'failed', reason: 'the payer cancelled' })
    await insertPaymentInBatch(db, makePayment({ tenantId, status: 'charging', transitionCount: 0 }))
    await sealLedger({ db, log })
    await db.destroy()
  }, 120_000)
  afterAll(() => cluster.drop())

  const moved = Object.keys(placements).filter(table => placements[table]?.kind !== 'local')
  /** Returns all rows of every table, grouped by table. */
  async function allRows(): Promise<Record<string, string[]>> {
    const rows: Record<string, string[]> = {}
    for (const table of Object.keys(placements))
      rows[table] = (await runOn<object>(cluster.url, `select * from ${table}`))
        .map(row => JSON.stringify(row))
        .sort()
    return rows
  }
  async function verify(db: Db) {
    const differences: object[] = []
    const found = await verifyLedger({ db, providers: new Map([['midtrans', midtrans]]) as never }, [], {
      onDifference: difference => void differences.push(difference),
      onPage: () => {},
    })
    return { ...found, all: differences.map(each => JSON.stringify(each)).sort() }
  }
  async function pool(url = cluster.serviceUrl): Promise<Db> {
    const db = createDb(url, { max: 4 })
    onTestFinished(() => db.destroy())
    await detectDistribution([db])
    return db
  }

  test('the distribute command fails until every ledger entry created by an earlier release has a counter-account', async () => {
    await expect(distribute(cluster.ownerUrl, { dryRun: true, say: () => {} })).rejects.toThrow(
      'wait until the table book_backfills is empty',
    )
    await runOn(cluster.url, 'select complete_books(1000)')
    expect(await runOn(cluster.url, 'select from book_backfills')).toEqual([])
  })

  test('the distribute command is rejected while a worker process of the service is running', async () => {
    await runOn(cluster.url, `insert into workers (id, pool_ids, seen_at) values ('${newId()}', '{}', now())`)
    await expect(distribute(cluster.ownerUrl, { dryRun: false, say: () => {} })).rejects.toThrow(
      'stop all Gapura processes first',
    )
    await runOn(cluster.url, 'delete from workers')
  })

  test('the distribute command keeps every row of every table, even if it is interrupted and then run again', async () => {
    const undistributed = createDb(cluster.url, { max: 2 })
    onTestFinished(() => undistributed.destroy())
    const [before, verifiedBefore] = [await allRows(), await verify(undistributed)]
    const distributed = (options: Partial<Parameters<typeof distribute>[1]>) =>
      distribute(cluster.ownerUrl, { dryRun: false, say: () => {}, ...options })
    const said: string[] = []
    const steps = await distributed({ dryRun: true, say: line => void said.push(line) })
    expect(said.filter(line => line.includes('create_distributed_table'))).toHaveLength(
      moved.filter(table => placements[table]?.kind === 'sharded').length,
    )
    expect(await runOn(cluster.url, `select from citus_tables where citus_table_type <> 'local'`)).toEqual([])

    const interrupted = new Error('interrupted')
    let lines = 0
    const say = () => {
      if (++lines === 6) throw interrupted
    }
    await expect(distributed({ say })).rejects.toBe(interrupted)
    expect(await allRows()).toEqual(before)
    expect(await distributed({})).toBe(steps - 5)
    expect(await allRows()).toEqual(before)
    expect(before.payments).toHaveLength(7)
    for (const table of moved) expect([table, before[table]?.length]).not.toEqual([table, 0])

    const left = await runOn(
      cluster.url,
      `select logicalrelid from pg_dist_partition join pg_class c on c.oid = logicalrelid
       where relkind = 'r' and pg_relation_size(c.oid) > 0`,
    )
    expect(left).toEqual([])
    expect(await verify(await pool())).toEqual(verifiedBefore)
    expect(verifiedBefore).toMatchObject({ balances: 8, entries: 10, payments: 7 })
  }, 300_000)

  test('after the distribute command, all triggers are enabled on the coordinator and every shard', async () => {
    for (const node of cluster.nodes)
      expect(
        await runOn(
          cluster.urlOf(node),
          `select tgrelid::regclass, tgname from pg_trigger where not tgisinternal and tgenabled <> 'O'`,
        ),
      ).toEqual([])
    for (const [statement, reason] of [
      [`update ledger_entries set reason = 'other' where tenant_id = '${tenants[0]}'`, 'append-only'],
      [`delete from ledger_seals where tenant_id = '${tenants[0]}'`, 'append-only'],
      [`update balances set balance = balance + 1 where tenant_id = '${tenants[0]}'`, 'last entry'],
    ] as const)
      await expect(runOn(cluster.url, statement)).rejects.toThrow(reason)
  }, 60_000)

  test("after the distribute command, the tables' owner role cannot truncate the append-only tables", async () => {
    const rows = await runOn(
      cluster.ownerUrl,
      `select name from unnest(array['ledger_entries', 'ledger_seals', 'book_transfers']) name
       where has_table_privilege(name, 'truncate')`,
    )
    expect(rows).toEqual([])
  })

  test("after the distribute command, a tenant's scope contains its existing rows and no other tenant's", async () => {
    const db = await pool()
    for (const table of ['payments', 'ledger_entries', 'refunds', 'webhook_events', 'balances'])
      await inScope(scopeOfTenant(tenants[0] as string), async () => {
        const { rows } = await db.raw(`select distinct tenant_id as id from ${table}`)
        expect([table, rows]).toEqual([table, [{ id: tenants[0] }]])
      })
  }, 60_000)

  test('a payment created before the distribution is credited when its callback arrives afterward', async () => {
    receiver.answers(response => response.end())
    const db = await pool()
    const { tenantId, providerAccountId, paymentCode } = pending
    const app = {
      ...{ db, clock: () => new Date(), log, health: alwaysHealthy, publicUrl: 'https://pay.example.com' },
      accountOf: async (id: string) => ({
        provider: midtrans,
        account: { id, mode: 'live' as const, credentials: { server_key: id }, baseUrl: null },
        callbackRules: noCallbackRules,
      }),
    }
    const paid = { paymentCode, amount: 1, transactionId: 't-1' }
    const body = Buffer.from(JSON.stringify(settlementCallback(providerAccountId, paid)))
    const callback = { id: newId(), provider: 'midtrans', providerAccountId, receivedAt: new Date() }
    await insertCallbacks(db, [{ ...callback, path: '/', headers: {}, trace: null, body }])
    await callbackApplier(app, accountSlots(200), inquiryLimits(app.clock)).applyBatch([callback.id])
    const of = `where tenant_id = '${tenantId}'`
    expect(await runOn(cluster.url, `select balance, version from balances ${of} and mode = 'live'`)).toEqual(
      [{ balance: '100100', version: '2' }],
    )

    const leases = await runOn<Lease>(
      cluster.url,
      `select tenant_id as "tenantId", event_id as "eventId", next_attempt_at as "expiresAt" from webhook_queue ${of}`,
    )
    const agent = webhookAgent(true)
    const endpoint = { callbackUrl: receiver.url, secret: newWebhookSecret(), previous: [] }
    const webhooks = webhookDelivery({ ...app, endpointOf: async () => endpoint, webhookAgent: agent })
    await webhooks.deliver(leases)
    const delivered = await until('all events are delivered', async () => {
      const rows = await runOn(cluster.url, `select response_status as status from webhook_attempts ${of}`)
      return rows.length === leases.length && rows
    })
    // One event is delivered for each of three payments: a failed payment, one that was paid before the database was
    // distributed, and one that was paid afterward.
    expect(delivered).toEqual([{ status: 200 }, { status: 200 }, { status: 200 }])
    await webhooks.stop()
    await agent.destroy()
  }, 60_000)

  test('a payment paid before the distribution can be refunded, and the ledger passes verification', async () => {
    const db = await pool()
    const scene = refundScene(db)
    scene.payment = paid
    scene.state.at = later(5_000)
    const key = { tenantId: paid.tenantId, paymentId: paid.id, mode: 'live' } as const
    const before = await verify(db)
    await inScope(scopeOfTenant(paid.tenantId), () =>
      createRefund(scene.app, key, 'one', { amount: 40_000 }, { byUser: false, unprovenUpTo: null }),
    )
    expect((await scene.refunds()).map(({ status, amount }) => [status, amount])).toEqual([
      ['succeeded', 40_000n],
    ])
    const after = await verify(db)
    expect(after.entries).toBe(before.entries + 1)
    expect(after.all).toEqual(before.all)
  }, 60_000)
})
