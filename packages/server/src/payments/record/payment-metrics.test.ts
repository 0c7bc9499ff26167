import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { insertPendingPayment, makeTenant, now } from '../../../test/support/make.ts'
import { paymentMetrics } from './payment-metrics.ts'
import { recordEvents } from './record-event.ts'

const { db } = await testDatabase()

const counted = async () =>
  new Map(
    (await paymentMetrics.transitions.get()).values.map(({ labels: { to, mode }, value }) => [
      `${to} ${mode}`,
      value,
    ]),
  )

test('only committed status changes are counted, by status and mode', async () => {
  const tenantId = await makeTenant(db)
  const [payment, other] = [
    await insertPendingPayment(db, { tenantId }),
    await insertPendingPayment(db, { tenantId, mode: 'test' }),
  ]
  const before = await counted()
  const inputs = [
    { tenantId, paymentId: payment.id, event: { type: 'expired' } as const, cause: 'test' },
    { tenantId, paymentId: payment.id, event: { type: 'expired' } as const, cause: 'test' },
    { tenantId, paymentId: payment.id, event: () => undefined, cause: 'test' },
    { tenantId, paymentId: other.id, event: { type: 'cancelled' } as const, cause: 'test' },
  ]
  const undone = db.transaction(async tx => {
    await recordEvents(tx, inputs, now)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await counted()).toEqual(before)
  await db.transaction(tx => recordEvents(tx, inputs, now))
  const after = await counted()
  const more = [...after].map(([key, value]) => [key, value - (before.get(key) ?? 0)] as const)
  expect(new Map(more.filter(([, difference]) => difference > 0))).toEqual(
    new Map([
      ['expired live', 1],
      ['cancelled test', 1],
    ]),
  )
})
