// HTTP client for Xendit: URLs, authentication and error classification.

import type { ZodType } from 'zod'
import { type ProviderResponse, requestProvider } from '../http-client.ts'
import { type Inquiry, type ProviderAccount, ProviderError, toSafeText } from '../provider.ts'
import type { Credentials } from './credentials.ts'
import {
  type CreateRequest,
  dispute,
  failure,
  type Payment,
  type PaymentRequest,
  payment,
  paymentRequest,
  type RefundRequest,
  refundList,
  requestList,
  type TransactionList,
  transactionList,
  type XenditDispute,
  type XenditRefund,
} from './messages.ts'

type Account = ProviderAccount<Credentials>

const HOST = 'https://api.xendit.co'

/**
 * The request header with the API version that Xendit documents for /v3 (docs.xendit.co
 * create-payment-request).
 */
const version = { 'api-version': '2024-11-11' }

/**
 * Returns the Authorization header. The secret key is the user name, and the password is empty (docs.xendit.co
 * api-keys).
 */
export const authorization = ({ secret_key }: Pick<Credentials, 'secret_key'>): string =>
  `Basic ${Buffer.from(`${secret_key}:`).toString('base64')}`

const keyModes = { live: 'xnd_production_', test: 'xnd_development_' }

/**
 * Throws an error if the secret key is for test mode and the account is for live mode, or vice versa. A test
 * key in a live account would credit simulated payments as real money. If an account has a baseUrl, its key
 * is not checked, because simulators use other keys.
 */
function assertKeyFits({ mode, baseUrl, credentials }: Account): void {
  const other = keyModes[mode === 'live' ? 'test' : 'live']
  if (baseUrl === null && credentials.secret_key.startsWith(other))
    throw new ProviderError(
      'unavailable',
      `the secret key belongs to the other mode and cannot be used for ${mode} payments`,
    )
}

/**
 * Creates a payment request. The request is never retried, because v3 documents no idempotency key and allows duplicate
 * references.
 */
export async function createPaymentRequest(account: Account, body: CreateRequest): Promise<PaymentRequest> {
  assertKeyFits(account)
  const answer = await requestProvider(
    'charge',
    `${account.baseUrl ?? HOST}/v3/payment_requests`,
    { authorization: authorization(account.credentials), ...version },
    JSON.stringify(body),
  )
  // OVO may already have asked the payer to pay on their phone, so a second charge could make the payer pay twice.
  if (answer.status === 503 && body.channel_code === 'OVO')
    throw new ProviderError('unknown', wordsOf(answer))
  return read(answer, paymentRequest)
}

export const findPaymentRequest = (account: Account, id: string): Promise<PaymentRequest | undefined> =>
  find(account, `/v3/payment_requests/${encodeURIComponent(id)}`, paymentRequest)

export const fetchPayment = (account: Account, id: string): Promise<Payment | undefined> =>
  find(account, `/v3/payments/${encodeURIComponent(id)}`, payment)

/**
 * Finds a payment request's id by our reference. Because v3 documents no list, this function reads the previous API's
 * list (xendit-node getAllPaymentRequests). This list may lack v3 requests, so an empty list does not prove that the
 * request does not exist.
 */
async function findIdByReference(account: Account, reference: string): Promise<string | undefined> {
  const path = `/payment_requests?reference_id=${encodeURIComponent(reference)}`
  const list = await find(account, path, requestList, {})
  const [found, another] = list?.data.filter(each => each.reference_id === reference) ?? []
  return another ? undefined : found?.id
}

/**
 * Returns the payment request's v3 id. If providerPaymentId is not a v3 id, as in webhooks from older products, the
 * payment request is found by our reference.
 */
export async function findPaymentRequestId(
  account: Account,
  { providerPaymentId, reference }: Pick<Inquiry, 'providerPaymentId' | 'reference'>,
): Promise<string | undefined> {
  return providerPaymentId?.startsWith('pr-') ? providerPaymentId : findIdByReference(account, reference)
}

/**
 * The number of transactions per page. docs.xendit.co list-transactions documents no maximum. Xendit's older lists
 * allow 50, so we use this number.
 */
const TRANSACTIONS_PER_PAGE = 50

/**
 * Returns one page of the account's payments since the given time. Returns undefined if Xendit responds that the list
 * does not exist.
 */
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

/**
 * Requests a refund and returns Xendit's response, regardless of its status. The idempotency key is sent because
 * the official clients send one (xendit-node createRefund), although Xendit's page does not mention it. POST
 * /refunds needs no api-version header.
 */
