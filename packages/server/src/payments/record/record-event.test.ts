import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import pg from 'pg'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { insertPendingPayment, later, makePayment, makeTenant, now } from '../../../test/support/make.ts'
import { findBalance, listEntriesOfPayment } from '../../ledger/ledger.sql.ts'
import { modes } from '../../values/mode.ts'
import { bodyColumns, type StoredBody, withBody } from '../../webhooks/stored-body.ts'
import { findPaymentInBatch, insertPaymentInBatch } from '../payment.sql.ts'
import { moneyReceivedEvent, type Payment, type PaymentEvent } from '../payment.ts'
import { viewPayment } from '../payment-view.ts'
import type { EventToRecord } from './event-batch.ts'
import { recordEvents } from './record-event.ts'

const { db } = await testDatabase()

const record = (inputs: EventToRecord[], at = now) => db.transaction(tx => recordEvents(tx, inputs, at))
type Event = EventToRecord['event']
const input = ({ tenantId, id }: Payment, event: Event, cause = 'callback'): EventToRecord => ({
  ...{ tenantId, paymentId: id, event, cause },
})
const reference = 'GP261120-7Q4M2ZK8XW'
const paid = (amountPaid = 10_000_000n, of = reference): PaymentEvent => ({
  ...{ type: 'paid', amountPaid, paidAt: now, reference: of },
})
const chargeStarted: PaymentEvent = {
  type: 'charge_started',
  provider: 'xendit',
  providerAccountId: randomUUID(),
  reason: 'could not be reached',
  expiresAt: later(1),
  nextCheckAt: later(1),
}
const failed: PaymentEvent = { type: 'failed', reason: 'provider reported deny' }

async function all<Row>(sql: string, ...bindings: unknown[]): Promise<Row[]> {
  return (await db.raw<{ rows: Row[] }>(sql, bindings as never[])).rows
}

type EventRow = Record<'type' | 'status', string> & {
  id: string
  number: number
  body: string
  attemptsLeft: number
  nextAttemptAt: Date | null
}
async function eventsOf({ tenantId, id }: Payment): Promise<EventRow[]> {
  const rows = await all<EventRow & StoredBody>(
    `select id, number, type, ${bodyColumns('e')}, q.status, q.attempts_left as "attemptsLeft", q.next_attempt_at as "nextAttemptAt"
     from webhook_events e join webhook_queue q on event_id = id where e.tenant_id = ? and payment_id = ? order by number`,
    ...[tenantId, id],
  )
  return rows.map(withBody)
}
const transitionsOf = ({ tenantId, id }: Payment) =>
  all<{ number: number; from: string; to: string; cause: string; detail: string | null }>(
    `select number, from_status as "from", to_status as "to", cause, detail
     from payment_transitions where tenant_id = ? and payment_id = ? order by number`,
    ...[tenantId, id],
  )
/** Returns the task names of the queued jobs that contain at least one of these webhook events. */
async function jobsOf(events: { id: string }[]): Promise<string[]> {
  const rows = await all<{ task: string }>(
    `select t.identifier as task from graphile_worker._private_jobs j
     join graphile_worker._private_tasks t on t.id = j.task_id where j.payload::text like any(?)`,
    events.map(each => `%${each.id}%`),
  )
  return rows.map(({ task }) => task)
}
/**
 * Returns counts and totals of all tenants' rows that recording an event can change, so that a test can detect any
 * change.
 */
const traces = async () =>
  (
    await all(`select (select count(*) from payment_transitions) as transitions, (select count(*) from ledger_entries) as entries,
      (select count(*) from webhook_events) as events, (select count(*) from graphile_worker.jobs) as jobs,
      (select sum(balance) from balances) as balances, (select max(updated_at) from payments) as updated`)
  )[0]
/** Returns the SQL statements sent to the database during `act`. */
async function statementsOf(act: () => Promise<unknown>): Promise<string[]> {
  const { calls } = vi.spyOn(pg.Client.prototype, 'query').mock
  await act()
  vi.restoreAllMocks()
  return calls.map(([sent]) => (sent as unknown as { text: string }).text)
}

let tenantId: string
let listening: string
beforeAll(async () => {
  tenantId = await makeTenant(db)
  listening = await makeTenant(db, { callbackUrl: 'https://shop.example.com/hooks' })
})

