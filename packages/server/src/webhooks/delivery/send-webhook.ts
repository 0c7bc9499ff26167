// Sends a webhook over HTTP. Uses undici's low-level `dispatch` instead of `request`, because it costs less: it can
// read the start of a response without a stream, and all attempts share one timer.

import { LRUCache } from 'lru-cache'
import type { Agent, Dispatcher } from 'undici'
import type { Logger } from '../../logging/log.ts'
import { boundedCache } from '../../values/bounded-cache.ts'
import type { DeliveryAttempt } from './attempt.sql.ts'
import { shownHeaders } from './response-headers.ts'
import { PrivateAddressError } from './webhook-agent.ts'
import type { AttemptClass } from './webhook-metrics.ts'

/**
 * The interval of the timer that aborts timed-out webhook delivery attempts. An attempt may exceed its timeout by at
 * most this interval.
 */
const TIMER_MS = 100
const STORED_RESPONSE_BYTES = 4096
/**
 * The maximum number of informational (1xx) responses to one webhook. Ordinary receivers send one or two,
 * such as 103 Early Hints.
 */
const MAX_INFORMATIONAL_RESPONSES = 10
/** The maximum number of callback URLs whose parsed form is cached. */
const MAX_CACHED_TARGETS = 10_000
/**
 * The minimum time between two log entries about the same receiver without a public address. Without this limit, a
 * tenant with such a receiver could fill the log.
 */
const LOG_INTERVAL_MS = 60_000
const MAX_LOGGED_ORIGINS = 1_000

/**
 * The error that a tenant sees if a host name does not exist or has a private address. Both cases have the same text,
 * without the address. With different texts, a tenant could find out which names exist in the operator's internal DNS.
 */
const NO_PUBLIC_ADDRESS = "the receiver's host name does not exist, or it has an address that is not public"

export type AttemptResult = Pick<
  DeliveryAttempt,
  'responseStatus' | 'responseHeaders' | 'responseBody' | 'error'
> & {
  class: AttemptClass
}
export type WebhookRequest = { tenantId: string; url: string; headers: Record<string, string>; body: Buffer }
export type WebhookSender = {
  send(request: WebhookRequest, ended: (result: AttemptResult) => void): void
  stop(): void
}

type Target = { origin: string; path: string }
type AttemptInFlight = { endsAtMs: number; timeOut(): void }

/** Returns a function that sends webhooks. Redirects are not followed. */
export function webhookSender(agent: Agent, timeoutMs: number, log: Logger): WebhookSender {
  /**
   * The webhook delivery attempts in flight. All attempts have the same timeout, so the order in which they were
   * added is also the order in which they expire.
   */
  const inFlight = new Set<AttemptInFlight>()
  const timer = setInterval(() => {
    const now = performance.now()
    for (const attempt of inFlight) {
      if (attempt.endsAtMs > now) break
      attempt.timeOut()
    }
  }, TIMER_MS)

  const targets = boundedCache<Target>(MAX_CACHED_TARGETS)
  function targetOf(url: string): Target {
    let target = targets.get(url)
    if (!target) {
      const { origin, pathname, search } = new URL(url)
      target = { origin, path: pathname + search }
      targets.set(url, target)
    }
    return target
  }

  const loggedOrigins = new LRUCache<string, true>({ max: MAX_LOGGED_ORIGINS, ttl: LOG_INTERVAL_MS })
  function logRefusal(error: PrivateAddressError, tenantId: string, origin: string): void {
    if (loggedOrigins.has(origin)) return
    loggedOrigins.set(origin, true)
    log.warn(
      { err: error, tenantId },
      'webhook was not sent, because the address of the receiver is not public',
    )
  }

  function send(
    { tenantId, url, headers, body }: WebhookRequest,
    ended: (result: AttemptResult) => void,
  ): void {
    const { origin, path } = targetOf(url)
    let controller: Dispatcher.DispatchController | undefined
    let responseStatus: number | null = null
    let responseHeaders: DeliveryAttempt['responseHeaders'] = null
    const chunks: Buffer[] = []
    let size = 0
    let informationalResponses = 0
    const attempt: AttemptInFlight = {
      endsAtMs: performance.now() + timeoutMs,
      timeOut() {
        const within = `within ${timeoutMs / 1000} s`
        fail(
          responseStatus === null ? `no answer ${within}` : `the response did not end ${within}`,
          'timeout',
        )
        // A webhook attempt cannot be aborted before its connection is open. If the attempt times out while connecting,
        // onRequestStart aborts it as soon as the connection opens.
        controller?.abort(new Error('given up'))
      },
    }
    const end = (result: AttemptResult) => {
      if (inFlight.delete(attempt)) ended(result)
    }
    // If an error interrupts a response, the part of the body received so far is stored.
    const fail = (error: string, failed: AttemptClass) =>
      end({
        responseStatus,
        responseHeaders,
        responseBody: responseStatus === null ? null : textOf(chunks),
        error,
        class: failed,
      })
    const succeed = () =>
      end({
        ...{ responseStatus, responseHeaders, responseBody: textOf(chunks) },
        ...{ error: null, class: classOf(responseStatus) },
      })

    inFlight.add(attempt)
    agent.dispatch(
      { origin, path, method: 'POST', headers, body, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart(started) {
          controller = started
          if (!inFlight.has(attempt)) started.abort(new Error('given up'))
        },
        onResponseStart(_, statusCode, headers) {
          // Informational responses (1xx) precede the final response and are ignored. Their number is limited, because
          // an endless series of such responses would keep the process busy until the attempt times out.
          if (statusCode < 200) {
            informationalResponses++
            if (informationalResponses > MAX_INFORMATIONAL_RESPONSES) {
              fail(`more than ${MAX_INFORMATIONAL_RESPONSES} informational (1xx) responses`, 'connection')
              controller?.abort(new Error('too many informational responses'))
            }
            return
          }
          responseStatus = statusCode
          responseHeaders = shownHeaders(headers)
        },
        onResponseData(_, chunk) {
          chunks.push(chunk)
          size += chunk.length
          // Whether the webhook delivery succeeded depends only on the HTTP status, so only the start of a long body is
          // read.
          if (size < STORED_RESPONSE_BYTES) return
          succeed()
          controller?.abort(new Error('enough was read'))
        },
        onResponseEnd: succeed,
        onResponseError(_, error) {
          const isRefused = error instanceof PrivateAddressError
          if (isRefused) logRefusal(error, tenantId, origin)
          fail(describeError(error), isRefused ? 'refused_address' : 'connection')
        },
      },
    )
  }

  return { send, stop: () => clearInterval(timer) }
}

function classOf(status: number | null): AttemptClass {
  switch (Math.floor((status ?? 0) / 100)) {
    case 2:
      return '2xx'
    case 3:
      return '3xx'
    case 4:
      return '4xx'
    case 5:
      return '5xx'
    default:
      return 'connection'
  }
}

function textOf(chunks: Buffer[]): string {
  if (chunks.length === 0) return ''
  const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
  // NUL characters are replaced, because PostgreSQL does not accept them in text.
  return bytes.subarray(0, STORED_RESPONSE_BYTES).toString('utf8').replaceAll('\0', '\ufffd')
}

const describeError = (error: Error & { code?: string }): string =>
  error instanceof PrivateAddressError || error.code === 'ENOTFOUND'
    ? NO_PUBLIC_ADDRESS
    : (error.code ? `${error.code}: ${error.message}` : error.message).slice(0, 500)
