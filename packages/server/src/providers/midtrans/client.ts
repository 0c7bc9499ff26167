// Midtrans' URLs, authentication and errors.

import { type Charge, type ProviderAccount, ProviderError, quoted } from '../provider.ts'
import { type ProviderAnswer, requestProvider } from '../request.ts'
import type { Credentials } from './credentials.ts'
import { type ChargeRequest, failure, type Transaction, transaction } from './messages.ts'
import { isAbout } from './translate.ts'

const hosts = { live: 'https://api.midtrans.com', test: 'https://api.sandbox.midtrans.com' }

export const urlOf = (account: ProviderAccount<Credentials>, path: string): string =>
  `${account.baseUrl ?? hosts[account.mode]}${path}`

/** docs.midtrans.com/docs/api-authorization-headers: the server key as user, no password. */
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
  const refusal = failure.safeParse(answer.json).data
  // docs.midtrans.com ewallet-ovo: OVO has no user with this phone number, and nothing was created.
  if (order.channel === 'ovo' && refusal?.status_code === '404')
    throw new ProviderError('declined', quoted(refusal.status_message ?? 'answered 404'))
  const taken = readTransaction(answer)
  // Before what it says: a refusal of another order says nothing of this one.
  if (!isAbout(taken, order)) throw new ProviderError('unknown', 'its answer is about another order')
  if (taken.transaction_status === 'deny')
    throw new ProviderError('declined', `refused: ${quoted(taken.status_message ?? 'deny')}`)
  return taken
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
  // Midtrans' own 404, not one of a proxy in between: a wrong `absent` would charge again.
  const said = failure.safeParse(answer.json)
  if (said.success && said.data.status_code === '404') return 'absent'
  return readTransaction(answer)
}

/**
 * docs.midtrans.com/reference/approve-transaction and deny-transaction: POST without a body, for transactions whose
 * fraud_status is challenge; 412 for any other. What the order became, GET status tells.
 */
export async function settleChallenge(
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
 * The code in the body counts, not the HTTP status: a duplicate order is HTTP 200 with `"406"` inside. What is not
 * theirs says nothing of what they did: a proxy's page comes before a request is passed on, or after it.
 */
function codeOf(answer: ProviderAnswer): string {
  const body = failure.safeParse(answer.json)
  if (body.success) return body.data.status_code
  return answer.status === 429 ? '429' : `HTTP ${answer.status}`
}

function readTransaction(answer: ProviderAnswer): Transaction {
  const read = transaction.safeParse(answer.json)
  if (read.success) return read.data
  const code = codeOf(answer)
  const body = failure.safeParse(answer.json)
  const words = quoted(
    body.success ? (body.data.validation_messages ?? [body.data.status_message ?? '']).join('; ') : '',
  )
  throw new ProviderError(errorKind(code), words === '' ? `answered ${code}` : words)
}

/**
 * docs.midtrans.com/reference/code-4xx. 406 says that the order exists, so the charge may have been taken
 * before: that is for an inquiry to tell. 503 and 429 come before anything is created; 500 may not.
 */
export function errorKind(code: string): ProviderError['kind'] {
  switch (code) {
    case '400':
    case '413':
      return 'invalid'
    case '402':
      return 'inactive'
    // deny: the order is there, and over.
    case '202':
    case '403':
    case '410':
    case '411':
      return 'declined'
    // A wrong key, a throttled or closed door: mended on our side or by time, then the same order may pass.
    case '401':
    case '429':
    case '503':
      return 'unavailable'
    default:
      return 'unknown'
  }
}
