import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import type { MoneyReturn } from './money-return.ts'
import type { Ask, Notification, Tampering } from './notification.ts'
import type { Owed } from './notification-log.ts'
import type { Order } from './order.ts'
import type { Store } from './store.ts'

export type CallbackAnswer = { status: number; body: string }

/** The provider's rules for retrying notifications. */
export type Sender = {
  code: string
  retriesAfter: (status: number, body: string) => number
  retryPausesMs: readonly number[]
}

export type Make = (
  order: Order,
  url: string,
  tampering: Tampering,
  ask: Ask,
  returned?: MoneyReturn,
) => Notification | undefined | Promise<Notification | undefined>

export type Sending = {
  tampering?: Tampering
  // The refund or chargeback to report. If absent, the notification reports the order's status.
  returned?: MoneyReturn
  // How many identical notifications are sent at once.
  copies?: number
  // True if a failed notification is retried later.
  retry?: boolean
  // Returns how many milliseconds to wait before this copy of the notification is sent. The first copy has
  // the number 0.
  delayMs?: (copy: number) => number
}

const TIMEOUT_MS = 15_000
const REDIRECTS_FOLLOWED = 5
const CONNECTIONS_PER_RECEIVER = 64
// At most this many bytes of a response are read. The limit protects the sandbox's memory from a malicious receiver.
const ANSWER_BYTES_READ = 64 * 1024
const RETRIES_PER_SCAN = 200
// The delay before a retry is extended by a random time of up to this fraction of the delay, as with real
// providers.
const JITTER = 0.1

export type Notifier = ReturnType<typeof openNotifier>

export function openNotifier(
  store: Store,
  { senders, make, retryScale }: { senders: readonly Sender[]; make: Make; retryScale: number },
) {
  // A request's timeouts start only when the request is written to the connection, so they do not include the
  // wait for a free connection.
  const agent = new Agent({
    connections: CONNECTIONS_PER_RECEIVER,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    connect: { timeout: TIMEOUT_MS },
  })
  const inFlight = new Set<Promise<unknown>>()
  const closing = new AbortController()

  async function post(
    url: URL,
    request: { headers: Record<string, string>; body: string },
    redirects = 0,
  ): Promise<CallbackAnswer> {
    const response = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'POST',
      headers: request.headers,
      body: request.body,
    })
    const location = response.headers.location
    const follow = response.statusCode === 307 || response.statusCode === 308
    if (follow && typeof location === 'string' && redirects < REDIRECTS_FOLLOWED) {
      await response.body.dump()
      return await post(new URL(location, url), request, redirects + 1)
    }
    return { status: response.statusCode, body: await readAnswer(response.body) }
  }

  const ask: Ask = async (url, request) => {
    try {
      return await post(new URL(url), request)
    } catch (error) {
      return unreachable(error)
    }
  }

  // The function is async so that a synchronous error in the provider's code becomes a rejected promise.
  async function made({ order, url, tampering, returned }: Owed): Promise<Notification | undefined> {
    return await make(order, url, tampering, ask, returned)
  }

  /** Makes one attempt to deliver a notification. Returns undefined if there is no notification to send. */
  async function attempt(
    owed: Owed,
    making: Promise<Notification | undefined>,
  ): Promise<{ answer: CallbackAnswer; notification?: Notification } | undefined> {
    const at = Date.now()
    let answer: CallbackAnswer
    let notification: Notification | undefined
    try {
      notification = await making
      if (!notification) return undefined
      answer = await post(new URL(notification.url), notification)
    } catch (error) {
      answer = unreachable(error)
    }
    if (!closing.signal.aborted) {
      store.notifications.addAttempt(owed.order.seq, {
        at,
        url: notification?.url ?? owed.url,
        says: notification?.says ?? `order is ${owed.order.status} (the notification could not be created)`,
        try: owed.done + 1,
        requestBody: notification?.body ?? '',
        answeredStatus: answer.status,
        answeredBody: answer.body,
      })
    }
    return { answer, ...(notification && { notification }) }
  }

  /** Returns the delay in milliseconds before the next attempt, or undefined after the last attempt. */
  function pauseAfter(owed: Owed, { status, body }: CallbackAnswer): number | undefined {
    const sender = senders.find(candidate => candidate.code === owed.order.provider)
    if (!sender || owed.done >= sender.retriesAfter(status, body)) return undefined
    const pause = sender.retryPausesMs[owed.done]
    return pause === undefined ? undefined : Math.round(pause * retryScale * (1 + Math.random() * JITTER))
  }

  async function deliver(
    owed: Owed,
    making: Promise<Notification | undefined>,
    retry: boolean,
  ): Promise<CallbackAnswer[]> {
    const tried = await attempt(owed, making)
    if (!tried) return []
    const { answer, notification } = tried
    const next: Owed = { ...owed, ...(notification && !notification.ages && { notification }) }
    if (closing.signal.aborted) {
      // The connection broke because the sandbox is shutting down. The sandbox sends the notification again
      // after its next start.
      if (retry && answer.status === 0) store.notifications.owe(next, Date.now())
      return [answer]
    }
    const pause = retry ? pauseAfter(owed, answer) : undefined
    if (pause !== undefined) {
      store.notifications.owe({ ...next, done: owed.done + 1 }, Date.now() + pause)
    }
    return [answer]
  }

  async function deliverLater(delayMs: number, ...delivery: Parameters<typeof deliver>) {
    // If the sandbox shuts down, the delay ends early. A notification that can no longer be sent is stored, and is sent
    // after the next start.
    if (delayMs > 0) await sleep(delayMs, undefined, { signal: closing.signal }).catch(() => {})
    return await deliver(...delivery)
  }

  function track<T>(work: Promise<T>): Promise<T> {
    inFlight.add(work)
    const forget = () => inFlight.delete(work)
    work.then(forget, forget)
    return work
  }

  return {
    /** Sends the notification to all of the order's notification addresses at once. */
    async send(
      order: Order,
      { tampering = {}, returned, copies = 1, retry = true, delayMs = () => 0 }: Sending = {},
    ): Promise<CallbackAnswer[]> {
      if (closing.signal.aborted) return []
      const sent = order.notificationUrls.flatMap(url => {
        const owed: Owed = { order, tampering, url, done: 0, ...(returned && { returned }) }
        // All copies send the same notification. It is created only once, because creating it may use up a
        // nonce or a token.
        const making = track(made(owed))
        // The sandbox may send several copies of a notification, but retries only the first one.
        return Array.from({ length: copies }, (_, copy) =>
          track(deliverLater(delayMs(copy), owed, making, retry && copy === 0)),
        )
      })
      return (await Promise.all(sent)).flat()
    },
    sendDueRetries(now: number): void {
      if (closing.signal.aborted) return
      for (const { seq, ...owed } of store.notifications.claimDue(now, RETRIES_PER_SCAN)) {
        const making = owed.notification ? Promise.resolve(owed.notification) : made(owed)
        // A stored retry is deleted only after its attempt. If the process is killed during the attempt, this scan's
        // claim on the retry expires, and a later scan starts the retry again.
        track(deliver(owed, making, true).then(() => store.notifications.settle(seq)))
      }
    },
    async close(): Promise<void> {
      closing.abort()
      await agent.destroy()
      await Promise.allSettled(inFlight)
    },
  }
}

function unreachable(error: unknown): CallbackAnswer {
  return { status: 0, body: error instanceof Error ? error.message || error.name : String(error) }
}

async function readAnswer(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.byteLength
    // `break` destroys the response stream and closes the connection, so no further bytes are received.
    if (size >= ANSWER_BYTES_READ) break
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES_READ).toString('utf8')
}
