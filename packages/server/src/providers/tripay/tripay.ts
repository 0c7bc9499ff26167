// The adapter for Tripay's closed payments. NOTES.md lists facts about Tripay and open questions.

import { readMessage, UnreadableError } from '../lenient-fields.ts'
import { type Provider, ProviderError, parseProviderJson } from '../provider.ts'
import { readOrUnreadable } from '../unreadable-message.ts'
import { methods } from './channels.ts'
import { createTransaction, findReference, findTransaction } from './client.ts'
import { type Credentials, credentials } from './credentials.ts'
import { listUnpaid } from './list-unpaid.ts'
import { callback } from './messages.ts'
import { signatureHolds } from './signature.ts'
import { toAccepted, toCreateRequest, updateOfCallback, updateOfResponse } from './translate.ts'

export const tripay: Provider<Credentials> = {
  code: 'tripay',
  name: 'Tripay',
  methods,
  credentials,

  async charge(account, order) {
    return toAccepted(await createTransaction(account, toCreateRequest(order, account.credentials)), order)
  },

  async inquire(account, inquiry) {
    const reference = inquiry.providerPaymentId ?? (await findReference(account, inquiry.reference))
    const answer = reference === undefined ? undefined : await findTransaction(account, reference)
    // If Tripay returns no transaction, this does not prove that the order does not exist. The API key may belong to
    // another merchant, or Tripay's list may lag behind.
    if (!answer) return 'not_reported'
    if (answer.merchant_ref !== inquiry.reference)
      throw new ProviderError('unknown', 'the response is for a different order')
    return updateOfResponse(answer, inquiry)
  },

  listUnpaid,

  verifyCallback: ({ credentials: { private_key } }, { headers, body }) =>
    signatureHolds(body, headers['x-callback-signature'], private_key)
      ? { verified: true }
      : { verified: false, reason: 'X-Callback-Signature is wrong' },

  readCallback: (_, { headers, body }) =>
    readOrUnreadable(
      () => {
        // A callback without the header x-callback-event, which is unsigned, may still report a payment, so it is read.
        const event = headers['x-callback-event'] || 'payment_status'
        if (event !== 'payment_status') throw new UnreadableError(`X-Callback-Event ${event} is unknown`)
        return {
          updates: [updateOfCallback(readMessage(callback, parseProviderJson(body)))],
          acknowledgement,
        }
      },
      { body, idFields: ['merchant_ref', 'reference'], refusal },
    ),
}

const acknowledgement = { contentType: 'application/json', body: '{"success":true}' }
/**
 * The response that makes Tripay send a callback again. Tripay retries unless the response contains `success: true`.
 */
const refusal = { status: 500, contentType: 'application/json', body: '{"success":false}' }
