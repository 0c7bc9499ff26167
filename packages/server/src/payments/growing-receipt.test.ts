// A receipt that is reported with more after the ledger has it, or after the provider took it back.

import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, makeTenant, now } from '../../test/support/make.ts'
import { newId } from '../id.ts'
import { findBalance } from '../ledger/ledger.sql.ts'
import { type Payment, type PaymentEvent, paymentReceived } from './payment.ts'
import { recordEvents } from './record-event.ts'

const { db } = await testDatabase()

let payment: Payment
beforeEach(async () => {
  payment = await insertPendingPayment(db, { tenantId: await makeTenant(db), amount: 100n })
})

const record = (...events: PaymentEvent[]) =>
  db.transaction(tx =>
    recordEvents(
      tx,
      events.map(event => ({ tenantId: payment.tenantId, paymentId: payment.id, event, cause: 'callback' })),
      now,
    ),
  )
const received = (amountPaid: bigint, receipt: string): PaymentEvent =>
  paymentReceived(payment, { amountPaid, paidAt: now, reference: payment.paymentCode, receipt })
const reversed = (): PaymentEvent => ({ type: 'reversed', reason: 'deny', unexpectedMoneyId: newId() })

async function records() {
  const { rows } = await db.raw(
    `select kind, coalesce(provider_id, receipt) as receipt, amount, credited, status
     from unexpected_money where payment_id = ? order by kind, id`,
    [payment.id],
  )
  return rows.map((each: Record<string, unknown>) => Object.values(each))
}
const giveBack = () =>
  db.raw(
    "update unexpected_money set status = 'refunded', decided_at = now() where payment_id = ? and status = 'open'",
    [payment.id],
  )
const balance = () => findBalance(db, payment.tenantId, 'live')

describe('a receipt', () => {
  test('that paid and is reported with more leaves the difference to the Owner, once for each step', async () => {
    await record(received(100n, 'a'))
    await record(received(130n, 'a'), received(120n, 'a'))
    await record(received(150n, 'a'))
    await giveBack()
    for (let n = 0; n < 2; n++) await record(received(150n, 'a'), received(170n, 'a'))
    expect(await records()).toEqual([
      ['increase', 'a', 50n, false, 'refunded'],
      ['increase', 'a', 20n, false, 'open'],
    ])
    expect(await balance()).toBe(100n)
  })

  test('that grows in two batches at once is counted once', async () => {
    await record(received(100n, 'a'))
    await Promise.all([150n, 150n, 120n, 150n].map(sum => record(received(sum, 'a'))))
    expect(await records()).toEqual([['increase', 'a', 50n, false, 'open']])
    await giveBack()
    await Promise.all([170n, 160n, 170n].map(sum => record(received(sum, 'a'))))
    expect(await records()).toEqual([
      ['increase', 'a', 50n, false, 'refunded'],
      ['increase', 'a', 20n, false, 'open'],
    ])
  })

  test('that was taken back and is reported again waits, and is taken back again', async () => {
    await record(received(100n, 'a'))
    for (let round = 1; round < 3; round++) {
      await record(reversed())
      await record(reversed())
      await record(received(100n, 'a'))
      await record(received(100n, 'a'))
    }
    expect(await records()).toEqual([
      ['paid_after_reversal', 'a', 100n, false, 'refunded'],
      ['paid_after_reversal', 'a', 100n, false, 'open'],
      ['reversal', 'a', 100n, true, 'open'],
      ['reversal', 'a', 100n, false, 'accepted'],
    ])
    expect(await balance()).toBe(0n)
  })
})
