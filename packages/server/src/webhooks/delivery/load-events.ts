// Loads a batch of leased webhook events and their tenants' endpoints, and decides whether each event is sent now.

import type { Db } from '../../db/db.ts'
import type { Logger } from '../../logging/log.ts'
import type { Clock } from '../../values/time.ts'
import type { LoadEndpoint, LoadedEndpoint } from '../endpoint/load-endpoint.ts'
import { type LeasedEvent, loadLeasedEvents } from './lease.sql.ts'
import { coversAnAttempt, type Lease } from './lease.ts'

type Deps = { db: Db; clock: Clock; log: Logger; endpointOf: LoadEndpoint }

/**
 * The next step for a webhook event:
 * - send: send the event now.
 * - wait: wait until an earlier event of the same payment is finished.
 * - release: release the lease, because too little time is left on it for an attempt.
 * - drop: do nothing, because another process has leased the event or the tenant's endpoint cannot be loaded.
 *   If the endpoint cannot be loaded, the event is due again when its lease expires.
 */
export type Loaded =
  | { step: 'send'; event: LeasedEvent; endpoint: LoadedEndpoint | undefined }
  | { step: 'wait' | 'release' | 'drop' }

/**
 * Loads the leased webhook events, and decides for each event whether to send it, let it wait, release its lease or
 * drop it. The results are in the same order as the leases.
 */
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

/**
 * Loads each tenant's callback URL and secrets. The result is null for a tenant whose URL and secrets cannot be
 * loaded.
 */
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
