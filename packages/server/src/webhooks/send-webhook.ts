// One attempt over HTTP, by undici's own interface beneath `request`: without a stream for the answer, of which only the
// beginning is read, and with one timer for all attempts.

import { LRUCache } from 'lru-cache'
import type { Agent, Dispatcher } from 'undici'
import type { Attempt } from './attempt.sql.ts'
import { PrivateAddressError } from './webhook-agent.ts'
import type { AttemptClass } from './webhook-metrics.ts'

/** Attempts end so much later than their time at most. */
const TIMER_MS = 100
const KEPT_RESPONSE_BYTES = 4096
/** Callback URLs that are taken apart already. */
const TARGETS = 10_000

export type Answer = Pick<Attempt, 'responseStatus' | 'responseBody' | 'error'> & { class: AttemptClass }
export type Post = { url: string; headers: Record<string, string>; body: Buffer }
export type WebhookSender = { send(post: Post, ended: (answer: Answer) => void): void; stop(): void }

type Target = { origin: string; path: string }
type Sending = { endsAtMs: number; giveUp(): void }

/** Redirects are not followed. */
export function webhookSender(agent: Agent, timeoutMs: number): WebhookSender {
  /** All have the same time, so those that began first are over it first. */
  const underWay = new Set<Sending>()
  const timer = setInterval(() => {
    const now = performance.now()
    for (const sending of underWay) {
      if (sending.endsAtMs > now) break
      sending.giveUp()
    }
  }, TIMER_MS)

  const targets = new LRUCache<string, Target>({ max: TARGETS })
  function targetOf(url: string): Target {
    let target = targets.get(url)
    if (!target) {
      const { origin, pathname, search } = new URL(url)
      target = { origin, path: pathname + search }
      targets.set(url, target)
    }
    return target
  }

  function send({ url, headers, body }: Post, ended: (answer: Answer) => void): void {
    const { origin, path } = targetOf(url)
    let controller: Dispatcher.DispatchController | undefined
    let responseStatus: number | null = null
    const chunks: Buffer[] = []
    let size = 0
    const sending: Sending = {
      endsAtMs: performance.now() + timeoutMs,
      giveUp() {
        fail(`no answer within ${timeoutMs / 1000} s`, 'timeout')
        // Before it has a connection there is none to close: then it is refused one (onRequestStart).
        controller?.abort(new Error('given up'))
      },
    }
    const end = (answer: Answer) => {
      if (underWay.delete(sending)) ended(answer)
    }
    // What came of an answer before it broke off is kept, too.
    const fail = (error: string, failed: AttemptClass) =>
      end({
        responseStatus,
        responseBody: responseStatus === null ? null : textOf(chunks),
        error,
        class: failed,
      })
    const succeed = () =>
      end({ responseStatus, responseBody: textOf(chunks), error: null, class: classOf(responseStatus) })

    underWay.add(sending)
    agent.dispatch(
      { origin, path, method: 'POST', headers, body, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart(started) {
          controller = started
          if (!underWay.has(sending)) started.abort(new Error('given up'))
        },
        onResponseStart(_, statusCode) {
          // 1xx comes before the answer.
          if (statusCode >= 200) responseStatus = statusCode
        },
        onResponseData(_, chunk) {
          chunks.push(chunk)
          size += chunk.length
          // The answer counts by its status; of a long body only the beginning is read.
          if (size < KEPT_RESPONSE_BYTES) return
          succeed()
          controller?.abort(new Error('enough was read'))
        },
        onResponseEnd: succeed,
        onResponseError: (_, error) =>
          fail(faultOf(error), error instanceof PrivateAddressError ? 'refused_address' : 'connection'),
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
  // NUL is no text to PostgreSQL.
  return bytes.subarray(0, KEPT_RESPONSE_BYTES).toString('utf8').replaceAll('\0', '\ufffd')
}

const faultOf = (error: Error & { code?: string }): string =>
  (error.code ? `${error.code}: ${error.message}` : error.message).slice(0, 500)
