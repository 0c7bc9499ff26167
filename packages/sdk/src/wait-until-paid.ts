import { type GapuraError, PaymentNotPaidError, TimeoutError } from './errors.ts'
import type { PaidPayment, Payment } from './payment.ts'
import { mayPass, pause, within } from './retry.ts'

/**
 * How to wait for the payer.
 *
 * @example
 * const options: WaitOptions = { timeoutMs: 5 * 60_000, signal: request.signal }
 */
export type WaitOptions = {
  /** For all of it (600,000, which is 10 minutes). */
  timeoutMs?: number | undefined
  /** Between two looks, on average (2,000). */
  pollMs?: number | undefined
  /** Aborted, the wait ends at once with the signal's reason. The payment goes on. */
  signal?: AbortSignal | undefined
}

/** look: at the payment, ended by the signal. */
export async function waitUntilPaid(
  look: (signal: AbortSignal) => PromiseLike<Payment>,
  id: string,
  { timeoutMs = 600_000, pollMs = 2_000, signal }: WaitOptions = {},
): Promise<PaidPayment> {
  let seen: Payment | undefined
  let lastError: unknown
  const timeUp = () =>
    new TimeoutError(
      seen
        ? `payment ${seen.payment_code} is still ${seen.status} after ${timeoutMs} ms; it may yet be paid`
        : `payment ${id} could not be looked at within ${timeoutMs} ms; it may yet be paid`,
      lastError,
    )
  const waiting = async (until: AbortSignal) => {
    for (;;) {
      let longerMs = 0
      try {
        seen = await look(until)
        lastError = undefined
        if (isPaid(seen)) return seen
        if (isOver(seen)) throw new PaymentNotPaidError(seen)
      } catch (error) {
        if (until.aborted || !mayPass(error)) throw error
        lastError = error
        longerMs = (error as GapuraError).retryAfterMs ?? 0
      }
      // Between half of it and one and a half: a thousand waiters that began together do not stay together.
      await pause(longerMs + pollMs * (0.5 + Math.random()), until)
    }
  }
  return within(timeoutMs, signal, waiting, timeUp)
}

/** A paid payment always tells when and how much. */
const isPaid = (payment: Payment): payment is PaidPayment => payment.status === 'paid'

const isOver = ({ status }: Payment): boolean => ['failed', 'expired', 'cancelled'].includes(status)
