// Tests that refunds and chargebacks which a provider reports are debited automatically only up to what was received for
// the payment.

import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { now } from '../../../test/support/make.ts'
import { refundScene } from '../../../test/support/refund-scene.ts'
import { acceptMoney } from '../../inbox/accept-money.ts'
import { assignMoney } from '../../inbox/assign-money.ts'
import { newId } from '../../values/id.ts'
import { createRefund } from '../refund/create-refund.ts'
import { recordAcceptedReturn } from './record-returns.ts'
import { recordUnmatchedMoney } from './record-unmatched-money.ts'
import { insertUnexpectedMoney } from './unexpected-money.sql.ts'
import { debitedReturn, newRecord, paymentFields } from './unexpected-money.ts'

const { db } = await testDatabase()

let scene: ReturnType<typeof refundScene>
beforeEach(async () => {
  scene = refundScene(db)
  await scene.begin()
})

const EXCEEDS = { code: '23514', message: expect.stringContaining('exceeds what was received') }

/**
 * Debits a chargeback without comparing its amount with what the payment has left, so that only the database
 * can reject the debit.
 */
async function debit(amount: bigint, reason = ''): Promise<void> {
  const receipt = `cb-${newId()}`
  const fields = { kind: 'chargeback', reference: scene.payment.paymentCode, receipt, amount } as const
  const record = newRecord(
    { ...paymentFields(scene.payment), ...fields, credited: false, returnStatus: 'succeeded', paidAt: now },
    now,
  )
  await db.transaction(async tx => {
    await insertUnexpectedMoney(tx, [debitedReturn(record, now)])
    await recordAcceptedReturn(tx, scene.key(), record, { cause: 'callback', reason, at: now })
  })
}

const merchantRefunds = (amount: number) =>
  createRefund(
    scene.app,
    { ...scene.key(), mode: 'live' },
    newId(),
    { amount },
    {
      ...{ byUser: false, unprovenUpTo: null },
    },
  )

describe('the database rejects automatic debits of reported refunds and chargebacks that exceed the money received for the payment', () => {
  test('[M36] the database rejects an automatic debit that exceeds the amount received for the payment', async () => {
    await scene.receive(100_000n, 'r-1')
    await expect(debit(100_001n)).rejects.toMatchObject(EXCEEDS)
    await debit(100_000n)
    await expect(debit(1n)).rejects.toMatchObject(EXCEEDS)
    expect(await scene.balance()).toBe(0n)
  })

  test('[M36] concurrent automatic debits cannot exceed the money received for the payment', async () => {
    await scene.receive(100_000n, 'r-1')
    const debits = await Promise.allSettled([40_000n, 40_000n, 40_000n].map(amount => debit(amount)))
    expect(debits.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(await scene.balance()).toBe(20_000n)
  })

  test('[M36] automatic debits are limited to the money left after refunds and reversals', async () => {
    await scene.receive(100_000n, 'r-1')
    await merchantRefunds(30_000)
    await expect(debit(70_001n)).rejects.toMatchObject(EXCEEDS)
    await debit(70_000n)
    await scene.begin()
    await scene.receive(100_000n, 'r-1')
    await scene.record({ event: { type: 'reversed', reason: 'deny', unexpectedMoneyId: newId() } })
    await expect(debit(1n)).rejects.toMatchObject(EXCEEDS)
  })

  test('[M36] the limit for automatic debits includes failed refunds and additional credited money', async () => {
    await scene.receive(100_000n, 'r-1')
    scene.respond = () => ({ type: 'refused', reason: 'not settled', isRetriable: false })
    await merchantRefunds(100_000)
    await scene.receive(50_000n, 'r-2')
    await acceptMoney(scene.app, null, (await scene.first()).id, { reason: 'agreed' })
    await debit(150_000n)
    await expect(debit(1n)).rejects.toMatchObject(EXCEEDS)
  })

  test('[M36] the Owner may accept a chargeback even if it makes the balance negative', async () => {
    await scene.receive(100_000n, 'r-1')
    await merchantRefunds(100_000)
    await scene.report({ kind: 'chargeback', id: 'cb-1', amount: 100_000n })
    const [chargeback] = await scene.records()
    expect(chargeback).toMatchObject({ kind: 'chargeback', status: 'open' })
    await acceptMoney(scene.app, null, chargeback?.id ?? '', { reason: 'the bank took it, too' })
    expect(await scene.balance()).toBe(-100_000n)
    await expect(debit(1n)).rejects.toMatchObject(EXCEEDS)
  })
})

test("if the ledger contains less than the money records show, a chargeback awaits the Owner's decision", async () => {
  await scene.receive(100_000n, 'r-1')
  await scene.receive(50_000n, 'r-2')
  const { id } = await scene.first()
  // Creates a contradiction: according to its record, the unexpected money was credited, but the ledger
  // contains no such credit.
  await db.raw(
    "update unexpected_money set status = 'accepted', credited = true, decided_at = now() where id = ?",
    [id],
  )
  await scene.report({ kind: 'chargeback', id: 'cb-1', amount: 150_000n })
  expect((await scene.records()).at(-1)).toMatchObject({ kind: 'chargeback', status: 'open' })
  await scene.report({ kind: 'chargeback', id: 'cb-2', amount: 100_000n })
  expect((await scene.records()).at(-1)).toMatchObject({ receipt: 'cb-2', status: 'accepted' })
  expect(await scene.balance()).toBe(0n)
})

describe('a larger amount of an assigned chargeback is debited automatically only if the payment received enough money', () => {
  const providerAccountId = newId()
  const report = (amount: bigint, status: 'pending' | 'succeeded' | 'failed') =>
    db.transaction(tx =>
      recordUnmatchedMoney(
        tx,
        [
          {
            ...{ provider: 'xendit', providerAccountId, mode: 'live' },
            update: {
              ...{
                reference: scene.payment.id,
                providerPaymentId: 'p-9',
                fact: { type: 'nothing', reason: 'x' },
              },
              returns: [{ kind: 'chargeback', id: 'cb-9', amount, status }],
            },
          },
        ],
        now,
      ),
    )
  beforeEach(async () => {
    await scene.receive(100_000n, 'r-1')
    await report(60_000n, 'pending')
    const { rows } = await db.raw('select id from unexpected_money where reference = ?', [scene.payment.id])
    await assignMoney(scene.app, null, rows[0].id, { paymentId: scene.payment.id, reason: 'this one' })
  })

  test("[M36] a debited chargeback that grows beyond the received money is credited back and awaits the Owner's decision", async () => {
    await report(100_001n, 'succeeded')
    await report(100_001n, 'succeeded')
    expect(await scene.records()).toMatchObject([
      { status: 'dismissed', refundStatus: 'failed' },
      { status: 'open', amount: 100_001n, credited: false, paymentId: scene.payment.id },
    ])
    expect(await scene.balance()).toBe(100_000n)
    const [, open] = await scene.records()
    await acceptMoney(scene.app, null, open?.id ?? '', { reason: 'the bank took it' })
    expect(await scene.balance()).toBe(-1n)
    await report(100_001n, 'failed')
    await report(100_001n, 'failed')
    expect(await scene.balance()).toBe(100_000n)
  })

  test('a larger amount reported for a chargeback replaces the first debit if the received money covers it', async () => {
    await report(100_000n, 'succeeded')
    expect(await scene.records()).toMatchObject([
      { status: 'dismissed', refundStatus: 'failed' },
      { status: 'accepted', refundStatus: 'succeeded' },
    ])
    expect(await scene.balance()).toBe(0n)
  })
})