describe("a report that the payer has paid changes the payment's status to paid", () => {
  test('a report that a payment was paid sets its status, time and amount, and posts one credit', async () => {
    const payment = await insertPendingPayment(db, { tenantId })
    const [recorded] = await record([input(payment, paid(10_000_500n))], later(5_000))
    const kept = await findPaymentInBatch(db, tenantId, payment.id, null)
    expect(recorded).toEqual({ kind: 'changed', from: 'pending', payment: kept })
    expect(kept).toEqual({
      ...payment,
      paidReference: reference,
      status: 'paid',
      transitionCount: 2,
      paidAt: now,
      amountPaid: 10_000_500n,
      nextCheckAt: null,
      updatedAt: later(5_000),
    })
    expect(await listEntriesOfPayment(db, tenantId, payment.id)).toMatchObject([
      {
        entryType: 'credit',
        amount: 10_000_500n,
        balanceAfter: await findBalance(db, tenantId, 'live'),
        referenceId: payment.paymentCode,
        reason: `payment ${payment.paymentCode} received`,
        createdAt: later(5_000),
      },
    ])
  })

  test('a repeated report that a payment was paid posts no second credit and sends no webhook', async () => {
    const payment = await insertPendingPayment(db, { tenantId })
    await record([input(payment, paid())])
    const before = await traces()
    const again = await record([input(payment, paid()), input(payment, paid())], later(60_000))
    expect(again.map(each => each.kind)).toEqual(['unchanged', 'unchanged'])
    expect(await traces()).toEqual(before)
  })

  test('if a payment is reported as paid many times at once, the merchant is credited only once', async () => {
    const payment = await insertPendingPayment(db, { tenantId })
    const results = await Promise.all(Array.from({ length: 20 }, () => record([input(payment, paid())])))
    expect(results.flat().filter(each => each.kind === 'changed')).toHaveLength(1)
    expect(await listEntriesOfPayment(db, tenantId, payment.id)).toHaveLength(1)
  })

  test("a charge response for an already paid payment still adds the payment instructions and the provider's payment id", async () => {
    const payment = makePayment({ tenantId, status: 'charging', methodData: null, providerPaymentId: null })
    await insertPaymentInBatch(db, payment)
    await record([input(payment, paid())])
    const methodData = { type: 'virtual_account', bank: 'BCA', va_number: '1' } as const
    const [answered] = await record([
      input(payment, { type: 'accepted', methodData, providerPaymentId: 'p-1' }),
    ])
    expect(answered).toMatchObject({ kind: 'unchanged', payment: { status: 'paid', methodData } })
    expect(await findPaymentInBatch(db, tenantId, payment.id, null)).toMatchObject({
      status: 'paid',
      methodData,
      providerPaymentId: 'p-1',
    })
  })
})

describe("if the provider reports an event that the payment's current status does not allow, nothing changes", () => {
  test("if the payment's status does not allow an event, the database remains unchanged", async () => {
    const payment = await insertPendingPayment(db, { tenantId })
    await record([input(payment, paid())])
    const before = await traces()
    const [refused] = await record([input(payment, failed)], later(60_000))
    expect(refused).toMatchObject({ kind: 'refused', reason: 'failed does not follow paid' })
    expect(await traces()).toEqual(before)
  })

  test('an event that is rejected or changes nothing does not affect the other events in its batch', async () => {
    const [done, open] = [
      await insertPendingPayment(db, { tenantId }),
      await insertPendingPayment(db, { tenantId }),
    ]
    await record([input(done, { type: 'expired' })])
    const results = await record([
      input(done, { type: 'cancelled' }),
      input(done, () => undefined),
      input(open, paid()),
    ])
    expect(results.map(each => each.kind)).toEqual(['refused', 'ignored', 'changed'])
  })

  test('a batch of payment events fails as a whole if one of its payments does not exist', async () => {
    const payment = await insertPendingPayment(db, { tenantId })
    const before = await traces()
    const stranger = makePayment({ tenantId })
    await expect(record([input(payment, paid()), input(stranger, paid())])).rejects.toThrow('no payment')
    expect(await traces()).toEqual(before)
  })

  test("a batch with an event for another tenant's payment fails as a whole", async () => {
    const payment = await insertPendingPayment(db, { tenantId })
    await expect(record([input({ ...payment, tenantId: listening }, paid())])).rejects.toThrow('no payment')
  })
})

