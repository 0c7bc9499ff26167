// Midtrans BI-SNAP: Bank Indonesia's standard as Midtrans speaks it. NOTES.md has the quirks.

import type { Channel, Provider, ProviderAccount } from '../provider.ts'
import { chargeBySnap } from './charge.ts'
import { type Credentials, credentials } from './credentials.ts'
import { inquireBySnap } from './inquire.ts'
import { asymmetric, readNotification, verifyNotification } from './notification.ts'
import { midtrans, type SnapAccount } from './profile.ts'

const DAY = 24 * 60

const channel = (code: string, name: string, maxExpiryMinutes: number): Channel => ({
  code,
  name,
  limits: { wholeRupiah: true, minExpiryMinutes: 1, maxExpiryMinutes },
})

export const snap: Provider<Credentials> = {
  code: 'snap',
  name: 'Midtrans BI-SNAP',
  methods: [
    {
      type: 'virtual_account',
      // No longest time is documented for SNAP; Midtrans' other API has 180 days.
      channels: [
        channel('bca', 'BCA', 180 * DAY),
        channel('bni', 'BNI', 180 * DAY),
        channel('bri', 'BRI', 180 * DAY),
        channel('mandiri', 'Mandiri', 180 * DAY),
        channel('permata', 'Permata', 180 * DAY),
        channel('cimb', 'CIMB Niaga', 180 * DAY),
        channel('danamon', 'Danamon', 180 * DAY),
      ],
    },
    { type: 'qris', channels: [channel('qris', 'QRIS', 7 * DAY)] },
    {
      type: 'e_wallet',
      // docs.midtrans.com direct-debit-api-gopay.
      channels: [
        channel('gopay', 'GoPay', 180 * DAY),
        channel('shopeepay', 'ShopeePay', 5 * DAY),
        channel('dana', 'DANA', DAY),
      ],
    },
  ],
  credentials,

  charge: (account, order) => chargeBySnap(snapAccountOf(account), order),
  inquire: (account, inquiry) => inquireBySnap(snapAccountOf(account), inquiry),
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
  partnerServiceId: own.partner_service_id,
  privateKey: own.private_key,
  providerPublicKey: own.provider_public_key,
})
