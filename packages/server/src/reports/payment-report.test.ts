import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, makeTenant } from '../../test/support/make.ts'
import { insertPaidAtEarlierAttempt } from '../../test/support/paid-earlier-attempt.ts'
import { sumPayments } from './report.sql.ts'

const { db } = await testDatabase()
const period = { from: new Date(0), before: new Date('2100-01-01') }

test('a payment that was paid at an earlier charge attempt counts toward the provider of this attempt', async () => {
  const viewer = await makeTenant(db)
  const { amount } = await insertPaidAtEarlierAttempt(db, viewer)
  await insertPendingPayment(db, { tenantId: viewer })
  await insertPendingPayment(db, { tenantId: viewer, provider: 'xendit' })
  expect(await sumPayments(db, { viewer, mode: 'live' }, period, ['provider'], 10)).toMatchObject([
    { provider: 'midtrans', count: 2n, amount: `${2n * amount}`, amount_paid: `${amount}` },
    { provider: 'xendit', count: 1n, amount: `${amount}`, amount_paid: '0' },
  ])
})
