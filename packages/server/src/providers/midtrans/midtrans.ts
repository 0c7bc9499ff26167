// Midtrans Core API (classic /v2). Facts: docs.midtrans.com; quirks are noted where they matter.

import { jsonOf, type Provider, ProviderError } from '../provider.ts'
import { methods } from './channels.ts'
import { charge, status, urlOf } from './client.ts'
import { type Credentials, credentials } from './credentials.ts'
import { notification } from './messages.ts'
import { signatureHolds } from './signature.ts'
import { recoverMethodData, toAccepted, toChargeRequest, toReport } from './translate.ts'

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
    // Whatever the path asked for, only an answer about this very order counts.
    if (answer.order_id !== inquiry.reference)
      throw new ProviderError('unknown', 'its answer is about another order')
    const report = toReport(answer, 'answer')
    if (report.fact.type !== 'pending') return report
    const methodData = recoverMethodData(answer, inquiry.methodDetail, urlOf(account, ''))
    return methodData ? { ...report, fact: { type: 'pending', methodData } } : report
  },

  readCallback(account, { body }) {
    const parsed = notification.safeParse(jsonOf(body))
    if (!parsed.success) return { verified: false, reason: 'not a Midtrans notification' }
    if (!signatureHolds(parsed.data, account.credentials.server_key))
      return { verified: false, reason: 'signature_key does not hold' }
    return { verified: true, reports: [toReport(parsed.data, 'notification')], acknowledgement }
  },
}

/** Any 2xx will do. */
const acknowledgement = { contentType: 'application/json', body: '{"status":"ok"}' }
