import { serialize } from 'node:v8'
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { alwaysHealthy } from '../../test/support/always-healthy.ts'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, later, makeTenant, noCallbackRules, now } from '../../test/support/make.ts'
import { listEntriesOfPayment } from '../ledger/ledger.sql.ts'
import { createLog } from '../logging/log.ts'
import { findPaymentInBatch } from '../payments/payment.sql.ts'
import type { Payment, PaymentEvent } from '../payments/payment.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { accountSlots } from '../provider-accounts/account-slots.ts'
import { inquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import { midtrans } from '../providers/midtrans/midtrans.ts'
import { signatureOf } from '../providers/midtrans/signature.ts'
import { type Inquiry, type InquiryResult, ProviderError } from '../providers/provider.ts'
import { newId } from '../values/id.ts'
import { callbackApplier } from './apply-callbacks.ts'
import {
  type Callback,
  findCallback,
  findUnappliedCallbacks,
  insertCallbacks,
  requeueUnappliedCallbacks,
  updateCallbacks,
} from './callback.sql.ts'
import { readMessages } from './callback-message.ts'

const { db } = await testDatabase()
/** A minute after every callback was received. From then on, the result of a status inquiry is final. */
let clock = later(60_000)
let response: (inquiry: Inquiry) => Promise<InquiryResult> = async () => 'absent'
const [mine, theirs, gone] = [newId(), newId(), newId()]
const app = {
  db,
  clock: () => clock,
  log: createLog('silent'),
  health: alwaysHealthy,
  publicUrl: 'https://pay.example.com',
  // For simplicity, each test account's Midtrans server key is the account's ID.
  accountOf: async (id: string) =>
    id === gone
      ? undefined
      : {
          provider: { ...midtrans, inquire: (_: unknown, inquiry: Inquiry) => response(inquiry) },
          account: { id, mode: 'live' as const, credentials: { server_key: id }, baseUrl: null },
          callbackRules: noCallbackRules,
        },
}

const { applyBatch: together, applyOne: apply } = callbackApplier(
  app,
  accountSlots(200),
  inquiryLimits(app.clock),
)

/** Stores a callback as the provider sent it. Returns the callback's ID. */
async function kept(
  accountId: string,
  message: { order_id: string; status_code: string; transaction_status: string; padding?: string },
): Promise<string> {
  const id = newId()
  const fields = {
    transaction_id: 't-1',
    gross_amount: '100000.00',
    payment_type: 'bank_transfer',
    ...message,
  }
  const body = Buffer.from(JSON.stringify({ ...fields, signature_key: signatureOf(fields, accountId) }))
  await insertCallbacks(db, [
    {
      id,
      providerAccountId: accountId,
      provider: 'midtrans',
      path: '',
      headers: {},
      trace: null,
      body,
      receivedAt: now,
    },
  ])
  return id
}
const statusOf = async (id: string): Promise<string> =>
  (await db.raw('select status from provider_callbacks where id = ?', [id])).rows[0].status

/** Returns the jobs that apply one of the given callbacks and no other. `waits` is true if the job runs later. */
const ownJobsOf = async (ids: string[]): Promise<{ jobId: string; callbackId: string; waits: boolean }[]> =>
  (
    await db.raw(
      `select id::text as "jobId", key as "callbackId", run_at > now() as waits from graphile_worker.jobs
       where task_identifier = 'apply_callback' and key = any(?)`,
      [ids],
    )
  ).rows

test("[M24] one provider account's callback never changes another account's payment, even within one batch", async () => {
  const tenantId = await makeTenant(db)
  const { paymentCode: order_id, id } = await insertPendingPayment(db, { tenantId, providerAccountId: mine })
  const honest = await kept(mine, { order_id, status_code: '201', transaction_status: 'pending' })
  const foreign = await kept(theirs, { order_id, status_code: '200', transaction_status: 'settlement' })
  await together([honest, foreign])
  expect([await statusOf(honest), await statusOf(foreign)]).toEqual(['ignored', 'unmatched'])
  expect(await findPaymentInBatch(db, tenantId, id, null)).toMatchObject({
    status: 'pending',
    amountPaid: null,
  })
})

test.each(['pend\0ing', '\ud800'])(
  'a callback with unsigned text that the database cannot store is processed, and gets the status unreadable: %j',
  async text => {
    const { paymentCode: order_id } = await insertPendingPayment(db, { providerAccountId: mine })
    const id = await kept(mine, { order_id, status_code: '201', transaction_status: text })
    await apply(id)
    expect(await statusOf(id)).toBe('unreadable')
  },
)

const settlement = { status_code: '200', transaction_status: 'settlement' }
const deny = { status_code: '202', transaction_status: 'deny' }
const happens = ({ tenantId, id: paymentId }: Payment, event: PaymentEvent) =>
  db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], now))
