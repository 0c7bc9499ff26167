import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { alwaysHealthy } from '../../test/support/always-healthy.ts'
import { testDatabase } from '../../test/support/database.ts'
import { insertDueRefunds } from '../../test/support/due-refunds.ts'
import { insertPendingPayment, later, makeTenant, now } from '../../test/support/make.ts'
import { insertCallbacks } from '../callbacks/callback.sql.ts'
import { createLog } from '../logging/log.ts'
import { findPaymentInBatch } from '../payments/payment.sql.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { inquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import { newId } from '../values/id.ts'
import type { EndpointKey } from '../webhooks/additional/claim-deliveries.sql.ts'
import { startSweep } from './sweep.ts'

const { db, owner } = await testDatabase()
const app = {
  db,
  // The simulated clock is a day ahead. All rows of this test are therefore due for the sweep (the periodic job that
  // finds due work).
  clock: () => later(86_400_000),
  log: createLog('silent'),
  accountOf: async () => undefined,
  recordInBatch: () => Promise.reject(new Error('nothing happens to payments here')),
  health: alwaysHealthy,
  publicUrl: 'https://pay.example.com',
  publicIp: undefined,
}

/**
 * Creates one row for each kind of work that the sweep (the periodic job that finds due work) looks for. For each row,
 * returns a function that reports whether the sweep has found it.
 */
async function leftBehind() {
  const due = await insertPendingPayment(db, { tenantId: await makeTenant(db) })
  const nextCheckAt = async () => (await findPaymentInBatch(db, due.tenantId, due.id, null))?.nextCheckAt

  const dead = newId()
  await db.raw(
    `insert into workers (id, pool_ids, seen_at) values (?, array['dead'], now() - interval '1 minute')`,
    [dead],
  )

  const callback = {
    id: newId(),
    provider: 'midtrans',
    providerAccountId: newId(),
    path: '',
    headers: {},
    trace: null,
  }
  await insertCallbacks(db, [{ ...callback, body: Buffer.from('{}'), receivedAt: now }])
  await db.raw('delete from graphile_worker._private_jobs')

  const told = await makeTenant(db, { callbackUrl: 'https://shop.example/hook' })
  const { id: paymentId } = await insertPendingPayment(db, { tenantId: told })
  const event = { type: 'failed', reason: 'no money' } as const
  await db.transaction(tx => recordEvents(tx, [{ tenantId: told, paymentId, event, cause: 'callback' }], now))

  const endpointId = newId()
  await db.raw(
    `insert into additional_deliveries (tenant_id, event_id, endpoint_id, next_attempt_at) values (?, ?, ?, ?)`,
    [told, newId(), endpointId, now],
  )

  const lookForWebhooks = {
    ofTenants: vi.fn<(tenantIds: string[]) => void>(),
    ofEndpoints: vi.fn<(endpoints: EndpointKey[]) => void>(),
  }
  const isThere = async (sql: string, id: string) => (await db.raw(sql, [id])).rows.length > 0
  const found = {
    payment: async () => (await nextCheckAt())?.getTime() !== due.nextCheckAt?.getTime(),
    worker: async () => !(await isThere('select from workers where id = ?', dead)),
    callback: () => isThere('select from graphile_worker.jobs where key = ?', callback.id),
    webhook: async () => lookForWebhooks.ofTenants.mock.calls.some(([tenantIds]) => tenantIds.includes(told)),
    endpoint: async () =>
      lookForWebhooks.ofEndpoints.mock.calls.some(([endpoints]) =>
        endpoints.some(each => each.endpointId === endpointId),
      ),
  }
  return { dead, lookForWebhooks, found }
}

type Left = Awaited<ReturnType<typeof leftBehind>>
const kinds = [
  'payment',
  'worker',
  'callback',
  'webhook',
  'endpoint',
] as const satisfies (keyof Left['found'])[]

