// Verifies and reads DOKU's callbacks. Non-SNAP notifications arrive at the account's callback address. SNAP token
// requests and notifications arrive at paths below that address, as do all forms of DOKU's QRIS notification.

import { isEqualSecret } from '../../values/equal-secret.ts'
import { readMessage } from '../lenient-fields.ts'
import {
  type CallbackReading,
  type CallbackRequest,
  endpointOf,
  type ProviderAccount,
  parseProviderJson,
  type Verification,
} from '../provider.ts'
import {
  isTimely,
  methodNotified,
  readNotification,
  replyTo,
  symmetric,
  verifyNotification,
} from '../snap/notification.ts'
import { tokenSignatureHolds } from '../snap/signature.ts'
import { readOrUnreadable } from '../unreadable-message.ts'
import type { Credentials } from './credentials.ts'
import { isIssued, issueToken, TOKEN_LIFE_S } from './issued-token.ts'
import { transaction } from './messages.ts'
import { profile, snapAccountOf } from './profile.ts'
import { qrisHintIn, readQrisHint, verifyQrisHint } from './qris-hint.ts'
import { signatureHolds } from './signature.ts'
import { toUpdate } from './translate.ts'

/** The path below the account's callback address where DOKU requests a token before it sends a SNAP notification. */
export const TOKEN_ENDPOINT = '/authorization/v1/access-token/b2b'

export function verifyDokuCallback(
  account: ProviderAccount<Credentials>,
  request: CallbackRequest,
): Verification {
  if (endpointOf(account, request.path) === TOKEN_ENDPOINT) return answerTokenCall(account, request)
  if (isNonSnap(request)) return verifyNonSnap(account, request)
  const hint = qrisHintIn(account, request)
  if (hint) return verifyQrisHint(account, hint)
  // After the credentials were replaced, DOKU may still use a token that was issued with the old credentials. The
  // notification's signature may be made with the old or the new secret.
  const issuers = [account.credentials, ...(account.otherCredentials ?? [])]
  const verify = symmetric(account.credentials.secret_key, (token, at) =>
    issuers.some(credentials => isIssued({ id: account.id, credentials }, token, at)),
  )
  return verifyNotification(snapAccountOf(account), request, verify)
}

export function readDokuCallback(
  account: Pick<ProviderAccount<unknown>, 'id'>,
  request: CallbackRequest,
): CallbackReading {
  const { body } = request
  if (!isNonSnap(request)) {
    const hint = qrisHintIn(account, request)
    return hint ? readQrisHint(hint) : readNotification(profile, account, request)
  }
  return readOrUnreadable(
    () => ({
      updates: [toUpdate(readMessage(transaction, parseProviderJson(body)))],
      acknowledgement: { contentType: 'application/json', body: '{"message":"OK"}' },
    }),
    { body, idFields: ['invoice_number', 'original_request_id'], refusal },
  )
}

const isNonSnap = ({ headers }: CallbackRequest): boolean => headers.signature !== undefined

/**
 * The response that makes DOKU send a callback again. DOKU retries three times after any response other than 2xx
 * (developers.doku.com retry-notification).
 */
const refusal = { status: 500, contentType: 'application/json', body: '{"message":"FAILED"}' }

/**
 * Responds to DOKU's request for an access token. DOKU signs the request with its key. The protocol is
 * developers.doku.com get-token-api/b2b with the roles reversed.
 */
function answerTokenCall(account: ProviderAccount<Credentials>, request: CallbackRequest): Verification {
  const { headers, receivedAt } = request
  const { client_id: clientId, provider_public_key: key } = account.credentials
  const { 'x-client-key': given = '', 'x-timestamp': timestamp = '', 'x-signature': signature = '' } = headers
  if (!isEqualSecret(given, clientId)) return { verified: false, reason: 'X-CLIENT-KEY is not ours' }
  if (!isTimely(timestamp, receivedAt))
    return { verified: false, reason: 'X-TIMESTAMP is too old or in the future' }
  if (!tokenSignatureHolds(key, clientId, timestamp, signature))
    return { verified: false, reason: 'X-SIGNATURE is wrong' }
  const body = {
    responseCode: '2007300',
    responseMessage: 'Successful',
    accessToken: issueToken(account, receivedAt),
    tokenType: 'Bearer',
    expiresIn: TOKEN_LIFE_S,
    additionalInfo: '',
  }
  return { verified: true, reply: replyTo(request, body, { 'X-CLIENT-KEY': clientId }) }
}

/**
 * Verifies a non-SNAP notification. DOKU does not document whether a retry gets a new Request-Timestamp, so the
 * notification's age is not checked. A replayed notification changes nothing.
 */
function verifyNonSnap(account: ProviderAccount<Credentials>, request: CallbackRequest): Verification {
  const {
    'client-id': clientId = '',
    'request-id': requestId = '',
    'request-timestamp': timestamp = '',
    signature = '',
  } = request.headers
  const { ids, keys } = signersOf(account, request)
  if (!ids.some(id => isEqualSecret(clientId, id)))
    return { verified: false, reason: 'Client-Id is not ours' }
  const component = { clientId, requestId, timestamp, target: request.path, body: request.body }
  return keys.some(key => signatureHolds(key, component, signature))
    ? { verified: true }
    : { verified: false, reason: 'Signature is wrong' }
}

/**
 * Returns the client IDs and keys with which DOKU may have signed a non-SNAP notification. DOKU issues separate QRIS
 * credentials, whose client ID is the `qris_merchant_id`. They are valid only for QRIS notifications.
 */
function signersOf(
  account: ProviderAccount<Credentials>,
  request: CallbackRequest,
): { ids: string[]; keys: string[] } {
  const { client_id, secret_key, qris_merchant_id, qris_shared_key } = account.credentials
  const hasQrisKey = qris_merchant_id !== undefined && qris_shared_key !== undefined
  return hasQrisKey && methodNotified(profile, account, request) === 'qris'
    ? { ids: [client_id, qris_merchant_id], keys: [secret_key, qris_shared_key] }
    : { ids: [client_id], keys: [secret_key] }
}
