// Loads a batch of leased events with the endpoints of their tenants, and decides what happens to each event next.

import type { Db } from '../../db/db.ts'
import type { Logger } from '../../logging/log.ts'
import type { Clock } from '../../values/time.ts'
import type { LoadEndpoint, LoadedEndpoint } from '../endpoint/load-endpoint.ts'
import { type LeasedEvent, loadLeasedEvents } from './lease.sql.ts'
import { coversAnAttempt, type Lease } from './lease.ts'

type Deps = { db: Db; clock: Clock; log: Logger; endpointOf: LoadEndpoint }

/**
 * The next step of an event:
 * - send: the event is attempted now.
 * - wait: an earlier event of its payment is pending.
 * - release: the lease is too short for an attempt, because the event waited long in memory.
 * - drop: another process has the event, or the tenant's endpoint cannot be loaded now. In the second case, the event
 *   is due again when its lease expires.
 */
export type Loaded =
  | { step: 'send'; event: LeasedEvent; endpoint: LoadedEndpoint | undefined }
  | { step: 'wait' | 'release' | 'drop' }

/** Returns the next step of each event, in the order of the leases. */
export async function loadEvents(app: Deps, leases: Lease[]): Promise<Loaded[]> {
  const loaded = await loadLeasedEvents(app.db, leases)
  const endpoints = await endpointsOf(app, new Set(loaded.flatMap(each => each?.event.tenantId ?? [])))
  const now = app.clock()
  return leases.map((lease, index) => {
    const found = loaded[index]
    const endpoint = found && endpoints.get(found.event.tenantId)
    if (!found || endpoint === null) return { step: 'drop' }
    if (found.waitsForEarlier) return { step: 'wait' }
    if (!coversAnAttempt(lease, now)) return { step: 'release' }
    return { step: 'send', event: found.event, endpoint }
  })
}

/** Loads the endpoint of each tenant. An endpoint is null if it cannot be loaded now. */
async function endpointsOf(
  app: Deps,
  tenantIds: Set<string>,
): Promise<Map<string, LoadedEndpoint | null | undefined>> {
  const load = async (tenantId: string) => {
    const endpoint = await app.endpointOf(tenantId).catch(error => {
      app.log.warn({ err: error, tenantId }, 'webhook endpoint could not be read; its events will be retried')
      return null
    })
    return [tenantId, endpoint] as const
  }
  return new Map(await Promise.all([...tenantIds].map(load)))
}