const keptOf = async ({ tenantId, id }: Payment) => findPaymentInBatch(db, tenantId, id, null)
const entriesOf = async ({ tenantId, id }: Payment) =>
  (await listEntriesOfPayment(db, tenantId, id)).map(each => each.entryType)
const pending = async () =>
  insertPendingPayment(db, { tenantId: await makeTenant(db), providerAccountId: mine })
const denied = (reference: string): InquiryResult => ({
  reference,
  providerPaymentId: 't-1',
  fact: { type: 'failed', reason: 'provider reported deny' },
})

test('a signed callback makes a failed payment paid, even if the provider no longer finds the order', async () => {
  const payment = await pending()
  await happens(payment, { type: 'failed', reason: 'provider reported deny' })
  response = async () => 'absent'
  const id = await kept(mine, { order_id: payment.paymentCode, ...settlement })
  await apply(id)
  expect(await statusOf(id)).toBe('applied')
  expect(await keptOf(payment)).toMatchObject({ status: 'paid', amountPaid: payment.amount })
})

test('a status inquiry does not reverse a payment that became paid while the inquiry was in flight', async () => {
  const payment = await pending()
  const reference = payment.paymentCode
  await happens(payment, { type: 'failed', reason: 'provider reported deny' })
  response = async () => {
    await happens(payment, { type: 'paid', amountPaid: payment.amount, paidAt: now, reference })
    return denied(reference)
  }
  await apply(await kept(mine, { order_id: reference, ...settlement }))
  expect(await keptOf(payment)).toMatchObject({ status: 'paid', reversedAt: null })
  expect(await entriesOf(payment)).toEqual(['credit'])
})

test("an earlier attempt's credit is reversed only after a status inquiry about this attempt, not the latest", async () => {
  const payment = await insertPendingPayment(db, {
    tenantId: await makeTenant(db),
    providerAccountId: mine,
  })
  const reference = payment.paymentCode
  // The second charge attempt uses another provider account, `theirs`. The attempt at the account `mine` is
  // therefore no longer the latest one.
  await db.raw('update payments set attempt = 2, provider_account_id = ? where id = ?', [theirs, payment.id])
  await apply(await kept(mine, { order_id: reference, ...settlement }))
  const inquired: Inquiry[] = []
  response = async inquiry => {
    inquired.push(inquiry)
    return denied(reference)
  }
  const id = await kept(mine, { order_id: reference, ...deny })
  await apply(id)
  expect(inquired).toMatchObject([{ reference, providerPaymentId: 't-1', methodData: null }])
  expect(await statusOf(id)).toBe('applied')
  expect(await entriesOf(payment)).toEqual(['credit', 'debit'])
})

test.each(['failed', 'cancelled', 'expired'] as const)(
  'money received for a payment that is %s is credited, unless a status inquiry shows that the provider has taken the money back',
  async status => {
    const event: PaymentEvent =
      status === 'failed' ? { type: status, reason: 'provider reported deny' } : { type: status }
    const [taken, left, behind] = [await pending(), await pending(), await pending()]
    for (const payment of [taken, left, behind]) await happens(payment, event)
    response = async ({ reference }) => {
      if (reference === taken.paymentCode) return denied(reference)
      if (reference === behind.paymentCode)
        return { reference, providerPaymentId: 't-1', fact: { type: 'pending' } }
      // The callback contains a receipt ID (which identifies the received money), but the response to the status
      // inquiry does not.
      return { reference, providerPaymentId: 't-1', fact: { type: 'paid', amountPaid: left.amount } }
    }
    // Each payment receives two callbacks: the first reports a failure, the second reports money.
    for (const payment of [taken, left, behind])
      for (const message of [deny, settlement])
        await apply(await kept(mine, { order_id: payment.paymentCode, ...message }))
    expect(await keptOf(taken)).toMatchObject({ status })
    expect(await entriesOf(taken)).toEqual([])
    for (const payment of [left, behind])
      expect(await keptOf(payment)).toMatchObject({ status: 'paid', receipt: 't-1' })
  },
)