export async function requestRefund(account: Account, body: RefundRequest): Promise<ProviderResponse> {
  assertKeyFits(account)
  return requestProvider(
    'charge',
    `${account.baseUrl ?? HOST}/refunds`,
    { authorization: authorization(account.credentials), 'idempotency-key': body.reference_id },
    JSON.stringify(body),
  )
}

/** The maximum number of refund pages to read. A payment has few refunds, so a longer list is treated as an error. */
const MAX_REFUND_PAGES = 10

/** Returns all of a payment request's refunds. Throws a ProviderError if the whole list cannot be read. */
export async function listRefunds(account: Account, paymentRequestId: string): Promise<XenditRefund[]> {
  const refunds: XenditRefund[] = []
  for (let page = 0; page < MAX_REFUND_PAGES; page++) {
    const last = refunds.at(-1)?.id
    const query = new URLSearchParams({
      payment_request_id: paymentRequestId,
      limit: '100',
      ...(last !== undefined && { after_id: last }),
    })
    const list = await find(account, `/refunds?${query}`, refundList, {})
    if (!list) throw new ProviderError('unknown', 'the provider does not find the payment')
    refunds.push(...list.data)
    if (!list.has_more || list.data.length === 0) return refunds
  }
  throw new ProviderError('unknown', 'the list of refunds has no end')
}

/** Returns a dispute, or undefined if Xendit does not find it (docs.xendit.co manage-disputes-via-api). */
export const fetchDispute = (account: Account, id: string): Promise<XenditDispute | undefined> =>
  find(account, `/v1/disputes/${encodeURIComponent(id)}`, dispute, {})

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
  // Only a 404 in Xendit's format means that the object does not exist. Any other 404 may come from a proxy.
  if (answer.status === 404 && said?.error_code === 'DATA_NOT_FOUND') return undefined
  return read(answer, schema)
}

/** Describes an error response, for logs and error messages. */
export function wordsOf({ status, json }: ProviderResponse): string {
  const said = failure.safeParse(json).data
  return said ? toSafeText(`${said.error_code}: ${said.message ?? ''}`) : `answered ${status}`
}

function read<T>(answer: ProviderResponse, schema: ZodType<T>): T {
  const parsed = schema.safeParse(answer.json)
  if (answer.status < 300 && parsed.success) return parsed.data
  const said = failure.safeParse(answer.json).data
  throw new ProviderError(errorKind(answer.status, said?.error_code), wordsOf(answer))
}

/**
 * Classifies an error response by its HTTP status and error code (docs.xendit.co create-payment-request, rate-limits;
 * error codes of older products):
 *
 * - 429: Xendit has not processed the request. This also applies without an error_code.
 * - Any other response without an error_code: the response is not from Xendit, so the outcome is unknown.
 * - 409 (duplicate reference): the outcome is unknown, because an earlier request may have created the order.
 */
export function errorKind(status: number, code: string | undefined): ProviderError['kind'] {
  if (status === 429) return 'unavailable'
  if (code === undefined) return 'unknown'
  // A duplicate is recognized by the error code, because its HTTP status may differ from 409. For example,
  // Xendit's shop plugins handle EXTERNAL_ID_ALREADY_USED_ERROR, whose status is not documented.
  if (/DUPLICATE|ALREADY|IDEMPOTENCY/.test(code)) return 'unknown'
  switch (code) {
    case 'CHANNEL_NOT_ACTIVATED':
    case 'INVALID_MERCHANT_SETTINGS':
    case 'BANK_NOT_SUPPORTED_ERROR':
      return status === 400 || status === 403 ? 'inactive' : 'unknown'
    // The channel is rate-limited or unavailable, so a retry may succeed. After a 503 with CHANNEL_UNAVAILABLE or
    // ISSUER_UNAVAILABLE, Xendit may have created a payment request, but the payer cannot pay it without the payment
    // instructions. OVO needs no instructions, so createPaymentRequest handles its 503 separately. After a 503 with any
    // other code, the outcome is unknown.
    case 'PAYMENT_REQUEST_RATE_LIMITED':
      return status === 400 ? 'unavailable' : 'unknown'
    case 'CHANNEL_UNAVAILABLE':
    case 'ISSUER_UNAVAILABLE':
      return status === 503 ? 'unavailable' : 'unknown'
    // Xendit rejected the payer's details. A retry would also be rejected.
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
