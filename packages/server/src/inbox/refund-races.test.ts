// Tests decisions to refund unexpected money while, at the same time, other decisions are made or reports from the
// provider arrive. Also tests a crash before the provider is called.

import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { bankAccount, refundScene } from '../../test/support/refund-scene.ts'
import { sweepDueRefunds } from '../../test/support/sweep-due-refunds.ts'
import { inOuterTransaction } from '../db/outer-transaction.ts'
import { markRequested, updateRefunds } from '../payments/record/refund.sql.ts'
import type { PaymentRefund } from '../payments/record/refund.ts'
import { refundMoney } from './refund-money.ts'

const { db } = await testDatabase()

let scene: ReturnType<typeof refundScene>
beforeEach(async () => {
  scene = refundScene(db)
  await scene.begin()
})

test("if two of the Owner's users refund the same money simultaneously, only one request succeeds", async () => {
  await scene.receive(120_000n, 'r-1')
  const results = await Promise.allSettled([
    scene.giveBack(),
    scene.giveBack(),
    scene.giveBack({ amount: 500n }),
  ])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(results.flatMap(each => (each.status === 'rejected' ? [each.reason.code] : []))).toEqual([
    'CONFLICT',
    'CONFLICT',
  ])
  expect([scene.asked.length, (await scene.refunds()).length]).toEqual([1, 1])
})

test.each([
  ['credited', 120_000n, 'r-1'],
  ['never credited', 100_000n, 'r-2'],
])(
  'if decisions and reports about money that was %s are processed concurrently, the balance equals the credit minus the refunds that have not failed',
  async (_, amount, receipt) => {
    for (let round = 0; round < 8; round++) {
      await scene.begin()
      if (receipt !== 'r-1') await scene.receive(100_000n, 'r-1')
      await scene.receive(amount, receipt)
      const [money] = await scene.records()
      const decided = { bankAccount: receipt === 'r-1' ? undefined : bankAccount }
      scene.respond = () => ({ type: round % 2 === 0 ? 'pending' : 'succeeded', id: 'rf-1' })
      const acts = [
        () => scene.giveBack(decided, money?.id),
        () => scene.giveBack(decided, money?.id),
        () => scene.report({ id: 'rf-1', reference: `${scene.payment.paymentCode}-R1`, amount: 20_000n }),
        () => scene.report({ id: 'rf-8', amount: 20_000n, status: 'pending' }),
        () => scene.report({ kind: 'chargeback', id: 'cb-1', amount: 100_000n }),
      ]
      const turned = [...acts.slice(round % acts.length), ...acts.slice(0, round % acts.length)]
      const results = await Promise.allSettled(turned.map(act => act()))
      for (const each of results)
        if (each.status === 'rejected') expect(['CONFLICT', 'BAD_REQUEST']).toContain(each.reason.code)
      const standing = (await scene.refunds()).filter(({ status }) => status !== 'failed')
      const debited = standing.filter(({ source }) => source !== 'uncredited')
      const credited = (await scene.current()).amountPaid ?? 0n
      expect(await scene.balance()).toBe(credited - debited.reduce((sum, each) => sum + each.amount, 0n))
      expect(standing.filter(({ origin }) => origin === 'operator').length).toBeLessThanOrEqual(1)
      expect(scene.asked.length).toBeLessThanOrEqual(1)
      const owed = Object.values(await scene.book()).reduce((sum, each) => sum + each, 0n)
      expect(owed).toBe(-(await scene.balance()))
    }
  },
)

test('after a crash before the request to the provider, a background job requests the refund once', async () => {
  await scene.receive(120_000n, 'r-1')
  await dieBeforeRequest()
  expect([scene.asked, await scene.balance()]).toEqual([[], 100_000n])
  await Promise.all([sweepDueRefunds(scene.app), sweepDueRefunds(scene.app), sweepDueRefunds(scene.app)])
  expect(scene.asked).toHaveLength(1)
  expect(await scene.first()).toMatchObject({ status: 'refunded', refundStatus: 'succeeded' })
  expect(await scene.balance()).toBe(100_000n)
})

test("processing a provider's report does not erase the stored time of a refund request", async () => {
  await scene.receive(120_000n, 'r-1')
  await dieBeforeRequest()
  const [read] = (await scene.refunds()) as [PaymentRefund]
  const requestedAt = scene.app.clock()
  await markRequested(db, read, requestedAt, requestedAt)
  await db.transaction(tx => updateRefunds(tx, [{ ...read, providerRefundId: 'rf-1' }]))
  expect(await scene.refunds()).toMatchObject([{ providerRefundId: 'rf-1', requestedAt }])
})

test('a refund decided within a transaction is requested from the provider only after the commit', async () => {
  await scene.receive(120_000n, 'r-1')
  const { id } = await scene.first()
  const request = { amount: undefined, bankAccount: undefined, reason: 'wants it back' }
  await db.transaction(tx =>
    inOuterTransaction(tx, () => refundMoney({ ...scene.app, db: tx as never }, null, id, request)),
  )
  expect(scene.asked).toEqual([])
  await sweepDueRefunds(scene.app)
  expect(scene.asked).toHaveLength(1)
  expect(await scene.first()).toMatchObject({ refundStatus: 'succeeded' })
})

/** Simulates a crash after the refund decision is stored and before the refund is requested from the provider. */
async function dieBeforeRequest(): Promise<void> {
  const load = scene.app.accountOf
  let loaded = 0
  scene.app.accountOf = async id => {
    loaded += 1
    if (loaded > 1) throw new Error('the process died')
    return load(id)
  }
  await expect(scene.giveBack()).rejects.toThrow('the process died')
  scene.app.accountOf = load
}
