// Test-mode events for a machine without a public address: it asks, and is answered as soon as there are any,
// with the very headers and bytes that a delivery to a callback URL would carry.

import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../app.ts'
import { atMost } from '../at-most.ts'
import { firstIdAt } from '../id.ts'
import { openSecrets } from './endpoint-secrets.ts'
import { listEventsAfter } from './listen.sql.ts'
import { ensureEndpoint } from './read-endpoint.ts'
import { signedHeaders } from './sign.ts'

const LOOK_EVERY_MS = 250
const AT_ONCE = 100

export type HeardEvent = { id: string; headers: Record<string, string>; body: string }

/** Each waits for up to 25 seconds and looks four times in one. */
const ofAll = atMost(128, 'as many listen as may')
const ofTenant = atMost(8, 'eight requests of this tenant listen already')

/**
 * afterId: undefined begins now. Resolves when there are events, or waitMs have passed without any. Throws
 * SERVICE_UNAVAILABLE where too many listen.
 */
export const listenForEvents: typeof listen = (app, tenantId, afterId, waitMs) =>
  ofTenant(() => ofAll(() => listen(app, tenantId, afterId, waitMs)), tenantId)

async function listen(
  app: Pick<App, 'db' | 'clock' | 'secrets'>,
  tenantId: string,
  afterId: string | undefined,
  waitMs: number,
): Promise<{ events: HeardEvent[]; afterId: string }> {
  const from = afterId ?? firstIdAt(app.clock())
  const until = performance.now() + waitMs
  for (;;) {
    const heard = await listEventsAfter(app.db, tenantId, from, AT_ONCE)
    const last = heard.at(-1)
    if (last) {
      const now = app.clock()
      const secrets = await openSecrets(app.secrets, tenantId, await ensureEndpoint(app, tenantId), now)
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
