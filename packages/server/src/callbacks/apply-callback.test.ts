import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, makeTenant, now } from '../../test/support/make.ts'
import { newId } from '../id.ts'
import { createLog } from '../log.ts'
import { findPayment } from '../payments/payment.sql.ts'
import { midtrans } from '../providers/midtrans/midtrans.ts'
import { signatureOf } from '../providers/midtrans/signature.ts'
import { callbackApplication } from './apply-callback.ts'
import { insertCallback } from './callback.sql.ts'

const { db } = await testDatabase()
const [mine, theirs] = [newId(), newId()]
const app = {
  db,
  clock: () => now,
  log: createLog('silent'),
  // Each account's server key is its id.
  accountOf: async (id: string) => ({
    provider: midtrans,
    account: { id, mode: 'live' as const, credentials: { server_key: id }, baseUrl: null },
  }),
}

const apply = callbackApplication(app)

/** A callback as it was kept when it came in. Returns its id. */
async function kept(
  accountId: string,
  message: { order_id: string; status_code: string; transaction_status: string },
): Promise<string> {
  const id = newId()
  const fields = {
    transaction_id: 't-1',
    gross_amount: '100000.00',
    payment_type: 'bank_transfer',
    ...message,
  }
  const body = Buffer.from(JSON.stringify({ ...fields, signature_key: signatureOf(fields, accountId) }))
  await insertCallback(db, {
    id,
    providerAccountId: accountId,
    provider: 'midtrans',
    headers: {},
    body,
    receivedAt: now,
  })
  return id
}
const statusOf = async (id: string): Promise<string> =>
  (await db.raw('select status from provider_callbacks where id = ?', [id])).rows[0].status

test("another account's callback says nothing about a payment, also when applied together with one of its own", async () => {
  const tenantId = await makeTenant(db)
  const { paymentCode: order_id, id } = await insertPendingPayment(db, { tenantId, providerAccountId: mine })
  const honest = await kept(mine, { order_id, status_code: '201', transaction_status: 'pending' })
  const foreign = await kept(theirs, { order_id, status_code: '200', transaction_status: 'settlement' })
  // While the first is under way the others gather, so these two are recorded together.
  const first = await kept(mine, { order_id: 'unknown', status_code: '201', transaction_status: 'pending' })
  await Promise.all([first, honest, foreign].map(apply))
  expect([await statusOf(honest), await statusOf(foreign)]).toEqual(['ignored', 'unmatched'])
  expect(await findPayment(db, tenantId, id, null)).toMatchObject({ status: 'pending', amountPaid: null })
})

test.each(['pend\0ing', '\ud800'])(
  'a callback with unsigned text that no database holds is settled: %j',
  async text => {
    const { paymentCode: order_id } = await insertPendingPayment(db, { providerAccountId: mine })
    const id = await kept(mine, { order_id, status_code: '201', transaction_status: text })
    await apply(id)
    expect(await statusOf(id)).toBe('ignored')
  },
)
