// HTTP client for Tripay's API: URLs, authentication and requests.

import type { ZodType } from 'zod'
import { type ProviderResponse, requestProvider } from '../http-client.ts'
import { type ProviderAccount, ProviderError, toSafeText } from '../provider.ts'
import type { Credentials } from './credentials.ts'
import { errorKind, saysAbsent } from './failure.ts'
import {
  type CreateRequest,
  failure,
  type ListedTransaction,
  success,
  type Transaction,
  transaction,
  transactionList,
} from './messages.ts'

type Account = ProviderAccount<Credentials>

const bases = { live: 'https://tripay.co.id/api', test: 'https://tripay.co.id/api-sandbox' }

const urlOf = (account: Account, path: string): string => `${account.baseUrl ?? bases[account.mode]}${path}`

const headersOf = ({ credentials }: Account) => ({ authorization: `Bearer ${credentials.api_key}` })

/**
 * Creates a transaction. The request is never retried, because Tripay has no idempotency key and does not document
 * what happens if a merchant_ref is repeated.
 */
export async function createTransaction(account: Account, body: CreateRequest): Promise<Transaction> {
  const url = urlOf(account, '/transaction/create')
  return read(await requestProvider('charge', url, headersOf(account), JSON.stringify(body)), transaction)
}

/**
 * Returns the transaction with the given Tripay reference, or undefined if Tripay responds that no such transaction
 * exists.
 */
export async function findTransaction(account: Account, reference: string): Promise<Transaction | undefined> {
  const url = urlOf(account, `/transaction/detail?reference=${encodeURIComponent(reference)}`)
  const answer = await requestProvider('inquiry', url, headersOf(account))
  const said = failure.safeParse(answer.json)
  if (answer.status < 500 && said.success && saysAbsent(said.data.message)) return undefined
  return read(answer, transaction)
}

/**
 * Returns Tripay's reference for our order. Returns undefined unless exactly one transaction in Tripay's list has
 * our reference.
 */
export async function findReference(account: Account, merchantRef: string): Promise<string | undefined> {
  const url = urlOf(account, `/merchant/transactions?merchant_ref=${encodeURIComponent(merchantRef)}`)
  const list = read(await requestProvider('inquiry', url, headersOf(account)), transactionList)
  // Tripay's filter may also match a part of a reference, so the whole reference is compared here.
  const [found, another] = list.filter(each => each.merchant_ref === merchantRef)
  return another ? undefined : found?.reference
}

/**
 * The number of transactions per page, which is Tripay's maximum (tripay.co.id/developer, merchant transactions).
 */
export const TRANSACTIONS_PER_PAGE = 50

/** Returns one page of the merchant's transactions, newest first. Pages are numbered from 1. */
export async function listTransactions(account: Account, page: number): Promise<ListedTransaction[]> {
  const query = `page=${page}&per_page=${TRANSACTIONS_PER_PAGE}&sort=desc`
  const url = urlOf(account, `/merchant/transactions?${query}`)
  return read(await requestProvider('inquiry', url, headersOf(account)), transactionList)
}

function read<T>(answer: ProviderResponse, schema: ZodType<T>): T {
  const parsed = schema.safeParse(success.safeParse(answer.json).data?.data)
  if (answer.status < 300 && parsed.success) return parsed.data
  const said = failure.safeParse(answer.json).data
  const words = toSafeText(said?.message ?? '')
  throw new ProviderError(
    errorKind(answer.status, said?.message, said?.success === false),
    words === '' ? `answered ${answer.status}` : words,
  )
}
