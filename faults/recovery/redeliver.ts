// Requests redeliveries of webhook events, as merchants would. A merchant requests a redelivery if its receiver was
// unreachable during all four attempts to deliver the event.

import { readDatabase } from '../checker/read.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { type Stuck, untilNoEventIsPending } from './recover.ts'

/** The number of delivery attempts per webhook that the documentation promises. */
const ATTEMPTS = 4

type Options = { stuckAfterMs: number; progress: (line: string) => void }

/** Redelivers the events that did not reach their merchants. Returns the IDs of these events. */
export async function redeliverMissing(cluster: Cluster, options: Options): Promise<Set<string>> {
  const arrived = new Set(cluster.receiver.arrivals.map(({ eventId }) => eventId))
  const { events } = await readDatabase(cluster.postgres.adminUrl())
  // A redelivery is requested only for events that have no delivery attempts left, because the service itself
  // must deliver all other events.
  const missing = events.filter(({ id, attempts }) => attempts >= ATTEMPTS && !arrived.has(id))
  if (missing.length === 0) return new Set()
  options.progress(
    `${missing.length} webhook events did not arrive in any of their attempts; requesting their redelivery`,
  )
  for (const { tenantId, email, password } of cluster.merchants) {
    const own = missing.filter(event => event.tenantId === tenantId)
    if (own.length === 0) continue
    const { access_token } = await post(cluster, '/v1/auth/login', { body: { email, password } })
    for (const { id } of own)
      await post(cluster, `/v1/webhook-deliveries/${id}/redeliver`, { auth: `Bearer ${access_token}` })
  }
  const stuck: Stuck[] = []
  await untilNoEventIsPending(cluster, options, stuck)
  return new Set(missing.map(({ id }) => id))
}

async function post(
  { url }: Cluster,
  path: string,
  { body, auth }: { body?: object; auth?: string },
): Promise<{ access_token?: string }> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(auth && { authorization: auth }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { data?: { access_token?: string } }
  if (!response.ok || !answer.data) throw new Error(`${path} returned ${response.status}`)
  return answer.data
}
