// The adapter for Midtrans BI-SNAP, Midtrans' implementation of Bank Indonesia's payment standard. NOTES.md
// describes Midtrans' special behavior.

import type { Provider, ProviderAccount } from '../provider.ts'
import { methods } from './channels.ts'
import { chargeBySnap } from './charge.ts'
import { type Credentials, credentials } from './credentials.ts'
import { inquireBySnap } from './inquire.ts'
import { asymmetric, readNotification, verifyNotification } from './notification.ts'
import { midtrans, type SnapAccount } from './profile.ts'
import { inquireRefundBySnap, refundBySnap } from './refund.ts'

export const snap: Provider<Credentials> = {
  code: 'snap',
  name: 'Midtrans BI-SNAP',
  methods,
  credentials,

  charge: (account, order) => chargeBySnap(snapAccountOf(account), order),
  inquire: (account, inquiry) => inquireBySnap(snapAccountOf(account), inquiry),
  refunds: {
    refund: (account, refund) => refundBySnap(snapAccountOf(account), refund),
    inquireRefund: (account, refund) => inquireRefundBySnap(snapAccountOf(account), refund),
  },
  verifyCallback: (account, request) =>
    verifyNotification(snapAccountOf(account), request, asymmetric(account.credentials.provider_public_key)),
  readCallback: (account, request) => readNotification(midtrans, account, request),
}

const snapAccountOf = ({
  id,
  mode,
  baseUrl,
  credentials: own,
}: ProviderAccount<Credentials>): SnapAccount => ({
  id,
  mode,
  baseUrl,
  profile: midtrans,
  clientId: own.client_id,
  clientSecret: own.client_secret,
  partnerId: own.partner_id,
  merchantId: own.merchant_id,
  channelId: own.channel_id,
  partnerServiceId: own.partner_service_id.trim(),
  choosesNumbers: true,
  privateKey: own.private_key,
  providerPublicKey: own.provider_public_key,
})
