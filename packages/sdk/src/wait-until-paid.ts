import { type GapuraError, PaymentNotPaidError, TimeoutError } from './errors.ts'
import type { PaidPayment, Payment } from './payment.ts'
import { mayPass, pause, within } from './retry.ts'

/**
 * Options of `payments.waitUntilPaid`.
 *
 * @example
 * const options: WaitUntilPaidOptions = { timeoutMs: 5 * 60_000, signal: request.signal }
 */
export type WaitUntilPaidOptions = {
  /** The maximum time to wait, in milliseconds (default 600,000, which is 10 minutes). */
  timeoutMs?: number | undefined
  /** The average time between two polls, in milliseconds (default 2,000). */
  pollMs?: number | undefined
  /** When the signal is aborted, the wait ends at once with the signal's reason. The payment is not affected. */
  signal?: AbortSignal | undefined
}

/**
 * Waits until the payment is paid. The function `look` fetches the payment by its ID or payment code, and must stop
 * when its `signal` is aborted. Only the first poll uses a payment code, because a lookup by code costs an additional
 * request.
 */
export async function waitUntilPaid(
  look: (id: string, signal: AbortSignal) => PromiseLike<Payment>,
  id: string,
  { timeoutMs = 600_000, pollMs = 2_000, signal }: WaitUntilPaidOptions = {},
): Promise<PaidPayment> {
  let seen: Payment | undefined
  let lastError: unknown
  const timeUp = () =>
    new TimeoutError(
      seen
        ? `payment ${seen.payment_code} is still ${seen.status} after ${timeoutMs} ms; it may still be paid`
        : `payment ${id} could not be read within ${timeoutMs} ms; it may still be paid`,
      lastError,
    )
  const waiting = async (until: AbortSignal) => {
    for (;;) {
      let longerMs = 0
      try {
        seen = await look(seen?.id ?? id, until)
        lastError = undefined
        if (isPaid(seen)) return seen
        if (isOver(seen)) throw new PaymentNotPaidError(seen)
      } catch (error) {
        if (until.aborted || !mayPass(error)) throw error
        lastError = error
        longerMs = (error as GapuraError).retryAfterMs ?? 0
      }
      // The delay is random, between 0.5 and 1.5 times pollMs, because callers that started at the same time should not
      // poll at the same time.
      await pause(longerMs + pollMs * (0.5 + Math.random()), until)
    }
  }
  return within(timeoutMs, signal, waiting, timeUp)
}

/** Returns whether the payment is paid. A paid payment always has paid_at and amount_paid. */
const isPaid = (payment: Payment): payment is PaidPayment => payment.status === 'paid'

const isOver = ({ status }: Payment): boolean => ['failed', 'expired', 'cancelled'].includes(status)
