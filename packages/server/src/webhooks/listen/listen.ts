// Long polling of test-mode events, for a machine without a public address. The response has the same headers and bytes
// as a delivery to a callback URL.

import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../db/db.ts'
import { fairLimit } from '../../fairness/fair-limit.ts'
import { limitLargeReads, type Reader } from '../../fairness/large-read-limit.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { firstIdAt } from '../../values/id.ts'
import type { Clock } from '../../values/time.ts'
import { signedHeaders } from '../delivery/sign.ts'
import { openSecrets, signingSecrets } from '../endpoint/endpoint-secrets.ts'
import { ensureEndpoint } from '../endpoint/read-endpoint.ts'
import { type Heard, listEventsAfter } from './listen.sql.ts'

const LOOK_EVERY_MS = 250
const AT_ONCE = 100
/** The maximum total size of the event bodies in a response. One body may have 50 KB. */
const BYTES_AT_ONCE = 512 * 1024

export type HeardEvent = { id: string; headers: Record<string, string>; body: string }

/**
 * Limits the number of listening requests, because each waits up to 25 seconds and queries the database four times a
 * second.
 */
const withPlace = fairLimit({ all: 256, own: 8, what: 'requests that listen' })

/**
 * Waits for events after `afterId`; if that is undefined, for events from now on. Returns when there are events, or
 * after `waitMs` without any. Throws RATE_LIMITED or SERVICE_UNAVAILABLE if too many requests are listening.
 */
export const listenForEvents: typeof listen = (app, reader, afterId, waitMs) =>
  withPlace(reader.owner, () => listen(app, reader, afterId, waitMs))

async function listen(
  app: { db: Db; clock: Clock; secrets: Secrets },
  reader: Reader,
  afterId: string | undefined,
  waitMs: number,
): Promise<{ events: HeardEvent[]; afterId: string }> {
  const tenantId = reader.owner
  const from = afterId ?? firstIdAt(app.clock())
  const until = performance.now() + waitMs
  for (;;) {
    const { heard } = await limitLargeReads(reader, () => readEvents(app.db, tenantId, from))
    const last = heard.at(-1)
    if (last) {
      const now = app.clock()
      const endpoint = await ensureEndpoint(app, tenantId)
      const secrets = signingSecrets(await openSecrets(app.secrets, tenantId, endpoint), now)
      const events = heard.map(event => ({
        id: event.id,
        headers: signedHeaders(event, secrets, now),
        body: event.body,
      }))
      return { events, afterId: last.id }
    }
    if (performance.now() >= until) return { events: [], afterId: from }
    await pause(LOOK_EVERY_MS)
  }
}

/**
 * Reads events up to the size limit. If there are any, it returns at least one event, even if that one exceeds the
 * limit.
 */
async function readEvents(
  db: Db,
  tenantId: string,
  afterId: string,
): Promise<{ heard: Heard[]; bytes: number }> {
  const heard: Heard[] = []
  let bytes = 0
  for (const event of await listEventsAfter(db, tenantId, afterId, AT_ONCE)) {
    if (heard.length > 0 && bytes + event.body.length > BYTES_AT_ONCE) break
    heard.push(event)
    bytes += event.body.length
  }
  return { heard, bytes }
}
