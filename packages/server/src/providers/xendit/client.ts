// HTTP client for Xendit: URLs, authentication and classification of errors.

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
 * Throws if the secret key is for another mode than the account. The key alone selects the mode, so a test key in a
 * live account would credit simulated payments as real money. Accounts with a baseUrl are not checked, because
 * simulators have their own keys.
 */
function assertKeyFits({ mode, baseUrl, credentials }: Account): void {
  const other = keyModes[mode === 'live' ? 'test' : 'live']
  if (baseUrl === null && credentials.secret_key.startsWith(other))
    throw new ProviderError('unavailable', `the secret key is not one for ${mode} payments`)
}

/**
 * Creates a payment request. Never retried, because v3 documents no idempotency key and allows duplicate references.
 */
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

/** Returns a payment request by its id, or undefined if Xendit has none. */
export const findPaymentRequest = (account: Account, id: string): Promise<PaymentRequest | undefined> =>
  find(account, `/v3/payment_requests/${encodeURIComponent(id)}`, paymentRequest)

export const fetchPayment = (account: Account, id: string): Promise<Payment | undefined> =>
  find(account, `/v3/payments/${encodeURIComponent(id)}`, payment)

/**
 * Finds the id of a payment request by our reference. v3 documents no list, so this uses the list of the previous API
 * (xendit-node getAllPaymentRequests). That list may lack v3 requests, so an empty list does not prove that the request
 * is absent.
 */
export async function findIdByReference(account: Account, reference: string): Promise<string | undefined> {
  const path = `/payment_requests?reference_id=${encodeURIComponent(reference)}`
  const list = await find(account, path, requestList, {})
  const [found, another] = list?.data.filter(each => each.reference_id === reference) ?? []
  return another ? undefined : found?.id
}

/**
 * The number of transactions per page. docs.xendit.co list-transactions documents no maximum; Xendit's older lists
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
  // Only a 404 in Xendit's own format counts, because a proxy in between can return a 404, too.
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
 * Classifies an error code (docs.xendit.co create-payment-request, rate-limits; error codes of older products). Without
 * an error_code, the response is not from Xendit, so the outcome is unknown. The exception is 429, which is sent before
 * a request is processed. 409 means a duplicate reference: an earlier request may have created the order.
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
    // The channel is rate-limited or unavailable. Xendit created nothing, and a retry may succeed. Any other 503 leaves
    // the outcome unknown.
    case 'PAYMENT_REQUEST_RATE_LIMITED':
      return status === 400 ? 'unavailable' : 'unknown'
    case 'CHANNEL_UNAVAILABLE':
    case 'ISSUER_UNAVAILABLE':
      return status === 503 ? 'unavailable' : 'unknown'
    // Xendit rejected the payer's details, so a retry would be rejected, too.
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
