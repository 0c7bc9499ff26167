// HTTP client for providers, with persistent connections and limits on time and size. Errors are classified by
// whether the provider may have acted on the request.

import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { inSpan } from '../tracing/span.ts'
import { ProviderError, parseProviderJson, RateLimitedError } from './provider.ts'

/**
 * The timeout of a whole request, including the response body. If a charge times out, inquiries determine its outcome.
 */
export const PROVIDER_TIMEOUT_MS = 10_000

const MAX_RESPONSE_BYTES = 1024 * 1024

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string
}
/** The User-Agent of every request, because some providers' firewalls reject requests without one. */
export const USER_AGENT = `Gapura/${version}`

/** The codes of errors that can occur only before any byte of the request was sent. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** The purpose of a request. A token request has the purpose of the call that needs the token. */
export type Purpose = 'charge' | 'inquiry'

/** A provider's response. `json` is undefined if the body is not JSON. */
export type ProviderResponse = { status: number; json: unknown }

/**
 * Sends a request to a provider: a POST if there is a body, otherwise a GET. Throws ProviderError `unavailable` or
 * `unknown`, and RateLimitedError if an inquiry gets HTTP 429.
 */
export type RequestProvider = (
  purpose: Purpose,
  url: string,
  headers: Record<string, string>,
  body?: string,
) => Promise<ProviderResponse>

const keepAlive = { keepAliveTimeout: 30_000, connect: { timeout: 5_000 } }

/**
 * Returns a client for requests to providers. `connections` is the maximum number of connections per host. Inquiries
 * have separate connections, so they still work while every connection for charges hangs. The HTTP method cannot tell
 * charges and inquiries apart, because SNAP inquiries are POST requests too.
 */
export function createProviderClient(connections: Record<Purpose, number>): RequestProvider {
  const agents = {
    charge: new Agent({ ...keepAlive, connections: connections.charge }),
    inquiry: new Agent({ ...keepAlive, connections: connections.inquiry }),
  }
  return (purpose, url, headers, body) => {
    const method = body === undefined ? 'GET' : 'POST'
    // Traces omit the path and the headers of requests, because these contain payer data and secrets.
    const attributes = { 'http.request.method': method, 'server.address': new URL(url).host }
    return inSpan(`${method} ${attributes['server.address']}`, { kind: 'client', attributes }, async span => {
      const { headers: answered, ...answer } = await send(agents[purpose], url, headers, body)
      span?.setAttribute('http.response.status_code', answer.status)
      // What HTTP 429 means for a charge depends on the provider, so each adapter decides. A rejected inquiry changes
      // nothing, so its error is the same for every provider.
      if (purpose === 'inquiry' && answer.status === 429) throw new RateLimitedError(retryAfterMs(answered))
      return answer
    })
  }
}

/**
 * The client for requests to providers. Its limit for charges is high because charges accumulate while a provider
 * hangs.
 */
export const requestProvider = createProviderClient({ charge: 1024, inquiry: 256 })

async function send(
  dispatcher: Agent,
  url: string,
  headers: Record<string, string>,
  body: string | undefined,
): Promise<ProviderResponse & { headers: IncomingHttpHeaders }> {
  try {
    const answer = await request(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        'user-agent': USER_AGENT,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
      dispatcher,
      signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS),
    })
    return {
      status: answer.statusCode,
      headers: answer.headers,
      json: parseProviderJson(await readLimited(answer.body)),
    }
  } catch (error) {
    if (error instanceof ProviderError) throw error
    const code = (error as { code?: string }).code ?? ''
    if (neverSent.has(code)) throw new ProviderError('unavailable', 'could not be reached', { cause: error })
    const timedOut = (error as Error).name === 'TimeoutError'
    throw new ProviderError(
      'unknown',
      timedOut ? `no answer within ${PROVIDER_TIMEOUT_MS / 1000} s` : 'the connection broke',
      {
        cause: error,
      },
    )
  }
}

/**
 * The delay after a rate-limited request if the provider does not send one, and the maximum delay. Duitku blocks an
 * account for about an hour.
 */
const RETRY_AFTER_MS = 60_000
const LONGEST_RETRY_AFTER_MS = 3_600_000

/**
 * Returns the delay until the next request. It is read from Retry-After, or from Xendit's Rate-Limit-Reset, which is
 * the number of seconds until Xendit's window ends.
 */
function retryAfterMs(headers: IncomingHttpHeaders): number {
  const seconds = Number(headers['retry-after'] ?? headers['rate-limit-reset'])
  if (!Number.isFinite(seconds) || seconds <= 0) return RETRY_AFTER_MS
  return Math.min(seconds * 1_000, LONGEST_RETRY_AFTER_MS)
}

async function readLimited(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_RESPONSE_BYTES) throw new ProviderError('unknown', 'its response is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
