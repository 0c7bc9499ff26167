// Sends SNAP requests with their headers and access token, and classifies the response codes.

import { createHash, randomBytes } from 'node:crypto'
import { type ProviderResponse, type Purpose, requestProvider, SEND_WITHIN_MS } from '../http-client.ts'
import { ProviderError, toSafeText } from '../provider.ts'
import { answer as snapAnswer } from './messages.ts'
import type { SnapAccount } from './profile.ts'
import { transactionSignature } from './signature.ts'
import { toWib } from './time.ts'
import { dropToken, hostOf, tokenFor } from './token.ts'

export type SnapCall = {
  purpose: Purpose
  path: string
  /**
   * Two values of the header X-EXTERNAL-ID: one for the first request, and one for its retry with a new
   * token.
   */
  externalIds: [string, string]
  /**
   * Returns the request body. The parameter `token` is the access token, which Midtrans requires in the body
   * of a wallet payment, too.
   */
  body: (token: string) => object
  headers?: Record<string, string>
}

/**
 * An acquirer's (payment provider's) response. `code` is undefined if the response is not in SNAP's format or its
 * code contradicts the HTTP status.
 */
export type SnapAnswer = { status: number; code: string | undefined; words: string; json: unknown }

const digitsOf = (bytes: Buffer): string => BigInt(`0x${bytes.toString('hex')}`).toString()

/**
 * Returns two X-EXTERNAL-IDs in the format required by SNAP: up to 36 digits, unique within a day. The ids
 * are derived from the reference, so the same reference always gets the same ids.
 */
export const numericExternalIds = (reference: string): [string, string] => [
  externalId(`${reference}/1`),
  externalId(`${reference}/2`),
]
const externalId = (seed: string) => digitsOf(createHash('sha256').update(seed).digest()).slice(-32)

/**
 * Returns two random X-EXTERNAL-IDs for a status inquiry, the second one for a retry. They are random because
 * an inquiry can be sent any number of times.
 */
export const freshExternalIds = (): [string, string] => [freshExternalId(), freshExternalId()]
const freshExternalId = () => digitsOf(randomBytes(16)).slice(-32)

/**
 * Sends a request with the account's token. Throws ProviderError: `unavailable` if nothing was sent, and `unknown`
 * otherwise.
 */
export async function callSnap(account: SnapAccount, call: SnapCall): Promise<SnapAnswer> {
  const sendBefore = performance.now() + SEND_WITHIN_MS
  const [first, second] = call.externalIds
  const token = await tokenFor(account, call.purpose)
  if (performance.now() > sendBefore) throw new ProviderError('unavailable', 'took too long to issue a token')
  const answer = await send(account, call, first, token)
  if (!isTokenRefused(answer)) return answer
  await dropToken(account, call.purpose, token)
  // The acquirer rejected the token, but the time limit for sending the request has passed, so no new token
  // is fetched.
  if (performance.now() > sendBefore) return answer
  // The acquirer returns 401 before it creates anything, so the request can safely be sent again.
  const another = await tokenFor(account, call.purpose)
  return performance.now() > sendBefore ? answer : send(account, call, second, another)
}

async function send(
  account: SnapAccount,
  call: SnapCall,
  externalId: string,
  token: string,
): Promise<SnapAnswer> {
  const timestamp = toWib(new Date())
  const body = JSON.stringify(call.body(token))
  const signed = { path: call.path, body: Buffer.from(body), timestamp }
  return readAnswer(
    await requestProvider(
      call.purpose,
      `${hostOf(account)}${call.path}`,
      {
        authorization: `Bearer ${token}`,
        'x-timestamp': timestamp,
        'x-signature': transactionSignature(account.clientSecret, token, signed),
        'x-partner-id': account.partnerId,
        'x-external-id': externalId,
        'channel-id': account.channelId,
        ...call.headers,
      },
      body,
    ),
  )
}

/**
 * Returns whether the acquirer rejected the access token. Code 401ss01 means an invalid token, and 401ss03 means an
 * unknown token (DOKU's list of SNAP error responses). ss is the service code.
 */
const isTokenRefused = ({ code }: SnapAnswer): boolean => /^401\d\d0[13]$/.test(code ?? '')

export function readAnswer({ status, json }: ProviderResponse): SnapAnswer {
  const read = snapAnswer.safeParse(json)
  if (!read.success) return { status, code: undefined, words: '', json }
  const { responseCode, responseMessage } = read.data
  // A response without a code, such as a proxy's error page, does not come from the acquirer (the payment provider). A
  // response whose code contradicts the HTTP status does not come from the acquirer either, so this code is ignored.
  const fits = status === 200 || responseCode.startsWith(String(status))
  return { status, code: fits ? responseCode : undefined, words: toSafeText(responseMessage ?? ''), json }
}

/**
 * Returns whether the request succeeded. The code 202 counts as success, although the transaction is still in
 * progress.
 */
export const isSuccess = ({ code }: SnapAnswer): boolean => /^20[02]\d\d00$/.test(code ?? '')

/**
 * Returns whether the acquirer reports that the order does not exist: 404ss01 (transaction not found) or
 * 404ss12 (bill not found), where ss is the service code.
 */
export const isNotFound = ({ code }: SnapAnswer): boolean => /^404\d\d(01|12)$/.test(code ?? '')

/**
 * Returns whether the acquirer reports that the order has expired: 403ss00 (transaction expired) or 404ss19 (expired
 * bill), where ss is the service code.
 */
export const isExpired = ({ code }: SnapAnswer): boolean => /^(403\d\d00|404\d\d19)$/.test(code ?? '')

export function errorOf(answer: SnapAnswer): ProviderError {
  const kind = errorKind(answer)
  return new ProviderError(kind, answer.words || `answered ${answer.code ?? answer.status}`)
}

/**
 * Returns the error kind for an error code (dashboard.doku.com technical-references/error-response). In the codes
 * below, ss is the service code:
 *
 * - 409 (duplicate), 404ss18 (duplicate with different contents), 404ss14 (bill already paid): an order exists. A
 *   status inquiry determines the outcome.
 * - 5xx: an order may exist. A status inquiry determines the outcome.
 * - 503 in SNAP's format: the payer cannot pay the order, because its payment instructions were not returned.
 */
export function errorKind({ status, code }: SnapAnswer): ProviderError['kind'] {
  // The acquirer rejects a request with invalid credentials (401) or above the rate limit (429) before it processes the
  // order, so no order was created.
  if (code === undefined) return status === 401 || status === 429 ? 'unavailable' : 'unknown'
  const [http, which] = [code.slice(0, 3), code.slice(5)]
  switch (http) {
    case '400':
      return 'invalid'
    case '401':
    case '429':
    case '503':
      return 'unavailable'
    case '403':
      // In SNAP codes with HTTP 403, case 01 means "feature not allowed", and case 15 means "transaction not
      // permitted". Case 06 means "not permitted at this time", so a retry may succeed.
      if (which === '06') return 'unavailable'
      return which === '01' || which === '15' ? 'inactive' : 'declined'
    case '404':
      // In SNAP codes with HTTP 404, case 08 means "invalid merchant", and case 13 means "invalid amount".
      if (which === '08') return 'inactive'
      return which === '13' ? 'declined' : 'unknown'
    case '405':
      return 'inactive'
    default:
      return 'unknown'
  }
}
