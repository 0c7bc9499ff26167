// The client for Xendit. It has the URLs, the authentication and the classification of error codes.

import type { ZodType } from 'zod'
import { type ProviderResponse, requestProvider } from '../http-client.ts'
import { type ProviderAccount, ProviderError, toSafeText } from '../provider.ts'
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

/** The header with the API version that Xendit documents for /v3 (docs.xendit.co create-payment-request). */
const version = { 'api-version': '2024-11-11' }

/**
 * Returns the Authorization header. The secret key is the user name, and the password is empty (docs.xendit.co
 * api-keys).
 */
export const authorization = ({ secret_key }: Pick<Credentials, 'secret_key'>): string =>
  `Basic ${Buffer.from(`${secret_key}:`).toString('base64')}`

const keyModes = { live: 'xnd_production_', test: 'xnd_development_' }

/**
 * Throws if the secret key belongs to another mode than the account. The key alone decides whether money moves, so a
 * test key in a live account would credit simulated payments as real ones. The key is not checked if the account has a
 * baseUrl, because a simulator has its own keys.
 */
function assertKeyFits({ mode, baseUrl, credentials }: Account): void {
  const other = keyModes[mode === 'live' ? 'test' : 'live']
  if (baseUrl === null && credentials.secret_key.startsWith(other))
    throw new ProviderError('unavailable', `the secret key is not one for ${mode} payments`)
}

/** Creates a payment request. It is never retried: v3 documents no idempotency key and allows duplicate references. */
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

/** Finds a payment request. Returns undefined if Xendit has no payment request with this id. */
export const findPaymentRequest = (account: Account, id: string): Promise<PaymentRequest | undefined> =>
  find(account, `/v3/payment_requests/${encodeURIComponent(id)}`, paymentRequest)

export const fetchPayment = (account: Account, id: string): Promise<Payment | undefined> =>
  find(account, `/v3/payments/${encodeURIComponent(id)}`, payment)

/**
 * Finds the id of a payment request by our reference. The API v3 documents no list of payment requests. The list of the
 * previous API (xendit-node getAllPaymentRequests) uses the same ids, but it is not documented whether it includes v3
 * requests, so an empty list does not prove that the request is absent.
 */
export async function findIdByReference(account: Account, reference: string): Promise<string | undefined> {
  const path = `/payment_requests?reference_id=${encodeURIComponent(reference)}`
  const list = await find(account, path, requestList, {})
  const [found, another] = list?.data.filter(each => each.reference_id === reference) ?? []
  return another ? undefined : found?.id
}

/**
 * The number of transactions per page. docs.xendit.co list-transactions documents no maximum, but Xendit's older lists
 * allow 50.
 */
const TRANSACTIONS_PER_PAGE = 50

/** Lists one page of the account's payments since the given time. Returns undefined if the account has no such list. */
export function fetchPaymentPage(
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
  // Only a 404 of Xendit itself counts, not a 404 of a proxy in between.
  if (answer.status === 404 && said?.error_code === 'DATA_NOT_FOUND') return undefined
  return read(answer, schema)
}

function read<T>(answer: ProviderResponse, schema: ZodType<T>): T {
  const parsed = schema.safeParse(answer.json)
  if (answer.status < 300 && parsed.success) return parsed.data
  const said = failure.safeParse(answer.json).data
  const words = said ? toSafeText(`${said.error_code}: ${said.message ?? ''}`) : ''
  throw new ProviderError(
    errorKind(answer.status, said?.error_code),
    words === '' ? `answered ${answer.status}` : words,
  )
}

/**
 * Classifies an error code. The codes are from docs.xendit.co create-payment-request, rate-limits, and the error codes
 * of older products. A response without an error_code is not from Xendit itself, so the outcome is unknown. The
 * exception is 429, which a rate limiter returns before the request is processed. 409 means that the reference exists,
 * so an earlier request may have created it.
 */
export function errorKind(status: number, code: string | undefined): ProviderError['kind'] {
  if (status === 429) return 'unavailable'
  if (code === undefined) return 'unknown'
  // A duplicate may also have a status other than 409: Xendit's shop plugins handle EXTERNAL_ID_ALREADY_USED_ERROR,
  // whose status is not documented.
  if (/DUPLICATE|ALREADY|IDEMPOTENCY/.test(code)) return 'unknown'
  switch (code) {
    case 'CHANNEL_NOT_ACTIVATED':
    case 'INVALID_MERCHANT_SETTINGS':
    case 'BANK_NOT_SUPPORTED_ERROR':
      return status === 400 || status === 403 ? 'inactive' : 'unknown'
    // The channel is rate-limited or unavailable. These errors occur before a payment request is created, and a retry
    // may succeed. A 503 counts as unavailable only with one of these codes.
    case 'PAYMENT_REQUEST_RATE_LIMITED':
      return status === 400 ? 'unavailable' : 'unknown'
    case 'CHANNEL_UNAVAILABLE':
    case 'ISSUER_UNAVAILABLE':
      return status === 503 ? 'unavailable' : 'unknown'
    // Xendit rejects the payer's own details, so it would reject a retry, too.
    case 'INVALID_PAYMENT_DETAILS':
    case 'ACCOUNT_ACCESS_BLOCKED':
      return status === 400 || status === 403 ? 'declined' : 'unknown'
    // The secret key lacks a permission, which the merchant can grant in Xendit's dashboard.
    case 'REQUEST_FORBIDDEN_ERROR':
      return status === 403 ? 'unavailable' : 'unknown'
  }
  if (status === 400) return 'invalid'
  if (status === 401) return 'unavailable'
  return status === 403 ? 'declined' : 'unknown'
}
