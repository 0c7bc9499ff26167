// Polls a payment until it reaches the wanted status, and shows its progress.

import { setTimeout as pause } from 'node:timers/promises'
import type { Gapura, Payment } from '@gapura/sdk'
import type { Cli } from './cli.ts'
import { FailedError } from './failure.ts'
import { isOutage, pauseAfterOutageMs } from './outage.ts'
import { printLines, rupiah } from './output.ts'
import { showPayment } from './payment-view.ts'

const POLL_MS = 1_000
const FIRST_POLL_MS = 100

/**
 * Polls the payment until `isDone` returns true for it, and calls `onState` with each state before that.
 * Returns undefined if `timeoutMs` passes first.
 */
export const followPayment = (
  gapura: Gapura,
  id: string,
  isDone: (payment: Payment) => boolean,
  { onState = () => {}, timeoutMs }: { onState?: (payment: Payment) => void; timeoutMs?: number } = {},
): Promise<Payment | undefined> =>
  poll(async () => {
    const payment = await gapura.payments.get(id)
    if (isDone(payment)) return payment
    onState(payment)
    return undefined
  }, timeoutMs)

/**
 * Calls `read` until it returns a value. Returns undefined after `timeoutMs`. During an outage of the service, polling
 * continues.
 */
export async function poll<T>(
  read: () => Promise<T | undefined>,
  timeoutMs = Number.POSITIVE_INFINITY,
): Promise<T | undefined> {
  const endsAt = Date.now() + timeoutMs
  for (let pauseMs = FIRST_POLL_MS; Date.now() < endsAt; pauseMs = Math.min(POLL_MS, pauseMs * 2)) {
    let nextPauseMs = pauseMs
    try {
      const found = await read()
      if (found !== undefined) return found
    } catch (error) {
      if (!isOutage(error)) throw error
      nextPauseMs = pauseAfterOutageMs(error, pauseMs)
    }
    await pause(Math.min(nextPauseMs, Math.max(0, endsAt - Date.now())))
  }
  return undefined
}

/**
 * Shows the payment, then its current status in one line until the payment is paid, failed, expired or
 * cancelled. Finally, shows the result.
 */
export async function showUntilEnded(cli: Cli, gapura: Gapura, payment: Payment): Promise<void> {
  if (!cli.json && !hasEnded(payment)) {
    showPayment(cli, payment)
    printLines(cli, [''])
  }
  const ended = await followPayment(gapura, payment.id, hasEnded, {
    onState: state => cli.progress(waitingLine(state)),
  })
  cli.progress('')
  if (ended === undefined) return
  showPayment(cli, ended)
  if (ended.status !== 'paid')
    throw new FailedError(
      `payment ${ended.payment_code} is ${ended.status}`,
      'to try again, create another payment with a new --idempotency-key',
    )
}

/**
 * Returns whether the payment's status is final. The status `challenged` is not final, because the service's operator
 * still decides whether the payment counts as paid.
 */
const hasEnded = ({ status }: Payment): boolean => status !== 'pending' && status !== 'challenged'

/** Returns a one-line text about a payment whose status can still change. */
function waitingLine({ amount, status, payment_code, expires_at }: Payment): string {
  const leftS = Math.max(0, Math.round((Date.parse(expires_at) - Date.now()) / 1_000))
  const left = `${Math.floor(leftS / 60)}:${String(leftS % 60).padStart(2, '0')}`
  const rest = status === 'pending' ? `, expires in ${left}` : ''
  return `${payment_code}: ${rupiah(amount)} is ${status}${rest}. Press Ctrl-C to stop waiting.`
}
