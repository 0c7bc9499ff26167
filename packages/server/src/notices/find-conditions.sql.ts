// Finds the problems ("conditions") about which users are emailed, such as a failing webhook receiver. To
// stay cheap, each SQL statement reads only a limited part of a partial index.

import type { Db } from '../db/db.ts'
import { isDistributed } from '../db/distributed-database.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import { queryAllShards } from '../db/shard-query.ts'
import { firstIdAt } from '../values/id.ts'
import type { FoundCondition } from './notice.ts'

const HOUR_MS = 3_600_000
/**
 * The number of most recent delivery attempts that are read for each callback URL. If the most recent attempts failed,
 * the receiver counts as failing.
 */
const NEWEST_ATTEMPTS = 200
/**
 * The maximum number of recent deliveries that are read for each additional webhook endpoint, and of attempts for
 * each delivery. Only deliveries that were attempted count, because an unresponsive endpoint has a backlog of newer
 * deliveries without an attempt.
 */
const NEWEST_DELIVERIES = 100
const ATTEMPTS_OF_DELIVERY = 10
/**
 * Only attempts to deliver events younger than this are read, so that users are not emailed about a failure that ended
 * long ago. The longest retry schedule ends after three days, so this period is long enough.
 */
const EVENTS_OF_MS = 7 * 24 * HOUR_MS
const KEY_EXPIRES_WITHIN_MS = 7 * 24 * HOUR_MS
/**
 * How far back rotations of API keys are read. A rotated key that has not expired was rotated at most 24 hours ago,
 * because this is the longest grace period (auth/api-keys/key-input.ts). The additional hour allows for differences
 * between clocks.
 */
const KEY_ROTATED_WITHIN_MS = 25 * HOUR_MS
/**
 * Items waiting for the operator's decision are counted only up to this number. A larger number in the email would not
 * change what the operator does.
 */
const COUNTED_AT_MOST = 1_000

/**
 * Selects each tenant that has an event with the given status in `webhook_queue`. The query uses an index to jump
 * from tenant to tenant, so its cost does not depend on the number of events.
 */
const tenantsWith = (name: string, status: string, order: string) => `${name} as (
     (select tenant_id from webhook_queue where status = '${status}' order by ${order} limit 1)
     union all
     select following.tenant_id from ${name} cross join lateral (
       select tenant_id from webhook_queue where status = '${status}' and tenant_id > ${name}.tenant_id
       order by ${order} limit 1) following
   )`

const attemptColumns = `started_at, coalesce(response_status between 200 and 299 and error is null, false) as succeeded,
  coalesce(error, 'status ' || response_status) as error`

/**
 * Selects a receiver's current failure from the delivery attempts in `newest`, or no row if the last attempt succeeded.
 * `since` is the time of the first failed attempt after the last success.
 */
const lastingFailure = (newest: string) => `
  with newest as materialized (${newest})
  select min(started_at) as since, (array_agg(error order by started_at desc))[1] as error, success.held_not_at
  from (select max(started_at) as held_not_at from newest where succeeded) success
  join newest on not succeeded and started_at > coalesce(success.held_not_at, '-infinity')
  group by success.held_not_at`

type FailingReceiver = Omit<FoundCondition, 'kind'>

/**
 * Defines a query for failing webhook receivers. On a distributed database, the query runs on each shard. If a
 * node fails, the whole query fails. Otherwise, the problems of the tenants on this node would wrongly count as
 * ended.
 */
function failingReceivers(tables: [string, ...string[]], query: string) {
  const onOneDatabase = preparedStatement<FailingReceiver>(query)
  return async (db: Db, values: { from: string }): Promise<FailingReceiver[]> => {
    if (!isDistributed(db)) return onOneDatabase(db, values)
    const found = await queryAllShards<Omit<FailingReceiver, keyof TimesAsText> & TimesAsText>(
      db,
      tables,
      query,
      values,
    )
    return found.map(({ since, heldNotAt, ...rest }) => ({
      ...rest,
      since: new Date(since),
      heldNotAt: heldNotAt === null ? null : new Date(heldNotAt),
    }))
  }
}

/** The times in the result of a query on shards, which returns times as text. */
type TimesAsText = { since: string; heldNotAt: string | null }

// Reads only the delivery attempts of tenants with undelivered webhook events, because the callback URL of other
// tenants cannot be failing. A tenant that has removed its callback URL has none that could fail.
const failingCallbackUrls = failingReceivers(
  ['webhook_queue', 'webhook_attempts', 'webhook_endpoints'],
  `with recursive ${tenantsWith('pending', 'pending', 'tenant_id, next_attempt_at')},
   ${tenantsWith('failed', 'permanently_failed', 'tenant_id, status, event_id')},
   tenant as (select tenant_id from pending union select tenant_id from failed)
   select tenant.tenant_id as "tenantId", '' as subject, failure.since,
          failure.held_not_at as "heldNotAt", jsonb_build_object('error', failure.error) as detail
   from tenant join webhook_endpoints e on e.tenant_id = tenant.tenant_id and e.callback_url is not null
   cross join lateral (${lastingFailure(
     `select ${attemptColumns} from webhook_attempts a where a.tenant_id = tenant.tenant_id and a.event_id >= :from
      order by a.event_id desc, a.number desc limit ${NEWEST_ATTEMPTS}`,
   )}) failure`,
)

