// HTTP client for Duitku's API. Each request has its signature in the body.

import { type ProviderResponse, requestProvider } from '../http-client.ts'
import { type ProviderAccount, ProviderError, RateLimitedError, toSafeText } from '../provider.ts'
import type { Credentials } from './credentials.ts'
import { BLOCK_PAUSE_MS, errorKind, isBlocked, isNotFound } from './failure.ts'
import {
  type Created,
  type CreateRequest,
  created,
  failure,
  statusText,
  type Transaction,
  transaction,
} from './messages.ts'
import { signatureOf } from './signature.ts'

type Account = ProviderAccount<Credentials>

const hosts = { live: 'https://passport.duitku.com', test: 'https://sandbox.duitku.com' }

const urlOf = (account: Account, path: string): string =>
  `${account.baseUrl ?? hosts[account.mode]}/webapi/api/merchant${path}`

/**
 * Creates a transaction. The request is never retried, because Duitku has no idempotency key and does not document
 * what a duplicate merchantOrderId does.
 */
export async function createTransaction(account: Account, request: CreateRequest): Promise<Created> {
  const answer = await requestProvider('charge', urlOf(account, '/v2/inquiry'), {}, JSON.stringify(request))
  const parsed = created.safeParse(answer.json)
  if (answer.status !== 200 || !parsed.success) throw errorOf(answer)
  const { statusCode, statusMessage = '' } = parsed.data
  if (statusCode !== '00')
    throw new ProviderError(
      'unknown',
      toSafeText(statusMessage) || toSafeText(`answered statusCode ${statusCode}`),
    )
  return parsed.data
}

/** Returns an order's transaction, or undefined if Duitku responds that no such order exists. */
export async function findTransaction(
  account: Account,
  merchantOrderId: string,
): Promise<Transaction | undefined> {
  const { merchant_code: merchantCode } = account.credentials
  const signature = signatureOf(account.credentials, [merchantCode, merchantOrderId])
  // The request body is JSON, as in Duitku's samples and official libraries, although Duitku's documentation
  // describes a form.
  const body = JSON.stringify({ merchantCode, merchantOrderId, signature })
  const answer = await requestProvider('inquiry', urlOf(account, '/transactionStatus'), {}, body)
  const parsed = transaction.safeParse(answer.json)
  if (answer.status === 200 && parsed.success) return parsed.data
  const message = failure.safeParse(answer.json).data ?? ''
  if (isNotFound(answer.status, message)) return undefined
  if (isBlocked(answer.status, message || statusMessageOf(answer))) throw new RateLimitedError(BLOCK_PAUSE_MS)
  throw errorOf(answer)
}

/**
 * Returns the response's error text (`statusMessage`). An error response with HTTP status 200 can contain
 * this text, too.
 */
const statusMessageOf = ({ json }: ProviderResponse): string =>
  statusText.safeParse(json).data?.statusMessage ?? ''

function errorOf({ status, json }: ProviderResponse): ProviderError {
  const message = failure.safeParse(json).data
  const kind = errorKind(status, message, typeof json !== 'string')
  return new ProviderError(kind, toSafeText(message ?? '') || `answered ${status}`)
}
