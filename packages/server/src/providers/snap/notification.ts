// What an acquirer posts below our address. X-EXTERNAL-ID need not be remembered: the service applies the same
// report once, however often it comes, so a message that is replayed changes nothing.

import { type CallbackReading, type CallbackRequest, endpointOf, jsonOf, type Reply } from '../provider.ts'
import { orderNotification, vaNotification } from './messages.ts'
import type { Notified, SnapAccount } from './profile.ts'
import { notificationSignatureHolds, type Signed, transactionSignatureHolds } from './signature.ts'
import { ofIso } from './time.ts'
import { orderNotified, vaNotified } from './translate.ts'

/**
 * Midtrans tries again for about six hours, DOKU for twelve, and neither says whether a repetition is signed anew. A
 * genuine message that comes late must count, so a day is allowed; five minutes are for a clock that runs ahead.
 */
const OLDEST_MS = 24 * 3_600_000
const AHEAD_MS = 5 * 60_000

export function isTimely(timestamp: string | undefined, receivedAt: Date): boolean {
  const at = ofIso(timestamp)
  if (!at) return false
  const ageMs = receivedAt.getTime() - at.getTime()
  return ageMs <= OLDEST_MS && ageMs >= -AHEAD_MS
}

/** Whether the signature holds over the request as it is signed with one of these paths. */
export type Verifier = (signed: Signed, signature: string, request: CallbackRequest) => boolean

/** Midtrans: RSA with the provider's key. */
export const asymmetric =
  (providerPublicKey: string): Verifier =>
  (signed, signature) =>
    notificationSignatureHolds(providerPublicKey, signed, signature)

/** DOKU: HMAC with the shared secret, over a token that we issued before. */
export const symmetric =
  (secret: string, isOurs: (token: string, at: Date) => boolean): Verifier =>
  (signed, signature, { headers, receivedAt }) => {
    const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
    return (
      token !== undefined &&
      isOurs(token, receivedAt) &&
      transactionSignatureHolds(secret, token, signed, signature)
    )
  }

export function readNotification(
  account: SnapAccount,
  request: CallbackRequest,
  verify: Verifier,
): CallbackReading {
  const endpoint = endpointOf(account, request.path)
  const kind = Object.hasOwn(account.profile.notifications, endpoint)
    ? (account.profile.notifications[endpoint] as Notified)
    : undefined
  const { 'x-signature': signature, 'x-timestamp': timestamp } = request.headers
  if (!kind || signature === undefined || timestamp === undefined)
    return { verified: false, reason: 'not a SNAP notification' }
  if (!isTimely(timestamp, request.receivedAt))
    return { verified: false, reason: 'X-TIMESTAMP is too old or in the future' }
  // Midtrans signs the standard's path whatever the address, DOKU the path that it calls.
  const holds = [endpoint, request.path].some(path =>
    verify({ path, body: request.body, timestamp }, signature, request),
  )
  if (!holds) return { verified: false, reason: 'X-SIGNATURE does not hold' }
  return kind === 'virtual_account' ? readVa(account, request.body) : readOrder(account, kind, request.body)
}

/** Genuine, but it tells us nothing: it is kept, and answered so that it does not come again. */
const unread = (code: string): CallbackReading => ({
  verified: true,
  reports: [],
  acknowledgement: acknowledge(code),
})

/** Whether Midtrans' key is one for all its merchants is not documented; what it signs names the merchant. */
const forAnother = (account: SnapAccount, merchantId: string | undefined): boolean =>
  account.profile.namesMerchant && merchantId !== undefined && merchantId !== account.merchantId
const refused: CallbackReading = { verified: false, reason: 'it is for another merchant' }

function readVa(account: SnapAccount, body: Buffer): CallbackReading {
  const read = vaNotification.safeParse(jsonOf(body))
  if (!read.success) return unread('2002500')
  const { data: message } = read
  if (forAnother(account, message.additionalInfo?.merchantId ?? message.merchantId)) return refused
  const { partnerServiceId, customerNo, virtualAccountNo, trxId } = message
  const virtualAccountData = { partnerServiceId, customerNo, virtualAccountNo, trxId }
  return {
    verified: true,
    reports: [vaNotified(account, message)],
    acknowledgement: acknowledge('2002500', { virtualAccountData }),
  }
}

function readOrder(account: SnapAccount, kind: Notified, body: Buffer): CallbackReading {
  const code = kind === 'qris' ? '2005200' : '2005600'
  const read = orderNotification.safeParse(jsonOf(body))
  if (!read.success) return unread(code)
  if (forAnother(account, read.data.merchantId ?? read.data.additionalInfo?.merchantId)) return refused
  return { verified: true, reports: [orderNotified(account, read.data)], acknowledgement: acknowledge(code) }
}

const acknowledge = (responseCode: string, more: object = {}): Reply => ({
  contentType: 'application/json',
  body: JSON.stringify({ responseCode, responseMessage: 'Successful', ...more }),
})
