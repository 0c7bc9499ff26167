// Long polling for test-mode webhook events, for developers whose machines have no public address. For each
// event, a response contains exactly the headers and body that a delivery to a callback URL contains.

import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../db/db.ts'
import { readClock, readEarlierClock } from '../../db/read-clock.ts'
import { fairLimit } from '../../fairness/fair-limit.ts'
import { limitLargeReads, type Reader } from '../../fairness/large-read-limit.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { firstIdAt } from '../../values/id.ts'
import { after, type Clock } from '../../values/time.ts'
import { signedHeaders } from '../delivery/sign.ts'
import { decryptWebhookSecrets, signingSecrets } from '../endpoint/endpoint-secrets.ts'
import { ensureEndpoint } from '../endpoint/read-endpoint.ts'
import { listTestModeEvents, type TestModeEvent } from './listen.sql.ts'

const POLL_INTERVAL_MS = 250
const MAX_EVENTS = 100
/**
 * An event gets its ID before its transaction commits, so a newer event can become visible before an older one. A caller
 * that continued after the newer event would then miss the older one. Therefore, events this new are left out.
 */
const TOO_NEW_MS = 500
/**
 * If the clocks were set back, a caller continues with the events of the last minute. This is longer than a request and
 * the time until the next one, so no event is missed.
 */
const RESTART_MS = 60_000
/** The maximum total size of the webhook bodies in a response. The body of one webhook can be up to 50 KB. */
const MAX_BYTES = 512 * 1024

export type SignedEvent = { id: string; headers: Record<string, string>; body: string }

/**
 * Limits how many requests can wait for webhook events at once. Each request lasts up to 25 seconds and queries the
 * database eight times a second.
 */
const withSlot = fairLimit({ all: 256, own: 8, what: 'requests that listen' })

/**
 * Waits for test-mode webhook events after `afterId`, or for new events if `afterId` is undefined. Returns as
 * soon as there are events, or returns an empty list after `waitMs` or when the server stops. Throws RATE_LIMITED or
 * SERVICE_UNAVAILABLE if too many requests are already waiting.
 */
export const listenForEvents: typeof listen = (app, reader, afterId, wait) =>
  withSlot(reader.owner, () => listen(app, reader, afterId, wait))

async function listen(
  app: { db: Db; clock: Clock; secrets: Secrets },
  reader: Reader,
  afterId: string | undefined,
  { waitMs, stopping }: { waitMs: number; stopping: AbortSignal },
): Promise<{ events: SignedEvent[]; afterId: string }> {
  const tenantId = reader.owner
  // If the two clocks differ, the later one could be ahead of the IDs of the next events.
  const startId = afterId ?? firstIdAt(await readEarlierClock(app, app.db))
  const deadlineMs = performance.now() + waitMs
  for (;;) {
    const { fromId, events: found } = await limitLargeReads(reader, () =>
      readEvents(app.db, tenantId, startId),
    )
    const last = found.at(-1)
    if (last) {
      const now = app.clock()
      const endpoint = await ensureEndpoint(app, tenantId)
      const secrets = signingSecrets(await decryptWebhookSecrets(app.secrets, tenantId, endpoint), now)
      const events = found.map(event => ({
        id: event.id,
        headers: signedHeaders(event, secrets, now),
        body: event.body,
      }))
      return { events, afterId: last.id }
    }
    if (performance.now() >= deadlineMs || stopping.aborted) return { events: [], afterId: fromId }
    await pause(POLL_INTERVAL_MS)
  }
}

/**
 * Reads test-mode webhook events after `afterId`, up to the response size limit. The first event is returned even
 * if it exceeds the limit. `fromId` is the ID after which the events were read.
 */
async function readEvents(
  db: Db,
  tenantId: string,
  afterId: string,
): Promise<{ fromId: string; events: TestModeEvent[]; bytes: number }> {
  const now = await readClock(db)
  // After the clocks were set back, new events have smaller IDs than the caller's position.
  const fromId = afterId <= firstIdAt(now) ? afterId : firstIdAt(after(now, -RESTART_MS))
  const beforeId = firstIdAt(after(now, -TOO_NEW_MS))
  const events: TestModeEvent[] = []
  let bytes = 0
  for (const event of await listTestModeEvents(db, tenantId, { afterId: fromId, beforeId }, MAX_EVENTS)) {
    if (events.length > 0 && bytes + event.body.length > MAX_BYTES) break
    events.push(event)
    bytes += event.body.length
  }
  return { fromId, events, bytes }
}
