// Tests that received money is counted only once, even if it has several records or the provider took it
// back.

import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { databaseUrl } from '../../../test/support/database-url.ts'
import { insertPendingPayment, makeTenant, now } from '../../../test/support/make.ts'
import { createDb } from '../../db/db.ts'
import { findBalance } from '../../ledger/ledger.sql.ts'
import { newId } from '../../values/id.ts'
import { moneyReceivedEvent, type Payment, type PaymentEvent } from '../payment.ts'
import { recordEvents } from './record-event.ts'

const { url, db } = await testDatabase()
/** Connects as a superuser, who has all privileges. Only constraints and triggers can then reject a statement. */
const superuser = createDb(databaseUrl(inject('databaseUrls').adminUrl, new URL(url).pathname.slice(1)), {
  max: 2,
})
afterAll(() => superuser.destroy())

const RESTRICTED = '23001'
const CHECK = '23514'

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
  moneyReceivedEvent(payment, { amountPaid, paidAt: now, reference: payment.paymentCode, receipt })
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

describe('received money is counted once, even if the provider reports it several times', () => {
  test('increases in the received amount share one record until the operator decides on this record', async () => {
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

  test('if reports of the same money in one batch have different amounts, the largest amount is recorded', async () => {
    await record(received(100n, 'a'))
    await record(received(120n, 'a'))
    await record(received(150n, 'a'), received(140n, 'a'))
    expect(await records()).toEqual([['increase', 'a', 50n, false, 'open']])
  })

  test('if concurrent callbacks report increasing totals for the same money, each increase is recorded only once', async () => {
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

  test("money that is reported again after its reversal awaits the operator's decision", async () => {
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

describe('the database rejects records of money that break a rule, such as a debited refund without an amount', () => {
  const refused = (sql: string, code: string) =>
    expect(superuser.raw(sql.replaceAll(':id', `'${payment.id}'`))).rejects.toMatchObject({ code })
  const refund = (
    status: 'pending' | 'succeeded' | 'failed',
    amount: bigint | null = 30n,
    id: string | null = 'rf-1',
  ) => ({ reference: payment.paymentCode, returns: [{ kind: 'refund' as const, id, amount, status }] })
  const report = (returned: ReturnType<typeof refund>) =>
    db.transaction(tx =>
      recordEvents(
        tx,
        [
          {
            ...{ tenantId: payment.tenantId, paymentId: payment.id, cause: 'callback' },
            ...{ event: () => undefined, reportedReturns: returned },
          },
        ],
        now,
      ),
    )

  test.each(['from_amount = 1', 'round = 2', "provider_id = 'b'"])(
    'the database rejects the change %s to an unexpected money record, because the record must always cover the same part of the received money',
    async change => {
      await record(received(100n, 'a'), received(130n, 'a'))
      await refused(`update unexpected_money set ${change} where payment_id = :id`, RESTRICTED)
    },
  )

  test("a refund's provider ID cannot change, and a record of received money cannot have such an ID", async () => {
    await record(received(100n, 'a'), received(100n, ''))
    await report(refund('pending', null, null))
    const change = "update unexpected_money set provider_id = 'b' where payment_id = :id and"
    await refused(`${change} return_status is null`, RESTRICTED)
    await report(refund('succeeded'))
    expect(await records()).toContainEqual(['refund', 'rf-1', 30n, true, 'accepted'])
    await refused(`${change} return_status is not null`, RESTRICTED)
  })

  test("for a reported refund, the database rejects an earlier status, a smaller amount, and any change after the operator's decision", async () => {
    await record(received(100n, 'a'))
    await report(refund('succeeded'))
    for (const change of [
      "return_status = 'pending'",
      'return_status = null',
      'amount = 29',
      'amount = null',
    ])
      await refused(`update unexpected_money set ${change} where payment_id = :id`, RESTRICTED)
    await report(refund('failed'))
    for (const change of ["return_status = 'succeeded'", "status = 'accepted'", "reason = 'another'"])
      await refused(`update unexpected_money set ${change} where payment_id = :id`, RESTRICTED)
  })

  test("the database rejects a debit that differs from the refund's amount, and a credit without a debit", async () => {
    await record(received(100n, 'a'))
    // This refund is reported without an amount, because a refund with an amount would be debited
    // immediately.
    await report(refund('succeeded', null))
    await db.raw('update unexpected_money set amount = 30 where payment_id = ?', [payment.id])
    const entry = (type: string, amount: number, change: number) => `insert into ledger_entries
      select e.tenant_id, gen_random_uuid(), e.mode, 2, e.payment_id, '${type}', ${amount}, 100 + ${change}, 'r', 'why', now(), m.id
      from ledger_entries e join unexpected_money m on m.payment_id = e.payment_id where e.payment_id = :id`
    await refused(entry('debit', 29, -29), CHECK)
    await refused(entry('credit', 30, 30), CHECK)
  })

  test('the database rejects debiting a refund without an amount and dismissing received money', async () => {
    await record(received(100n, 'a'))
    await report(refund('succeeded', null))
    await refused('update unexpected_money set credited = true where payment_id = :id', CHECK)
    await record(received(130n, 'a'))
    await refused(
      "update unexpected_money set status = 'dismissed', decided_at = now() where payment_id = :id and kind = 'increase'",
      CHECK,
    )
  })

  test('the database rejects marking a payment as unconfirmed if it is unpaid or its money is confirmed', async () => {
    await record(received(100n, 'a'))
    await refused('update payments set unconfirmed_since = now() where id = :id', RESTRICTED)
    const unpaid = await insertPendingPayment(db, { tenantId: payment.tenantId })
    await refused(`update payments set unconfirmed_since = now() where id = '${unpaid.id}'`, CHECK)
  })
})
