import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { makeTenant } from '../../../test/support/make.ts'
import { insertPaidAtEarlierAttempt } from '../../../test/support/paid-earlier-attempt.ts'
import { listAttempts } from '../attempt.sql.ts'
import { viewAttempt } from './attempt-view.ts'

const { db } = await testDatabase()

test('if the payer pays the order of an earlier charge attempt, the attempts show that both providers created an order', async () => {
  const payment = await insertPaidAtEarlierAttempt(db, await makeTenant(db))
  expect(payment).toMatchObject({ status: 'paid', provider: 'xendit', providerPaymentId: 'p-2' })
  expect((await listAttempts(db, payment)).map(viewAttempt(payment))).toMatchObject([
    { number: 1, provider: 'midtrans', outcome: 'accepted', reason: null },
    { number: 2, provider: 'xendit', outcome: 'accepted', reason: null },
  ])
})

test('a last charge without payment instructions has an unknown outcome once an earlier order was paid', async () => {
  const payment = await insertPaidAtEarlierAttempt(db, await makeTenant(db))
  const shown = (await listAttempts(db, payment)).map(viewAttempt({ ...payment, methodData: null }))
  expect(shown.map(({ outcome }) => outcome)).toEqual(['accepted', 'unknown'])
})
