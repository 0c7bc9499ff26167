// Simulates merchants' refund requests for paid payments. If it is unknown whether a refund was created, the
// merchant repeats the request with the same idempotency key.

import { setTimeout as pause } from 'node:timers/promises'
import type { AnsweredRefund } from '../checker/evidence.ts'

/** A refund to request. If `amount` is undefined, the whole remaining amount of the payment is refunded. */
export type WantedRefund = {
  tenantId: string
  apiKey: string
  key: string
  paymentId: string
  amount: number | undefined
  /** True if the simulated merchant sends the refund request twice at the same time. */
  isDoubled: boolean
}

export type MerchantRefunds = {
  answered: AnsweredRefund[]
  /**
   * Repeats the refund request until a response shows whether the refund was created, or until the signal is aborted.
   */
  request(wanted: WantedRefund, signal: AbortSignal): Promise<void>
  /**
   * Stops waiting for payments to be recorded as paid. Until this call, a refund request is repeated if the service
   * rejects it because the payment is not recorded as paid yet. After this call, a rejected request is not repeated.
   */
  stopWaiting(): void
  /**
   * Repeats the refund requests whose outcome is still unknown, because no response has shown whether the
   * refund was created.
   */
  repeatOpen(signal: AbortSignal): Promise<void>
}

type Answer = { status: number; data?: { id: string; payment_id: string; amount: number } }

const REQUEST_TIMEOUT_MS = 20_000
const REPEAT_PAUSE_MS = 700
const bankAccount = { bank: 'BCA', number: '1234567890', holder_name: 'Budi Santoso' }

export function openRefunds({ url, sent }: { url: string; sent: () => void }): MerchantRefunds {
  const answered: AnsweredRefund[] = []
  const open = new Set<WantedRefund>()
  let isWaiting = true

  const send = (wanted: WantedRefund, body: object, key: string): Promise<Answer | undefined> => {
    sent()
    return fetch(`${url}/v1/payments/${wanted.paymentId}/refunds`, {
      method: 'POST',
      headers: {
        authorization: `ApiKey ${wanted.apiKey}`,
        'x-idempotency-key': key,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    }).then(
      async response => ({ ...((await response.json()) as object), status: response.status }),
      () => undefined,
    )
  }

  /**
   * Sends a refund request, or two identical requests at the same time. Returns the HTTP status of one response, or
   * undefined if there is no response.
   */
  async function ask(wanted: WantedRefund, body: object, key: string): Promise<number | undefined> {
    const answers = await Promise.all([
      send(wanted, body, key).catch(() => undefined),
      wanted.isDoubled ? send(wanted, body, key).catch(() => undefined) : undefined,
    ])
    for (const answer of answers)
      if (answer?.status === 200 && answer.data)
        answered.push({
          ...{ tenantId: wanted.tenantId, key, id: answer.data.id, paymentId: answer.data.payment_id },
          amount: BigInt(answer.data.amount),
        })
    return (answers.find(answer => answer?.status === 200) ?? answers[0])?.status
  }

  /**
   * Requests the refund once. If the provider's terms do not allow the refund, requests instead that the Owner (the
   * service's operator) refunds the payer by bank transfer.
   */
  async function askOnce(wanted: WantedRefund): Promise<number | undefined> {
    const { amount, key } = wanted
    const status = await ask(wanted, { amount }, key)
    if (status !== 400) return status
    return ask(wanted, { amount, bank_account: bankAccount }, `${key}-bank`)
  }

  async function request(wanted: WantedRefund, signal: AbortSignal): Promise<void> {
    open.add(wanted)
    for (;;) {
      const status = await askOnce(wanted)
      if (status === 200 || status === 400) open.delete(wanted)
      const isClear = status !== undefined && status < 500 && status !== 429
      if (!open.has(wanted) || signal.aborted || (isClear && !isWaiting)) return
      await pause(REPEAT_PAUSE_MS)
    }
  }

  return {
    answered,
    request,
    stopWaiting() {
      isWaiting = false
    },
    async repeatOpen(signal) {
      await Promise.all([...open].map(wanted => request(wanted, signal)))
    },
  }
}
