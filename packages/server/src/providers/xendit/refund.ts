// Refunds at Xendit. NOTES.md cites the sources for the error codes.

import type { ProviderResponse } from '../http-client.ts'
import { parseText } from '../lenient-fields.ts'
import {
  type ProviderAccount,
  ProviderError,
  type Refund,
  type RefundCalls,
  toSafeText,
} from '../provider.ts'
import type { RefundOutcome } from '../refund.ts'
import {
  beforeRefund,
  findRefund,
  OTHER_AMOUNT,
  outcomeOfRefund,
  refusedRefund,
  resultOfRefundInquiry,
  unknownRefund,
} from '../refund-outcome.ts'
import { findPaymentRequestId, listRefunds, requestRefund, wordsOf } from './client.ts'
import type { Credentials } from './credentials.ts'
import { failure, refund as refundMessage } from './messages.ts'
import { returnOf } from './returns.ts'
import { toRefundRequest } from './translate.ts'

export const refunds: RefundCalls<ProviderAccount<Credentials>> = {
  refund: (account, refund) =>
    outcomeOfRefund(refund, async () => {
      const id = await beforeRefund(findPaymentRequestId(account, refund.order))
      if (id === undefined) return refusedRefund('the provider does not have this payment request', true)
      return outcomeOf(await requestRefund(account, toRefundRequest(id, refund)), refund)
    }),

  inquireRefund: (account, refund) =>
    resultOfRefundInquiry(async () => {
      const id = await findPaymentRequestId(account, refund.order)
      if (id === undefined)
        throw new ProviderError('unknown', 'the provider does not find the payment request')
      const listed = await listRefunds(account, id)
      const returns = listed.map(each => returnOf(each, 'pending'))
      return findRefund(refund, returns, { type: 'absent' })
    }),
}

/**
 * The error codes after which no refund was made (docs.xendit.co refund-payment-request; codes of the older client).
 * `later` means that the same request may succeed later, and `never` that it cannot succeed.
 */
const refusals = new Map<string, 'never' | 'later'>([
  ['API_VALIDATION_ERROR', 'never'],
  ['INVALID_VALUE_ERROR', 'never'],
  ['INVALID_API_KEY', 'never'],
  ['UNAUTHORIZED', 'never'],
  ['REFUND_NOT_SUPPORTED', 'never'],
  ['PARTIAL_REFUND_NOT_SUPPORTED', 'never'],
  ['INVALID_MERCHANT_SETTINGS', 'never'],
  ['DATA_NOT_FOUND', 'never'],
  ['TRANSACTION_NOT_FOUND', 'never'],
  ['REFUND_AMOUNT_EXCEEDED', 'never'],
  ['MAXIMUM_REFUND_AMOUNT_REACHED', 'never'],
  ['INELIGIBLE_TRANSACTION_STATUS', 'never'],
  ['INELIGIBLE_TRANSACTION', 'never'],
  ['INSUFFICIENT_BALANCE', 'never'],
  ['PARTIAL_REFUND_COUNTS_EXCEEDED', 'never'],
  // Another refund for the payment is pending.
  ['REFUND_IN_PROGRESS', 'later'],
  // The channel does not accept refund requests at this time of day, so the refund can be requested again
  // later.
  ['TEMPORARILY_UNAVAILABLE', 'later'],
  // We infer that Xendit does not process a request above the rate limit. Its page says only that the request gets
  // 429 and may be retried (docs.xendit.co rate-limits).
  ['RATE_LIMIT_EXCEEDED', 'later'],
])

function outcomeOf(answer: ProviderResponse, refund: Refund): RefundOutcome {
  if (answer.status === 200) return made(answer.json, refund)
  const code = failure.safeParse(answer.json).data?.error_code
  const refusal = [400, 401, 403, 404, 429].includes(answer.status) ? refusals.get(code ?? '') : undefined
  return refusal === undefined
    ? unknownRefund(wordsOf(answer))
    : refusedRefund(wordsOf(answer), refusal === 'later')
}

/** Converts a refund created by Xendit. A refund without a status counts as pending (docs.xendit.co refunds guide). */
function made(json: unknown, { reference, amount }: Refund): RefundOutcome {
  const read = refundMessage.safeParse(json)
  if (!read.success || read.data.reference_id !== reference)
    return unknownRefund('the response is for a different refund')
  const { id, amount: told, status } = returnOf(read.data, 'pending')
  if (told !== amount) return unknownRefund(OTHER_AMOUNT)
  if (status !== 'failed') return { type: status, id }
  const code = parseText(read.data.failure_code) ?? 'the refund failed'
  // If Xendit reports a duplicate, the refund's outcome is unknown, because an earlier request may have made
  // the refund.
  return code.includes('DUPLICATE') ? unknownRefund(toSafeText(code)) : refusedRefund(toSafeText(code))
}
