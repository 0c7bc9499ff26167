import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { later, now } from '../../../test/support/make.ts'
import { bankAccount as payersAccount, refundScene } from '../../../test/support/refund-scene.ts'
import { inScope, scopeOfTenant } from '../../db/tenant-scope.ts'
import { acceptMoney } from '../../inbox/accept-money.ts'
import { newId } from '../../values/id.ts'
import { latestReversal } from './latest-reversal.ts'

const { db } = await testDatabase()

let scene: ReturnType<typeof refundScene>
beforeEach(async () => {
  scene = refundScene(db)
  await scene.begin()
})

/** Simulates that the provider reverses the payment, `minutes` after the other events. */
async function reverse(minutes = 0): Promise<void> {
  scene.state.at = later(minutes * 60_000)
  await scene.record({ event: { type: 'reversed', reason: 'deny', unexpectedMoneyId: newId() } })
}

/** Simulates that the Owner accepts the newest record of unexpected money. */
async function acceptNewest(): Promise<void> {
  const { id } = (await scene.records()).at(-1) ?? expect.fail('there is no record')
  await acceptMoney(scene.app, null, id, { reason: 'found at the provider' })
}

/** Reads the reversal as the merchant's user would. */
const shown = async () => {
  const payment = await scene.current()
  return inScope(scopeOfTenant(payment.tenantId), () => latestReversal(db, payment))
}
const at = (minutes: number) => later(minutes * 60_000).toISOString()

test('a payment that was never reversed has no reversal', async () => {
  expect(await shown()).toBeNull()
  await scene.receive(100_000n, 'r-1')
  expect(await shown()).toBeNull()
})

test('the amount of a reversal includes money that was credited in addition to the paid amount', async () => {
  await scene.receive(100_000n, 'r-1')
  await scene.receive(130_000n, 'r-1')
  await acceptNewest()
  await reverse()
  expect(await shown()).toEqual({ at: now.toISOString(), amount: 130_000, credited: 0 })
  expect((await scene.entries()).at(-1)).toEqual(['debit', 130_000n])
})

test('money that is credited after a reversal counts as credited until the provider reverses it, too', async () => {
  await scene.receive(100_000n, 'r-1')
  await reverse()
  await scene.receive(90_000n, 'r-1')
  expect(await shown()).toMatchObject({ amount: 100_000, credited: 0 })
  await acceptNewest()
  expect(await shown()).toEqual({ at: now.toISOString(), amount: 100_000, credited: 90_000 })
  await reverse(1)
  expect(await shown()).toEqual({ at: at(1), amount: 90_000, credited: 0 })
})

test('a later reversal that debited nothing does not replace an earlier one', async () => {
  await scene.receive(100_000n, 'r-1')
  await reverse()
  await scene.receive(100_000n, 'r-1')
  await reverse(1)
  expect(await shown()).toEqual({ at: now.toISOString(), amount: 100_000, credited: 0 })
})

test('a second payment that was credited before the reversal stays credited until it is refunded', async () => {
  await scene.receive(100_000n, 'r-1')
  await scene.receive(100_000n, 'r-2')
  await acceptNewest()
  const [second] = await scene.records()
  await reverse()
  expect(await shown()).toMatchObject({ amount: 100_000, credited: 100_000 })
  await scene.giveBack({ amount: 40_000n, bankAccount: payersAccount }, second?.id)
  expect(await shown()).toMatchObject({ amount: 100_000, credited: 60_000 })
})

test('money that the Owner credited without confirmation after the reversal counts as credited', async () => {
  await scene.receive(100_000n, 'r-1')
  await reverse()
  const claim = {
    ...{ amountPaid: 100_000n, paidAt: now, reference: scene.payment.paymentCode },
    ...{ providerPaymentId: 'p', receipt: 'r-2' },
  }
  await scene.record({ event: { type: 'challenged', reason: 'not confirmed', claim } })
  await acceptNewest()
  expect(await shown()).toMatchObject({ amount: 100_000, credited: 100_000 })
})
