// DOKU: its non-SNAP interface for virtual accounts and shops, its SNAP interface for the rest. NOTES.md has the
// quirks.

import { type Channel, type Provider, ProviderError, QRIS_MAX_AMOUNT } from '../provider.ts'
import { chargeBySnap } from '../snap/charge.ts'
import { inquireBySnap } from '../snap/inquire.ts'
import { createPaymentCode, orderStatus } from './client.ts'
import { type Credentials, credentials } from './credentials.ts'
import { transaction } from './messages.ts'
import { readDokuCallback } from './notification.ts'
import { snapAccountOf } from './profile.ts'
import { targetOf, toAccepted, toPaymentCodeRequest, toReport } from './translate.ts'

const DAY = 24 * 60

/** No longest times are documented; these are what a payer can reasonably use. */
const channel = (code: string, name: string, maxExpiryMinutes: number): Channel => ({
  code,
  name,
  limits: { wholeRupiah: true, minExpiryMinutes: 1, maxExpiryMinutes },
})

const qris = channel('qris', 'QRIS', DAY)

export const doku: Provider<Credentials> = {
  code: 'doku',
  name: 'DOKU',
  methods: [
    {
      type: 'virtual_account',
      channels: [
        channel('bca', 'BCA', 30 * DAY),
        channel('mandiri', 'Mandiri', 30 * DAY),
        channel('bsi', 'BSI', 30 * DAY),
        channel('bri', 'BRI', 30 * DAY),
        channel('doku', 'Any bank (DOKU)', 30 * DAY),
        channel('bni', 'BNI', 30 * DAY),
        channel('permata', 'Permata', 30 * DAY),
        channel('cimb', 'CIMB Niaga', 30 * DAY),
        channel('danamon', 'Danamon', 30 * DAY),
        channel('btn', 'BTN', 30 * DAY),
        channel('maybank', 'Maybank', 30 * DAY),
        channel('sinarmas', 'Sinarmas', 30 * DAY),
      ],
    },
    { type: 'qris', channels: [{ ...qris, limits: { ...qris.limits, maxAmount: QRIS_MAX_AMOUNT } }] },
    // OVO needs an account that the payer bound before, or pushes to a phone and answers only after 70 s; DOKU's own
    // wallet and LinkAja have no documented request.
    {
      type: 'e_wallet',
      channels: [channel('dana', 'DANA', DAY), channel('shopeepay', 'ShopeePay', DAY)],
    },
    {
      type: 'over_the_counter',
      channels: [channel('alfamart', 'Alfamart', 30 * DAY), channel('indomaret', 'Indomaret', 30 * DAY)],
    },
    {
      type: 'cardless_credit',
      channels: [
        channel('akulaku', 'Akulaku', DAY),
        channel('kredivo', 'Kredivo', DAY),
        channel('indodana', 'Indodana', DAY),
      ],
    },
  ],
  credentials,

  async charge(account, order) {
    const target = targetOf(order.methodDetail, order.channel)
    if (target === undefined) return chargeBySnap(snapAccountOf(account), order)
    // The reference is the Request-Id, so that it is known even if the answer is never heard.
    const answer = await createPaymentCode(account, target, order.reference, toPaymentCodeRequest(order))
    return toAccepted(answer, order)
  },

  async inquire(account, inquiry) {
    if (targetOf(inquiry.methodDetail, inquiry.channel) === undefined)
      return inquireBySnap(snapAccountOf(account), inquiry)
    const answer = await orderStatus(account, inquiry.reference)
    if (answer === 'absent') return 'absent'
    const read = transaction.safeParse(answer)
    if (!read.success) throw new ProviderError('unknown', 'its answer could not be read')
    // Whatever the path asked for, only an answer about this very order counts.
    if (read.data.order.invoice_number !== inquiry.reference)
      throw new ProviderError('unknown', 'its answer is about another order')
    return toReport(read.data, inquiry.methodDetail)
  },

  readCallback: readDokuCallback,
}
