import type { Db, Tx } from '../db/db.ts'
import { joinedRead } from '../db/joined-read.ts'
import { statement } from '../db/statement.ts'
import type { WebhookEvent } from './event.ts'
import { holdFrom } from './hold.ts'

/** One attempt and three more (the interface's retry rules). */
const ATTEMPTS = 4

export type Endpoint = {
  callbackUrl: string | null
  secretSealed: string
  previousSecretSealed: string | null
  previousSecretExpiresAt: Date | null
}

const findEndpoints = joinedRead<string, Endpoint>('find_webhook_endpoints', {
  key: { tenant_id: ['uuid', tenantId => tenantId] },
  select: narrow => `
    select callback_url as "callbackUrl", secret_sealed as "secretSealed",
           previous_secret_sealed as "previousSecretSealed", previous_secret_expires_at as "previousSecretExpiresAt"
    from ${narrow('webhook_endpoints')} e where e.tenant_id = k.tenant_id limit 1`,
})

/** A tenant's. */
export const findEndpoint = async (db: Db, tenantId: string): Promise<Endpoint | undefined> =>
  (await findEndpoints(db, tenantId))[0]

/** What exists stays as it is. */
export async function insertEndpoint(db: Db, tenantId: string, secretSealed: string): Promise<void> {
  await db.raw(
    'insert into webhook_endpoints (tenant_id, secret_sealed) values (?, ?) on conflict do nothing',
    [tenantId, secretSealed],
  )
}

/** Returns the one before. */
export async function setCallbackUrl(
  db: Db,
  tenantId: string,
  callbackUrl: string | null,
): Promise<string | null> {
  const { rows } = await db.raw<{ rows: { before: string | null }[] }>(
    `with known as (select tenant_id, callback_url from webhook_endpoints where tenant_id = :tenantId for update)
     update webhook_endpoints w set callback_url = :callbackUrl, updated_at = now()
     from known where w.tenant_id = known.tenant_id
     returning known.callback_url as before`,
    { tenantId, callbackUrl },
  )
  return rows[0]?.before ?? null
}

/** The secret that was there signs beside the new one until `previousUntil`; the one before that no more. */
export async function replaceSecret(
  tx: Tx,
  tenantId: string,
  secretSealed: string,
  previousUntil: Date,
): Promise<void> {
  await tx.raw(
    `update webhook_endpoints
     set previous_secret_sealed = secret_sealed, previous_secret_expires_at = :previousUntil,
         secret_sealed = :secretSealed, updated_at = now()
     where tenant_id = :tenantId`,
    { tenantId, secretSealed, previousUntil },
  )
}

/** Those of one job are opened together. */
const EVENTS_OF_A_JOB = 100

const insert = statement(
  `with event as (
     select * from unnest(:tenantIds::uuid[], :ids::uuid[], :paymentIds::uuid[], :numbers::integer[], :modes::text[],
         :types::text[], :bodies::text[], :createdAts::timestamptz[])
       as e (tenant_id, id, payment_id, number, mode, type, body, created_at)
   ), inserted as (
     insert into webhook_events (tenant_id, id, payment_id, number, mode, type, body, created_at)
     select * from event
   ), queued as (
     insert into webhook_queue (tenant_id, event_id, attempts_left, status, next_attempt_at)
     select e.tenant_id, e.id, :attempts::integer,
            case when w.callback_url is null then 'not_configured' else 'pending' end,
            case when w.callback_url is not null then :heldUntil::timestamptz end
     from event e left join webhook_endpoints w on w.tenant_id = e.tenant_id
     returning tenant_id, event_id, status
   ), job as (
     select json_build_object('held_until', :heldUntil::timestamptz, 'events',
       json_agg(json_build_object('tenant_id', tenant_id, 'event_id', event_id))) as payload
     from (
       select tenant_id, event_id, (row_number() over () - 1) / :ofAJob::integer as job from queued where status = 'pending'
     ) pending
     group by job
   )
   select enqueue('deliver_webhooks', array_agg(payload), array_agg(null::text)) from job having count(*) > 0`,
)

/**
 * In the transaction that made them true. What is to be done with them stands in the queue: where the tenant has a
 * callback URL they are pending, held by the one job that they share, else `not_configured`.
 */
export async function insertEvents(tx: Tx, events: WebhookEvent[]): Promise<void> {
  await insert(tx, {
    tenantIds: events.map(event => event.tenantId),
    ids: events.map(event => event.id),
    paymentIds: events.map(event => event.paymentId),
    numbers: events.map(event => event.number),
    modes: events.map(event => event.mode),
    types: events.map(event => event.type),
    bodies: events.map(event => event.body),
    createdAts: events.map(event => event.createdAt.toISOString()),
    heldUntil: holdFrom(new Date(Math.max(...events.map(event => event.createdAt.getTime())))),
    attempts: ATTEMPTS,
    ofAJob: EVENTS_OF_A_JOB,
  })
}