test('money reported for a cancelled payment is credited after an hour without a response to status inquiries', async () => {
  const payment = await pending()
  await happens(payment, { type: 'cancelled' })
  response = async () => {
    throw new ProviderError('unavailable', 'could not be reached')
  }
  const id = await kept(mine, { order_id: payment.paymentCode, ...settlement })
  clock = later(3_599_999)
  await expect(apply(id)).rejects.toThrow('the provider did not respond to the status inquiry')
  expect(await statusOf(id)).toBe('received')
  clock = later(3_600_000)
  await apply(id)
  expect(await keptOf(payment)).toMatchObject({ status: 'paid', amountPaid: payment.amount })
})

describe('one job applies several callbacks', () => {
  test('if one callback of a job fails, only this callback is retried, in its own job', async () => {
    const [payment, other] = [await pending(), await pending()]
    const honest = await kept(mine, { order_id: payment.paymentCode, ...settlement })
    const lost = await kept(gone, { order_id: other.paymentCode, ...settlement })
    const warn = vi.spyOn(app.log, 'warn')
    await together([lost, honest])
    const fields = { err: new Error(`there is no provider account ${gone}`), callbackId: lost }
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      fields,
      'callback not applied; it will be retried in its own job',
    )
    warn.mockRestore()
    expect([await statusOf(lost), await statusOf(honest)]).toEqual(['received', 'applied'])
    expect(await ownJobsOf([lost, honest])).toMatchObject([{ callbackId: lost, waits: true }])
    await expect(apply(lost)).rejects.toThrow('there is no provider account')
  })

  test('a callback in a batch that needs a status inquiry gets its own job, without delaying the others', async () => {
    const [payment, other] = [await pending(), await pending()]
    await happens(payment, { type: 'cancelled' })
    let inquired = 0
    response = async () => {
      inquired += 1
      return 'absent'
    }
    const late = await kept(mine, { order_id: payment.paymentCode, ...settlement })
    const plain = await kept(mine, { order_id: other.paymentCode, ...settlement })
    await together([late, plain])
    expect(inquired).toBe(0)
    expect([await statusOf(late), await statusOf(plain)]).toEqual(['received', 'applied'])
    expect(await ownJobsOf([late, plain])).toMatchObject([{ callbackId: late, waits: false }])
    await apply(late)
    expect(inquired).toBe(1)
    expect(await keptOf(payment)).toMatchObject({ status: 'paid' })
  })

  test('callbacks about one payment are applied in the order in which they were received', async () => {
    const payment = await pending()
    const ids = [
      await kept(mine, { order_id: payment.paymentCode, ...settlement }),
      await kept(mine, { order_id: payment.paymentCode, ...settlement }),
    ]
    await together(ids)
    expect(await Promise.all(ids.map(statusOf))).toEqual(['applied', 'repeated'])
    expect(await entriesOf(payment)).toEqual(['credit'])
  })
})

// Money that matches no payment must be recorded with the time at which its callback was processed. Data retention uses
// this time to find the callback (retention/partition.sql.ts).
test('money that matches no payment is recorded with the time at which its callback was processed', async () => {
  const id = await kept(mine, { order_id: 'unheard-of', ...settlement })
  await together([id])
  const { rows } = await db.raw(
    `select c.status, c.processed_at = m.created_at as together from provider_callbacks c, unexpected_money m
     where c.id = ? and m.reference = 'unheard-of'`,
    [id],
  )
  expect(rows).toEqual([{ status: 'unmatched', together: true }])
})

test('a callback that a batch contains as both applied and repeated is stored as applied', async () => {
  const ids = [
    await kept(mine, { order_id: 'unknown', ...settlement }),
    await kept(mine, { order_id: 'unknown', ...settlement }),
  ]
  const [first, second] = ids as [string, string]
  const did = (id: string, status: 'applied' | 'repeated') => ({
    id,
    status,
    reason: null,
    tenantId: null,
    paymentId: null,
  })
  const outcomes = [
    did(first, 'applied'),
    did(first, 'repeated'),
    did(second, 'repeated'),
    did(second, 'applied'),
  ]
  await db.transaction(tx => updateCallbacks(tx, outcomes, now))
  expect(await Promise.all(ids.map(statusOf))).toEqual(['applied', 'applied'])
})

