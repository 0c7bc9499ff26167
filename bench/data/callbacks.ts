// Creates callbacks that the service (the product) has accepted but not processed yet.

import type { App } from '../../packages/server/src/app.ts'
import { callbackReceiver } from '../../packages/server/src/callbacks/receive-callback.ts'
import type { StoredFeeTerms } from '../../packages/server/src/fees/stored-fee-rule.ts'
import type { Database } from '../host/database.ts'
import { AMOUNT_RUPIAH, insertPending } from '../host/payments.ts'
import { requestsOf, type Traffic } from '../load/traffic.ts'

/** The number of callbacks sent to the service at the same time. */
const AT_ONCE = 128

/**
 * The payments to create: `count` payments, spread evenly over the first `tenants` tenants. If `feeTerms` is null, the
 * payments have no fee.
 */
export type PaymentsToPay = { count: number; tenants: number; feeTerms: StoredFeeTerms | null }

/**
 * Inserts new payments. The service then accepts one callback for each payment. The callback reports the
 * payment as paid.
 */
export async function acceptCallbacks(
  app: Pick<App, 'db' | 'clock' | 'log' | 'accountOf'>,
  database: Database,
  payments: PaymentsToPay,
): Promise<void> {
  const { account } = database
  const next = requestsOf(await callbacksOf(database, payments))
  const receive = callbackReceiver(app)
  let left = payments.count
  const accept = async () => {
    while (left > 0) {
      left -= 1
      const { path, body } = next()
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json',
        'user-agent': 'Veritrans',
      }
      await receive('midtrans', account.id, {
        path,
        headers,
        clientAddress: '127.0.0.1',
        body: Buffer.from(body ?? ''),
      })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, accept))
}

/**
 * Inserts the payments as pending. Returns the requests for a load test: one callback for each payment, which
 * reports the payment as paid.
 */
export async function callbacksOf(
  database: Database,
  { count, tenants, feeTerms }: PaymentsToPay,
): Promise<Extract<Traffic, { kind: 'callbacks' }>> {
  const pending = await insertPending(database, count, tenants, feeTerms)
  return {
    kind: 'callbacks',
    account: database.account,
    references: pending.map(({ reference }) => reference),
    amountRupiah: AMOUNT_RUPIAH,
  }
}
