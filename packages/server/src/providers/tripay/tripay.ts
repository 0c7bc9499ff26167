// Tripay, closed payments. Facts and what is unsure about them: NOTES.md.

import { jsonOf, type Provider, ProviderError } from '../provider.ts'
import { methods } from './channels.ts'
import { createTransaction, findReference, findTransaction } from './client.ts'
import { type Credentials, credentials } from './credentials.ts'
import { listUnpaid } from './list-unpaid.ts'
import { callback } from './messages.ts'
import { signatureHolds } from './signature.ts'
import { reportOfAnswer, reportOfCallback, toAccepted, toCreateRequest } from './translate.ts'

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
    // A key of another merchant does not find the transaction either, and a list may lag: no proof of absence.
    if (!answer) return 'untold'
    if (answer.merchant_ref !== inquiry.reference)
      throw new ProviderError('unknown', 'its answer is about another order')
    return reportOfAnswer(answer, inquiry)
  },

  listUnpaid,

  readCallback(account, { headers, body }) {
    if (!signatureHolds(body, headers['x-callback-signature'], account.credentials.private_key))
      return { verified: false, reason: 'X-Callback-Signature does not hold' }
    const isStatus = headers['x-callback-event'] === 'payment_status'
    const message = isStatus ? callback.safeParse(jsonOf(body)).data : undefined
    return {
      verified: true,
      reports: message ? [reportOfCallback(message)] : [],
      // Whatever else is answered, Tripay sends it again.
      acknowledgement: { contentType: 'application/json', body: '{"success":true}' },
    }
  },
}
