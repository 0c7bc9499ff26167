// Sends SNAP transaction requests with their headers and token, and classifies the response codes.

import { createHash, randomBytes } from 'node:crypto'
import { ProviderError, quoted } from '../provider.ts'
import { type ProviderAnswer, type Purpose, requestProvider } from '../request.ts'
import { answer as snapAnswer } from './messages.ts'
import type { SnapAccount } from './profile.ts'
import { transactionSignature } from './signature.ts'
import { toWib } from './time.ts'
import { dropToken, hostOf, tokenFor } from './token.ts'

export type SnapCall = {
  purpose: Purpose
  path: string
  /** For the first request, and for its retry with a new token. */
  externalIds: [string, string]
  /** Midtrans also requires the token in the body of a wallet payment. */
  body: (token: string) => object
  headers?: Record<string, string>
}

/** code: undefined if the response is not SNAP's, or if the code contradicts the HTTP status. */
export type SnapAnswer = { status: number; code: string | undefined; words: string; json: unknown }

const digitsOf = (bytes: Buffer): string => BigInt(`0x${bytes.toString('hex')}`).toString()

/** X-EXTERNAL-ID as in the standard: up to 36 digits, unique within a day. Always the same for one reference. */
export const numericExternalIds = (reference: string): [string, string] => [
  externalId(`${reference}/1`),
  externalId(`${reference}/2`),
]
const externalId = (seed: string) => digitsOf(createHash('sha256').update(seed).digest()).slice(-32)

/** For inquiries, which may be repeated any number of times. */
export const freshExternalIds = (): [string, string] => [freshExternalId(), freshExternalId()]
const freshExternalId = () => digitsOf(randomBytes(16)).slice(-32)

/**
 * The sweep inquires about a charge PROVIDER_TIMEOUT_MS + 5 s after it started. A request is sent only in the first
 * SEND_WITHIN_MS, so that it always ends before that inquiry.
 */
const SEND_WITHIN_MS = 3_000

/** Throws ProviderError: `unavailable` if nothing was sent, otherwise `unknown`. */
export async function callSnap(account: SnapAccount, call: SnapCall): Promise<SnapAnswer> {
  const sendBefore = performance.now() + SEND_WITHIN_MS
  const [first, second] = call.externalIds
  const token = await tokenFor(account, call.purpose)
  if (performance.now() > sendBefore) throw new ProviderError('unavailable', 'took too long to issue a token')
  const answer = await send(account, call, first, token)
  if (!isTokenRefused(answer)) return answer
  await dropToken(account, call.purpose, token)
  // After a slow rejection there is no time to fetch another token.
  if (performance.now() > sendBefore) return answer
  // A 401 is returned before anything is done, so the same order can be sent again.
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

/** 401ss01 is an invalid token, 401ss03 an unknown one (DOKU's list of SNAP error responses). */
const isTokenRefused = ({ code }: SnapAnswer): boolean => /^401\d\d0[13]$/.test(code ?? '')

export function readAnswer({ status, json }: ProviderAnswer): SnapAnswer {
  const read = snapAnswer.safeParse(json)
  if (!read.success) return { status, code: undefined, words: '', json }
  const { responseCode, responseMessage } = read.data
  // An error page from a proxy has no code. A code that contradicts the HTTP status is not the acquirer's.
  const fits = status === 200 || responseCode.startsWith(String(status))
  return { status, code: fits ? responseCode : undefined, words: quoted(responseMessage ?? ''), json }
}

/** 202 means that the transaction is still in progress. */
export const isSuccess = ({ code }: SnapAnswer): boolean => /^20[02]\d\d00$/.test(code ?? '')

/** 404ss01: transaction not found. 404ss12: bill not found. */
export const isNotFound = ({ code }: SnapAnswer): boolean => /^404\d\d(01|12)$/.test(code ?? '')

export function errorOf(answer: SnapAnswer): ProviderError {
  const kind = errorKind(answer)
  return new ProviderError(kind, answer.words || `answered ${answer.code ?? answer.status}`)
}

/**
 * dashboard.doku.com technical-references/error-response lists the standard's cases. 409 is a duplicate,
 * 404ss18 a duplicate with other contents, and 404ss14 a paid bill: an order exists, so an inquiry must decide.
 * After other 5xx the request may have been processed; 503 in SNAP's own format is returned before that.
 */
export function errorKind({ status, code }: SnapAnswer): ProviderError['kind'] {
  // Authentication failures and rate limits are returned before the order is processed.
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
      // 01 is feature not allowed, 15 transaction not permitted. 06 is not permitted at this time only.
      if (which === '06') return 'unavailable'
      return which === '01' || which === '15' ? 'inactive' : 'declined'
    case '404':
      // 08 is invalid merchant, 13 invalid amount.
      if (which === '08') return 'inactive'
      return which === '13' ? 'declined' : 'unknown'
    case '405':
      return 'inactive'
    default:
      return 'unknown'
  }
}
