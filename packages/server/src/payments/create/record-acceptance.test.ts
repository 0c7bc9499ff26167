// Tests which failures to store the acceptance of a charge are retried, and for how long.

import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { later, makePayment, makeTenant } from '../../../test/support/make.ts'
import { recordingApp } from '../../../test/support/recording-app.ts'
import { findPaymentInBatch, insertPaymentInBatch } from '../payment.sql.ts'
import type { Payment } from '../payment.ts'
import { CHARGE_ENDS_AFTER_MS } from './idempotency.ts'
import { recordAcceptance } from './record-acceptance.ts'

const { db } = await testDatabase()
const tenantId = await makeTenant(db)

let { app, state } = recordingApp(db)
beforeEach(() => {
  ;({ app, state } = recordingApp(db))
})

const instructions = { type: 'virtual_account', bank: 'BCA', va_number: '812785002530231' } as const
const databaseError = (code: string) => Object.assign(new Error('the write failed'), { code })

/** Makes the next `times` database writes fail. The returned function returns how many writes were attempted. */
function failWrites(times: number, error: Error, { takesEffect = false } = {}): () => number {
  const { recordInBatch } = app
  let writes = 0
  app.recordInBatch = async event => {
    writes += 1
    if (writes > times) return recordInBatch(event)
    if (takesEffect) await recordInBatch(event)
    throw error
  }
  return () => writes
}

async function charging(): Promise<Payment> {
  const payment = makePayment({
    ...{ tenantId, status: 'charging', transitionCount: 0, methodData: null, providerPaymentId: null },
  })
  await insertPaymentInBatch(db, payment)
  return payment
}

const record = (payment: Payment) =>
  recordAcceptance(app, payment, {
    ...{ tenantId, paymentId: payment.id, known: payment, cause: 'create' },
    event: { type: 'accepted', providerPaymentId: 'p-1', methodData: instructions },
  })
const stored = async ({ id }: Payment): Promise<Payment> =>
  (await findPaymentInBatch(db, tenantId, id, null)) as Payment

test.each([
  ['the database shuts down', '57P01'],
  ['the server has become a standby', '25006'],
  ['the connection is refused', 'ECONNREFUSED'],
  ['the statement times out', '57014'],
  ['the statement loses a conflict', '40001'],
])(
  "if %s, recording the provider's acceptance of the charge is retried, so the payment instructions are not lost",
  async (_, code) => {
    const writes = failWrites(2, databaseError(code))
    const payment = await charging()
    await record(payment)
    expect(await stored(payment)).toMatchObject({ status: 'pending', methodData: instructions })
    expect(writes()).toBe(3)
  },
)

test('an acceptance whose commit succeeds as the database connection breaks is recorded only once', async () => {
  failWrites(1, databaseError('ECONNRESET'), { takesEffect: true })
  const payment = await charging()
  expect((await record(payment)).payment).toMatchObject({ status: 'pending', methodData: instructions })
  const { rows } = await db.raw('select to_status as "to" from payment_transitions where payment_id = ?', [
    payment.id,
  ])
  expect(rows).toEqual([{ to: 'pending' }])
})

test('recording an accepted charge is retried only until the charge must have ended', async () => {
  const error = databaseError('57P01')
  const writes = failWrites(Number.POSITIVE_INFINITY, error)
  const payment = await charging()
  state.at = later(CHARGE_ENDS_AFTER_MS - 500)
  const recorded = record(payment)
  state.at = later(0)
  await expect(recorded).rejects.toBe(error)
  // The three writes are the first attempt, a retry after 100 ms and a retry after another 200 ms.
  expect(writes()).toBe(3)
  expect(await stored(payment)).toMatchObject({ status: 'charging' })
})

test('if recording an accepted charge violates a database constraint, the recording is not retried', async () => {
  const error = databaseError('23514')
  const writes = failWrites(1, error)
  await expect(record(await charging())).rejects.toBe(error)
  expect(writes()).toBe(1)
})
