// DOKU: its non-SNAP interface for virtual accounts and shops, its SNAP interface for the rest. NOTES.md has the
// quirks.

import { readMessage } from '../lenient.ts'
import { type Provider, ProviderError } from '../provider.ts'
import { chargeBySnap } from '../snap/charge.ts'
import { inquireBySnap } from '../snap/inquire.ts'
import { methods } from './channels.ts'
import { createPaymentCode, orderStatus } from './client.ts'
import { type Credentials, credentials } from './credentials.ts'
import { transaction } from './messages.ts'
import { readDokuCallback, verifyDokuCallback } from './notification.ts'
import { assertOffered, snapAccountOf } from './profile.ts'
import { targetOf, toAccepted, toPaymentCodeRequest, toReport } from './translate.ts'

export const doku: Provider<Credentials> = {
  code: 'doku',
  name: 'DOKU',
  methods,
  credentials,

  async charge(account, order) {
    const target = targetOf(order.methodDetail, order.channel, account.credentials.alfa_path)
    if (target === undefined) {
      assertOffered(account, order)
      return chargeBySnap(snapAccountOf(account, order.channel), order)
    }
    // The reference is the Request-Id, so that it is known even if the answer is never heard.
    const answer = await createPaymentCode(account, target, order.reference, toPaymentCodeRequest(order))
    return toAccepted(answer, order)
  },

  // developers.doku.com check-status-api: a minute after the payment, which cannot be before the charge.
  inquiries: { earliestSeconds: 60 },

  async inquire(account, inquiry) {
    if (targetOf(inquiry.methodDetail, inquiry.channel) === undefined)
      return inquireBySnap(snapAccountOf(account, inquiry.channel), inquiry)
    const answer = await orderStatus(account, inquiry.reference)
    if (answer === 'absent') return 'absent'
    const { reference } = inquiry
    const read = readMessage(transaction, answer)
    // Whatever the path asked for, only an answer about this very order counts.
    if (read.order.invoice_number !== reference)
      throw new ProviderError('unknown', 'its answer is about another order')
    return { ...toReport(read, inquiry.methodDetail), reference }
  },

  verifyCallback: verifyDokuCallback,
  readCallback: readDokuCallback,
}
