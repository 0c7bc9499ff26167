import type { Db } from '../db/db.ts'
import { statement } from '../db/statement.ts'

export type Attempt = {
  number: number
  startedAt: Date
  durationMs: number
  responseStatus: number | null
  responseBody: string | null
  error: string | null
}

export type EndedAttempt = Omit<Attempt, 'number'> & {
  tenantId: string
  eventId: string
}

const record = statement<{ followed: string[] | null }>(
  `with ended as (
     select *, response_status between 200 and 299 and error is null as delivered,
            started_at + (duration_ms + :pauseMs::integer) * interval '1 millisecond' as retry_at
     from unnest(:tenantIds::uuid[], :eventIds::uuid[], :startedAts::timestamptz[], :durationsMs::integer[],
         :responseStatuses::integer[], :responseBodies::text[], :errors::text[])
       as a (tenant_id, event_id, started_at, duration_ms, response_status, response_body, error)
   ), settled as (
     update webhook_events e
     set attempt_count = e.attempt_count + 1, attempts_left = greatest(e.attempts_left - 1, 0),
         status = case when e.status <> 'pending' then e.status
           when ended.delivered then 'delivered' when e.attempts_left > 1 then 'pending' else 'permanently_failed' end,
         next_attempt_at = case
           when e.status = 'pending' and ended.delivered is not true and e.attempts_left > 1 then ended.retry_at end
     from ended
     where e.tenant_id = ended.tenant_id and e.id = ended.event_id
     returning e.tenant_id, e.id, e.status, e.is_followed, e.next_attempt_at, e.attempt_count,
       ended.started_at, ended.duration_ms, ended.response_status, ended.response_body, ended.error
   ), attempt as (
     insert into webhook_attempts (tenant_id, event_id, number, started_at, duration_ms, response_status, response_body, error)
     select tenant_id, id, attempt_count, started_at, duration_ms, response_status, response_body, error from settled
   ), retry as (
     select enqueue('deliver_due_webhooks',
       array[json_build_object('tenant_ids', json_agg(distinct tenant_id))], array[null]::text[], max(next_attempt_at))
     from settled where status = 'pending' having count(*) > 0
   )
   select (select count(*) from retry), (
     select array_agg(id) from settled where is_followed and status <> 'pending') as followed`,
)

/**
 * Writes attempts down with what follows: delivered; or another attempt `pauseMs` after its end; or, if none is left,
 * permanently failed. Each gets the number that its event is at, so an attempt is on record even where two processes made one.
 * Says of each whether it settled an event that a later one of its payment waits for.
 */
export async function recordAttempts(db: Db, ended: EndedAttempt[], pauseMs: number): Promise<boolean[]> {
  const [row] = await record(db, {
    tenantIds: ended.map(each => each.tenantId),
    eventIds: ended.map(each => each.eventId),
    startedAts: ended.map(each => each.startedAt.toISOString()),
    durationsMs: ended.map(each => each.durationMs),
    responseStatuses: ended.map(each => each.responseStatus),
    responseBodies: ended.map(each => each.responseBody),
    errors: ended.map(each => each.error),
    pauseMs,
  })
  const followed = new Set(row?.followed)
  return ended.map(each => followed.has(each.eventId))
}
