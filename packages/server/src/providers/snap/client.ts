// Transaction calls: headers, the token, and what an answer's code means.

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
  /** Of the first request, and of the one that repeats it with a new token. */
  externalIds: [string, string]
  /** Midtrans wants the token in the body of a wallet payment, too. */
  body: (token: string) => object
  headers?: Record<string, string>
}

/** code: absent where the answer is not SNAP's, or its code does not fit its HTTP status. */
export type SnapAnswer = { status: number; code: string | undefined; words: string; json: unknown }

const digitsOf = (bytes: Buffer): string => BigInt(`0x${bytes.toString('hex')}`).toString()

/** X-EXTERNAL-ID as the standard has it: up to 36 digits, unique in a day. The same each time for one reference. */
export const numericExternalIds = (reference: string): [string, string] => [
  externalId(`${reference}/1`),
  externalId(`${reference}/2`),
]
const externalId = (seed: string) => digitsOf(createHash('sha256').update(seed).digest()).slice(-32)

/** For questions, which may be asked again and again. */
export const freshExternalIds = (): [string, string] => [freshExternalId(), freshExternalId()]
const freshExternalId = () => digitsOf(randomBytes(16)).slice(-32)

/**
 * A charge has PROVIDER_TIMEOUT_MS and 5 s for everything else before the sweep asks what became of it; a call
 * that would set out later than this must not set out at all.
 */
const SEND_WITHIN_MS = 3_000

/** Throws ProviderError `unavailable` where nothing was sent, and `unknown`. */
export async function callSnap(account: SnapAccount, call: SnapCall): Promise<SnapAnswer> {
  const sendBefore = performance.now() + SEND_WITHIN_MS
  const [first, second] = call.externalIds
  const token = await tokenFor(account, call.purpose)
  if (performance.now() > sendBefore) throw new ProviderError('unavailable', 'took too long to issue a token')
  const answer = await send(account, call, first, token)
  if (!isTokenRefused(answer)) return answer
  await dropToken(account, call.purpose, token)
  // A refusal that was long in coming leaves no time for another token, which may take as long again.
  if (performance.now() > sendBefore) return answer
  // 401 comes before anything is done, so that the same order may set out once more.
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

/** 401ss01 invalid, 401ss03 not found (DOKU's list of error responses for SNAP). */
const isTokenRefused = ({ code }: SnapAnswer): boolean => /^401\d\d0[13]$/.test(code ?? '')

export function readAnswer({ status, json }: ProviderAnswer): SnapAnswer {
  const read = snapAnswer.safeParse(json)
  if (!read.success) return { status, code: undefined, words: '', json }
  const { responseCode, responseMessage } = read.data
  // A page of a proxy in between has no code; one whose code contradicts it is of nobody we know.
  const fits = status === 200 || responseCode.startsWith(String(status))
  return { status, code: fits ? responseCode : undefined, words: quoted(responseMessage ?? ''), json }
}

/** 202 where the transaction is still on process. */
export const isSuccess = ({ code }: SnapAnswer): boolean => /^20[02]\d\d00$/.test(code ?? '')

/** 404ss01 transaction, 404ss12 bill not found. */
export const isNotFound = ({ code }: SnapAnswer): boolean => /^404\d\d(01|12)$/.test(code ?? '')

export function errorOf(answer: SnapAnswer): ProviderError {
  const kind = errorKind(answer)
  return new ProviderError(kind, answer.words || `answered ${answer.code ?? answer.status}`)
}

/**
 * dashboard.doku.com technical-references/error-response lists the standard's cases. 409 is a repetition, 404ss18
 * one with other contents, 404ss14 a paid bill: something is there, so that an inquiry must tell. 5xx and 504 may
 * have been done; 503 in SNAP's own form comes before.
 */
export function errorKind({ status, code }: SnapAnswer): ProviderError['kind'] {
  // Whoever refused us, or held us back, did not look at the order.
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
      // 01 feature not allowed, 15 transaction not permitted; 06 only not at this time.
      if (which === '06') return 'unavailable'
      return which === '01' || which === '15' ? 'inactive' : 'declined'
    case '404':
      // 08 invalid merchant, 13 invalid amount.
      if (which === '08') return 'inactive'
      return which === '13' ? 'declined' : 'unknown'
    case '405':
      return 'inactive'
    default:
      return 'unknown'
  }
}
