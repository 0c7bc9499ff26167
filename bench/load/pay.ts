// For each payment, sends the create request and then the callback in which the provider reports the payment as
// paid.

import type { Pool } from 'undici'
import type { Send } from './send.ts'
import { type Account, createsOf, paidCallbackOf } from './traffic.ts'

/**
 * The load in which each payment is created and paid. `keys` are the API keys for the create requests, and
 * `account` is the provider account whose callbacks report the payments as paid.
 */
export type WholePayments = { kind: 'payments'; keys: string[]; account: Account }

/** A payment counts as successful if both its create request and its paid callback returned status 200. */
export function payer(pool: Pool, { keys, account }: WholePayments): Send {
  const nextCreate = createsOf(keys)
  const callbackOf = paidCallbackOf(account)
  let pending = 0

  async function pay(): Promise<number> {
    const created = await pool.request(nextCreate())
    const payment = (await created.body.json()) as { data?: { payment_code: string; amount: number } }
    if (created.statusCode !== 200 || !payment.data) return created.statusCode
    const { payment_code: reference, amount } = payment.data
    const reported = await pool.request(callbackOf(reference, amount / 100))
    await reported.body.dump()
    return reported.statusCode
  }

  return {
    pending: () => pending,
    next(done) {
      pending += 1
      const settle = (status: number): void => {
        pending -= 1
        done(status)
      }
      pay().then(settle, () => settle(0))
    },
  }
}
