import { batchedRead } from '../db/batch/batched-read.ts'
import type { Db, Tx } from '../db/db.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import { holdFrom } from './delivery/hold.ts'
import type { WebhookEvent } from './event.ts'

/** The number of attempts for an event: the first one and three retries, as the API specifies. */
const ATTEMPTS = 4

export type Endpoint = {
  callbackUrl: string | null
  secretSealed: string
  /** The previous secrets, latest expiry first. Some may already have expired. */
  previousSecrets: { sealed: string; expiresAt: Date }[]
}

type EndpointRow = Omit<Endpoint, 'previousSecrets'> & { previousSealed: string[]; previousExpireAt: Date[] }

const findEndpoints = batchedRead<string, EndpointRow>('find_webhook_endpoints', {
  key: { tenant_id: ['uuid', tenantId => tenantId] },
  select: restrict => `
    select e.callback_url as "callbackUrl", e.secret_sealed as "secretSealed",
           coalesce(previous.sealed, '{}') as "previousSealed",
           coalesce(previous.expire_at, '{}') as "previousExpireAt"
    from (select * from ${restrict('webhook_endpoints')} e where e.tenant_id = k.tenant_id limit 1) e
    cross join lateral (
      select array_agg(p.secret_sealed order by p.expires_at desc) as sealed,
             array_agg(p.expires_at order by p.expires_at desc) as expire_at
      from ${restrict('previous_webhook_secrets')} p where p.tenant_id = k.tenant_id
    ) previous`,
})

const endpointOf = ({ previousSealed, previousExpireAt, ...row }: EndpointRow): Endpoint => ({
  ...row,
  previousSecrets: previousSealed.map((sealed, i) => ({ sealed, expiresAt: previousExpireAt[i] as Date })),
})

export async function findEndpointInBatch(db: Db, tenantId: string): Promise<Endpoint | undefined> {
  const [row] = await findEndpoints(db, tenantId)
  return row && endpointOf(row)
}

/** Inserts a tenant's endpoint. Does nothing if the tenant already has one. */
export async function insertEndpoint(db: Db, tenantId: string, secretSealed: string): Promise<void> {
  await db.raw(
    'insert into webhook_endpoints (tenant_id, secret_sealed) values (?, ?) on conflict do nothing',
    [tenantId, secretSealed],
  )
}

/** Sets a tenant's callback URL and returns the previous one. */
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

/** Locks the endpoint's row, so that rotations of its secret wait for each other. */
export async function lockEndpoint(tx: Tx, tenantId: string): Promise<void> {
  await tx.raw('select from webhook_endpoints where tenant_id = ? for update', [tenantId])
}

/**
 * Deletes the previous secrets that expired by `at`; if `at` is null, all of them. Returns the times at which the
 * remaining ones expire, earliest first.
 */
export async function endPreviousSecrets(tx: Tx, tenantId: string, at: Date | null): Promise<Date[]> {
  await tx.raw(
    `delete from previous_webhook_secrets
     where tenant_id = :tenantId and (:at::timestamptz is null or expires_at <= :at)`,
    { tenantId, at },
  )
  const { rows } = await tx.raw<{ rows: { expiresAt: Date }[] }>(
    `select expires_at as "expiresAt" from previous_webhook_secrets where tenant_id = ? order by expires_at`,
    [tenantId],
  )
  return rows.map(({ expiresAt }) => expiresAt)
}

/**
 * Replaces the secret. Until `previousUntil`, deliveries are also signed with the replaced secret; with null, it stops
 * signing immediately. A trigger moves the replaced secret to the previous secrets
 * (migrations/0035_overlapping_secrets_and_limits.sql).
 */
export async function replaceSecret(
  tx: Tx,
  tenantId: string,
  secretSealed: string,
  previousUntil: Date | null,
): Promise<void> {
  await tx.raw(
    `update webhook_endpoints
     set previous_secret_sealed = case when :previousUntil::timestamptz is not null then secret_sealed end,
         previous_secret_expires_at = :previousUntil, secret_sealed = :secretSealed, updated_at = now()
     where tenant_id = :tenantId`,
    { tenantId, secretSealed, previousUntil },
  )
}

/** The maximum number of events that share a job. The events of a job are loaded together. */
const EVENTS_OF_A_JOB = 100

const insert = preparedStatement(
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
 * Inserts events in the transaction that caused them, and queues them. If the tenant has a callback URL, its events are
 * pending and a job holds them; up to EVENTS_OF_A_JOB events share a job. Otherwise they are `not_configured`.
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