describe('the sweep, a periodic job, picks up work that a dead worker abandoned and work that is overdue', () => {
  test.each(kinds)(
    'if the background sweep’s query for one kind of work (%s) hangs, the sweep still finds all other work',
    async hanging => {
      const { dead, lookForWebhooks, found } = await leftBehind()
      const holder = await owner.transaction()
      await holder.raw(
        {
          payment: 'lock table payments',
          worker: `select from workers where id = '${dead}' for update`,
          callback: 'lock table provider_callbacks',
          webhook: 'lock table webhook_queue',
          endpoint: 'lock table additional_deliveries',
        }[hanging],
      )
      const sweep = await startSweep(app, { id: newId(), poolIds: [] }, lookForWebhooks, async () => {})
      onTestFinished(async () => {
        await holder.rollback()
        await sweep.stop()
      })
      for (const kind of kinds) if (kind !== hanging) await vi.waitUntil(found[kind], 120_000)
    },
  )

  test("the refund sweep and other inquiries of this process share the provider accounts' rate limits", async () => {
    const accountId = newId()
    const limits = inquiryLimits(app.clock)
    const pausedUntil = vi.spyOn(limits, 'pausedUntil')
    await insertDueRefunds(db, accountId, 1)
    const sweep = await startSweep(
      app,
      { id: newId(), poolIds: [] },
      { ofTenants: () => {}, ofEndpoints: () => {} },
      async () => {},
      limits,
    )
    onTestFinished(sweep.stop)
    await vi.waitUntil(() => pausedUntil.mock.calls.some(([id]) => id === accountId), 120_000)
  })

  test("the background sweep releases a dead worker's jobs immediately, but an unregistered worker's jobs later", async () => {
    await db.raw(`insert into workers (id, pool_ids) values (?, array['other', 'alive'])`, [newId()])
    await db.raw(
      `insert into workers (id, pool_ids, seen_at) values (?, array['dead'], now() - interval '1 minute')`,
      [newId()],
    )
    const lock = async (lockedBy: string, seconds: number) => {
      const { rows } = await db.raw(`select (graphile_worker.add_job('none')).id`)
      await db.raw(
        `update graphile_worker._private_jobs set locked_by = ?, locked_at = now() - ? * interval '1 second'
         where id = ?`,
        [lockedBy, seconds, rows[0].id],
      )
    }
    await lock('alive', 3_600)
    await lock('ended', 0)
    await lock('dead', 0)
    await lock('ended', 60)
    const sweep = await startSweep(
      app,
      { id: newId(), poolIds: [] },
      { ofTenants: () => {}, ofEndpoints: () => {} },
      async () => {},
    )
    onTestFinished(sweep.stop)
    const locks = () =>
      db('graphile_worker._private_jobs').whereNotNull('locked_by').orderBy('id').pluck('locked_by')
    await vi.waitUntil(async () => (await locks()).length === 2, 120_000)
    expect(await locks()).toEqual(['alive', 'ended'])
  })

  test('if a run of the background sweep fails with an error, the next run still takes place', async () => {
    const { lookForWebhooks, found } = await leftBehind()
    const error = vi.spyOn(app.log, 'error')
    const failure = new Error('not now')
    const clock = vi.fn(app.clock).mockImplementationOnce(() => {
      throw failure
    })
    const sweep = await startSweep(
      { ...app, clock },
      { id: newId(), poolIds: [] },
      lookForWebhooks,
      async () => {},
    )
    onTestFinished(sweep.stop)
    for (const kind of kinds) await vi.waitUntil(found[kind], 120_000)
    expect(error).toHaveBeenCalledWith({ err: failure, part: expect.any(String) }, 'sweep failed; will retry')
  })

  test("the background sweep logs a warning if its worker's heartbeat could not be sent in time", async () => {
    const sweep = await startSweep(
      app,
      { id: newId(), poolIds: [] },
      { ofTenants: () => {}, ofEndpoints: () => {} },
      async () => {},
    )
    expect(sweep.isSendingHeartbeats()).toBe(true)
    const silentSince = performance.now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => silentSince + 16_000)
    onTestFinished(() => clock.mockRestore())
    expect(sweep.isSendingHeartbeats()).toBe(false)
    await sweep.stop()
  })

  test("a stopping background sweep deletes its worker's row, so the worker does not count as dead", async () => {
    const self = newId()
    const sweep = await startSweep(
      app,
      { id: self, poolIds: [] },
      { ofTenants: () => {}, ofEndpoints: () => {} },
      async () => {},
    )
    const rows = async () => (await db.raw('select pool_ids from workers where id = ?', [self])).rows
    expect(await rows()).toHaveLength(1)
    await sweep.stop()
    expect(await rows()).toEqual([])
  })
})
