import { randomBytes } from 'node:crypto'
import type { ContractData } from '../contract-data.ts'

/**
 * For channels whose expiry cannot be set, the minutes until a payment expires. The values come from the channels'
 * pages at docs.xendit.co.
 */
const lives: Record<string, number> = {
  qris: 48 * 60,
  gopay: 30,
  dana: 24 * 60,
  ovo: 55 / 60,
  linkaja: 30,
  shopeepay: 30,
  astrapay: 15,
}

const reference = 'GP261120-7Q4M2ZK8XW'
const request = {
  ...{ payment_request_id: 'pr-1', reference_id: reference, status: 'SUCCEEDED', currency: 'IDR' },
  ...{ request_amount: 100_000, latest_payment_id: 'py-1', channel_code: 'BNI_VIRTUAL_ACCOUNT' },
  ...{ actions: [{ type: 'PRESENT_TO_CUSTOMER', descriptor: 'VIRTUAL_ACCOUNT_NUMBER', value: '8808' }] },
  ...{ channel_properties: { display_name: 'Budi' }, failure_code: null, metadata: null },
}
const payment = {
  ...{ payment_id: 'py-1', payment_request_id: 'pr-1', reference_id: reference, status: 'SUCCEEDED' },
  ...{ currency: 'IDR', request_amount: 100_000, channel_code: 'BNI_VIRTUAL_ACCOUNT', failure_code: null },
  ...{
    captures: [{ capture_id: 'c-1', capture_amount: 100_000, capture_timestamp: '2026-11-20T03:05:00Z' }],
  },
  ...{ payment_details: {}, updated: '2026-11-20T03:05:00Z' },
}
const inquiry = { reference, amount: 10_000_000n, providerPaymentId: 'pr-1' }

export const contractData: ContractData = {
  credentials: () => ({ secret_key: `xnd_development_${randomBytes(24).toString('hex')}` }),

  stranger: () => ({ callback_token: 'stranger' }),
  unknownCredentials: () => ({ secret_key: 'nobody' }),

  ownLifeMinutes: channel => lives[channel],

  deciding: [
    ...['event', 'reference_id', 'external_id', 'status', 'currency'],
    ...['amount', 'request_amount', 'capture_amount', 'charge_amount'],
    ...[
      'payment_id',
      'payment_request_id',
      'latest_payment_id',
      'id',
      'qr_id',
      'callback_virtual_account_id',
    ],
  ],

  signer() {
    const callback_token = 'token-of-this-account'
    return {
      credentials: { ...contractData.credentials(), callback_token },
      sign: callback => ({
        ...callback,
        headers: { ...callback.headers, 'x-callback-token': callback_token },
      }),
    }
  },

  // These sample responses come from Xendit's documentation (docs.xendit.co create-payment-request and
  // get-payment).
  paidAnswers: [
    {
      ...{ name: 'the payment for a payment request', inquiry, message: payment },
      answer: (path, message) => (path.startsWith('/v3/payments/') ? message : request),
    },
    {
      ...{ name: 'a payment request', inquiry, message: request },
      answer: (path, message) => (path.startsWith('/v3/payments/') ? payment : message),
    },
  ],

  /** No byte in the body is signed, because Xendit authenticates a webhook only by its token. */
  signed: () => ({ body: [], headers: ['x-callback-token'] }),
}
