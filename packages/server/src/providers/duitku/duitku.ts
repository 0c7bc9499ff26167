// The adapter for Duitku. NOTES.md lists facts about Duitku and open questions.

import { type Provider, ProviderError } from '../provider.ts'
import { formOf, readForm } from './callback.ts'
import { methods } from './channels.ts'
import { createTransaction, findTransaction } from './client.ts'
import { type Credentials, credentials } from './credentials.ts'
import { forgeryOf } from './signature.ts'
import { toAccepted, toCreateRequest, toUpdate } from './translate.ts'

export const duitku: Provider<Credentials> = {
  code: 'duitku',
  name: 'Duitku',
  methods,
  credentials,
  // Our own limit on inquiries per minute. It is an estimate, because Duitku publishes no limit. If a project sends too
  // many inquiries, Duitku blocks it for about an hour (NOTES.md).
  inquiryLimits: { perMinute: { test: 60, live: 300 } },

  async charge(account, order) {
    const { credentials } = account
    return toAccepted(
      await createTransaction(account, toCreateRequest(order, credentials)),
      order,
      credentials,
    )
  },

  async inquire(account, { reference }) {
    const answer = await findTransaction(account, reference)
    // Duitku does not document its response for an unknown order, so the order may still exist.
    if (!answer) return 'not_reported'
    if (answer.merchantOrderId !== reference)
      throw new ProviderError('unknown', 'the response is for a different order')
    return toUpdate(answer)
  },

  verifyCallback({ credentials }, { body }) {
    const reason = forgeryOf(credentials, formOf(body))
    return reason === undefined ? { verified: true } : { verified: false, reason }
  },

  readCallback: (_, { body }) => readForm(body),
}