describe('while callbacks with large bodies are applied, memory holds only a few of the bodies at a time', () => {
  const padding = 'x'.repeat(250_000)
  const bodiesOf = (callbacks: { body: Buffer | null }[]) =>
    callbacks.filter(({ body }) => body !== null).length

  test('each batch loads callback bodies up to a limit in bytes, but at least one body', async () => {
    const ids: string[] = []
    for (let n = 0; n < 4; n++)
      ids.push(await kept(mine, { order_id: 'unknown', ...settlement, padding: 'x'.repeat(1_000) }))
    const load = (bytes: number) => findUnappliedCallbacks(db, ids, { bytes })
    expect(bodiesOf(await load(1))).toBe(1)
    expect(bodiesOf(await load(2_000))).toBe(2)
    expect(bodiesOf(await load(10_000))).toBe(4)
    expect((await load(1)).map(({ id }) => id).sort()).toEqual(ids.sort())
  })

  test('all callbacks with large bodies are applied, although only a few bodies are in memory at a time', async () => {
    const payments = await Promise.all(Array.from({ length: 40 }, pending))
    const ids = await Promise.all(
      payments.map(payment => kept(mine, { order_id: payment.paymentCode, ...settlement, padding })),
    )
    const loads: number[] = []
    const query = pg.Client.prototype.query
    const listening = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (
      this: pg.Client,
      ...args: unknown[]
    ) {
      const result = await Reflect.apply(query, this, args)
      const bodies: (Buffer | null)[] = result?.rows?.map((row: { body?: Buffer | null }) => row.body ?? null)
      loads.push(bodies?.reduce((bytes, body) => bytes + (body?.length ?? 0), 0) ?? 0)
      return result
    } as typeof query)
    onTestFinished(() => listening.mockRestore())
    // Two jobs process each callback at the same time. This can happen if a background check considers a slow job lost
    // and queues another one.
    await Promise.all([together(ids), together(ids)])
    expect(await Promise.all(ids.map(statusOf))).toEqual(ids.map(() => 'applied'))
    expect(Math.max(...loads)).toBeGreaterThan(4_000_000)
    expect(Math.max(...loads)).toBeLessThan(5_000_000)
  })

  test("a callback's body is not kept in memory after the callback has been parsed", async () => {
    const id = await kept(mine, { order_id: 'unknown', ...settlement, padding })
    const callback = (await findCallback(db, id)) as Callback
    expect(serialize(await readMessages(app, callback)).length).toBeLessThan(1_000)
  })
})

describe("if a callback's job is lost before the callback is applied, the callback gets a new job", () => {
  const dropJobs = () => db.raw('delete from graphile_worker._private_jobs')
  const sweep = () => requeueUnappliedCallbacks(db, later(1), 100)
  const unknown = () => kept(mine, { order_id: 'unknown', ...settlement })

  test('the periodic check queues exactly one job for an unapplied callback without a job', async () => {
    await db.raw(`update provider_callbacks set status = 'ignored' where status = 'received'`)
    const id = await unknown()
    await sweep()
    expect(await ownJobsOf([id])).toEqual([])
    await dropJobs()
    await sweep()
    const [job] = await ownJobsOf([id])
    expect(job).toMatchObject({ callbackId: id, waits: false })
    await sweep()
    expect(await ownJobsOf([id])).toEqual([job])
    // The new job is now lost too, and the next background check queues another one.
    await dropJobs()
    await sweep()
    expect(await ownJobsOf([id])).toMatchObject([{ callbackId: id }])
  })

  test("if a job's lock is too old, the background check queues its callback again, but not earlier", async () => {
    const id = await unknown()
    const lock = (since: string) =>
      db.raw(
        `update graphile_worker._private_jobs set locked_by = 'alive', locked_at = now() - ?::interval`,
        [since],
      )
    await lock('1 minute')
    await sweep()
    expect(await ownJobsOf([id])).toEqual([])
    await lock('3 minutes')
    await sweep()
    expect(await ownJobsOf([id])).toMatchObject([{ callbackId: id }])
    await dropJobs()
  })

  test('the periodic check queues no job for a callback whose retry is already scheduled', async () => {
    const id = await kept(gone, { order_id: 'unknown', ...settlement })
    await together([id])
    const jobs = await ownJobsOf([id])
    expect(jobs).toMatchObject([{ waits: true }])
    await sweep()
    expect(await ownJobsOf([id])).toEqual(jobs)
  })
})
