// Xendit, Payments API v3. Facts and what is unsure about them: NOTES.md.

import { rupiah } from '../../money.ts'
import {
  type Channel,
  type Inquiry,
  type Provider,
  type ProviderAccount,
  ProviderError,
} from '../provider.ts'
import { createPaymentRequest, findIdByReference, findPayment, findPaymentRequest } from './client.ts'
import { type Credentials, credentials } from './credentials.ts'
import { listUnpaid } from './list-unpaid.ts'
import { tokenHolds } from './signature.ts'
import { toAccepted, toCreateRequest, toReport } from './translate.ts'
import { readWebhook } from './webhook.ts'

const HOUR = 60
const DAY = 24 * HOUR

/** As long as we take a payment at all; Xendit names no bound where the expiry can be set. */
const SETTABLE = 30 * DAY

const channel = (
  code: string,
  name: string,
  minRupiah: number,
  maxRupiah: number,
  maxExpiryMinutes: number,
  needs: { mobileNumber?: true } = {},
): Channel => ({
  code,
  name,
  limits: {
    wholeRupiah: true,
    minAmount: rupiah(minRupiah),
    maxAmount: rupiah(maxRupiah),
    minExpiryMinutes: 1,
    maxExpiryMinutes,
    ...needs,
  },
})

const MILLION = 1_000_000

const TOKEN_HEADER = 'x-callback-token'

export const xendit: Provider<Credentials> = {
  code: 'xendit',
  name: 'Xendit',
  // The channels' own pages at docs.xendit.co.
  methods: [
    {
      type: 'virtual_account',
      channels: [
        channel('bca', 'BCA', 10_000, 50 * MILLION, SETTABLE),
        channel('bni', 'BNI', 1, 50_000 * MILLION, SETTABLE),
        channel('bri', 'BRI', 1, 50_000 * MILLION, SETTABLE),
        channel('mandiri', 'Mandiri', 1, 50_000 * MILLION, SETTABLE),
        channel('permata', 'Permata', 1, 9_990 * MILLION, SETTABLE),
        channel('bsi', 'BSI', 1, 50_000 * MILLION, SETTABLE),
        channel('bss', 'Bank Sahabat Sampoerna', 1, 50_000 * MILLION, SETTABLE),
        channel('cimb', 'CIMB Niaga', 10_000, 50 * MILLION, SETTABLE),
        channel('bjb', 'Bank BJB', 1, 2_000 * MILLION, SETTABLE),
        channel('muamalat', 'Muamalat', 10_000, 50_000 * MILLION, SETTABLE),
        channel('bnc', 'Bank Neo Commerce', 10_000, 50_000 * MILLION, SETTABLE),
      ],
    },
    { type: 'qris', channels: [channel('qris', 'QRIS', 1, 10 * MILLION, 48 * HOUR)] },
    {
      type: 'e_wallet',
      channels: [
        channel('dana', 'DANA', 100, 20 * MILLION, 24 * HOUR),
        // It lives for 55 s; two minutes are the shortest payment we take, and Xendit's report ends it.
        channel('ovo', 'OVO', 100, 20 * MILLION, 2, { mobileNumber: true }),
        channel('linkaja', 'LinkAja', 100, 10 * MILLION, 30),
        channel('shopeepay', 'ShopeePay', 1, 20 * MILLION, 30),
        channel('astrapay', 'AstraPay', 100, 20 * MILLION, 15),
        // Its page names no life; where it is shorter, Xendit's report ends the payment.
        channel('jeniuspay', 'JeniusPay', 1_000, 20 * MILLION, 24 * HOUR),
      ],
    },
    {
      type: 'over_the_counter',
      channels: [
        channel('alfamart', 'Alfamart', 10_000, 5 * MILLION, 48 * HOUR),
        channel('indomaret', 'Indomaret', 10_000, 5 * MILLION, SETTABLE),
      ],
    },
    {
      type: 'cardless_credit',
      channels: [
        channel('akulaku', 'Akulaku', 1_000, 25 * MILLION, DAY),
        channel('kredivo', 'Kredivo', 1_000, 30 * MILLION, DAY),
        channel('indodana', 'Indodana', 10_000, 25 * MILLION, DAY),
      ],
    },
  ],
  credentials,

  async charge(account, order) {
    return toAccepted(await createPaymentRequest(account, toCreateRequest(order)), order)
  },

  async inquire(account, inquiry) {
    const id = await idOf(account, inquiry)
    const request = id === undefined ? undefined : await findPaymentRequest(account, id)
    // DATA_NOT_FOUND is an answer for this key: a key of another mode or account does not find the request either.
    if (!request) return 'untold'
    if (request.reference_id !== inquiry.reference)
      throw new ProviderError('unknown', 'its answer is about another order')
    // Captures and the sender's verification stand in the payment alone.
    const { latest_payment_id: paymentId } = request
    const last = paymentId === null ? undefined : await findPayment(account, paymentId)
    if (last && last.payment_request_id !== request.payment_request_id)
      throw new ProviderError('unknown', 'its answer is about another order')
    return toReport(request, last, inquiry)
  },

  // docs.xendit.co rate-limits: of each endpoint.
  inquiries: { perMinute: { test: 60, live: 600 } },

  listUnpaid,

  secretHeaders: [TOKEN_HEADER],
  callbackProof: 'static_token',

  verifyCallback: ({ credentials: { callback_token } }, { headers }) =>
    tokenHolds(headers[TOKEN_HEADER], callback_token)
      ? { verified: true }
      : { verified: false, reason: 'x-callback-token is wrong' },

  readCallback: (_, { body }) => readWebhook(body),
}

/** A report of an older product carries an id that v3 does not know. */
async function idOf(
  account: ProviderAccount<Credentials>,
  { providerPaymentId, reference }: Inquiry,
): Promise<string | undefined> {
  return providerPaymentId?.startsWith('pr-') ? providerPaymentId : findIdByReference(account, reference)
}
