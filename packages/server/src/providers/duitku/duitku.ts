// Duitku. Facts and what is unsure about them: NOTES.md.

import { type Provider, ProviderError } from '../provider.ts'
import { formOf, readForm } from './callback.ts'
import { methods } from './channels.ts'
import { createTransaction, findTransaction } from './client.ts'
import { type Credentials, credentials } from './credentials.ts'
import { forgeryOf } from './signature.ts'
import { toAccepted, toCreateRequest, toReport } from './translate.ts'

export const duitku: Provider<Credentials> = {
  code: 'duitku',
  name: 'Duitku',
  methods,
  credentials,
  // Duitku publishes no limit and blocks a project for about an hour that passes it: an estimate (NOTES.md).
  inquiries: { perMinute: { test: 60, live: 300 } },

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
    // How Duitku reports an unknown order is not documented, so it is no proof of absence.
    if (!answer) return 'untold'
    if (answer.merchantOrderId !== reference)
      throw new ProviderError('unknown', 'its answer is about another order')
    return toReport(answer)
  },

  verifyCallback({ credentials }, { body }) {
    const reason = forgeryOf(credentials, formOf(body))
    return reason === undefined ? { verified: true } : { verified: false, reason }
  },

  readCallback: (_, { body }) => readForm(body),
}
