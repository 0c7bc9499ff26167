import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { makePayment, makeTenant } from '../../test/support/make.ts'
import { insertPaymentInBatch } from '../payments/payment.sql.ts'
import type { PaymentEvent } from '../payments/payment.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { firstIdAt } from '../values/id.ts'
import { after } from '../values/time.ts'
import { changesSince } from './live-change.ts'
import { pollRowsOfTenants } from './polled-rows.sql.ts'

const { db } = await testDatabase()

test('the live feed reports a payment that a provider accepted long after its creation', async () => {
  const tenantId = await makeTenant(db)
  const createdAt = after(new Date(), -10 * 60_000)
  const payment = makePayment({ tenantId, id: firstIdAt(createdAt), createdAt, updatedAt: createdAt })
  const { id, methodData, providerPaymentId } = payment
  await insertPaymentInBatch(db, { ...payment, status: 'charging', transitionCount: 0, methodData: null })
  const record = (event: PaymentEvent, at: Date) =>
    db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId: id, event, cause: 'inquiry' }], at))
  await record({ type: 'outcome_unknown', reason: 'no response', nextCheckAt: new Date() }, createdAt)
  const poll = async () => (await pollRowsOfTenants(db, [tenantId])).get(tenantId) ?? []
  const before = await poll()
  expect(before).toEqual([])
  await record(
    { type: 'accepted', methodData: methodData as never, providerPaymentId: providerPaymentId as string },
    new Date(),
  )
  const changed = await poll()
  expect(changesSince(before, changed)).toEqual([{ kind: 'payment', id, payment_id: null }])
  expect(changesSince(changed, await poll())).toEqual([])
})
