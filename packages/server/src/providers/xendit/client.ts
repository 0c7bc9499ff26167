// Xendit's URLs, authentication and errors.

import type { ZodType } from 'zod'
import { type ProviderAccount, ProviderError, quoted } from '../provider.ts'
import { type ProviderAnswer, requestProvider } from '../request.ts'
import type { Credentials } from './credentials.ts'
import {
  type CreateRequest,
  failure,
  type Payment,
  type PaymentRequest,
  payment,
  paymentRequest,
  requestList,
  type TransactionList,
  transactionList,
} from './messages.ts'

type Account = ProviderAccount<Credentials>

const HOST = 'https://api.xendit.co'

/** docs.xendit.co create-payment-request: the version that /v3 is documented for. */
const version = { 'api-version': '2024-11-11' }

/** docs.xendit.co api-keys: the secret key as user, no password. */
export const authorization = ({ secret_key }: Pick<Credentials, 'secret_key'>): string =>
  `Basic ${Buffer.from(`${secret_key}:`).toString('base64')}`

const keyModes = { live: 'xnd_production_', test: 'xnd_development_' }

/**
 * The key alone decides whether money moves, so a test key in a live account would let simulated payments be
 * credited as real ones. A stand-in for Xendit has keys of its own.
 */
function assertKeyFits({ mode, baseUrl, credentials }: Account): void {
  const other = keyModes[mode === 'live' ? 'test' : 'live']
  if (baseUrl === null && credentials.secret_key.startsWith(other))
    throw new ProviderError('unavailable', `the secret key is not one for ${mode} payments`)
}

/** Asked once: v3 documents no idempotency key, and a reference may repeat there. */
export async function createPaymentRequest(account: Account, body: CreateRequest): Promise<PaymentRequest> {
  assertKeyFits(account)
  const answer = await requestProvider(
    'charge',
    `${account.baseUrl ?? HOST}/v3/payment_requests`,
    { authorization: authorization(account.credentials), ...version },
    JSON.stringify(body),
  )
  return read(answer, paymentRequest)
}

/** Undefined where Xendit has no such id. */
export const findPaymentRequest = (account: Account, id: string): Promise<PaymentRequest | undefined> =>
  find(account, `/v3/payment_requests/${encodeURIComponent(id)}`, paymentRequest)

export const findPayment = (account: Account, id: string): Promise<Payment | undefined> =>
  find(account, `/v3/payments/${encodeURIComponent(id)}`, payment)

/**
 * v3 documents no list. The one of the API before it (xendit-node getAllPaymentRequests) uses the same ids;
 * whether it shows requests made by v3 is not documented, so nothing follows from an empty one.
 */
export async function findIdByReference(account: Account, reference: string): Promise<string | undefined> {
  const path = `/payment_requests?reference_id=${encodeURIComponent(reference)}`
  const list = await find(account, path, requestList, {})
  const [found, another] = list?.data.filter(each => each.reference_id === reference) ?? []
  return another ? undefined : found?.id
}

/** docs.xendit.co list-transactions names no largest limit; 50 is that of the older lists. */
const TRANSACTIONS_PER_PAGE = 50

/** Payments of the account since then. Undefined where the account has no such list. */
export function listPayments(
  account: Account,
  since: Date,
  afterId: string | undefined,
): Promise<TransactionList | undefined> {
  const query = new URLSearchParams({
    types: 'PAYMENT',
    'created[gte]': since.toISOString(),
    limit: String(TRANSACTIONS_PER_PAGE),
    ...(afterId !== undefined && { after_id: afterId }),
  })
  return find(account, `/transactions?${query}`, transactionList, {})
}

async function find<T>(
  account: Account,
  path: string,
  schema: ZodType<T>,
  headers: Record<string, string> = version,
): Promise<T | undefined> {
  const answer = await requestProvider('inquiry', `${account.baseUrl ?? HOST}${path}`, {
    authorization: authorization(account.credentials),
    ...headers,
  })
  const said = failure.safeParse(answer.json).data
  // Xendit's own 404, not one of a proxy in between.
  if (answer.status === 404 && said?.error_code === 'DATA_NOT_FOUND') return undefined
  return read(answer, schema)
}

function read<T>(answer: ProviderAnswer, schema: ZodType<T>): T {
  const parsed = schema.safeParse(answer.json)
  if (answer.status < 300 && parsed.success) return parsed.data
  const said = failure.safeParse(answer.json).data
  const words = said ? quoted(`${said.error_code}: ${said.message ?? ''}`) : ''
  throw new ProviderError(
    errorKind(answer.status, said?.error_code),
    words === '' ? `answered ${answer.status}` : words,
  )
}

/**
 * docs.xendit.co create-payment-request, rate-limits, and error codes of its older products. Without an
 * error_code it is not Xendit's own refusal, and nothing is certain; but a limiter answers 429 before anything runs.
 * 409 says that the reference is known, so an earlier request may have made it.
 */
export function errorKind(status: number, code: string | undefined): ProviderError['kind'] {
  if (status === 429) return 'unavailable'
  if (code === undefined) return 'unknown'
  // 409 is not the only word for it: Xendit's shop plugins handle EXTERNAL_ID_ALREADY_USED_ERROR, too,
  // under a status that is not documented.
  if (/DUPLICATE|ALREADY|IDEMPOTENCY/.test(code)) return 'unknown'
  switch (code) {
    case 'CHANNEL_NOT_ACTIVATED':
    case 'INVALID_MERCHANT_SETTINGS':
    case 'BANK_NOT_SUPPORTED_ERROR':
      return status === 400 || status === 403 ? 'inactive' : 'unknown'
    // They come before a payment request exists, and another try may pass: a throttled channel, or one whose
    // provider is away (a 503 of these two codes only).
    case 'PAYMENT_REQUEST_RATE_LIMITED':
      return status === 400 ? 'unavailable' : 'unknown'
    case 'CHANNEL_UNAVAILABLE':
    case 'ISSUER_UNAVAILABLE':
      return status === 503 ? 'unavailable' : 'unknown'
    // The payer's own details: sending the same again would be refused again.
    case 'INVALID_PAYMENT_DETAILS':
    case 'ACCOUNT_ACCESS_BLOCKED':
      return status === 400 || status === 403 ? 'declined' : 'unknown'
    // A key without the permission is mended in the dashboard.
    case 'REQUEST_FORBIDDEN_ERROR':
      return status === 403 ? 'unavailable' : 'unknown'
  }
  if (status === 400) return 'invalid'
  if (status === 401) return 'unavailable'
  return status === 403 ? 'declined' : 'unknown'
}
