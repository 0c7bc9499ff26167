import { Agent } from 'undici'
import type { Owed } from './notification-log.ts'
import type { Order } from './order.ts'
import type { Notification, Provider } from './provider.ts'
import type { Store } from './store.ts'

export type CallbackAnswer = { status: number; body: string }

const TIMEOUT_MS = 15_000
const REDIRECTS_FOLLOWED = 5
const CONNECTIONS_PER_RECEIVER = 64
// A receiver's answer is shown to people; nobody reads more, and a hostile one must not fill the memory.
const ANSWER_BYTES_READ = 64 * 1024
const RETRIES_PER_SCAN = 200
// Providers spread their retries; so do we, by up to a tenth.
const JITTER = 0.1

export type Notifier = ReturnType<typeof openNotifier>

export function openNotifier(store: Store, providers: readonly Provider[], retryScale: number) {
  // Its time-outs begin when a request is written: waiting for a free connection costs a receiver nothing.
  const agent = new Agent({
    connections: CONNECTIONS_PER_RECEIVER,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    connect: { timeout: TIMEOUT_MS },
  })
  const inFlight = new Set<Promise<unknown>>()
  let closing = false

  async function post(url: URL, owed: Owed, redirects = 0): Promise<CallbackAnswer> {
    const response = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'POST',
      headers: owed.headers,
      body: owed.body,
    })
    const location = response.headers.location
    const follow = response.statusCode === 307 || response.statusCode === 308
    if (follow && typeof location === 'string' && redirects < REDIRECTS_FOLLOWED) {
      await response.body.dump()
      return await post(new URL(location, url), owed, redirects + 1)
    }
    return { status: response.statusCode, body: await readAnswer(response.body) }
  }

  async function attempt(owed: Owed): Promise<CallbackAnswer> {
    const at = Date.now()
    let answer: CallbackAnswer
    try {
      answer = await post(new URL(owed.url), owed)
    } catch (error) {
      answer = { status: 0, body: error instanceof Error ? error.message || error.name : String(error) }
    }
    if (!closing) {
      store.notifications.addAttempt(owed.orderSeq, {
        at,
        url: owed.url,
        says: owed.says,
        try: owed.done + 1,
        requestBody: owed.body,
        answeredStatus: answer.status,
        answeredBody: answer.body,
      })
    }
    return answer
  }

  /** How long until this answer is followed by another try; undefined when it is the last word. */
  function pauseAfter(owed: Owed, status: number): number | undefined {
    const provider = providers.find(candidate => candidate.code === owed.provider)
    if (!provider || owed.done >= provider.retriesAfter(status)) return undefined
    const pause = provider.retryPausesMs[owed.done]
    return pause === undefined ? undefined : Math.round(pause * retryScale * (1 + Math.random() * JITTER))
  }

  async function deliver(owed: Owed, retry: boolean): Promise<CallbackAnswer> {
    const answer = await attempt(owed)
    if (closing) {
      // Our own shutdown broke the connection: the receiver is owed this try after the next start.
      if (retry && answer.status === 0) store.notifications.owe(owed, Date.now())
      return answer
    }
    const pause = retry ? pauseAfter(owed, answer.status) : undefined
    if (pause !== undefined) store.notifications.owe({ ...owed, done: owed.done + 1 }, Date.now() + pause)
    return answer
  }

  function track<T>(work: Promise<T>): Promise<T> {
    inFlight.add(work)
    const forget = () => inFlight.delete(work)
    work.then(forget, forget)
    return work
  }

  return {
    /** Sends to every address of the order at once; a failed one is tried again later if `retry` says so. */
    async send(order: Order, notification: Notification, { retry = true } = {}): Promise<CallbackAnswer[]> {
      const { headers, body, says } = notification
      const { seq: orderSeq, provider, notificationUrls } = order
      return await Promise.all(
        notificationUrls.map(url =>
          track(deliver({ orderSeq, provider, url, headers, body, says, done: 0 }, retry)),
        ),
      )
    },
    sendDueRetries(now: number): void {
      if (closing) return
      for (const owed of store.notifications.claimDue(now, RETRIES_PER_SCAN)) {
        // Settled only after the try: a process killed in between makes it again when the claim lapses.
        track(deliver(owed, true).then(() => store.notifications.settle(owed.seq)))
      }
    },
    async close(): Promise<void> {
      closing = true
      await agent.destroy()
      await Promise.allSettled(inFlight)
    },
  }
}

async function readAnswer(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.byteLength
    // Leaving the loop destroys the stream and with it the connection.
    if (size >= ANSWER_BYTES_READ) break
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES_READ).toString('utf8')
}
