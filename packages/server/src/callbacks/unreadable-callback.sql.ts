import type { Db, Tx } from '../db/db.ts'
import { isDistributed } from '../db/distributed-database.ts'
import { jobHasAttempts } from '../db/job-queue.sql.ts'
import { preparedStatement } from '../db/prepared-statement.ts'

/**
 * The SQL that queues status inquiries about unreadable callbacks. Because of the job key, each callback has
 * at most one such job at a time.
 */
const queueInquiry = `enqueue('inquire_unreadable', array_agg(json_build_object('callback_id', callback_id)),
  array_agg('unreadable ' || callback_id))`

const SAME_MESSAGE = 'the same message is waiting as callback '

/**
 * Adds unreadable callbacks to the operator's list, and queues status inquiries about their payments. A callback
 * that is byte-identical to a listed one, such as a retry, gets the status `repeated` instead.
 */
export async function insertUnreadable(tx: Tx, unreadable: { id: string; digest: Buffer }[]): Promise<void> {
  const values = {
    ids: unreadable.map(({ id }) => id),
    digests: unreadable.map(({ digest }) => digest),
  }
  await tx.raw(
    `with waiting as (
       insert into unreadable_callbacks as u (callback_id, provider_account_id, digest, last_received_at)
       select distinct on (c.provider_account_id, k.digest) c.id, c.provider_account_id, k.digest, c.received_at
       from unnest(:ids::uuid[], :digests::bytea[]) as k (id, digest) join provider_callbacks c on c.id = k.id
       order by c.provider_account_id, k.digest, c.id
       on conflict (provider_account_id, digest) do update
       set inquired_at = null, repeats = u.repeats + (u.callback_id <> excluded.callback_id)::integer
       returning callback_id
     )
     select ${queueInquiry} from waiting`,
    values,
  )
  if (isDistributed(tx)) return markRepeatedOnShards(tx, values)
  await tx.raw(
    `update provider_callbacks c set status = 'repeated', reason = '${SAME_MESSAGE}' || u.callback_id
     from unreadable_callbacks u, unnest(:ids::uuid[], :digests::bytea[]) as k (id, digest)
     where c.id = k.id and u.callback_id <> c.id and u.provider_account_id = c.provider_account_id
       and u.digest = k.digest`,
    values,
  )
}

/**
 * On a distributed database, marks callbacks that repeat an unreadable callback. A single statement cannot do
 * this, because the list of unreadable callbacks is on the Citus coordinator and the callbacks are on shards.
 */
async function markRepeatedOnShards(tx: Tx, values: { ids: string[]; digests: Buffer[] }): Promise<void> {
  const { rows } = await tx.raw<{ rows: { id: string; waitingId: string }[] }>(
    `with c as materialized (
       select c.id, c.provider_account_id, k.digest
       from unnest(:ids::uuid[], :digests::bytea[]) as k (id, digest) join provider_callbacks c on c.id = k.id
     )
     select c.id, u.callback_id as "waitingId" from c join unreadable_callbacks u
       on u.provider_account_id = c.provider_account_id and u.digest = c.digest and u.callback_id <> c.id`,
    values,
  )
  for (const { id, waitingId } of rows)
    await tx.raw(`update provider_callbacks set status = 'repeated', reason = :reason where id = :id`, {
      id,
      reason: SAME_MESSAGE + waitingId,
    })
}

const repeat = preparedStatement<{ isRepeat: boolean }>(
  `with repeated as (
     update unreadable_callbacks set repeats = repeats + 1, last_received_at = :at, inquired_at = null
     where provider_account_id = :providerAccountId and digest = :digest
     returning callback_id
   )
   select count(*) > 0 as "isRepeat", ${queueInquiry} from repeated having count(*) > 0`,
)

/**
 * Returns whether the list of unreadable callbacks already contains a byte-identical callback. If so,
 * increments the number of its deliveries and queues another status inquiry.
 */
export async function countUnreadableRepeat(
  db: Db,
  repeated: { providerAccountId: string; digest: Buffer; at: Date },
): Promise<boolean> {
  return (await repeat(db, repeated)).length > 0
}

/**
 * Returns when an unreadable callback was last received, if the status inquiries about it are still pending. Otherwise,
 * returns undefined.
 */
export async function findPendingInquiry(
  db: Db,
  callbackId: string,
): Promise<{ lastReceivedAt: Date } | undefined> {
  const { rows } = await db.raw<{ rows: { lastReceivedAt: Date }[] }>(
    `select last_received_at as "lastReceivedAt" from unreadable_callbacks
     where callback_id = ? and inquired_at is null`,
    [callbackId],
  )
  return rows[0]
}

export type UnreadableInquiry = {
  callbackId: string
  reason: string
  tenantId: string | null
  paymentId: string | null
}

/**
 * Records the result of the status inquiries about an unreadable callback. `inquiredAt` is null if the
 * inquiries must be retried. If the callback arrived again after `lastReceivedAt`, `inquiredAt` is not
 * stored, so that the inquiries stay pending.
 */
export async function recordInquiry(
  db: Db,
  result: UnreadableInquiry & { inquiredAt: Date | null; lastReceivedAt: Date },
): Promise<void> {
  await db.raw(
    `with done as (
       update unreadable_callbacks set inquired_at = :inquiredAt
       where callback_id = :callbackId and last_received_at = :lastReceivedAt
     )
     update provider_callbacks set reason = :reason, tenant_id = :tenantId, payment_id = :paymentId
     where id = :callbackId and status = 'unreadable'`,
    result,
  )
}

/** Removes a callback from the list of unreadable callbacks after it was reprocessed. */
export async function deleteUnreadable(tx: Tx, callbackId: string): Promise<void> {
  await tx.raw('delete from unreadable_callbacks where callback_id = ?', [callbackId])
}

/** Queues an unreadable callback's status inquiry job again, to run after `delayMs`. */
export async function postponeInquiry(db: Db, callbackId: string, delayMs: number): Promise<void> {
  await db.raw(
    `select enqueue('inquire_unreadable', array[json_build_object('callback_id', :callbackId::uuid)],
       array['unreadable ' || :callbackId], now() + :delayMs * interval '1 millisecond')`,
    { callbackId, delayMs },
  )
}

/** Queues a new job for each unreadable callback that still needs a status inquiry but has lost its job. */
export async function requeueUnreadableInquiries(db: Db, since: Date, limit: number): Promise<void> {
  await db.raw(
    `with lost as (
       select callback_id from unreadable_callbacks u
       where inquired_at is null and last_received_at < :since
         and not ${jobHasAttempts(`'unreadable ' || u.callback_id`)}
       order by last_received_at limit :limit for update skip locked
     )
     select ${queueInquiry} from lost having count(*) > 0`,
    { since, limit },
  )
}
