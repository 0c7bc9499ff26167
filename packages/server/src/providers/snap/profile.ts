// The properties in which acquirers (payment providers that implement SNAP) differ, and their values for
// Midtrans.

import { withoutDashes } from '../../payments/payment-code.ts'
import type { Mode } from '../../values/mode.ts'
import type { Charge, Inquiry, Refund } from '../provider.ts'
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
    refundWallet: string
    refundQr: string
  }
  /**
   * Returns the additional fields that this acquirer (payment provider) requires in an inquiry about an
   * e-wallet payment.
   */
  payStatus?(inquiry: Inquiry): Record<string, unknown>
  /**
   * Returns the additional fields that this acquirer (payment provider) requires in an inquiry about a QRIS
   * payment.
   */
  queryQr?(inquiry: Inquiry): Record<string, unknown>
  /**
   * Formats the timestamp of a token request. The timestamps of all other requests are in WIB (Western
   * Indonesia Time).
   */
  tokenTimestamp(at: Date): string
  /** Converts the reference of a charge to the form that requests contain as trxId and partnerReferenceNo. */
  toWire(reference: string): string
  /**
   * Returns two X-EXTERNAL-IDs (request IDs): one for a charge, and one for sending the charge again with a
   * new access token.
   */
  externalIds(reference: string): [first: string, second: string]
  /** Returns the additional fields this acquirer requires in a charge. */
  virtualAccount(account: SnapAccount, order: Charge): Record<string, unknown>
  qris(account: SnapAccount, order: Charge): Record<string, unknown>
  eWallet(account: SnapAccount, order: Charge, amount: Money, token: string): Record<string, unknown>
  eWalletHeaders(order: Charge): Record<string, string>
  /**
   * The serviceCode to send in an inquiry about an e-wallet payment. Some acquirers expect the service code of the
   * payment, others that of the inquiry.
   */
  payStatusServiceCode: '54' | '55'
  /**
   * True if the acquirer can find a virtual account by our reference. If false, a status inquiry needs the account
   * number. The response "not found" then proves nothing, because the acquirer may have issued another number than the
   * requested one.
   */
  findsVaByReference: boolean
  /** The name of the field with our reference in a status inquiry about a virtual account. */
  vaStatusReference: 'inquiryRequestId' | 'trxId'
  /**
   * True if the acquirer reports an expired order with the order status 08. If false, the order status 05 can
   * mean that the order expired or that it was canceled.
   */
  tellsExpiry: boolean
  /**
   * The order statuses whose meaning at this acquirer is unclear. An order with such a status counts as pending, so that
   * the payment never ends before its expiry time.
   */
  unclearStatuses: readonly string[]
  /**
   * True if notifications about virtual accounts contain a status. If false, the acquirer notifies only about received
   * payments, so every notification reports a payment.
   */
  tellsVaStatus: boolean
  /** The fields of a virtual account notification that the acknowledgement must repeat. */
  acknowledgedVa: readonly string[]
  /** The parts of a refund request that differ between acquirers. snap/refund.ts adds the common fields. */
  refunds: {
    /** Returns the X-EXTERNAL-IDs for a refund request (first) and for its retry with a new token (second). */
    externalIds(reference: string): [first: string, second: string]
    headers(refund: Refund): Record<string, string>
    /** Returns the additional fields this acquirer requires in an e-wallet refund. */
    wallet(refund: Refund, account: SnapAccount): Record<string, unknown>
    /** Returns the additional fields for a QRIS refund. `approvalCode` is empty unless `needsApprovalCode` is true. */
    qr(refund: Refund, account: SnapAccount, approvalCode: string): Record<string, unknown>
    /** True if a QRIS refund needs the payment's approvalCode, which only a status inquiry returns. */
    needsApprovalCode: boolean
    /** True if the acquirer documents that repeating a refund request does not make a second refund. */
    isIdempotent: boolean
    /** True if the acquirer does not document that its response about a QRIS payment lists the refunds. */
    omitsQrRefunds: boolean
  }
  /** True if the service must reject a notification whose merchantId differs from the account's. */
  namesMerchant: boolean
  /** The paths below our callback address that the acquirer calls, and each path's payment method. */
  notifications: Record<string, Notified>
}

/**
 * An account with an acquirer (a payment provider that implements SNAP). Field names follow the SNAP
 * standard.
 */
