// Tests reports about refunds that do not show clearly which refund they are about.

import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { refundScene } from '../../../test/support/refund-scene.ts'
import { dismissMoney } from '../../inbox/dismiss-money.ts'
import type { MoneyReturn } from '../../providers/provider.ts'
import { newId } from '../../values/id.ts'
import { createRefund } from '../refund/create-refund.ts'
import { resolveRefund } from '../refund/resolve-refund.ts'

const { db } = await testDatabase()

let scene: ReturnType<typeof refundScene>
beforeEach(async () => {
  scene = refundScene(db)
  await scene.begin()
  await scene.receive(100_000n, 'r-1')
})

const refundOf = async (amount: number) => {
  const { refund } = await createRefund(
    scene.app,
    { ...scene.key(), mode: 'live' },
    newId(),
    { amount },
    { byUser: false, unprovenUpTo: null },
  )
  return refund
}
const lost = () => ({ type: 'unknown', reason: 'no answer' }) as const
const reportAll = (returns: MoneyReturn[]) =>
  scene.record({
    event: () => undefined,
    reportedReturns: { reference: scene.payment.paymentCode, returns },
  })
const statuses = async () => (await scene.refunds()).map(({ amount, status }) => [amount, status])

describe('a report without an ID, a reference and an amount', () => {
  const bare = { id: null, amount: null } as const

  test('it decides our refund if the payment has no other', async () => {
    scene.respond = lost
    await refundOf(70_000)
    await scene.report({ ...bare, status: 'succeeded' })
    expect(await statuses()).toEqual([[70_000n, 'succeeded']])
  })

  test.each(['succeeded', 'pending'] as const)(
    'it does not decide a pending refund if it can be about an earlier one that succeeded (status %s)',
    async status => {
      await refundOf(30_000)
      scene.respond = lost
      const second = await refundOf(70_000)
      for (const _ of [1, 2]) await scene.report({ ...bare, status })
      expect(await statuses()).toEqual([
        [30_000n, 'succeeded'],
        [70_000n, 'pending'],
      ])
      expect(await scene.records()).toEqual([])
      await resolveRefund(scene.app, null, second.id, { outcome: 'failed', reason: 'refused' })
      expect(await scene.balance()).toBe(70_000n)
    },
  )

  test('a failure does not decide a pending refund if it can be about an earlier one', async () => {
    await refundOf(30_000)
    scene.respond = lost
    await refundOf(70_000)
    await scene.report({ ...bare, status: 'failed' })
    expect(await statuses()).toEqual([
      [30_000n, 'succeeded'],
      [70_000n, 'pending'],
    ])
  })

  test('it does not decide our refund if it can be about a refund made at the provider', async () => {
    await scene.report({ ...bare, status: 'succeeded' })
    scene.respond = lost
    await refundOf(70_000)
    await scene.report({ ...bare, status: 'succeeded' })
    expect(await statuses()).toEqual([[70_000n, 'pending']])
  })
})

test.each([false, true])(
  'a refund that a report names is not taken for another refund of the same amount in the report (named first: %s)',
  async isFirst => {
    scene.respond = lost
    const { reference } = await refundOf(20_000)
    const [other, own] = [
      { kind: 'refund', id: 'x', amount: 20_000n, status: 'succeeded' },
      { kind: 'refund', id: 'y', reference, amount: 20_000n, status: 'succeeded' },
    ] as const
    await reportAll(isFirst ? [own, other] : [other, own])
    expect(await statuses()).toEqual([
      [20_000n, 'succeeded'],
      [20_000n, 'succeeded'],
    ])
    expect(await scene.balance()).toBe(60_000n)
  },
)

describe('a refund that the Owner dismissed while it was pending', () => {
  test.each(['rf-9', null])(
    'is not debited when it succeeds, but waits for a new decision (first reported with the ID %s)',
    async id => {
      await scene.report({ id, amount: null, status: 'pending' })
      await dismissMoney(scene.app, null, (await scene.first()).id, 'the merchant does not bear it')
      scene.state.at = new Date(scene.state.at.getTime() + 60_000)
      for (const _ of [1, 2]) await scene.report({ id: 'rf-9', amount: 30_000n, status: 'succeeded' })
      expect([await scene.balance(), await scene.refunds()]).toEqual([100_000n, []])
      expect((await scene.records()).filter(({ status }) => status === 'open')).toMatchObject([
        { amount: 30_000n, receipt: 'rf-9' },
      ])
    },
  )

  test('differs from one that waited for its amount, which is debited when it succeeds', async () => {
    await scene.report({ id: 'rf-9', amount: null, status: 'pending' })
    await scene.report({ id: 'rf-9', amount: 30_000n, status: 'succeeded' })
    expect(await scene.balance()).toBe(70_000n)
  })
})