describe('a batch can contain several events for one payment, which are applied in order', () => {
  test('several events for one payment in a batch are applied in order', async () => {
    const payment = await insertPendingPayment(db, { tenantId: listening })
    const seen: string[] = []
    const see = (event: PaymentEvent) => (current: Payment) => {
      seen.push(current.status)
      return event
    }
    const results = await record([
      input(payment, see({ type: 'challenged', reason: 'held by fraud detection' }), 'callback'),
      input(payment, see(failed), 'inquiry'),
      input(payment, see({ type: 'cancelled' }), 'merchant'),
      input(payment, see(paid()), 'callback'),
    ])
    expect(seen).toEqual(['pending', 'challenged', 'failed', 'failed'])
    expect(results.map(each => each.kind)).toEqual(['changed', 'changed', 'refused', 'changed'])
    expect(await transitionsOf(payment)).toEqual([
      { number: 1, from: 'charging', to: 'pending', cause: 'create', detail: null },
      { number: 2, from: 'pending', to: 'challenged', cause: 'callback', detail: 'held by fraud detection' },
      { number: 3, from: 'challenged', to: 'failed', cause: 'inquiry', detail: 'provider reported deny' },
      { number: 4, from: 'failed', to: 'paid', cause: 'callback', detail: null },
    ])
    expect(await findPaymentInBatch(db, listening, payment.id, null)).toMatchObject({
      status: 'paid',
      transitionCount: 4,
    })
  })

  test('several events for one payment in a batch each send a webhook with the state after the event', async () => {
    const payment = await insertPendingPayment(db, { tenantId: listening })
    const inputs = [input(payment, { type: 'expired' }), input(payment, paid())]
    const results = await record(inputs, later(1_000))
    const events = await eventsOf(payment)
    expect(events).toMatchObject([
      { number: 2, type: 'payment.expired', status: 'pending', attemptsLeft: 4 },
      { number: 3, type: 'payment.paid', status: 'pending', attemptsLeft: 4 },
    ])
    expect(events.map(event => event.id)).toEqual(events.map(event => event.id).sort())
    expect(events.map(event => JSON.parse(event.body))).toEqual(
      events.map((event, index) => ({
        id: event.id,
        type: event.type,
        created_at: later(1_000).toISOString(),
        mode: 'live',
        previous_status: ['pending', 'expired'][index],
        data: viewPayment((results[index] as { payment: Payment }).payment),
      })),
    )
  })
})

describe('recording events sends webhooks', () => {
  test('the webhooks for all events in one batch are delivered by a single job', async () => {
    const payments = [
      await insertPendingPayment(db, { tenantId: listening }),
      await insertPendingPayment(db, { tenantId: listening, mode: 'test' }),
    ]
    await record(payments.map(each => input(each, paid())))
    const events = (await Promise.all(payments.map(eventsOf))).flat()
    expect(events).toHaveLength(2)
    expect(await jobsOf(events)).toEqual(['deliver_webhooks'])
  })

  test("if the tenant has no callback URL, an event's webhook is stored as not configured, without a job", async () => {
    const payment = await insertPendingPayment(db, { tenantId })
    await record([input(payment, paid())])
    const events = await eventsOf(payment)
    expect(events).toMatchObject([{ type: 'payment.paid', status: 'not_configured', nextAttemptAt: null }])
    expect(await jobsOf(events)).toEqual([])
  })

  test('no webhook is sent if a payment changes only between internal statuses, which the API does not show', async () => {
    const payment = makePayment({ tenantId: listening, status: 'charging', methodData: null })
    await insertPaymentInBatch(db, payment)
    await record([input(payment, { type: 'not_created', reason: 'could not be reached' })])
    await record([
      input(payment, chargeStarted, 'create'),
      input(payment, { type: 'outcome_unknown', reason: 'no answer', nextCheckAt: later(1) }),
      input(payment, { type: 'rejected', reason: 'no such bank' }),
    ])
    expect(await eventsOf(payment)).toEqual([])
    expect(await transitionsOf(payment)).toHaveLength(4)
  })
})