// Only an endpoint with undelivered events can be failing, so the query reads only such endpoints, one after
// the other, with an index. The inner limit makes PostgreSQL read only the attempts of the selected deliveries.
const failingEndpoints = failingReceivers(
  ['additional_deliveries', 'additional_attempts', 'additional_endpoints'],
  `with recursive undelivered as (
     (select tenant_id, endpoint_id from additional_deliveries
      where status in ('pending', 'permanently_failed') order by tenant_id, endpoint_id limit 1)
     union all
     select following.* from undelivered u cross join lateral (
       select tenant_id, endpoint_id from additional_deliveries d
       where d.status in ('pending', 'permanently_failed') and (d.tenant_id, d.endpoint_id) > (u.tenant_id, u.endpoint_id)
       order by d.tenant_id, d.endpoint_id limit 1
     ) following
   )
   select e.tenant_id as "tenantId", e.id::text as subject, failure.since, failure.held_not_at as "heldNotAt",
          jsonb_build_object('error', failure.error, 'endpoint_id', e.id, 'url', e.url, 'mode', e.mode) as detail
   from undelivered u
   join additional_endpoints e on e.tenant_id = u.tenant_id and e.id = u.endpoint_id and e.enabled
   cross join lateral (${lastingFailure(
     `select ${attemptColumns}
      from (
        select event_id from additional_deliveries d
        where d.tenant_id = e.tenant_id and d.endpoint_id = e.id and d.event_id >= :from and d.attempt_count > 0
        order by d.event_id desc limit ${NEWEST_DELIVERIES}
      ) delivery
      cross join lateral (
        select * from additional_attempts a
        where a.tenant_id = e.tenant_id and a.event_id = delivery.event_id and a.endpoint_id = e.id
        order by a.number desc limit ${ATTEMPTS_OF_DELIVERY}
      ) a`,
   )}) failure`,
)

// Finds rotated API keys that were used after their rotation and expire soon. Only a rotated key has an expiry. The
// last use may have been hours ago, so that the key of a job that runs once a day is also found.
const expiringKeys = preparedStatement<Omit<FoundCondition, 'kind'>>(
  `select k.tenant_id as "tenantId", k.id::text as subject, rotation.at as since,
          jsonb_build_object('key', k.display_prefix, 'name', k.name, 'mode', k.mode, 'expires_at', k.expires_at,
                             'last_used_at', k.last_used_at) as detail
   from api_keys k cross join lateral (
     select a.at from audit_log a
     where a.tenant_id = k.tenant_id and a.id >= :rotatedFrom and a.action = 'api_key.rotate'
       and a.subject_id = k.id::text
     order by a.id desc limit 1
   ) rotation
   where k.revoked_at is null and k.expires_at > :now and k.expires_at < :expiresBefore
     and k.last_used_at > rotation.at`,
)

// A manual refund is left out, because no provider reports its outcome. The query repeats the conditions of the partial
// index `refunds_waiting`, so that PostgreSQL can use this index.
const waitingForOwner = preparedStatement<Omit<FoundCondition, 'tenantId'>>(
  `with money as (
     select created_at from unexpected_money where status = 'open' and mode = 'live' order by id limit ${COUNTED_AT_MOST}
   ), outcome as (
     (select updated_at as at from payments where status = 'unknown' and next_check_at is null and mode = 'live'
      order by updated_at limit ${COUNTED_AT_MOST})
     union all
     (select created_at from refunds
      where status = 'pending' and next_check_at is null and origin in ('merchant', 'operator')
        and method = 'provider' and mode = 'live'
      order by id limit ${COUNTED_AT_MOST})
   )
   select 'unexpected_money' as kind, '' as subject, min(created_at) as since,
          jsonb_build_object('count', count(*)) as detail
   from money having count(*) > 0
   union all
   select 'outcome_unknown', '', min(at), jsonb_build_object('count', count(*)) from outcome having count(*) > 0`,
)

/**
 * Finds all current problems ("conditions"). `ownerId` is the operator's tenant. The users of this tenant are
 * emailed about problems that only the operator can solve.
 */
export async function findConditions(db: Db, ownerId: string, now: Date): Promise<FoundCondition[]> {
  const at = (ms: number) => new Date(now.getTime() + ms)
  const from = firstIdAt(at(-EVENTS_OF_MS))
  const receivers = [...(await failingCallbackUrls(db, { from })), ...(await failingEndpoints(db, { from }))]
  const keys = await expiringKeys(db, {
    now,
    expiresBefore: at(KEY_EXPIRES_WITHIN_MS),
    rotatedFrom: firstIdAt(at(-KEY_ROTATED_WITHIN_MS)),
  })
  const waiting = await waitingForOwner(db, {})
  return [
    ...receivers.map(found => ({ ...found, kind: 'receiver_failing' as const })),
    ...keys.map(found => ({ ...found, kind: 'key_expiring' as const })),
    ...waiting.map(found => ({ ...found, tenantId: ownerId })),
  ]
}
