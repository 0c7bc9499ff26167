// The adapter for Xendit's Payments API v3. NOTES.md lists facts about Xendit and open questions.

import { type Provider, ProviderError } from '../provider.ts'
import { methods } from './channels.ts'
import { createPaymentRequest, fetchPayment, findPaymentRequest, findPaymentRequestId } from './client.ts'
import { type Credentials, credentials } from './credentials.ts'
import { findReturns } from './find-returns.ts'
import { listUnpaid } from './list-unpaid.ts'
import { refunds } from './refund.ts'
import { tokenHolds } from './signature.ts'
import { toAccepted, toCreateRequest, toUpdate } from './translate.ts'
import { readWebhook } from './webhook.ts'

const TOKEN_HEADER = 'x-callback-token'

export const xendit: Provider<Credentials> = {
  code: 'xendit',
  name: 'Xendit',
  methods,
  credentials,

  async charge(account, order) {
    return toAccepted(await createPaymentRequest(account, toCreateRequest(order)), order)
  },

  async inquire(account, inquiry) {
    const id = await findPaymentRequestId(account, inquiry)
    const request = id === undefined ? undefined : await findPaymentRequest(account, id)
    // DATA_NOT_FOUND does not prove that the payment request does not exist, because a key for another mode or
    // account gets the same response.
    if (!request) return 'not_reported'
    if (request.reference_id !== inquiry.reference)
      throw new ProviderError('unknown', 'the response is for a different order')
    // The captures and the sender verification result are not part of the payment request, so the payment is
    // fetched, too.
    const { latest_payment_id: paymentId } = request
    const last = paymentId === null ? undefined : await fetchPayment(account, paymentId)
    if (last && last.payment_request_id !== request.payment_request_id)
      throw new ProviderError('unknown', 'the response is for a different order')
    const update = toUpdate(request, last, inquiry)
    const returns = await findReturns(account, request, inquiry)
    return returns.length > 0 ? { ...update, returns } : update
  },

  // Xendit's rate limits apply to each endpoint separately (docs.xendit.co rate-limits), so these limits
  // count only status inquiries.
  inquiryLimits: { perMinute: { test: 60, live: 600 } },

  listUnpaid,
  refunds,

  secretHeaders: [TOKEN_HEADER],
  callbackProof: 'static_token',

  verifyCallback: ({ credentials: { callback_token } }, { headers }) =>
    tokenHolds(headers[TOKEN_HEADER], callback_token)
      ? { verified: true }
      : { verified: false, reason: 'x-callback-token is wrong' },

  readCallback: (_, { body }) => readWebhook(body),
}
