// The differences between the acquirers that implement SNAP, and Midtrans' values for these differences.

import { withoutDashes } from '../../payments/payment-code.ts'
import type { Mode } from '../../values/mode.ts'
import type { Charge, Inquiry } from '../provider.ts'
import type { Money } from './messages.ts'
import { toWib } from './time.ts'

export type Notified = 'virtual_account' | 'qris' | 'e_wallet'

export type Profile = {
  hosts: Record<Mode, string>
  paths: {
    token: string
    createVa: string
    vaStatus: string
    generateQr: string
    queryQr: string
    pay: string
    payStatus: string
  }
  /**
   * Returns the fields that this acquirer requires in the inquiry about a wallet payment, in addition to the standard's
   * fields.
   */
  payStatus?(inquiry: Inquiry): Record<string, unknown>
  /**
   * Formats the timestamp of a token request. Every other request has its timestamp in WIB (Western Indonesia Time).
   */
  tokenTimestamp(at: Date): string
  /** Converts our reference to the format in which it is sent as trxId and partnerReferenceNo. */
  toWire(reference: string): string
  /** Returns the X-EXTERNAL-ID of a charge, and that of its retry with a new token. */
  externalIds(reference: string): [first: string, second: string]
  /** Returns the fields that this acquirer requires in a charge, in addition to the standard's fields. */
  virtualAccount(account: SnapAccount, order: Charge): Record<string, unknown>
  qris(account: SnapAccount, order: Charge): Record<string, unknown>
  eWallet(account: SnapAccount, order: Charge, amount: Money, token: string): Record<string, unknown>
  eWalletHeaders(order: Charge): Record<string, string>
  /** The serviceCode in an inquiry about a wallet payment. It is the service code of the payment or of the inquiry. */
  payStatusServiceCode: '54' | '55'
  /**
   * Whether our reference identifies a virtual account in a status inquiry. Otherwise only the account's number
   * identifies it. The acquirer may have issued another number than the one that we requested, so "not found" for our
   * number proves nothing.
   */
  findsVaByReference: boolean
  /** Whether status 08 means that an order expired. Otherwise status 05 means both expired and cancelled. */
  tellsExpiry: boolean
  /**
   * Whether every notification about a virtual account has a status. Otherwise the acquirer notifies only of
   * payments.
   */
  tellsVaStatus: boolean
  /** Whether a notification that names another merchantId must be rejected. */
  namesMerchant: boolean
  /**
   * The paths below our callback address that the acquirer calls, and the kind of payment that each path notifies of.
   */
  notifications: Record<string, Notified>
}

/** An account with an acquirer, in the standard's terms. */
export type SnapAccount = {
  id: string
  mode: Mode
  baseUrl: string | null
  profile: Profile
  clientId: string
  /** The key of the HMAC that signs requests to the acquirer. */
  clientSecret: string
  partnerId: string
  merchantId: string
  channelId: string
  /** The partner service id (BIN) without padding. It is empty if the account has none for the bank. */
  partnerServiceId: string
  /** Whether we choose the number of a virtual account. Otherwise the acquirer chooses it. */
  choosesNumbers: boolean
  /** The fields that this acquirer requires for a QRIS payment. Absent if the account's merchantId is enough. */
  qris?: { merchantId: string; terminalId: string; postalCode: string }
  privateKey: string
  providerPublicKey: string
}

/** Midtrans' codes of wallets. Source: docs.midtrans.com direct-debit-api-gopay. */
const walletNames: Record<string, string> = { gopay: 'GOPAY', shopeepay: 'SHOPEEPAY', dana: 'DANA' }

const customerName = (order: Charge) => (order.customer.name ? { customerName: order.customer.name } : {})

export const midtrans: Profile = {
  hosts: { live: 'https://merchants.midtrans.com', test: 'https://merchants.sbx.midtrans.com' },
  paths: {
    token: '/v1.0/access-token/b2b',
    createVa: '/v1.0/transfer-va/create-va',
    vaStatus: '/v1.0/transfer-va/status',
    generateQr: '/v1.0/qr/qr-mpm-generate',
    queryQr: '/v1.0/qr/qr-mpm-query',
    pay: '/v1.0/debit/payment-host-to-host',
    payStatus: '/v1.0/debit/status',
  },
  tokenTimestamp: toWib,

  // Midtrans' pages virtual-account-api-bank-transfer and mpm-api-qris at docs.midtrans.com require an alphanumeric
  // string of up to 36 characters that equals X-EXTERNAL-ID. The same pages also allow a dash; a reference without
  // dashes satisfies both.
  toWire: withoutDashes,
  // The retry after a rejected token keeps the X-EXTERNAL-ID, because Midtrans says "Retry this request with the same
  // X-EXTERNAL-ID".
  externalIds: reference => [withoutDashes(reference), withoutDashes(reference)],

  virtualAccount: (account, order) => ({
    additionalInfo: {
      merchantId: account.merchantId,
      bank: order.channel,
      // For Mandiri, a label of up to 10 characters and a value of up to 30 characters are required (docs.midtrans.com
      // virtual-account-api-bank-transfer).
      ...(order.channel === 'mandiri' && {
        mandiri: { billInfo1: 'Payment:', billInfo2: order.reference.slice(0, 30) },
      }),
    },
  }),
  qris: (_, order) => ({ additionalInfo: { acquirer: 'gopay', ...customerName(order) } }),
  // urlParams and isDeeplink are spelled as in the field table and the sample of docs.midtrans.com
  // direct-debit-api-gopay; DOKU uses urlParam and isDeepLink. If a URL is not registered with Midtrans, Midtrans
  // rejects it with 4035415.
  eWallet: (account, order, amount, token) => ({
    chargeToken: token,
    merchantId: account.merchantId,
    urlParams: [{ url: order.returnUrl, type: 'PAY_RETURN', isDeeplink: 'N' }],
    payOptionDetails: [
      {
        payMethod: walletNames[order.channel],
        payOption: walletNames[order.channel],
        transAmount: amount,
      },
    ],
    additionalInfo: customerName(order),
  }),
  eWalletHeaders: () => ({}),
  // The service code is documented at docs.midtrans.com get-transaction-status-api.
  payStatusServiceCode: '54',

  findsVaByReference: true,
  tellsExpiry: true,
  // Every notification has a status: in docs.midtrans.com payment-notification-api, paymentFlagStatus is required.
  tellsVaStatus: true,
  namesMerchant: true,
  notifications: {
    '/v1.0/transfer-va/payment': 'virtual_account',
    '/v1.0/qr/qr-mpm-notify': 'qris',
    '/v1.0/debit/notify': 'e_wallet',
  },
}
