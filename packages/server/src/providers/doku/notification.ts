// Verifies and reads DOKU's callbacks: non-SNAP notifications at the account's address, and SNAP token requests
// and notifications on paths below it.

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
import { isTimely, readNotification, symmetric, verifyNotification } from '../snap/notification.ts'
import { tokenSignatureHolds } from '../snap/signature.ts'
import { readOrUnreadable } from '../unreadable-message.ts'
import type { Credentials } from './credentials.ts'
import { isIssued, issueToken, TOKEN_LIFE_S } from './issued-token.ts'
import { transaction } from './messages.ts'
import { profile, snapAccountOf } from './profile.ts'
import { signatureHolds } from './signature.ts'
import { toUpdate } from './translate.ts'

/** The path below the account's address at which DOKU requests a token before it sends a SNAP notification. */
export const TOKEN_ENDPOINT = '/authorization/v1/access-token/b2b'

export function verifyDokuCallback(
  account: ProviderAccount<Credentials>,
  request: CallbackRequest,
): Verification {
  if (endpointOf(account, request.path) === TOKEN_ENDPOINT) return answerTokenCall(account, request)
  if (isNonSnap(request)) return verifyNonSnap(account, request)
  // DOKU may still use a token that was issued before the credentials were replaced, and it may sign with the current
  // or the replaced secret.
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
 * The response that makes DOKU send a callback again: it retries three times after any response other than a 2xx
 * (developers.doku.com retry-notification).
 */
const refusal = { status: 500, contentType: 'application/json', body: '{"message":"FAILED"}' }

/**
 * Answers DOKU's request for a token. It works like developers.doku.com get-token-api/b2b with the roles reversed: DOKU
 * requests the token and signs the request with its key.
 */
function answerTokenCall(
  account: ProviderAccount<Credentials>,
  { headers, receivedAt }: CallbackRequest,
): Verification {
  const { client_id: clientId, provider_public_key: key } = account.credentials
  const { 'x-client-key': given = '', 'x-timestamp': timestamp = '', 'x-signature': signature = '' } = headers
  if (!isEqualSecret(given, clientId)) return { verified: false, reason: 'X-CLIENT-KEY is not ours' }
  if (!isTimely(timestamp, receivedAt))
    return { verified: false, reason: 'X-TIMESTAMP is too old or in the future' }
  if (!tokenSignatureHolds(key, clientId, timestamp, signature))
    return { verified: false, reason: 'X-SIGNATURE is wrong' }
  const body = JSON.stringify({
    responseCode: '2007300',
    responseMessage: 'Successful',
    accessToken: issueToken(account, receivedAt),
    tokenType: 'Bearer',
    expiresIn: TOKEN_LIFE_S,
    additionalInfo: '',
  })
  return { verified: true, reply: { contentType: 'application/json', body } }
}

/**
 * Verifies a non-SNAP notification. The age of Request-Timestamp is not checked, because DOKU does not document whether
 * it signs a retry again, for example a retry after 12 hours or one that was requested in the back office. A replay is
 * harmless, because applying a report is idempotent.
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
