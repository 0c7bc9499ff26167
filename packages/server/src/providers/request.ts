// HTTP to providers: kept connections, a limit on time and size, and errors told apart by the only
// question that matters for money: can the provider have acted on it?

import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { inSpan } from '../tracing/span.ts'
import { jsonOf, ProviderError, RateLimitedError } from './provider.ts'

/** For a whole request, body included; a create waits this long and then leaves the outcome to inquiries. */
export const PROVIDER_TIMEOUT_MS = 10_000

const MAX_ANSWER_BYTES = 1024 * 1024

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string
}
/** Sent on every request: firewalls of providers refuse requests without a User-Agent. */
export const USER_AGENT = `Gapura/${version}`

/** What can go wrong before a byte of the request was sent. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** What a request is made for; one for a token has the purpose of the call that needs the token. */
export type Purpose = 'charge' | 'inquiry'

/** json is undefined where the answer is not JSON. */
export type ProviderAnswer = { status: number; json: unknown }

/**
 * With a body it is a POST. Throws ProviderError `unavailable` or `unknown`, and RateLimitedError where an inquiry was
 * answered with HTTP 429.
 */
export type RequestProvider = (
  purpose: Purpose,
  url: string,
  headers: Record<string, string>,
  body?: string,
) => Promise<ProviderAnswer>

const keptOpen = { keepAliveTimeout: 30_000, connect: { timeout: 5_000 } }

/**
 * connections: to one host. Inquiries have connections of their own, so that they are answered while all those of
 * charges hang. The method does not tell the two apart: SNAP asks by POST, too.
 */
export function providerRequests(connections: Record<Purpose, number>): RequestProvider {
  const agents = {
    charge: new Agent({ ...keptOpen, connections: connections.charge }),
    inquiry: new Agent({ ...keptOpen, connections: connections.inquiry }),
  }
  return (purpose, url, headers, body) => {
    const method = body === undefined ? 'GET' : 'POST'
    // Neither path nor headers: they carry what is the payer's, and secrets.
    const attributes = { 'http.request.method': method, 'server.address': new URL(url).host }
    return inSpan(`${method} ${attributes['server.address']}`, { kind: 'client', attributes }, async span => {
      const { headers: answered, ...answer } = await send(agents[purpose], url, headers, body)
      span?.setAttribute('http.response.status_code', answer.status)
      // Each adapter decides what a charge that was answered 429 left behind; an inquiry leaves nothing.
      if (purpose === 'inquiry' && answer.status === 429) throw new RateLimitedError(retryAfterMs(answered))
      return answer
    })
  }
}

/** Charges wait at a provider that hangs, so there is room for many. */
export const requestProvider = providerRequests({ charge: 1024, inquiry: 256 })

async function send(
  dispatcher: Agent,
  url: string,
  headers: Record<string, string>,
  body: string | undefined,
): Promise<ProviderAnswer & { headers: IncomingHttpHeaders }> {
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
      json: jsonOf(await readLimited(answer.body)),
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

/** Where the provider does not say how long, and at most: Duitku blocks an account for about an hour. */
const RETRY_AFTER_MS = 60_000
const LONGEST_RETRY_AFTER_MS = 3_600_000

/** Retry-After in seconds; Xendit has Rate-Limit-Reset, the seconds until its window ends. */
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
    if (size > MAX_ANSWER_BYTES) throw new ProviderError('unknown', 'its answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