export type SnapAccount = {
  id: string
  mode: Mode
  baseUrl: string | null
  profile: Profile
  clientId: string
  /** The HMAC secret used to sign requests to the acquirer. */
  clientSecret: string
  partnerId: string
  merchantId: string
  channelId: string
  /** The partner service ID (BIN) without padding, or an empty string if the account has no BIN for the bank. */
  partnerServiceId: string
  /**
   * True if Gapura chooses the virtual account numbers, false if the acquirer (the payment provider that
   * implements SNAP) chooses them.
   */
  choosesNumbers: boolean
  /** The additional fields this acquirer requires for a QRIS payment. Absent if merchantId is enough. */
  qris?: { merchantId: string; terminalId: string; postalCode: string }
  privateKey: string
  providerPublicKey: string
}

/** Midtrans' codes for e-wallets (docs.midtrans.com direct-debit-api-gopay). */
const walletNames: Record<string, string> = { gopay: 'GOPAY', shopeepay: 'SHOPEEPAY', dana: 'DANA' }

const customerName = (order: Charge) => (order.customer.name ? { customerName: order.customer.name } : {})

/**
 * Returns the field that identifies the order: the order's ID at the acquirer or, if the response to the charge was
 * lost, the charge's X-EXTERNAL-ID. Midtrans can find an order by this X-EXTERNAL-ID, too.
 */
const originalIdOf = ({ providerPaymentId, reference }: Inquiry) =>
  providerPaymentId === null || providerPaymentId === reference
    ? { originalExternalId: withoutDashes(reference) }
    : { originalReferenceNo: providerPaymentId }

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
    refundWallet: '/v1.0/debit/refund',
    refundQr: '/v1.0/qr/qr-mpm-refund',
  },
  tokenTimestamp: toWib,

  // Midtrans requires a reference of up to 36 letters and digits that equals X-EXTERNAL-ID (docs.midtrans.com
  // virtual-account-api-bank-transfer and mpm-api-qris). The same pages also allow dashes. We remove the
  // dashes from the reference, because the result satisfies both rules.
  toWire: withoutDashes,
  // The retry after a rejected token must have the same X-EXTERNAL-ID (Midtrans: "Retry this request with the
  // same X-EXTERNAL-ID").
  externalIds: reference => [withoutDashes(reference), withoutDashes(reference)],

  virtualAccount: (account, order) => ({
    additionalInfo: {
      merchantId: account.merchantId,
      bank: order.channel,
      // Mandiri requires a label of up to 10 characters and a value of up to 30 characters (docs.midtrans.com
      // virtual-account-api-bank-transfer).
      ...(order.channel === 'mandiri' && {
        mandiri: { billInfo1: 'Payment:', billInfo2: order.reference.slice(0, 30) },
      }),
    },
  }),
  qris: (_, order) => ({ additionalInfo: { acquirer: 'gopay', ...customerName(order) } }),
  // Unlike DOKU, Midtrans spells the fields of the return URL urlParams and isDeeplink (docs.midtrans.com
  // direct-debit-api-gopay). If the return URL is not registered at Midtrans, Midtrans rejects the charge with
  // error 4035415.
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
  // The service code 54 comes from the page get-transaction-status-api at docs.midtrans.com.
  payStatusServiceCode: '54',

  findsVaByReference: true,
  // In a status inquiry, Midtrans expects the charge's `trxId` in the field `inquiryRequestId` (docs.midtrans.com
  // virtual-account-api-bank-transfer).
  vaStatusReference: 'inquiryRequestId',
  tellsExpiry: true,
  unclearStatuses: [],
  // paymentFlagStatus is required in every notification (docs.midtrans.com payment-notification-api).
  tellsVaStatus: true,
  acknowledgedVa: ['partnerServiceId', 'customerNo', 'virtualAccountNo', 'trxId'],
  namesMerchant: true,
  refunds: {
    // For QRIS, X-EXTERNAL-ID must equal partnerRefundNo. If a refund request is repeated with the same X-EXTERNAL-ID
    // and body, Midtrans does not make a second refund (docs.midtrans.com refund-api).
    externalIds: reference => [reference, reference],
    headers: () => ({}),
    wallet: ({ order }) => originalIdOf(order),
    qr: ({ order }, account) => ({ ...originalIdOf(order), merchantId: account.merchantId }),
    needsApprovalCode: false,
    isIdempotent: true,
    omitsQrRefunds: false,
  },
  notifications: {
    '/v1.0/transfer-va/payment': 'virtual_account',
    '/v1.0/qr/qr-mpm-notify': 'qris',
    '/v1.0/debit/notify': 'e_wallet',
  },
}