describe('batches of events are recorded atomically and with a constant number of statements', () => {
  // The batches are random. Their events concern live and test payments of two tenants, and some events are
  // repeated.
  test('after any series of event batches, each ledger balance equals the sum of its entries', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.array(fc.record({ index: fc.nat(11), sum: fc.bigInt({ min: 1n, max: 20n }) }), { minLength: 1 }),
          {
            minLength: 1,
            maxLength: 5,
          },
        ),
        async batches => {
          const owners = [await makeTenant(db), await makeTenant(db)]
          const payments: Payment[] = []
          for (let i = 0; i < 12; i++) {
            const owner = { tenantId: owners[i % 2] as string, mode: modes[(i >> 1) % 2] as 'live' }
            payments.push(await insertPendingPayment(db, { ...owner, amount: 10n }))
          }
          const expected = new Map<string, { paymentId: string; balanceAfter: bigint }[]>()
          const done = new Set<Payment>()
          for (const batch of batches) {
            await record(
              batch.map(({ index, sum }) =>
                input(payments[index] as Payment, payment =>
                  moneyReceivedEvent(payment, { amountPaid: sum, paidAt: now, reference }),
                ),
              ),
            )
            for (const { index, sum } of batch) {
              const payment = payments[index] as Payment
              if (sum < 10n || done.has(payment)) continue
              done.add(payment)
              const chain = expected.get(payment.tenantId + payment.mode) ?? []
              const balanceAfter = (chain.at(-1)?.balanceAfter ?? 0n) + sum
              expected.set(payment.tenantId + payment.mode, [
                ...chain,
                { paymentId: payment.id, balanceAfter },
              ])
            }
          }
          for (const owner of owners) {
            for (const mode of modes) {
              const chain = expected.get(owner + mode) ?? []
              const entries = await all(
                `select payment_id as "paymentId", balance_after as "balanceAfter" from ledger_entries
                 where tenant_id = ? and mode = ? order by version`,
                owner,
                mode,
              )
              expect(entries).toEqual(chain)
              expect(await findBalance(db, owner, mode)).toBe(chain.at(-1)?.balanceAfter ?? 0n)
            }
          }
        },
      ),
      { numRuns: 15 },
    )
  })

  test('a batch returns the results in the order of its events, whatever the order of its locks', async () => {
    const payments = await Promise.all([1, 2, 3, 4].map(() => insertPendingPayment(db, { tenantId })))
    const shuffled = [2, 0, 3, 1].map(index => payments[index] as Payment)
    const results = await record(shuffled.map(each => input(each, paid())))
    expect(results.map(each => each.payment.id)).toEqual(shuffled.map(each => each.id))
    const chain = await all<{ id: string }>(
      'select payment_id as id from ledger_entries where tenant_id = ? order by version desc limit 4',
      tenantId,
    )
    expect(chain.map(each => each.id).reverse()).toEqual(shuffled.map(each => each.id))
  })

  test('[M22] a batch of events is committed completely or not at all', async () => {
    const good = await insertPendingPayment(db, { tenantId: listening })
    const withoutBalance = await insertPendingPayment(db, { tenantId: randomUUID() })
    const before = await traces()
    await expect(record([input(good, paid()), input(withoutBalance, paid())])).rejects.toThrow(
      'posted only 1 of 2 transfers',
    )
    expect(await traces()).toEqual(before)
    expect(await findPaymentInBatch(db, listening, good.id, null)).toEqual(good)
  })

  test('two batches of events for the same payments never deadlock', async () => {
    const payments = await Promise.all(
      Array.from({ length: 40 }, () => insertPendingPayment(db, { tenantId })),
    )
    const batches = Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? payments : [...payments].reverse()))
    const recordInGivenOrder = (inputs: EventToRecord[]) =>
      db.transaction(async tx => {
        // Forces the query plan used for a large table: payments are looked up one by one, in event order.
        await tx.raw('set local enable_hashjoin = off; set local enable_mergejoin = off')
        return recordEvents(tx, inputs, now)
      })
    const results = await Promise.all(
      batches.map(batch => recordInGivenOrder(batch.map(each => input(each, paid())))),
    )
    expect(results.flat().filter(each => each.kind === 'changed')).toHaveLength(40)
  })

  test('a batch of two hundred events executes no more statements than a batch with a single event', async () => {
    const payments: Payment[] = []
    for (let i = 0; i < 201; i++)
      payments.push(await insertPendingPayment(db, { tenantId: i % 2 === 0 ? tenantId : listening }))
    const statements = (batch: Payment[]) =>
      statementsOf(() => record(batch.map(each => input(each, paid(undefined, each.paymentCode)))))
    const one = await statements(payments.slice(0, 1))
    const many = await statements(payments.slice(1))
    expect(many).toEqual(one)
    expect(one, 'begin, lock, update, store the webhooks, post, commit').toHaveLength(6)
  })

  test('a batch of events that changes no payment only locks the payments and writes nothing', async () => {
    const payment = await insertPendingPayment(db, { tenantId })
    expect(await statementsOf(() => record([input(payment, () => undefined)]))).toHaveLength(3)
  })
})
