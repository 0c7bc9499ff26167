// Waits until a payment has a certain status.

import { setTimeout as pause } from 'node:timers/promises'
import { ConnectionError, type Gapura, type Payment, TimeoutError } from '@gapura/sdk'
import type { Cli } from './cli.ts'
import { FailedError } from './failure.ts'
import { printLines, rupiah } from './output.ts'
import { showPayment } from './payment-view.ts'

const POLL_MS = 1_000
const FIRST_POLL_MS = 100

/**
 * Reads the payment until `isDone` accepts it, and passes each state to `onState`. Returns undefined after `timeoutMs`.
 * A lost connection does not end the wait, because the payment continues at the service.
 */
export async function followPayment(
  gapura: Gapura,
  id: string,
  isDone: (payment: Payment) => boolean,
  {
    onState = () => {},
    timeoutMs = Number.POSITIVE_INFINITY,
  }: { onState?: (payment: Payment) => void; timeoutMs?: number } = {},
): Promise<Payment | undefined> {
  const endsAt = Date.now() + timeoutMs
  for (let pauseMs = FIRST_POLL_MS; Date.now() < endsAt; pauseMs = Math.min(POLL_MS, pauseMs * 2)) {
    try {
      const payment = await gapura.payments.get(id)
      if (isDone(payment)) return payment
      onState(payment)
    } catch (error) {
      if (!(error instanceof ConnectionError || error instanceof TimeoutError)) throw error
    }
    await pause(pauseMs)
  }
  return undefined
}

/** Shows the payment and its current status on one line. When the payment has ended, shows the result. */
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
      'create another payment with a new --idempotency-key',
    )
}

/**
 * Returns whether the payment has ended. A pending payment can still be paid, and a challenged payment waits for a
 * decision.
 */
const hasEnded = ({ status }: Payment): boolean => status !== 'pending' && status !== 'challenged'

/** Describes a payment that has not ended, in one line. */
function waitingLine({ amount, status, payment_code, expires_at }: Payment): string {
  const leftS = Math.max(0, Math.round((Date.parse(expires_at) - Date.now()) / 1_000))
  const left = `${Math.floor(leftS / 60)}:${String(leftS % 60).padStart(2, '0')}`
  const rest = status === 'pending' ? `, expires in ${left}` : ''
  return `${payment_code}: ${rupiah(amount)} is ${status}${rest}. Press Ctrl-C to stop waiting.`
}
