// Verifies and reads DOKU's callbacks. Non-SNAP notifications arrive at the account's callback address. SNAP token
// requests and notifications arrive at paths below that address.

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
import { isTimely, readNotification, replyTo, symmetric, verifyNotification } from '../snap/notification.ts'
import { tokenSignatureHolds } from '../snap/signature.ts'
import { readOrUnreadable } from '../unreadable-message.ts'
import type { Credentials } from './credentials.ts'
import { isIssued, issueToken, TOKEN_LIFE_S } from './issued-token.ts'
import { transaction } from './messages.ts'
import { profile, snapAccountOf } from './profile.ts'
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
  if (!isNonSnap(request)) return readNotification(profile, account, request)
  const { body } = request
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
function verifyNonSnap(
  { credentials }: ProviderAccount<Credentials>,
  { path, headers, body }: CallbackRequest,
): Verification {
  const {
    'client-id': clientId = '',
    'request-id': requestId = '',
    'request-timestamp': timestamp = '',
    signature = '',
  } = headers
  if (!isEqualSecret(clientId, credentials.client_id))
    return { verified: false, reason: 'Client-Id is not ours' }
  const component = { clientId, requestId, timestamp, target: path, body }
  return signatureHolds(credentials.secret_key, component, signature)
    ? { verified: true }
    : { verified: false, reason: 'Signature is wrong' }
}
