// Tests refunds that a provider reports although the payment has a manual refund of the same amount. The operator may
// have made the manual refund in the provider's dashboard instead of by bank transfer.

import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { bankAccount, refundScene } from '../../../test/support/refund-scene.ts'
import { acceptMoney } from '../../inbox/accept-money.ts'
import { dismissMoney } from '../../inbox/dismiss-money.ts'
import { newId } from '../../values/id.ts'
import { createRefund } from '../refund/create-refund.ts'
import { resolveRefund } from '../refund/resolve-refund.ts'

const { db } = await testDatabase()

let scene: ReturnType<typeof refundScene>
let manualId: string

beforeEach(async () => {
  scene = refundScene(db)
  await scene.begin()
  await scene.receive(100_000n, 'r-1')
  scene.terms = undefined
  const { refund } = await createRefund(
    scene.app,
    { ...scene.key(), mode: 'live' },
    newId(),
    { amount: 20_000, bank_account: bankAccount },
    { byUser: false, unprovenUpTo: null },
  )
  manualId = refund.id
  expect([refund.method, await scene.balance()]).toEqual(['manual', 80_000n])
})

const transferred = () =>
  resolveRefund(scene.app, null, manualId, { outcome: 'succeeded', bank_reference: 'TRF-1' })

test("a reported refund that matches a pending manual refund is not debited before the Owner's decision", async () => {
  for (const _ of [1, 2]) await scene.report({ id: 'rf-1', amount: 20_000n })
  expect(await scene.records()).toMatchObject([{ kind: 'refund', status: 'open', amount: 20_000n }])
  expect([await scene.balance(), await scene.refunds()]).toMatchObject([80_000n, [{ id: manualId }]])
  await dismissMoney(scene.app, null, (await scene.first()).id, 'it is the manual refund')
  await transferred()
  await scene.report({ id: 'rf-1', amount: 20_000n })
  expect([await scene.balance(), await scene.refunds()]).toMatchObject([80_000n, [{ status: 'succeeded' }]])
})

test("a reported refund that matches a successful manual refund waits for the Owner's decision", async () => {
  await transferred()
  await scene.report({ id: 'rf-1', amount: 20_000n })
  expect(await scene.balance()).toBe(80_000n)
  await acceptMoney(scene.app, null, (await scene.first()).id, { reason: 'another refund' })
  expect(await scene.balance()).toBe(60_000n)
})

test('if the Owner resolves a manual refund as failed, a reported refund with the same amount is debited', async () => {
  await scene.report({ id: 'rf-1', amount: 20_000n })
  await resolveRefund(scene.app, null, manualId, { outcome: 'failed', reason: 'made at the provider' })
  await acceptMoney(scene.app, null, (await scene.first()).id, { reason: 'instead of the transfer' })
  expect(await scene.refunds()).toMatchObject([{ status: 'failed' }, { status: 'succeeded' }])
  expect([await scene.balance(), await scene.book()]).toEqual([80_000n, { provider: -80_000n }])
})

test('a manual refund does not prevent the debit of a chargeback or of a refund with another amount', async () => {
  await scene.report({ id: 'rf-1', amount: 30_000n })
  await scene.report({ kind: 'chargeback', id: 'cb-1', amount: 20_000n })
  expect(await scene.balance()).toBe(30_000n)
})
