// The adapter for DOKU. It uses DOKU's non-SNAP API for the virtual accounts and stores this API supports. All
// other channels use SNAP. NOTES.md lists DOKU's quirks.

import { readMessage } from '../lenient-fields.ts'
import { type Provider, ProviderError } from '../provider.ts'
import { chargeBySnap } from '../snap/charge.ts'
import { inquireBySnap } from '../snap/inquire.ts'
import { inquireRefundBySnap, refundBySnap } from '../snap/refund.ts'
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
    // DOKU uses the Request-Id as its order id. The Request-Id is our reference, so the service knows DOKU's id
    // even if the response is lost.
    const answer = await createPaymentCode(account, target, order.reference, toPaymentCodeRequest(order))
    return toAccepted(answer, order)
  },

  // DOKU asks merchants to wait a minute after a payment before they send an inquiry (developers.doku.com
  // check-status-api). The service waits a minute after the charge, because it does not know when the payer pays. Until
  // then, it ignores a response that the order does not exist, because a second charge could make the payer pay twice.
  inquiryLimits: { earliestSeconds: 60 },

  async inquire(account, inquiry) {
    if (targetOf(inquiry.methodDetail, inquiry.channel) === undefined)
      return inquireBySnap(snapAccountOf(account, inquiry.channel), inquiry)
    const answer = await fetchOrderStatus(account, inquiry.reference)
    if (answer === 'absent') return 'absent'
    const { reference } = inquiry
    const read = readMessage(transaction, answer)
    // The response must contain the order's reference, because the request path does not prove that the response is
    // about this order.
    if (read.order.invoice_number !== reference)
      throw new ProviderError('unknown', 'the response is for a different order')
    return { ...toUpdate(read, inquiry.methodDetail), reference }
  },

  // Only channels in DOKU's SNAP API support refunds.
  refunds: {
    refund: (account, refund) => refundBySnap(snapAccountOf(account, refund.order.channel), refund),
    inquireRefund: (account, refund) =>
      inquireRefundBySnap(snapAccountOf(account, refund.order.channel), refund),
  },

  verifyCallback: verifyDokuCallback,
  readCallback: readDokuCallback,
}
