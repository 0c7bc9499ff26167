// Creates a tenant with a webhook receiver that records deliveries.

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Db } from '../../src/db/db.ts'
import { loadSecrets } from '../../src/secrets/secrets.ts'
import { newId } from '../../src/values/id.ts'
import { type Lease, leaseExpiryFrom } from '../../src/webhooks/delivery/lease.ts'
import { newWebhookSecret } from '../../src/webhooks/delivery/sign.ts'
import { insertEndpoint, setCallbackUrl } from '../../src/webhooks/endpoint/endpoint.sql.ts'
import { webhookSecretContext } from '../../src/webhooks/endpoint/endpoint-secrets.ts'
import { insertEvents } from '../../src/webhooks/event.sql.ts'
import type { WebhookEvent } from '../../src/webhooks/event.ts'
import { atEnd } from './at-end.ts'
import { makeTenant } from './make.ts'

export type Hit = { id: string; body: { payment: string; number: number } }

export type Listener = { tenantId: string; url: string; hits: Hit[]; mostUnderWay(): number }

/** Starts a webhook receiver. By default, it responds with 200 immediately. */
export async function listener(
  { db, masterKey }: { db: Db; masterKey: Buffer },
  answer: (response: ServerResponse, hit: Hit) => void = response => void response.end(),
): Promise<Listener> {
  const hits: Hit[] = []
  let underWay = 0
  let most = 0
  const server = createServer(async (request, response) => {
    underWay++
    most = Math.max(most, underWay)
    response.on('close', () => underWay--)
    let text = ''
    for await (const chunk of request) text += chunk
    const hit = { id: request.headers['webhook-id'] as string, body: JSON.parse(text) }
    hits.push(hit)
    answer(response, hit)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const tenantId = await listening({ db, masterKey }, url)
  return { tenantId, url, hits, mostUnderWay: () => most }
}

/** Creates a tenant whose events are delivered to the receiver's URL. */
export async function listening(
  { db, masterKey }: { db: Db; masterKey: Buffer },
  url: string,
): Promise<string> {
  const tenantId = await makeTenant(db)
  const secrets = await loadSecrets(db, { masterKey })
  await insertEndpoint(
    db,
    tenantId,
    await secrets.encrypt(newWebhookSecret(), webhookSecretContext(tenantId)),
  )
  await setCallbackUrl(db, tenantId, url)
  return tenantId
}

/** Returns a webhook event about a paid payment. The payment need not exist. */
export function paidEvent(
  tenantId: string,
  { payment = newId(), number = 2, at = new Date() }: { payment?: string; number?: number; at?: Date } = {},
): WebhookEvent {
  const body = JSON.stringify({ payment, number })
  const [id, mode, type] = [newId(), 'test', 'payment.paid'] as const
  return { tenantId, id, paymentId: payment, number, mode, type, body, createdAt: at }
}

/**
 * Inserts events into the webhook queue as if a delivery job had leased (reserved) the events. Returns the
 * leases.
 */
export async function insertLeased(db: Db, events: WebhookEvent[]): Promise<Lease[]> {
  await db.transaction(tx => insertEvents(tx, events))
  const expiresAt = leaseExpiryFrom(new Date(Math.max(...events.map(event => event.createdAt.getTime()))))
  return events.map(({ tenantId, id }) => ({ tenantId, eventId: id, expiresAt }))
}

/** Counts a tenant's events by status. */
export async function statusesOf(db: Db, tenantId: string): Promise<Record<string, number>> {
  // Counts the queued events and all events separately. Until PostgreSQL has analyzed the new rows, a query that joins
  // both tables can take half a minute.
  const { rows } = await db.raw(
    `with queued as (select status, count(*)::integer from webhook_queue where tenant_id = :tenantId group by 1),
       delivered as (
         select count(*)::integer - (select coalesce(sum(count), 0)::integer from queued) as count
         from webhook_events where tenant_id = :tenantId)
     select * from queued union all select 'delivered', count from delivered where count > 0`,
    { tenantId },
  )
  return Object.fromEntries(rows.map((row: { status: string; count: number }) => [row.status, row.count]))
}
