// DOKU's implementation of SNAP (developers.doku.com accept-payments/direct-api/snap; doku-nodejs-library).

import { type Charge, type Inquiry, type ProviderAccount, ProviderError } from '../provider.ts'
import { numericExternalIds } from '../snap/client.ts'
import type { Profile, SnapAccount } from '../snap/profile.ts'
import { toUtc } from '../snap/time.ts'
import { toNumericMoney } from '../snap/translate.ts'
import type { Credentials } from './credentials.ts'
import { ipAddressOf } from './ip-address.ts'

/**
 * DOKU's channel codes for banks, from doku-nodejs-library _commons/v1ChannelEnum.js. Banks missing from that file
 * are not offered.
 */
export const snapBanks: Record<string, string> = {
  bni: 'VIRTUAL_ACCOUNT_BNI',
  permata: 'VIRTUAL_ACCOUNT_BANK_PERMATA',
  cimb: 'VIRTUAL_ACCOUNT_BANK_CIMB',
  danamon: 'VIRTUAL_ACCOUNT_BANK_DANAMON',
  btn: 'VIRTUAL_ACCOUNT_BTN',
  maybank: 'VIRTUAL_ACCOUNT_MAYBANK',
  sinarmas: 'VIRTUAL_ACCOUNT_SINARMAS',
}

/** DOKU's channel codes for e-wallets (doku-nodejs-library README, "Request Payment Jump APP"). */
const snapWallets: Record<string, string> = {
  dana: 'EMONEY_DANA_SNAP',
  shopeepay: 'EMONEY_SHOPEE_PAY_SNAP',
}

/**
 * Returns the x-device-id for a payment or refund: its reference without dashes, because the header must not contain
 * symbols (developers.doku.com http-notification-sample-for-snap). The reference is sent because a merchant's server
 * does not know the payer's device.
 */
const deviceIdOf = (reference: string): string => reference.replaceAll('-', '')

/**
 * Returns DOKU's ID of a QRIS order, which DOKU's sample inquiry and sample refund contain. If the charge's response was
 * lost, our reference is sent, because DOKU repeats it as its own ID (NOTES.md).
 */
const qrReferenceOf = ({ providerPaymentId, reference }: Inquiry) => ({
  originalReferenceNo: providerPaymentId ?? reference,
})

const customerName = (order: Charge) => (order.customer.name ? { customerName: order.customer.name } : {})

