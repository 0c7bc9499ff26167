// Tests in which order callbacks are applied while one provider account has a large backlog of callbacks.

import { expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from '../../test/support/app.ts'
import { noCallbackRules } from '../../test/support/make.ts'
import { startWorker } from '../jobs/worker.ts'
import { midtrans } from '../providers/midtrans/midtrans.ts'
import { signatureOf } from '../providers/midtrans/signature.ts'
import { newId } from '../values/id.ts'
import { callbackReceiver } from './receive-callback.ts'

const FLOOD = 20_000
/** The time limit for applying the callbacks, in milliseconds. Its only purpose is to stop a test that hangs. */
const PATIENCE_MS = 500_000
/**
 * At most this many callbacks of the busy provider account may be applied before the second account's last callback.
 * The number corresponds to 33 jobs of 100 callbacks each: 16 jobs are running, 16 are prefetched, and one has the same
 * priority as the second account's job.
 */
const APPLIED_BEFORE = 3_300

const accountOf = async (id: string) => ({
  provider: midtrans,
  account: { id, mode: 'live' as const, credentials: { server_key: 'secret' }, baseUrl: null },
  callbackRules: noCallbackRules,
})
const { app, databaseUrl } = await testApp({ worker: false, overrides: { accountOf } })
const receive = callbackReceiver(app)

/**
 * Creates a callback with an order reference that no payment has. Applying the callback only stores the outcome
 * `unmatched`.
 */
function callback() {
  const fields = { order_id: newId(), status_code: '202', gross_amount: '100000.00' }
  const rest = { transaction_id: newId(), transaction_status: 'expire', payment_type: 'bank_transfer' }
  const body = Buffer.from(
    JSON.stringify({ ...fields, ...rest, signature_key: signatureOf(fields, 'secret') }),
  )
  return { path: '/v1/callbacks/midtrans', headers: {}, body, clientAddress: '192.0.2.1' }
}

async function deliver(accountId: string, count: number): Promise<void> {
  let left = count
  const sender = async () => {
    while (left-- > 0) await receive('midtrans', accountId, callback())
  }
  await Promise.all(Array.from({ length: 200 }, sender))
}

/**
 * Returns how many callbacks of the backlogged account `accountId` were applied before all callbacks of the account
 * `other` were applied.
 */
async function appliedBefore(accountId: string, other: string): Promise<number> {
  const { rows } = await app.db.raw(
    `select count(*)::integer as count from provider_callbacks where provider_account_id = ?
     and processed_at <= (
       select coalesce(max(processed_at), 'infinity') from provider_callbacks where provider_account_id = ?)`,
    [accountId, other],
  )
  return rows[0].count
}
async function applied(accountId: string): Promise<number> {
  const { rows } = await app.db.raw(
    `select count(*)::integer as count from provider_callbacks where provider_account_id = ? and status <> 'received'`,
    [accountId],
  )
  return rows[0].count
}

test('a new callback waits for at most 3,300 callbacks of another account with a backlog of 20,000', async () => {
  const [flooding, moderate, single] = [newId(), newId(), newId()]
  await deliver(flooding, FLOOD)
  await deliver(moderate, 2_000)
  const worker = await startWorker(app, databaseUrl, { alone: false, only: ['callbacks'] })
  onTestFinished(worker.stop)
  await vi.waitUntil(async () => (await applied(flooding)) > 0, { timeout: PATIENCE_MS, interval: 10 })
  await deliver(single, 1)
  const before = await applied(flooding)
  await vi.waitUntil(async () => (await applied(flooding)) === FLOOD, { timeout: PATIENCE_MS, interval: 200 })
  expect((await appliedBefore(flooding, single)) - before).toBeLessThanOrEqual(APPLIED_BEFORE)
  expect(await appliedBefore(flooding, moderate)).toBeLessThanOrEqual(2_000 + APPLIED_BEFORE)
  expect([await applied(moderate), await applied(single)]).toEqual([2_000, 1])
})
