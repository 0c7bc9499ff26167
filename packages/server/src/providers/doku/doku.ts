// The adapter for DOKU. It uses DOKU's non-SNAP API for the virtual accounts and stores that it covers, and SNAP for
// everything else. NOTES.md lists DOKU's quirks.

import { readMessage } from '../lenient-fields.ts'
import { type Provider, ProviderError } from '../provider.ts'
import { chargeBySnap } from '../snap/charge.ts'
import { inquireBySnap } from '../snap/inquire.ts'
import { methods } from './channels.ts'
import { createPaymentCode, fetchOrderStatus } from './client.ts'
import { type Credentials, credentials } from './credentials.ts'
import { transaction } from './messages.ts'
import { readDokuCallback, verifyDokuCallback } from './notification.ts'
import { assertOffered, snapAccountOf } from './profile.ts'
import { targetOf, toAccepted, toPaymentCodeRequest, toUpdate } from './translate.ts'

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
    // The reference is also sent as the Request-Id. The service therefore knows DOKU's id of the order even if the
    // response is lost.
    const answer = await createPaymentCode(account, target, order.reference, toPaymentCodeRequest(order))
    return toAccepted(answer, order)
  },

  // An inquiry is allowed from one minute after the payment on (developers.doku.com check-status-api). A payment is
  // never earlier than its charge.
  inquiryLimits: { earliestSeconds: 60 },

  async inquire(account, inquiry) {
    if (targetOf(inquiry.methodDetail, inquiry.channel) === undefined)
      return inquireBySnap(snapAccountOf(account, inquiry.channel), inquiry)
    const answer = await fetchOrderStatus(account, inquiry.reference)
    if (answer === 'absent') return 'absent'
    const { reference } = inquiry
    const read = readMessage(transaction, answer)
    // A response counts only for the order that it names, whichever path was requested.
    if (read.order.invoice_number !== reference)
      throw new ProviderError('unknown', 'its response is for a different order')
    return { ...toUpdate(read, inquiry.methodDetail), reference }
  },

  verifyCallback: verifyDokuCallback,
  readCallback: readDokuCallback,
}
