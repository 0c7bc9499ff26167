// The adapter for the Midtrans Core API (/v2), based on docs.midtrans.com. Comments in the code describe behavior that
// is specific to Midtrans.

import { readMessage } from '../lenient-fields.ts'
import { type Provider, ProviderError, parseProviderJson } from '../provider.ts'
import { readOrUnreadable } from '../unreadable-message.ts'
import { methods } from './channels.ts'
import { charge, decideChallenge, status, urlOf } from './client.ts'
import { type Credentials, credentials } from './credentials.ts'
import { transaction } from './messages.ts'
import { refunds } from './refund.ts'
import { signatureHolds, signedFields } from './signature.ts'
import { recoverMethodData, toAccepted, toChargeRequest, toUpdate } from './translate.ts'

export const midtrans: Provider<Credentials> = {
  code: 'midtrans',
  name: 'Midtrans',
  methods,
  credentials,

  async charge(account, order) {
    const answer = await charge(account, toChargeRequest(order), order)
    return toAccepted(answer, order.methodDetail)
  },

  async inquire(account, inquiry) {
    const answer = await status(account, inquiry.reference)
    if (answer === 'absent') return 'absent'
    // Rejects a response about another order. Otherwise, the response would change the wrong payment.
    if (answer.order_id !== inquiry.reference)
      throw new ProviderError('unknown', 'the response is for a different order')
    const update = toUpdate(answer, 'answer')
    if (update.fact.type !== 'pending') return update
    const methodData = recoverMethodData(answer, inquiry.methodDetail, urlOf(account, ''))
    return methodData ? { ...update, fact: { type: 'pending', methodData } } : update
  },

  refunds,
  omitsWonChargebacks: true,

  decideChallenge: (account, inquiry, verdict) => decideChallenge(account, inquiry.reference, verdict),

  verifyCallback({ credentials: { server_key } }, { body }) {
    const fields = signedFields(body)
    if (!fields) return { verified: false, reason: 'not a Midtrans notification' }
    return signatureHolds(fields, server_key)
      ? { verified: true }
      : { verified: false, reason: 'signature_key is wrong' }
  },

  readCallback: (_, { body }) =>
    readOrUnreadable(
      () => {
        const message = readMessage(transaction, parseProviderJson(body))
        return message.order_id.startsWith(DASHBOARD_TEST)
          ? { irrelevant: "a test notification from Midtrans' dashboard", acknowledgement }
          : { updates: [toUpdate(message, 'notification')], acknowledgement }
      },
      { body, idFields: ['order_id', 'transaction_id'], refusal },
    ),
}

/**
 * Order ids of test notifications start with this text. A button in Midtrans' dashboard sends these notifications. They
 * have a valid signature and report a settlement, even in live mode, but no money was received.
 */
const DASHBOARD_TEST = 'payment_notif_test_'

/** The service's response to an accepted notification. Midtrans treats any 2xx status as an acknowledgement. */
const acknowledgement = { contentType: 'application/json', body: '{"status":"ok"}' }

/**
 * The response to a notification that is not accepted. Its status 422 makes Midtrans send the notification again up
 * to five times. After other statuses, Midtrans retries less often: once after a 500, twice after a 400 or 404, and
 * four times after a 503 (Midtrans' older guide on HTTP notifications).
 */
const refusal = { status: 422, contentType: 'application/json', body: '{"status":"failed"}' }
