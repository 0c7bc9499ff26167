import { expect, test, vi } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, makeTenant } from '../../test/support/make.ts'
import { paced } from '../db/paced.ts'
import { createLog } from '../logging/log.ts'
import { firstIdAt } from '../values/id.ts'
import { eraseOldCustomers } from './erase-customers.ts'
import { defaultRetention, subtractDays } from './retention.ts'

vi.mock('../db/paced.ts', { spy: true })

test('a pause follows each step of erasing old payer data, so that payments are not slowed down', async () => {
  const { db } = await testDatabase()
  const tenantId = await makeTenant(db)
  await insertPendingPayment(db, { tenantId, id: firstIdAt(subtractDays(new Date(), 100)) })
  const retention = { ...defaultRetention, customerDays: 90 }
  const app = { db, clock: () => new Date(), log: createLog('silent'), retention }
  await eraseOldCustomers(app, new AbortController().signal)
  // The first step erases the payment's customer data, and the second step finds no further payments to
  // erase.
  expect(paced).toHaveBeenCalledTimes(2)
})
