// Verifies and reads the notifications that an acquirer sends to paths below an account's callback address.
// There is no replay check of X-EXTERNAL-ID, because applying a notification twice changes nothing.

import { readMessage, UnreadableError } from '../lenient-fields.ts'
import {
  type CallbackReading,
  type CallbackRequest,
  endpointOf,
  parseProviderJson,
  type Reply,
  type Verification,
} from '../provider.ts'
import { type Refusal, readOrUnreadable } from '../unreadable-message.ts'
import { merchantNamed, orderNotification, vaNotification } from './messages.ts'
import { orderNotified, vaNotified } from './order-update.ts'
import type { Notified, Profile, SnapAccount } from './profile.ts'
import { notificationSignatureHolds, type Signed, transactionSignatureHolds } from './signature.ts'
import { ofIso, toWib } from './time.ts'

/**
 * The maximum age of a notification's timestamp, and how far in the future it may be in case the provider's
 * clock is fast. Midtrans repeats a notification for about 6 hours and DOKU for about 12 hours, possibly with
 * the timestamp of the first attempt.
 */
const OLDEST_MS = 24 * 3_600_000
const AHEAD_MS = 5 * 60_000

export function isTimely(timestamp: string | undefined, receivedAt: Date): boolean {
  const at = ofIso(timestamp)
  if (!at) return false
  const ageMs = receivedAt.getTime() - at.getTime()
  return ageMs <= OLDEST_MS && ageMs >= -AHEAD_MS
}

/** Returns whether a notification's signature is valid for the given path, body and timestamp. */
export type Verifier = (signed: Signed, signature: string, request: CallbackRequest) => boolean

/** Verifies Midtrans' RSA signatures with the provider's public key. */
export const asymmetric =
  (providerPublicKey: string): Verifier =>
  (signed, signature) =>
    notificationSignatureHolds(providerPublicKey, signed, signature)

/** Verifies DOKU's HMAC signatures, which cover an access token issued by this service. */
export const symmetric =
  (secret: string, isOurs: (token: string, at: Date) => boolean): Verifier =>
  (signed, signature, { headers, receivedAt }) => {
    const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
    return (
      token !== undefined &&
      isOurs(token, receivedAt) &&
      transactionSignatureHolds(secret, token, signed, signature)
    )
  }

export function verifyNotification(
  account: SnapAccount,
  request: CallbackRequest,
  verify: Verifier,
): Verification {
  const { 'x-signature': signature, 'x-timestamp': timestamp } = request.headers
  if (
    !methodNotified(account.profile, account, request) ||
    signature === undefined ||
    timestamp === undefined
  )
    return { verified: false, reason: 'not a SNAP notification' }
  if (!isTimely(timestamp, request.receivedAt))
    return { verified: false, reason: 'X-TIMESTAMP is too old or in the future' }
  // Accepts a signature over the path in the SNAP standard or over the path of this request: Midtrans always signs the
  // standard's path, and DOKU signs the path it calls.
  const isSigned = [endpointOf(account, request.path), request.path].some(path =>
    verify({ path, body: request.body, timestamp }, signature, request),
  )
  if (!isSigned) return { verified: false, reason: 'X-SIGNATURE is wrong' }
  return isForAnother(account, request.body)
    ? { verified: false, reason: 'the notification is for another merchant' }
    : { verified: true }
}

/** Returns the payment method whose notifications arrive at the request's path. */
export const methodNotified = (
  { notifications }: Profile,
  account: Pick<SnapAccount, 'id'>,
  { path }: CallbackRequest,
): Notified | undefined => {
  const endpoint = endpointOf(account, path)
  return Object.hasOwn(notifications, endpoint) ? notifications[endpoint] : undefined
}

/**
 * Returns whether a notification is for another merchant. A valid signature does not rule this out, because
 * Midtrans may use one key to sign the notifications of all its merchants.
 */
function isForAnother(account: SnapAccount, body: Buffer): boolean {
  if (!account.profile.namesMerchant) return false
  const named = merchantNamed.safeParse(parseProviderJson(body)).data
  return [named?.merchantId, named?.additionalInfo?.merchantId].some(
    merchantId => merchantId !== undefined && merchantId !== account.merchantId,
  )
}

const SERVICE_CODES: Record<Notified, string> = { virtual_account: '25', qris: '52', e_wallet: '56' }

/** Reads a notification whose signature has been verified. */
export function readNotification(
  profile: Profile,
  account: Pick<SnapAccount, 'id'>,
  request: CallbackRequest,
): CallbackReading {
  const kind = methodNotified(profile, account, request)
  const service = kind ? SERVICE_CODES[kind] : '00'
  return readOrUnreadable(
    () => {
      if (!kind) throw new UnreadableError(`the path ${request.path} is not that of a SNAP notification`)
      return kind === 'virtual_account'
        ? readVa(profile, request)
        : readOrder(profile, `200${service}00`, request)
    },
    { body: request.body, idFields, refusal: refusalOf(service, request) },
  )
}

/**
 * Returns the response that causes an acquirer to send a notification again. Midtrans and DOKU retry after any HTTP
 * status other than 200.
 */
const refusalOf = (service: string, request: CallbackRequest): Refusal => ({
  status: 500,
  ...replyTo(request, { responseCode: `500${service}00`, responseMessage: 'General Error' }),
})

/** Returns a response in SNAP's format. SNAP requires the header X-TIMESTAMP in responses, too. */
export const replyTo = ({ receivedAt }: CallbackRequest, body: object, headers = {}): Reply => ({
  contentType: 'application/json',
  headers: { 'X-TIMESTAMP': toWib(receivedAt), ...headers },
  body: JSON.stringify(body),
})

const idFields = [
  ...['trxId', 'originalPartnerReferenceNo', 'partnerReferenceNo', 'originalReferenceNo', 'referenceNo'],
  ...['paymentRequestId', 'inquiryRequestId', 'virtualAccountNo', 'originalExternalId'],
]

function readVa(profile: Profile, request: CallbackRequest): CallbackReading {
  const message = readMessage(vaNotification, parseProviderJson(request.body))
  const virtualAccountData = Object.fromEntries(profile.acknowledgedVa.map(name => [name, message[name]]))
  return {
    updates: [vaNotified(profile, message)],
    acknowledgement: acknowledge(request, '2002500', { virtualAccountData }),
  }
}

function readOrder(profile: Profile, code: string, request: CallbackRequest): CallbackReading {
  const message = readMessage(orderNotification, parseProviderJson(request.body))
  return { updates: [orderNotified(profile, message)], acknowledgement: acknowledge(request, code) }
}

const acknowledge = (request: CallbackRequest, responseCode: string, more: object = {}): Reply =>
  replyTo(request, { responseCode, responseMessage: 'Successful', ...more })
