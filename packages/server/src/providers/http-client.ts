// HTTP client for providers, with persistent connections and limits on time and size. Errors are classified by
// whether the provider may have acted on the request.

import type { IncomingHttpHeaders } from 'node:http'
import { Agent, type Dispatcher } from 'undici'
import { inSpan } from '../tracing/span.ts'
import { version } from '../version.ts'
import { ProviderError, parseProviderJson, RateLimitedError } from './provider.ts'

/**
 * The timeout of a whole request, including the response body. After a charge times out, status inquiries determine
 * whether the provider created the order.
 */
export const PROVIDER_TIMEOUT_MS = 10_000

/**
 * The maximum time between the call of an adapter and its last request. Before this request, some adapters need an
 * access token. The last request takes at most PROVIDER_TIMEOUT_MS, so a charge ends within SEND_WITHIN_MS +
 * PROVIDER_TIMEOUT_MS after the call.
 */
export const SEND_WITHIN_MS = 3_000

const MAX_RESPONSE_BYTES = 1024 * 1024

/** Every request sends this User-Agent, because some providers' firewalls reject requests without this header. */
export const USER_AGENT = `Gapura/${version}`

/**
 * Error codes that occur only before the first byte of a request is sent, so the provider cannot have acted on the
 * request.
 */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/**
 * Selects the connection pool for a request. Refunds use the pool `charge`. A request for an access token
 * uses the pool of the call that needs the token.
 */
export type Purpose = 'charge' | 'inquiry'

/** A provider's response. `json` is undefined if the body is not JSON. */
export type ProviderResponse = { status: number; json: unknown }

/**
 * Sends a request to a provider: a POST if there is a body, otherwise a GET. Throws a ProviderError of the kind
 * `unavailable` if the request was not sent, or `unknown` if the provider may have acted on it. Throws a
 * RateLimitedError if an inquiry gets HTTP 429.
 */
export type RequestProvider = (
  purpose: Purpose,
  url: string,
  headers: Record<string, string>,
  body?: string,
) => Promise<ProviderResponse>

const keepAlive = {
  keepAliveTimeout: 30_000,
  // By default, Node closes an attempt to connect to one of several addresses after 0.5 s.
  connect: { timeout: 5_000, autoSelectFamilyAttemptTimeout: 2_000 },
}

/**
 * Returns a client for requests to providers. `connections` is the maximum per host and purpose. Charges and
 * inquiries have separate connection pools, so charges without a response do not block inquiries. The caller
 * must pass the purpose, because the SNAP standard uses POST for both.
 */
export function createProviderClient(connections: Record<Purpose, number>): RequestProvider {
  const agents = {
    charge: new Agent({ ...keepAlive, connections: connections.charge }),
    inquiry: new Agent({ ...keepAlive, connections: connections.inquiry }),
  }
  return (purpose, url, headers, body) => {
    const method = body === undefined ? 'GET' : 'POST'
    const target = new URL(url)
    // Traces omit the request's path and headers, because these can contain payer data and secrets.
    const attributes = { 'http.request.method': method, 'server.address': target.host }
    return inSpan(`${method} ${target.host}`, { kind: 'client', attributes }, async span => {
      const { headers: answered, ...answer } = await send(agents[purpose], method, target, headers, body)
      span?.setAttribute('http.response.status_code', answer.status)
      // After HTTP 429, an inquiry can simply be retried. For a charge, HTTP 429 means something different at each
      // provider, so the adapter handles it.
      if (purpose === 'inquiry' && answer.status === 429) throw new RateLimitedError(retryAfterMs(answered))
      return answer
    })
  }
}

/**
 * The shared client for requests to providers. Charges get more connections than inquiries, because
 * unanswered charges accumulate while a provider does not respond.
 */
export const requestProvider = createProviderClient({ charge: 1024, inquiry: 256 })

async function send(
  dispatcher: Agent,
  method: 'GET' | 'POST',
  { origin, pathname, search }: URL,
  headers: Record<string, string>,
  body: string | undefined,
): Promise<ProviderResponse & { headers: IncomingHttpHeaders }> {
  const answer = await exchange(dispatcher, {
    origin,
    path: `${pathname}${search}`,
    method,
    headers: {
      accept: 'application/json',
      'user-agent': USER_AGENT,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body ?? null,
    // A timeout for the whole request replaces undici's separate timeouts for headers and body.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return { status: answer.status, headers: answer.headers, json: parseProviderJson(answer.body) }
}

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer }

/**
 * Sends a request and returns the whole response. It uses undici's `dispatch`, because undici's `request` also creates a
 * stream and needs an abort signal for the timeout (docs/performance.md).
 */
const exchange = (dispatcher: Agent, options: Dispatcher.DispatchOptions): Promise<Answer> =>
  new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined
    let failure: ProviderError | undefined
    let status = 0
    let answered: IncomingHttpHeaders = {}
    const chunks: Buffer[] = []
    let size = 0
    const fail = (error: ProviderError) => {
      if (failure) return
      failure = error
      clearTimeout(timer)
      reject(error)
      controller?.abort(error)
    }
    const timer = setTimeout(
      () => fail(new ProviderError('unknown', `no answer within ${PROVIDER_TIMEOUT_MS / 1000} s`)),
      PROVIDER_TIMEOUT_MS,
    )
    dispatcher.dispatch(options, {
      onRequestStart(started) {
        controller = started
        // If the request timed out while it waited for a connection, it is aborted here, so that it is never
        // sent.
        if (failure) started.abort(failure)
      },
      onResponseStart(_, statusCode, headers) {
        // Informational responses (1xx) may precede the final response. The final response then overwrites
        // their status and headers.
        status = statusCode
        answered = headers
      },
      onResponseData(_, chunk) {
        size += chunk.length
        if (size > MAX_RESPONSE_BYTES) fail(new ProviderError('unknown', 'its response is too large'))
        else chunks.push(chunk)
      },
      onResponseEnd() {
        clearTimeout(timer)
        resolve({ status, headers: answered, body: Buffer.concat(chunks) })
      },
      onResponseError: (_, error) => fail(providerErrorOf(error)),
    })
  })

function providerErrorOf(error: Error & { code?: string }): ProviderError {
  return neverSent.has(error.code ?? '')
    ? new ProviderError('unavailable', 'could not be reached', { cause: error })
    : new ProviderError('unknown', 'the connection broke', { cause: error })
}

/**
 * The retry delay if the provider does not state one, and the maximum retry delay. The maximum is an hour, because
 * Duitku blocks an account for about an hour.
 */
const RETRY_AFTER_MS = 60_000
const LONGEST_RETRY_AFTER_MS = 3_600_000

/**
 * Returns the retry delay from the response's Retry-After header, or from Xendit's Rate-Limit-Reset header (seconds
 * until the rate limit window ends).
 */
function retryAfterMs(headers: IncomingHttpHeaders): number {
  const seconds = Number(headers['retry-after'] ?? headers['rate-limit-reset'])
  if (!Number.isFinite(seconds) || seconds <= 0) return RETRY_AFTER_MS
  return Math.min(seconds * 1_000, LONGEST_RETRY_AFTER_MS)
}
