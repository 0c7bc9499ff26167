// Tests that a charge's outcome is recorded with a single statement if the payment has not changed since the caller
// read it.

import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { later, makePayment, makeTenant, now } from '../../../test/support/make.ts'
import { sentWhile } from '../../../test/support/sent-statements.ts'
import { findPaymentInBatch, insertPaymentInBatch } from '../payment.sql.ts'
import type { Payment, PaymentEvent } from '../payment.ts'
import type { EventToRecord } from './event-batch.ts'
import { recordEvents } from './record-event.ts'
import { recordEventsOfKnown } from './record-known.ts'

const { db } = await testDatabase()
const tenantId = await makeTenant(db)

const accepted = {
  type: 'accepted',
  providerPaymentId: 'p-1',
  methodData: { type: 'virtual_account', bank: 'BCA', va_number: '812785002530231' },
} as const
const outcomeUnknown = { type: 'outcome_unknown', reason: 'no answer', nextCheckAt: later(5_000) } as const
const rejected = { type: 'rejected', reason: 'the amount is too large' } as const

async function charging(): Promise<Payment> {
  const payment = makePayment({
    ...{ tenantId, status: 'charging', transitionCount: 0, methodData: null, providerPaymentId: null },
  })
  await insertPaymentInBatch(db, payment)
  return payment
}
const outcome = (known: Payment, event: PaymentEvent): EventToRecord => ({
  ...{ tenantId: known.tenantId, paymentId: known.id, known, event, cause: 'create' },
})
const record = (...inputs: EventToRecord[]) => recordEventsOfKnown(db, inputs, now)
const stored = ({ id }: Payment) => findPaymentInBatch(db, tenantId, id, null)
async function timelineOf({ id }: Payment): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { text: string }[] }>(
    `select concat_ws(' ', number, from_status, to_status, cause, detail) as text
     from payment_transitions where payment_id = ? order by number`,
    [id],
  )
  return rows.map(({ text }) => text)
}

describe("a charge's outcome is recorded if the payment has not changed since the caller read it", () => {
  test.each([
    [accepted, '1 charging pending create'],
    [rejected, '1 charging rejected create the amount is too large'],
    [
      { type: 'not_created', reason: 'could not be reached' },
      '1 charging uncharged create could not be reached',
    ],
    [outcomeUnknown, '1 charging unknown create no answer'],
  ] as [PaymentEvent, string][])(
    'a single statement stores the charge outcome %j with its status transition, and returns the payment as stored',
    async (event, transition) => {
      const payment = await charging()
      const sent = await sentWhile(async () => {
        const [recorded] = await record(outcome(payment, event))
        expect(recorded).toMatchObject({ kind: 'changed', from: 'charging' })
        expect(recorded?.payment).toEqual(await stored(payment))
      })
      expect(sent, 'the update, and the read by this test').toHaveLength(2)
      expect(await timelineOf(payment)).toEqual([transition])
    },
  )

  test('batches that record charge outcomes for the same payments in opposite orders never deadlock', async () => {
    const payments = await Promise.all(Array.from({ length: 40 }, charging))
    const batches = Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? payments : [...payments].reverse()))
    const recordInGivenOrder = (batch: Payment[]) =>
      db.transaction(async tx => {
        // Makes PostgreSQL look up the payments one by one, in event order, as it does in a large table.
        await tx.raw('set local enable_hashjoin = off; set local enable_mergejoin = off')
        return recordEventsOfKnown(
          tx,
          batch.map(each => outcome(each, accepted)),
          now,
        )
      })
    const results = await Promise.all(batches.map(recordInGivenOrder))
    expect(results.flat().filter(({ kind }) => kind === 'changed')).toHaveLength(40)
    expect(results.flat().filter(({ kind }) => kind === 'unchanged')).toHaveLength(7 * 40)
  })
})

describe("a charge's outcome is recorded even if another process has changed the payment", () => {
  test("a charge's outcome is applied to the payment in the database, not to the caller's older copy", async () => {
    const [first, second] = [await charging(), await charging()]
    const paid = {
      type: 'paid',
      amountPaid: first.amount,
      paidAt: now,
      reference: first.paymentCode,
    } as const
    const { known: _, ...callback } = outcome(first, paid)
    await db.transaction(tx => recordEvents(tx, [{ ...callback, cause: 'callback' }], now))
    expect(await record(outcome(first, rejected), outcome(second, rejected))).toMatchObject([
      { kind: 'refused', payment: { status: 'paid' } },
      { kind: 'changed', payment: { status: 'rejected' } },
    ])
    expect(await stored(first)).toMatchObject({ status: 'paid', failureReason: null })
    expect(await timelineOf(first)).toEqual(['1 charging paid callback'])
  })

  test('a batch records several events about one payment in order', async () => {
    const payment = await charging()
    const results = await record(outcome(payment, outcomeUnknown), outcome(payment, accepted))
    expect(results.map(each => each.payment.status)).toEqual(['unknown', 'pending'])
    expect(await timelineOf(payment)).toEqual([
      '1 charging unknown create no answer',
      '2 unknown pending create',
    ])
  })
})

test("a charge's outcome cannot be recorded for another tenant's payment", async () => {
  const payment = await charging()
  const other = await makeTenant(db)
  await expect(record(outcome({ ...payment, tenantId: other }, accepted))).rejects.toThrow(
    'there is no payment',
  )
  expect(await stored(payment)).toMatchObject({ status: 'charging', transitionCount: 0 })
})
