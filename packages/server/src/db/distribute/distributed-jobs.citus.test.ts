// Runs the background work on a Citus cluster (test/support/citus-cluster.ts). Its nodes are PostgreSQL servers:
// one coordinator and several workers. A test's tenants are on different nodes.

import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  commandsDuring,
  coordinator,
  servicePool as loggingPool,
  runOn,
} from '../../../test/support/citus-cluster.ts'
import { distributedDatabase } from '../../../test/support/distributed-database.ts'
import { insertPendingPayment, later, makeTenant, now } from '../../../test/support/make.ts'
import { makeRefund } from '../../../test/support/make-refund.ts'
import { endpointSql, eventSql } from '../../../test/support/trigger-statements.ts'
import { insertCallbacks, moveToOwnJobs, requeueUnappliedCallbacks } from '../../callbacks/callback.sql.ts'
import { eraseCustomer } from '../../customers/erase-customer.ts'
import { sealLedger } from '../../ledger/seal-ledger.ts'
import { createLog } from '../../logging/log.ts'
import { bringChecksForward, claimDuePayments } from '../../payments/inquire/next-check.sql.ts'
import { findPaymentInBatch, lockPaymentsWithBalances } from '../../payments/payment.sql.ts'
import { moneyReceivedEvent } from '../../payments/payment.ts'
import { newBatch } from '../../payments/record/event-batch.ts'
import { recordEvents } from '../../payments/record/record-event.ts'
import { recordRefund } from '../../payments/record/record-refund.ts'
import { writeBatch } from '../../payments/record/write-batch.ts'
import { claimDueRefunds } from '../../payments/refund/due-refunds.sql.ts'
import { eraseOldCustomers } from '../../retention/erase-customers.ts'
import { defaultRetention, subtractDays } from '../../retention/retention.ts'
import { firstIdAt, newId } from '../../values/id.ts'
import {
  claimDeliveries,
  dropDeliveries,
  listOverdueEndpoints,
  recordDeliveryAttempts,
} from '../../webhooks/additional/claim-deliveries.sql.ts'
import { listOverdueTenants } from '../../webhooks/delivery/lease.sql.ts'
import { createDb, type Db } from '../db.ts'
import { detectDistribution } from '../distributed-database.ts'
import { queryShards } from '../shard-query.ts'

