// HTTP client for DOKU's non-SNAP API: URLs, authentication and error classification.

import { randomUUID } from 'node:crypto'
import { type ProviderResponse, type Purpose, requestProvider } from '../http-client.ts'
import { type ProviderAccount, ProviderError, toSafeText } from '../provider.ts'
import { toUtc } from '../snap/time.ts'
import type { Credentials } from './credentials.ts'
import { failure } from './messages.ts'
import { componentOf, signatureOf } from './signature.ts'

const hosts = { live: 'https://api.doku.com', test: 'https://api-sandbox.doku.com' }

/**
 * Creates a payment code or a virtual account. Later messages about the order contain `requestId` as
 * original_request_id. Throws ProviderError.
 */
export async function createPaymentCode(
  account: ProviderAccount<Credentials>,
  target: string,
  requestId: string,
  body: object,
): Promise<unknown> {
  const answer = await send(account, 'charge', target, requestId, JSON.stringify(body))
  if (answer.status !== 200) throw errorOf(answer)
  return answer.json
}

export async function fetchOrderStatus(
  account: ProviderAccount<Credentials>,
  invoiceNumber: string,
): Promise<unknown> {
  const target = `/orders/v1/status/${encodeURIComponent(invoiceNumber)}`
  const answer = await send(account, 'inquiry', target, randomUUID())
  // A 404 means that the order does not exist (`absent`) only if it has DOKU's own error format. Gateways return a 404
  // with `{"message":…}` for unknown paths. If such a 404 counted as `absent`, the service would charge the payment a
  // second time.
  if (answer.status === 404 && failure.safeParse(answer.json).data?.error !== undefined) return 'absent'
  if (answer.status !== 200) throw errorOf(answer)
  return answer.json
}

function send(
  { baseUrl, mode, credentials }: ProviderAccount<Credentials>,
  purpose: Purpose,
  target: string,
  requestId: string,
  body?: string,
): Promise<ProviderResponse> {
  const clientId = credentials.client_id
  const timestamp = toUtc(new Date())
  const component = componentOf({
    clientId,
    requestId,
    timestamp,
    target,
    body: body === undefined ? undefined : Buffer.from(body),
  })
  return requestProvider(
    purpose,
    `${baseUrl ?? hosts[mode]}${target}`,
    {
      'client-id': clientId,
      'request-id': requestId,
      'request-timestamp': timestamp,
      signature: signatureOf(credentials.secret_key, component),
    },
    body,
  )
}

function errorOf(answer: ProviderResponse): ProviderError {
  const read = failure.safeParse(answer.json)
  const words = read.success ? wordsOf(read.data) : undefined
  return new ProviderError(
    errorKind(answer.status, words, read.data?.error !== undefined),
    toSafeText(words ?? '') || `answered ${answer.status}`,
  )
}

function wordsOf(data: { error?: unknown; message?: unknown }): string {
  const { code, message } = (data.error ?? data) as { code?: string; message?: string | string[] }
  return [code, message].flat().filter(Boolean).join('; ')
}

/**
 * Returns the kind of error that an error response means. `words` is DOKU's error text, or undefined if DOKU did not
 * send the response. DOKU documents few errors, so only 400 and 422 (invalid request) and 403 (inactive merchant) count
 * as definite rejections. A 503 shows that the order cannot be paid only if its text is from DOKU's `error` object
 * (`hasErrorObject`). Any other 503 may be from a gateway.
 */
export function errorKind(
  status: number,
  words: string | undefined,
  hasErrorObject: boolean,
): ProviderError['kind'] {
  if (status === 401 || status === 429) return 'unavailable'
  if (words === undefined || /duplicat|already|exist|\bused\b|taken/i.test(words)) return 'unknown'
  switch (status) {
    case 400:
    case 422:
      if (/inactive|not.?(active|permitted|allowed)/i.test(words)) return 'inactive'
      return /invalid|validation|mandatory|required|format/i.test(words) ? 'invalid' : 'declined'
    case 403:
      return 'inactive'
    case 503:
      return hasErrorObject ? 'unavailable' : 'unknown'
    default:
      return 'unknown'
  }
}
