// HTTP client for Midtrans: URLs, authentication and error classification.

import { type ProviderResponse, requestProvider } from '../http-client.ts'
import { type Charge, type ProviderAccount, ProviderError, toSafeText } from '../provider.ts'
import type { Credentials } from './credentials.ts'
import {
  type ChargeRequest,
  failure,
  type RefundAnswer,
  type RefundRequest,
  refundAnswer,
  type Transaction,
  transaction,
} from './messages.ts'
import { isAbout } from './translate.ts'

const hosts = { live: 'https://api.midtrans.com', test: 'https://api.sandbox.midtrans.com' }

export const urlOf = (account: ProviderAccount<Credentials>, path: string): string =>
  `${account.baseUrl ?? hosts[account.mode]}${path}`

/**
 * Returns the Authorization header. The server key is the user name, and the password is empty
 * (docs.midtrans.com/docs/api-authorization-headers).
 */
export const authorization = (credentials: Credentials): string =>
  `Basic ${Buffer.from(`${credentials.server_key}:`).toString('base64')}`

export async function charge(
  account: ProviderAccount<Credentials>,
  body: ChargeRequest,
  order: Charge,
): Promise<Transaction> {
  const answer = await requestProvider(
    'charge',
    urlOf(account, '/v2/charge'),
    {
      authorization: authorization(account.credentials),
      'idempotency-key': order.reference,
      'x-override-notification': order.callbackUrl,
    },
    JSON.stringify(body),
  )
  if (order.channel === 'ovo') rejectOvo(answer)
  const taken = readTransaction(answer)
  // First checks that the response is about this order, because the status of another order would be wrong.
  if (!isAbout(taken, order)) throw new ProviderError('unknown', 'the response is for a different order')
  if (taken.transaction_status === 'deny')
    throw new ProviderError('declined', `refused: ${toSafeText(taken.status_message ?? 'deny')}`)
  return taken
}

/**
 * Throws if the response to an OVO charge has the code 404 or 503. For OVO, these errors mean something else than
 * for other channels.
 */
function rejectOvo({ json }: ProviderResponse): void {
  const { status_code: code, status_message: words } = failure.safeParse(json).data ?? {}
  // If OVO has no user with the payer's phone number, Midtrans creates no order, so the charge is declined
  // (docs.midtrans.com ewallet-ovo).
  if (code === '404') throw new ProviderError('declined', toSafeText(words ?? 'answered 404'))
  // OVO may already have asked the payer to pay on their phone, so a second charge could make the payer pay twice.
  if (code === '503') throw new ProviderError('unknown', toSafeText(words ?? 'answered 503'))
}

export async function status(
  account: ProviderAccount<Credentials>,
  reference: string,
): Promise<Transaction | 'absent'> {
  const answer = await requestProvider(
    'inquiry',
    urlOf(account, `/v2/${encodeURIComponent(reference)}/status`),
    {
      authorization: authorization(account.credentials),
    },
  )
  // Only a 404 response in Midtrans' own format counts as `absent`. A proxy can also return a 404, and a wrong `absent`
  // would cause a second charge.
  const said = failure.safeParse(answer.json)
  if (said.success && said.data.status_code === '404') return 'absent'
  return readTransaction(answer)
}

/**
 * Requests a refund and returns Midtrans' response, whatever its code. One endpoint serves all channels
 * (docs.midtrans.com refund-transaction). No Idempotency-Key is sent, because a retry after a low-balance error
 * would then get the stored error again. Midtrans recognizes a repeated request by its refund_key.
 */
export async function requestRefund(
  account: ProviderAccount<Credentials>,
  reference: string,
  body: RefundRequest,
): Promise<RefundAnswer> {
  const answer = await requestProvider(
    'charge',
    urlOf(account, `/v2/${encodeURIComponent(reference)}/refund`),
    { authorization: authorization(account.credentials) },
    JSON.stringify(body),
  )
  const read = refundAnswer.safeParse(answer.json)
  if (!read.success) throw new ProviderError('unknown', `answered HTTP ${answer.status}`)
  return read.data
}

/**
 * Approves or denies a transaction that Midtrans holds for fraud review
 * (docs.midtrans.com/reference/approve-transaction and deny-transaction). Midtrans returns 412 unless
 * fraud_status is `challenge`. A status inquiry shows the result.
 */
export async function decideChallenge(
  account: ProviderAccount<Credentials>,
  reference: string,
  verdict: 'approve' | 'deny',
): Promise<void> {
  const answer = await requestProvider(
    'inquiry',
    urlOf(account, `/v2/${encodeURIComponent(reference)}/${verdict}`),
    { authorization: authorization(account.credentials) },
    '',
  )
  const code = codeOf(answer)
  if (code !== '200') throw new ProviderError(errorKind(code), `answered ${code}`)
}

/**
 * Returns the status code in the response body, because Midtrans responds to a duplicate order with HTTP 200 and
 * `"406"` in the body. If the body has no such code, such as a proxy's error page, returns `429` for HTTP status 429,
 * and otherwise the text `HTTP` with the HTTP status.
 */
function codeOf(answer: ProviderResponse): string {
  const body = failure.safeParse(answer.json)
  if (body.success) return body.data.status_code
  return answer.status === 429 ? '429' : `HTTP ${answer.status}`
}

function readTransaction(answer: ProviderResponse): Transaction {
  const read = transaction.safeParse(answer.json)
  if (read.success) return read.data
  const code = codeOf(answer)
  const body = failure.safeParse(answer.json)
  const words = toSafeText(
    body.success ? (body.data.validation_messages ?? [body.data.status_message ?? '']).join('; ') : '',
  )
  throw new ProviderError(errorKind(code), words === '' ? `answered ${code}` : words)
}

/**
 * Returns the error kind for a code from docs.midtrans.com/reference/code-4xx:
 *
 * - 406: the order exists. Only a status inquiry shows whether an earlier charge was accepted.
 * - 429: no order was created.
 * - 500: an order may have been created.
 * - 503: an order may have been created, but the payer cannot pay it, because its payment instructions were not
 *   returned. An OVO payment needs no instructions, so rejectOvo reads a 503 differently.
 */
export function errorKind(code: string): ProviderError['kind'] {
  switch (code) {
    case '400':
    case '413':
      return 'invalid'
    case '402':
      return 'inactive'
    // Code 202 means denied: the order exists but can no longer be paid.
    case '202':
    case '403':
    case '410':
    case '411':
      return 'declined'
    // The key is wrong (401), a rate limit was exceeded (429), or Midtrans cannot reach the bank (503). A later retry
    // may succeed.
    case '401':
    case '429':
    case '503':
      return 'unavailable'
    default:
      return 'unknown'
  }
}
