// Refunds at Midtrans. NOTES.md cites the sources for the codes.

import { parseAmount } from '../lenient-fields.ts'
import {
  type ProviderAccount,
  ProviderError,
  type Refund,
  type RefundCalls,
  toSafeText,
} from '../provider.ts'
import type { RefundOutcome } from '../refund.ts'
import {
  findRefund,
  outcomeOfRefund,
  refusedRefund,
  resultOfRefundInquiry,
  unknownRefund,
} from '../refund-outcome.ts'
import { requestRefund, status } from './client.ts'
import type { Credentials } from './credentials.ts'
import type { RefundAnswer } from './messages.ts'
import { toRefundRequest, toUpdate } from './translate.ts'

export const refunds: RefundCalls<ProviderAccount<Credentials>> = {
  refund: (account, refund) =>
    outcomeOfRefund(refund, async () =>
      outcomeOf(await requestRefund(account, refund.order.reference, toRefundRequest(refund)), refund),
    ),

  inquireRefund: (account, refund) =>
    resultOfRefundInquiry(async () => {
      const answer = await status(account, refund.order.reference)
      if (answer === 'absent') throw new ProviderError('unknown', 'the provider does not find the order')
      if (answer.order_id !== refund.order.reference)
        throw new ProviderError('unknown', 'the response is for a different order')
      const { returns = [] } = toUpdate(answer, 'answer')
      // Midtrans lists every refund request that it has acknowledged (Midtrans/mt-alt-doc get-status). A refund that
      // is not listed was therefore not acknowledged, so its status is `absent`.
      return findRefund(refund, returns, { type: 'absent' })
    }),
}

/**
 * Converts the response to a refund request. The refund counts as rejected only if the error code is documented as a
 * rejection. After any other error, such as 406 (duplicate refund_key), 429 or 5xx, the outcome is unknown.
 */
function outcomeOf(answer: RefundAnswer, refund: Refund): RefundOutcome {
  const { status_code: code, status_message: message } = answer
  const words = toSafeText(message ?? '') || `answered ${code}`
  switch (code) {
    case '200':
      return accepted(answer, refund)
    // Code 202: the bank denied the refund if `refund_amount` in the response is zero. Otherwise, the outcome
    // is unknown.
    case '202':
      return parseAmount(answer.refund_amount) === 0n ? refusedRefund(words) : unknownRefund(words)
    // Midtrans' code 412 has three meanings: the payment is not settled, it is already refunded, or its
    // channel does not support refunds.
    case '400':
    case '401':
    case '402':
    case '404':
    case '412':
    case '413':
      return refusedRefund(words)
    // On Midtrans' refund page, code 414 means an invalid amount, but in its list of codes, it means an insufficient
    // balance. A balance can change, so the refund may be retried.
    case '414':
      return refusedRefund(words, true)
    default:
      return unknownRefund(words)
  }
}

/**
 * Converts the response to an accepted refund. The response's refund_amount is not checked, because Midtrans does
 * not document whether it includes earlier refunds.
 */
function accepted(answer: RefundAnswer, { reference, order }: Refund): RefundOutcome {
  const isOurs =
    answer.refund_key === reference ||
    (answer.refund_key === undefined &&
      (answer.order_id === order.reference ||
        (order.providerPaymentId !== null && answer.transaction_id === order.providerPaymentId)))
  if (!isOurs) return unknownRefund('the response is for a different refund')
  if (parseAmount(answer.refund_amount) === 0n) return unknownRefund('the refund was accepted with amount 0')
  const id = answer.refund_chargeback_id ?? answer.refund_chargeback_uuid ?? null
  return { type: answer.bank_confirmed_at === undefined ? 'pending' : 'succeeded', id }
}
