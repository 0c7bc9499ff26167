// What differs between the acquirers that speak SNAP, and how Midtrans does it.

import type { Mode } from '../../mode.ts'
import { withoutDashes } from '../../payments/payment-code.ts'
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
  /** What this acquirer wants in the body of an inquiry about a wallet payment, beside what the standard has. */
  payStatus?(inquiry: Inquiry): Record<string, unknown>
  /** Of the call for a token; every other call has its time in WIB. */
  tokenTimestamp(at: Date): string
  /** The form in which our reference is sent as trxId and partnerReferenceNo. */
  toWire(reference: string): string
  /** X-EXTERNAL-ID of a charge, and of its repetition with a new token. */
  externalIds(reference: string): [first: string, second: string]
  /** What this acquirer wants in the body of a charge beside what the standard has. */
  virtualAccount(account: SnapAccount, order: Charge): Record<string, unknown>
  qris(account: SnapAccount, order: Charge): Record<string, unknown>
  eWallet(account: SnapAccount, order: Charge, amount: Money, token: string): Record<string, unknown>
  eWalletHeaders(order: Charge): Record<string, string>
  /** serviceCode of an inquiry about a wallet payment: of the payment itself, or of the inquiry. */
  payStatusServiceCode: '54' | '55'
  /**
   * Whether the status of a virtual account is found by our reference. Where it is found by the number alone, the
   * acquirer may have given another one than was asked for, and that it does not know ours proves nothing.
   */
  findsVaByReference: boolean
  /** Whether 08 says that an order expired. Where not, 05 says so, and of one that was cancelled, too. */
  tellsExpiry: boolean
  /** Whether whatever it tells of a virtual account has a status. Where not, it tells of payments only. */
  tellsVaStatus: boolean
  /** Whether a merchant that a notification names is ours only under our merchantId. */
  namesMerchant: boolean
  /** Its paths below our address, and what is told there. */
  notifications: Record<string, Notified>
}

/** A contract with an acquirer, in the standard's words. */
export type SnapAccount = {
  id: string
  mode: Mode
  baseUrl: string | null
  profile: Profile
  clientId: string
  /** Of the HMAC. */
  clientSecret: string
  partnerId: string
  merchantId: string
  channelId: string
  /** Without padding; empty where the account has none for the bank. */
  partnerServiceId: string
  /** Whether the number of a virtual account is ours to choose; otherwise the acquirer makes it. */
  choosesNumbers: boolean
  /** What QRIS wants where it is not merchantId alone. */
  qris?: { merchantId: string; terminalId: string; postalCode: string }
  privateKey: string
  providerPublicKey: string
}

/** Both names are documented (docs.midtrans.com direct-debit-api-gopay); the payer's name is not part of them. */
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

  // docs.midtrans.com virtual-account-api-bank-transfer and mpm-api-qris: an alphanumeric string of at most 36
  // characters that equals X-EXTERNAL-ID. The same pages allow a dash; without one both readings are met.
  toWire: withoutDashes,
  // "Retry this request with the same X-EXTERNAL-ID": the repetition after a refused token has the same one.
  externalIds: reference => [withoutDashes(reference), withoutDashes(reference)],

  virtualAccount: (account, order) => ({
    additionalInfo: {
      merchantId: account.merchantId,
      bank: order.channel,
      // Mandiri demands a label of 10 characters and its value of 30 (docs.midtrans.com
      // virtual-account-api-bank-transfer).
      ...(order.channel === 'mandiri' && {
        mandiri: { billInfo1: 'Payment:', billInfo2: order.reference.slice(0, 30) },
      }),
    },
  }),
  qris: (_, order) => ({ additionalInfo: { acquirer: 'gopay', ...customerName(order) } }),
  // urlParams and isDeeplink as the field table and the sample of docs.midtrans.com direct-debit-api-gopay spell them;
  // DOKU has urlParam and isDeepLink. An address that is not registered with Midtrans is refused with 4035415.
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
  // docs.midtrans.com get-transaction-status-api.
  payStatusServiceCode: '54',

  findsVaByReference: true,
  tellsExpiry: true,
  // docs.midtrans.com payment-notification-api: paymentFlagStatus is mandatory.
  tellsVaStatus: true,
  namesMerchant: true,
  notifications: {
    '/v1.0/transfer-va/payment': 'virtual_account',
    '/v1.0/qr/qr-mpm-notify': 'qris',
    '/v1.0/debit/notify': 'e_wallet',
  },
}
