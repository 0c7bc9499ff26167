import type { Db, Tx } from '../db/db.ts'
import type { DeliveryStatus, EventType, WebhookEvent } from './event.ts'

/** One attempt and three more (the interface's retry rules). */
const ATTEMPTS = 4

export type Endpoint = {
  callbackUrl: string | null
  secretSealed: string
  previousSecretSealed: string | null
  previousSecretExpiresAt: Date | null
}

export async function findEndpoint(db: Db, tenantId: string): Promise<Endpoint | undefined> {
  const { rows } = await db.raw<{ rows: Endpoint[] }>(
    `select callback_url as "callbackUrl", secret_sealed as "secretSealed",
            previous_secret_sealed as "previousSecretSealed", previous_secret_expires_at as "previousSecretExpiresAt"
     from webhook_endpoints where tenant_id = ?`,
    [tenantId],
  )
  return rows[0]
}

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

/**
 * In the transaction that made them true. Where the tenant has a callback URL the events are pending and each gets a
 * job, else `not_configured`.
 */
export async function insertEvents(tx: Tx, events: WebhookEvent[]): Promise<void> {
  await tx.raw(
    `with event as (
       select * from jsonb_to_recordset(:events) as e (
         "tenantId" uuid, id uuid, "paymentId" uuid, number integer, mode text, type text, body text, "createdAt" timestamptz)
     ), inserted as (
       insert into webhook_events (
         tenant_id, id, payment_id, number, mode, type, body, created_at, attempts_left, status, next_attempt_at)
       select e."tenantId", e.id, e."paymentId", e.number, e.mode, e.type, e.body, e."createdAt", :attempts,
              case when w.callback_url is null then 'not_configured' else 'pending' end,
              case when w.callback_url is null then null else e."createdAt" end
       from event e left join webhook_endpoints w on w.tenant_id = e."tenantId"
       returning tenant_id, id, status
     )
     select enqueue('deliver_webhook',
       array_agg(json_build_object('tenant_id', tenant_id, 'event_id', id)), array_agg(id::text))
     from inserted where status = 'pending' having count(*) > 0`,
    { events: JSON.stringify(events), attempts: ATTEMPTS },
  )
}

export type Claim = { id: string; type: EventType; body: string; attemptCount: number } & Endpoint

/**
 * Takes a due event for one attempt: until `lostAt` nobody else does. Of one payment's events the earlier goes
 * first, so one is not taken while an earlier one is pending. A row lock on that earlier one makes the
 * answer certain: whoever settles it afterwards sees this event waiting.
 */
export async function claimEvent(
  db: Db,
  tenantId: string,
  eventId: string,
  now: Date,
  lostAt: Date,
): Promise<Claim | undefined> {
  const { rows } = await db.raw<{ rows: Claim[] }>(
    `with earlier as (
       select e.id from webhook_events mine
       join webhook_events e on e.tenant_id = mine.tenant_id and e.payment_id = mine.payment_id
         and e.number < mine.number and e.status = 'pending'
       where mine.tenant_id = :tenantId and mine.id = :eventId
       for share of e
     )
     update webhook_events e set next_attempt_at = :lostAt
     from webhook_endpoints w
     where e.tenant_id = :tenantId and e.id = :eventId and e.status = 'pending' and e.next_attempt_at <= greatest(:now, now())
       and w.tenant_id = e.tenant_id and not exists (select from earlier)
     returning e.id, e.type, e.body, e.attempt_count as "attemptCount", w.callback_url as "callbackUrl",
       w.secret_sealed as "secretSealed", w.previous_secret_sealed as "previousSecretSealed",
       w.previous_secret_expires_at as "previousSecretExpiresAt"`,
    { tenantId, eventId, now, lostAt },
  )
  return rows[0]
}

export type Attempt = {
  number: number
  startedAt: Date
  durationMs: number
  responseStatus: number | null
  responseBody: string | null
  error: string | null
}

/**
 * Writes an attempt down with what follows: delivered; or another attempt at `retryAt`, as a job; or, if none
 * is left, permanently failed. Once the event is settled the payment's next event, if one waits, gets its job.
 */