describe.skipIf(!coordinator)('on a Citus cluster, background work covers the tenants on all nodes', () => {
  const { cluster, servicePool } = distributedDatabase()
  let db: Db
  beforeEach(async () => {
    db = await servicePool()
  })

  const sql = <Row extends object>(...statements: string[]) => runOn<Row>(cluster().url, ...statements)

  /** Creates two tenants whose shards are on different nodes. */
  async function tenantsOnTwoNodes(): Promise<[string, string]> {
    const nodeOf = async (tenantId: string) => {
      const [row] = await sql<{ node: number }>(
        `select groupid as node from pg_dist_placement
         where shardid = get_shard_id_for_distribution_column('payments', '${tenantId}')`,
      )
      return row?.node
    }
    const first = await makeTenant(db)
    for (;;) {
      const second = await makeTenant(db)
      if ((await nodeOf(second)) !== (await nodeOf(first))) return [first, second]
    }
  }

  /** Inserts paid payments and returns the last one's ID. */
  async function sell(tenantId: string, count: number): Promise<string> {
    let paymentId = ''
    for (let n = 0; n < count; n++) {
      const payment = await insertPendingPayment(db, { tenantId, amount: 100n })
      const paid = { amountPaid: 100n, paidAt: now, reference: payment.paymentCode, receipt: 'a' }
      paymentId = payment.id
      const event = {
        tenantId,
        paymentId,
        event: moneyReceivedEvent(payment, paid),
        cause: 'callback',
      } as const
      await db.transaction(tx => recordEvents(tx, [event], now))
    }
    return paymentId
  }

  /** Inserts a pending payment whose next status check is due. */
  async function duePayment(tenantId: string, providerAccountId: string): Promise<string> {
    const { id } = await insertPendingPayment(db, { tenantId, providerAccountId })
    await sql(
      `update payments set next_check_at = '${now.toISOString()}' where tenant_id = '${tenantId}' and id = '${id}'`,
    )
    return id
  }
  const limits = {
    freeSlots: 10,
    slotsOfAccounts: [],
    slotsOfOtherAccounts: 10,
    slotsOfTenants: [],
    lastTenants: [],
  }

  test('on a cluster, concurrent workers claim each payment for a status inquiry exactly once', async () => {
    const tenants = await tenantsOnTwoNodes()
    const due: string[] = []
    for (const tenantId of tenants) for (let n = 0; n < 2; n++) due.push(await duePayment(tenantId, newId()))
    await insertPendingPayment(db, { tenantId: tenants[0], nextCheckAt: later(60_000) })
    const claims = await Promise.all([1, 2, 3].map(() => claimDuePayments(db, now, later(90_000), limits)))
    const claimed = claims.flat()
    expect(claimed.map(({ id }) => id).sort()).toEqual(due.sort())
    for (const { tenantId, id } of claimed)
      expect((await findPaymentInBatch(db, tenantId, id, null))?.nextCheckAt).toEqual(later(90_000))
    expect(await claimDuePayments(db, now, later(90_000), limits)).toEqual([])
  }, 60_000)

  test('on a cluster, an account never has more payments claimed for status inquiries than free inquiry slots', async () => {
    const [accountId, tenants] = [newId(), await tenantsOnTwoNodes()]
    for (const tenantId of tenants) for (let n = 0; n < 2; n++) await duePayment(tenantId, accountId)
    const slotsOfAccounts = [{ accountId, room: 2 }]
    const claimed = await claimDuePayments(db, now, later(90_000), { ...limits, slotsOfAccounts })
    expect(claimed.map(({ tenantId }) => tenantId).sort()).toEqual([...tenants].sort())
  }, 60_000)

  test('on a Citus cluster, one call brings forward the status inquiries of several tenants’ payments', async () => {
    const created = { createdAt: later(-3_600_000), nextCheckAt: later(3_600_000) }
    const payments: Awaited<ReturnType<typeof insertPendingPayment>>[] = []
    for (const tenantId of await tenantsOnTwoNodes()) {
      const payment = await insertPendingPayment(db, { tenantId, ...created })
      await sql(
        `update payments set next_check_at = '${later(3_600_000).toISOString()}'
         where tenant_id = '${tenantId}' and id = '${payment.id}'`,
      )
      payments.push(payment)
    }
    const checks = payments.map(({ tenantId, id: paymentId }) => ({ tenantId, paymentId, isPolled: false }))
    await bringChecksForward(db, checks, now)
    for (const { tenantId, id } of payments)
      expect((await findPaymentInBatch(db, tenantId, id, null))?.nextCheckAt).toEqual(now)
  }, 60_000)

  test('on a cluster, concurrent workers claim each due refund only once', async () => {
    const superuser = createDb(cluster().url, { max: 1 })
    await detectDistribution([superuser])
    onTestFinished(() => superuser.destroy())
    const refunds: string[] = []
    for (const tenantId of await tenantsOnTwoNodes()) {
      const paymentId = await sell(tenantId, 1)
      const refund = makeRefund({ tenantId, paymentId, amount: 50n, nextCheckAt: now })
      await superuser.transaction(async tx => {
        const { payments, balances } = await lockPaymentsWithBalances(tx, [refund])
        const batch = newBatch(payments, now, balances)
        recordRefund(batch, undefined, refund, 'merchant')
        await writeBatch(tx, batch)
      })
      refunds.push(refund.id)
    }
    const claim = () =>
      claimDueRefunds(db, {
        ...{ now, until: later(60_000), freeSlots: 50 },
        slotsOfAccounts: [],
        slotsOfOtherAccounts: 50,
      })
    const claimed = (await Promise.all([claim(), claim()])).flat()
    expect(claimed.map(({ id }) => id).sort()).toEqual(refunds.sort())
  }, 60_000)

  test('on a cluster, the background check finds tenants with overdue webhook events on all nodes', async () => {
    const tenants = await tenantsOnTwoNodes()
    for (const tenantId of tenants)
      await sql(
        `insert into webhook_queue (tenant_id, event_id, status, attempts_left, next_attempt_at)
         values ('${tenantId}', '${newId()}', 'pending', 4, '${now.toISOString()}')`,
      )
    expect((await listOverdueTenants(db, later(1))).sort()).toEqual([...tenants].sort())
    expect(await listOverdueTenants(db, later(-1))).toEqual([])
  }, 60_000)

  test('on a cluster, overdue events for enabled additional endpoints are found, claimed and recorded as delivered', async () => {
    const tenants = await tenantsOnTwoNodes()
    for (const tenantId of tenants) await sql(endpointSql(tenantId, 1))
    for (const tenantId of tenants) await sql(eventSql(tenantId))
    const [disabled] = tenants
    await sql(`update additional_endpoints set enabled = false where tenant_id = '${disabled}'`)
    const afterEvent = new Date('2026-11-26T10:00:01Z')
    const overdue = await listOverdueEndpoints(db, afterEvent)
    expect(overdue.map(({ tenantId }) => tenantId)).toEqual([tenants[1]])

    await sql(`update additional_endpoints set enabled = true where tenant_id = '${disabled}'`)
    const endpoints = await listOverdueEndpoints(db, afterEvent)
    expect(endpoints.map(({ tenantId }) => tenantId).sort()).toEqual([...tenants].sort())
    const expiresAt = new Date('2026-11-26T10:01:00Z')
    const claimed = await claimDeliveries(
      db,
      endpoints.map(each => ({ ...each, limit: 10 })),
      afterEvent,
      expiresAt,
    )
    expect(claimed.map(({ found }) => found?.type)).toEqual(['webhook.test', 'webhook.test'])
    const [delivered, dropped] = claimed as [(typeof claimed)[0], (typeof claimed)[0]]
    await recordDeliveryAttempts(db, [
      {
        ...delivered,
        ...{ startedAt: now, durationMs: 5, pauseMs: 1_000, responseStatus: 200, responseHeaders: [] },
        ...{ responseBody: '', error: null, signature: 'v1' },
      } as never,
    ])
    await dropDeliveries(db, [dropped])
    const rows = await sql(
      `select d.tenant_id as "tenantId", d.status, a.response_status as response from additional_deliveries d
       join additional_attempts a on a.tenant_id = d.tenant_id and a.event_id = d.event_id`,
    )
    expect(rows).toEqual([{ tenantId: delivered.tenantId, status: 'delivered', response: 200 }])
    expect(await sql('select from additional_deliveries')).toHaveLength(1)
  }, 60_000)

  test('on a cluster, a callback gets a new job only if its job was lost', async () => {
    const jobs = () =>
      sql<{ key: string; priority: number }>('select key, priority from graphile_worker.jobs order by key')
    const received = async () => {
      const id = newId()
      const callback = {
        id,
        provider: 'midtrans',
        providerAccountId: newId(),
        path: '',
        headers: {},
        trace: null,
      }
      await insertCallbacks(db, [{ ...callback, body: Buffer.from('{}'), receivedAt: now }])
      return id
    }
    const lost = await received()
    await sql('delete from graphile_worker._private_jobs')
    await received()
    const [waiting] = await jobs()
    await requeueUnappliedCallbacks(db, later(1), 500)
    expect((await jobs()).map(({ key }) => key).sort()).toEqual([lost, waiting?.key].sort())

    const [first, second] = [await received(), await received()]
    const moved = [
      { id: first, priority: 1 },
      { id: second, priority: 2 },
      { id: newId(), priority: 2 },
    ]
    await moveToOwnJobs(db, moved, 0)
    const own = (await jobs()).filter(({ key }) => moved.some(({ id }) => id === key))
    expect(own.sort((a, b) => a.priority - b.priority)).toEqual([
      { key: first, priority: 1 },
      { key: second, priority: 2 },
    ])
  }, 60_000)

  test('on a cluster, the periodic check does not change the job of a postponed callback', async () => {
    const id = newId()
    const callback = {
      id,
      provider: 'midtrans',
      providerAccountId: newId(),
      path: '',
      headers: {},
      trace: null,
    }
    await insertCallbacks(db, [{ ...callback, body: Buffer.from('{}'), receivedAt: now }])
    await moveToOwnJobs(db, [{ id, priority: 1 }], 240_000)
    const job = () => sql(`select run_at, priority from graphile_worker.jobs where key = '${id}'`)
    const postponed = await job()
    expect(postponed).toMatchObject([{ priority: 1 }])
    await requeueUnappliedCallbacks(db, later(1), 500)
    expect(await job()).toEqual(postponed)
  }, 60_000)

  test('on a cluster, one round seals (hashes) and checks new ledger entries on all nodes', async () => {
    const tenants = await tenantsOnTwoNodes()
    for (const tenantId of tenants) await sell(tenantId, 2)
    const errors: object[] = []
    const log = Object.assign(createLog('silent'), { error: (entry: object) => void errors.push(entry) })
    const pool = await loggingPool(cluster())
    const sent = await commandsDuring(async () =>
      expect(await sealLedger({ db: pool, log })).toBe('complete'),
    )
    expect(sent.inParts).toEqual([])
    const seals = () =>
      sql<{ id: string }>(
        `select tenant_id as id, from_version as from, to_version as to from ledger_seals
         where tenant_id in ('${tenants.join("', '")}') order by tenant_id, from_version`,
      )
    const expected = tenants.map(id => ({ id, from: '1', to: '2' }))
    expect((await seals()).sort((a, b) => tenants.indexOf(a.id) - tenants.indexOf(b.id))).toEqual(expected)
    expect(await sealLedger({ db, log })).toBe('complete')
    expect(await seals()).toHaveLength(2)
    expect(errors).toEqual([])
  }, 60_000)

  test('on a cluster, small sealing rounds reach every tenant, even if all have new ledger entries', async () => {
    const tenants = await tenantsOnTwoNodes()
    const log = createLog('silent')
    const position = { after: undefined }
    const limits = { balances: 1, entriesPerSeal: 100, entries: 1_000, rounds: 1 }
    for (const _ of tenants) {
      for (const tenantId of tenants) await sell(tenantId, 1)
      expect(await sealLedger({ db, log }, undefined, position, limits)).toBe('incomplete')
    }
    const seals = await sql(
      `select from ledger_seals where tenant_id in ('${tenants.join("', '")}') group by tenant_id`,
    )
    expect(seals).toHaveLength(2)
  }, 60_000)

  test('on a cluster, payer data on any node is erased at the age limit or on request', async () => {
    const tenants = await tenantsOnTwoNodes()
    const app = { db, clock: () => new Date(), log: createLog('silent') }
    const retention = { ...defaultRetention, customerDays: 90 }
    for (const tenantId of tenants) {
      await insertPendingPayment(db, { tenantId, id: firstIdAt(subtractDays(new Date(), 100)) })
      await insertPendingPayment(db, { tenantId })
      await insertPendingPayment(db, { tenantId, customerEmail: 'siti@example.com' })
    }
    const left = () =>
      sql<{ email: string }>(
        `select customer_email as email from payments
         where tenant_id in ('${tenants.join("', '")}') and customer_email <> '' order by email`,
      )
    await eraseOldCustomers({ ...app, retention }, new AbortController().signal)
    expect((await left()).map(({ email }) => email.split('@')[0])).toEqual(['budi', 'budi', 'siti', 'siti'])
    for (const tenantId of tenants)
      expect(await eraseCustomer(app, { tenantId, userId: newId() }, { email: 'budi@example.com' }, 1)).toBe(
        1,
      )
    expect((await left()).map(({ email }) => email.split('@')[0])).toEqual(['siti', 'siti'])
  }, 60_000)

  test("if a cluster node fails, a query on all shards returns the other nodes' rows", async () => {
    const [one, other] = await tenantsOnTwoNodes()
    for (const id of [one, other]) await sell(id, 1)
    // The query divides by zero for this tenant's rows, so it fails on each shard that has such a row.
    const failing = `select tenant_id as "tenantId", 1 / (tenant_id <> :failing)::integer as one from balances
      where mode = 'live' and tenant_id in (:failing, :other)`
    expect(await queryShards(db, 'balances', failing, { failing: one, other })).toEqual([
      { tenantId: other, one: 1 },
    ])
    await expect(queryShards(db, 'balances', failing, { failing: one, other: one })).rejects.toThrow(
      'division by zero',
    )
  }, 60_000)
})