export const profile: Profile = {
  hosts: { live: 'https://api.doku.com', test: 'https://api-sandbox.doku.com' },
  paths: {
    token: '/authorization/v1/access-token/b2b',
    createVa: '/virtual-accounts/bi-snap-va/v1.1/transfer-va/create-va',
    vaStatus: '/orders/v1.0/transfer-va/status',
    generateQr: '/snap-adapter/b2b/v1.0/qr/qr-mpm-generate',
    queryQr: '/snap-adapter/b2b/v1.0/qr/qr-mpm-query',
    pay: '/direct-debit/core/v1/debit/payment-host-to-host',
    payStatus: '/orders/v1.0/debit/status',
    refundWallet: '/direct-debit/core/v1/debit/refund',
    refundQr: '/snap-adapter/b2b/v1.0/qr/qr-mpm-refund',
  },
  tokenTimestamp: toUtc,

  toWire: reference => reference,
  externalIds: numericExternalIds,

  virtualAccount: (_, order) => ({
    additionalInfo: {
      channel: snapBanks[order.channel],
      virtualAccountConfig: { reusableStatus: false },
    },
  }),
  // feeType is always 1, because all published integrations with DOKU send this value. None of DOKU's public
  // pages describes the field.
  qris: ({ qris }, order) => ({
    merchantId: qris?.merchantId,
    terminalId: qris?.terminalId,
    additionalInfo: { postalCode: qris?.postalCode, feeType: '1', ...customerName(order) },
  }),
  // DOKU's client libraries spell these fields urlParam and isDeepLink, unlike Midtrans.
  eWallet: (_, order) => ({
    pointOfInitiation: 'mweb',
    urlParam: [{ url: order.returnUrl, type: 'PAY_RETURN', isDeepLink: 'N' }],
    additionalInfo: {
      channel: snapWallets[order.channel],
      // DOKU's clients send orderTitle for DANA, but other fields for ShopeePay.
      ...(order.channel === 'dana' && { orderTitle: `Order ${order.reference}` }),
      ...customerName(order),
    },
  }),
  // DOKU's clients for Go and Python send this channel-id for a payment that redirects the payer.
  eWalletHeaders: order => ({
    'channel-id': 'DH',
    'x-device-id': deviceIdOf(order.reference),
    'x-ip-address': ipAddressOf(order),
  }),
  // DOKU's client rejects any service code except 55 (doku-nodejs-library checkStatusDirectDebitRequestDTO).
  payStatusServiceCode: '55',

  findsVaByReference: false,
  vaStatusReference: 'trxId',
  // DOKU's clients reject an inquiry without a channel (doku-python-library check_status_request.py, and the Go and
  // Java libraries).
  payStatus: ({ channel }) => ({ additionalInfo: { channel: snapWallets[channel] } }),
  queryQr: qrReferenceOf,
  // DOKU's notifications never have status 08 (expired). In doku-nodejs-library,
  // `paymentNotificationDirectDebitRequestDTO` lists only 00, 03, 04, 05 and 06.
  tellsExpiry: false,
  // For DOKU, third parties read 09 as pending, as failed or as cancelled. One of them reads 68 as expired (NOTES.md).
  unclearStatuses: ['09', '68'],
  // DOKU's sample notifications contain no status (developers.doku.com http-notification-sample-for-snap).
  tellsVaStatus: false,
  // In the response to a notification, DOKU's Go, Java, Node and PHP clients also repeat the payer's name and the
  // payment's ID. NOTES.md lists the fields in which these clients differ.
  acknowledgedVa: [
    ...['partnerServiceId', 'customerNo', 'virtualAccountNo', 'virtualAccountName'],
    ...['trxId', 'paymentRequestId'],
  ],
  // The merchantId in DOKU's QRIS samples (47435) is not the client id, so it cannot be checked. Checking the
  // signature is sufficient, because DOKU signs with the account's secret.
  namesMerchant: false,
  refunds: {
    externalIds: numericExternalIds,
    headers: ({ reference, serviceIp, order: { methodDetail } }) =>
      methodDetail.type === 'e_wallet'
        ? {
            'x-device-id': deviceIdOf(reference),
            'x-ip-address': ipAddressOf(serviceIp === undefined ? {} : { serviceIp }),
          }
        : {},
    wallet: ({ order }) => ({ additionalInfo: { channel: snapWallets[order.channel] } }),
    qr: ({ order, amount }, { qris }, approvalCode) => ({
      ...qrReferenceOf(order),
      merchantId: qris?.merchantId,
      refundAmount: toNumericMoney(amount),
      additionalInfo: { approvalCode },
    }),
    needsApprovalCode: true,
    // DOKU does not document whether a repeated request with the same partnerRefundNo creates a second refund.
    isIdempotent: false,
    omitsQrRefunds: true,
  },
  notifications: {
    '/v1/transfer-va/payment': 'virtual_account',
    '/v1.0/qr/qr-mpm-notify': 'qris',
    '/v1.0/debit/notify': 'e_wallet',
  },
}

/**
 * Throws ProviderError `inactive` if the account lacks the credentials for the channel. The service can then
 * try another account.
 */
export function assertOffered(
  account: ProviderAccount<Credentials>,
  { channel, methodDetail: { type } }: Pick<Charge, 'channel' | 'methodDetail'>,
): void {
  const { partnerServiceId, qris } = snapAccountOf(account, channel)
  if (type === 'virtual_account' && partnerServiceId === '')
    throw new ProviderError('inactive', `the account has no partner_service_id_${channel}`)
  if (type === 'qris' && !qris)
    throw new ProviderError(
      'inactive',
      'the account has none of the fields qris_merchant_id, qris_terminal_id and qris_postal_code',
    )
}

/**
 * Returns the BIN (the first digits of virtual account numbers) for the bank, or the account's default BIN if the bank
 * has none. Returns an empty string if neither is set.
 */
function serviceIdOf(own: Credentials, bank: string | undefined): string {
  const ofBank = (own as Record<string, string | undefined>)[`partner_service_id_${bank}`]
  return (ofBank ?? own.partner_service_id ?? '').trim()
}

/**
 * Converts a DOKU account to an account for the SNAP adapter. `channel` is the channel of a charge or an inquiry.
 * Notifications do not need it.
 */
export const snapAccountOf = (
  { id, mode, baseUrl, credentials: own }: ProviderAccount<Credentials>,
  channel?: string,
): SnapAccount => ({
  id,
  mode,
  baseUrl,
  profile,
  clientId: own.client_id,
  clientSecret: own.secret_key,
  partnerId: own.client_id,
  merchantId: own.client_id,
  channelId: 'H2H',
  partnerServiceId: serviceIdOf(own, channel),
  choosesNumbers: own.va_numbers !== 'doku',
  ...(own.qris_merchant_id !== undefined && {
    qris: {
      merchantId: own.qris_merchant_id,
      terminalId: own.qris_terminal_id ?? '',
      postalCode: own.qris_postal_code ?? '',
    },
  }),
  privateKey: own.private_key,
  providerPublicKey: own.provider_public_key,
})