export async function recordAttempt(
  db: Db,
  key: { tenantId: string; eventId: string },
  attempt: Attempt,
  delivered: boolean,
  retryAt: Date,
): Promise<void> {
  await db.transaction(async tx => {
    const { rows } = await tx.raw<{ rows: { status: DeliveryStatus; paymentId: string | null }[] }>(
      `with attempt as (
         insert into webhook_attempts (tenant_id, event_id, number, started_at, duration_ms, response_status, response_body, error)
         values (:tenantId, :eventId, :number, :startedAt, :durationMs, :responseStatus, :responseBody, :error)
       ), settled as (
         update webhook_events
         set attempt_count = :number, attempts_left = attempts_left - 1,
             status = case when :delivered then 'delivered' when attempts_left > 1 then 'pending' else 'permanently_failed' end,
             next_attempt_at = case when not :delivered and attempts_left > 1 then :retryAt::timestamptz end
         where tenant_id = :tenantId and id = :eventId
         returning tenant_id, id, payment_id, status
       )
       select status, payment_id as "paymentId",
         case when status = 'pending' then
           enqueue('deliver_webhook', array[json_build_object('tenant_id', tenant_id, 'event_id', id)], array[id::text], :retryAt)
         end
       from settled`,
      { ...key, ...attempt, delivered, retryAt },
    )
    const settled = rows[0]
    if (settled && settled.status !== 'pending' && settled.paymentId !== null)
      await enqueueNextOfPayment(tx, key.tenantId, settled.paymentId)
  })
}

async function enqueueNextOfPayment(tx: Tx, tenantId: string, paymentId: string): Promise<void> {
  await tx.raw(
    `select enqueue('deliver_webhook', array[json_build_object('tenant_id', tenant_id, 'event_id', id)], array[id::text], next_attempt_at)
     from webhook_events
     where tenant_id = ? and payment_id = ? and status = 'pending'
     order by number limit 1`,
    [tenantId, paymentId],
  )
}

/** For a job that came too early (a clock ahead of ours, or an attempt that may be lost): again when it is due. */
export async function requeueEvent(db: Db, tenantId: string, eventId: string): Promise<void> {
  await db.raw(
    `select enqueue('deliver_webhook', array[json_build_object('tenant_id', e.tenant_id, 'event_id', e.id)], array[e.id::text], e.next_attempt_at)
     from webhook_events e
     where e.tenant_id = ? and e.id = ? and e.status = 'pending' and not exists (
       select from webhook_events earlier
       where earlier.tenant_id = e.tenant_id and earlier.payment_id = e.payment_id
         and earlier.number < e.number and earlier.status = 'pending')`,
    [tenantId, eventId],
  )
}

/** The tenant's longest waiting event that is due and has no earlier one of its payment before it. */
export async function findDueEvent(db: Db, tenantId: string, now: Date): Promise<string | undefined> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `select e.id from webhook_events e
     where e.tenant_id = ? and e.status = 'pending' and e.next_attempt_at <= greatest(?, now()) and not exists (
       select from webhook_events earlier
       where earlier.tenant_id = e.tenant_id and earlier.payment_id = e.payment_id
         and earlier.number < e.number and earlier.status = 'pending')
     order by e.next_attempt_at limit 1`,
    [tenantId, now],
  )
  return rows[0]?.id
}

/** Gives a job to events that were due before `since` and that nobody took: their worker died. */
export async function requeueOverdueEvents(db: Db, since: Date, limit: number): Promise<void> {
  await db.raw(
    `select enqueue('deliver_webhook',
       array_agg(json_build_object('tenant_id', tenant_id, 'event_id', id)), array_agg(id::text))
     from (
       select tenant_id, id from webhook_events e where status = 'pending' and next_attempt_at < ? and not exists (
         select from graphile_worker._private_jobs j
         where j.key = e.id::text and (j.locked_at is not null or j.run_at < now() + interval '1 minute'))
       order by next_attempt_at limit ?
     ) overdue having count(*) > 0`,
    [since, limit],
  )
}
