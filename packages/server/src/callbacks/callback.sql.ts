import type { Db, Tx } from '../db/db.ts'
import { insertOnAvailableWorker, isDistributed, shardedStatement } from '../db/distributed-database.ts'
import { jobPriority, jobRunsAsPlanned } from '../db/job-queue.sql.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import { queryShards } from '../db/shard-query.ts'
import { backlogPriorities } from '../fairness/backlog-priority.ts'
import { newId } from '../values/id.ts'
import { messageColumns, type StoredMessage, withMessage } from './stored-message.ts'

export type Callback = {
  id: string
  providerAccountId: string
  path: string
  headers: Record<string, string>
  body: Buffer
  receivedAt: Date
}

/**
 * The possible outcomes of applying a callback.
 * - applied: the callback changed the payment.
 * - repeated: the callback contained nothing new.
 * - refused: the payment's status does not allow the change.
 * - ignored: the callback does not affect the payment.
 * - unmatched: none of the provider account's payments has the callback's reference.
 * - unreadable: the signature is valid, but this version cannot parse the callback.
 */
export const callbackOutcomes = [
  'applied',
  'repeated',
  'refused',
  'ignored',
  'unmatched',
  'unreadable',
] as const
/** A callback's possible statuses. `received` means that the callback has not been applied yet. */
export const callbackStatuses = ['received', ...callbackOutcomes] as const
export type CallbackStatus = (typeof callbackStatuses)[number]

// This statement inserts only one callback, so Citus runs it on a single shard. To insert callbacks on
// several shards, the service uses `insertWithJobs`.
const insertWithJob = preparedStatement(
  `with inserted as (
     insert into provider_callbacks (id, provider_account_id, provider, received_at, path, headers, body, job)
     values (:id, :providerAccountId, :provider, :receivedAt, :path, :headers, :body, :job) returning id
   )
   select enqueue('apply_callbacks', array[:payload::json], array[:job::text], null, :priority)`,
)

const insertWithJobs = preparedStatement(
  `with inserted as (
     insert into provider_callbacks (id, provider_account_id, provider, received_at, path, headers, body, job)
     select id, account, provider, received_at, path, headers::jsonb, body, job
     from unnest(:ids::uuid[], :accounts::uuid[], :providers::text[], :receivedAts::timestamptz[], :paths::text[],
                 :headers::text[], :bodies::bytea[], :jobs::uuid[])
       as c (id, account, provider, received_at, path, headers, body, job)
     -- Citus would insert these rows with COPY, which PostgreSQL rejects under row security, if it did not return them.
     returning id
   )
   select enqueue('apply_callbacks', array[payload], array[key], null, priority)
   from unnest(:payloads::json[], :keys::text[], :priorities::integer[]) as j (payload, key, priority)`,
)

/**
 * Stores callbacks and queues one job per priority. A single statement does both, so that every stored callback has
 * a job. `trace` is the trace context of the request that delivered the callbacks.
 */
export async function insertCallbacks(
  db: Db,
  callbacks: (Callback & { provider: string; trace: string | null })[],
  priorityOf: (accountId: string) => number = () => 0,
): Promise<void> {
  // On a distributed database, each callback has its own statement and job. The callback's ID determines the Citus
  // worker that stores the callback, so the callback gets another ID if this worker is unavailable. If the coordinator
  // crashes before it commits the job, requeueUnappliedCallbacks queues the job later.
  if (isDistributed(db)) {
    for (const callback of callbacks)
      await insertOnAvailableWorker(
        () => insertAlone(db, callback, priorityOf(callback.providerAccountId)),
        () => {
          callback.id = newId()
        },
      )
    return
  }
  const jobs = [...Map.groupBy(callbacks, each => priorityOf(each.providerAccountId))].map(
    ([priority, sharing]) => ({ key: newId(), priority, sharing }),
  )
  const all = jobs.flatMap(({ key, sharing }) => sharing.map(callback => ({ ...callback, job: key })))
  await insertWithJobs(db, {
    payloads: jobs.map(({ sharing }) => JSON.stringify(payloadOf(sharing))),
    keys: jobs.map(({ key }) => key),
    priorities: jobs.map(({ priority }) => priority),
    jobs: all.map(each => each.job),
    ids: all.map(each => each.id),
    accounts: all.map(each => each.providerAccountId),
    providers: all.map(each => each.provider),
    receivedAts: all.map(each => each.receivedAt),
    paths: all.map(each => each.path),
    headers: all.map(each => JSON.stringify(each.headers)),
    bodies: all.map(each => each.body),
  })
}

const insertAlone = (
  db: Db,
  { trace, ...callback }: Callback & { provider: string; trace: string | null },
  priority: number,
) =>
  insertWithJob(db, {
    ...callback,
    headers: JSON.stringify(callback.headers),
    job: newId(),
    payload: JSON.stringify(payloadOf([{ id: callback.id, trace }])),
    priority,
  })

function payloadOf(sharing: { id: string; trace: string | null }[]) {
  const traces = sharing.flatMap(({ trace }) => trace ?? [])
  const callback_ids = sharing.map(({ id }) => id)
  return traces.length > 0 ? { callback_ids, traces } : { callback_ids }
}

/**
 * The maximum number of unapplied callbacks that are counted for a provider account. A higher count would not
 * change the priority of the account's jobs.
 */
const WAITING_COUNTED = 10_000

const count = preparedStatement<{ waiting: number }>(
  `select count(*)::integer as waiting from (
     select from provider_callbacks where provider_account_id = :accountId and status = 'received'
     order by provider_account_id, status, id limit ${WAITING_COUNTED}
   ) c`,
)

/**
 * The maximum number of callbacks per insert statement. It also limits the callbacks per job, because a job
 * contains only callbacks of one insert.
 */
const CALLBACKS_OF_PRIORITY = 100

/**
 * Returns a function that takes a provider account's ID and returns the priority of the account's callback jobs. The
 * larger the account's backlog, the lower the priority.
 */
export const callbackPriorities = (db: Db): ((accountId: string) => number) =>
  backlogPriorities(async accountId => (await count(db, { accountId }))[0]?.waiting ?? 0, {
    step: CALLBACKS_OF_PRIORITY,
  })

/**
 * The maximum number of rejected callbacks stored per account. In a flood of forged callbacks, each new one
 * replaces the oldest.
 */
const MAX_REJECTED_STORED = 200
const REJECTED_BODY_BYTES = 16_384

export async function insertRejectedCallback(
  db: Db,
  rejected: Pick<Callback, 'providerAccountId' | 'path' | 'headers' | 'body'> & { reason: string },
): Promise<void> {
  await db.raw(
    `insert into rejected_callbacks (id, provider_account_id, slot, reason, path, headers, body)
     values (:id, :providerAccountId, nextval('rejected_callback_slots') % :kept, :reason, :path, :headers, :body)
     on conflict (provider_account_id, slot) do update
     set id = excluded.id, received_at = now(), reason = excluded.reason, path = excluded.path, headers = excluded.headers, body = excluded.body`,
    {
      ...rejected,
      id: newId(),
      headers: JSON.stringify(rejected.headers),
      body: rejected.body.subarray(0, REJECTED_BODY_BYTES),
      kept: MAX_REJECTED_STORED,
    },
  )
}

const columns = `
  c.id, c.provider_account_id as "providerAccountId", c.path, ${messageColumns}, c.received_at as "receivedAt"`

// Unapplied callbacks are never compressed, so their bodies can be read directly. The query first finds the callbacks
// by ID and then filters them by status, so that the planner does not choose the slower status index.
const findUnapplied = shardedStatement<Callback | CallbackWithoutBody>(
  only => `select c.id, c.provider_account_id as "providerAccountId", c.path, c.headers, c.received_at as "receivedAt",
     case when coalesce(sum(octet_length(c.body)) over before, 0) < :bytes then c.body end as body
   from unnest(:ids::uuid[]) as k (id)
   cross join lateral (select * from provider_callbacks where id = k.id ${only('id')} limit 1) c
   where c.status = 'received'
   window before as (rows between unbounded preceding and 1 preceding)`,
)

/** A callback whose body was not loaded because earlier bodies had already reached the size limit. */
export type CallbackWithoutBody = Omit<Callback, 'body'> & { body: null }

/**
 * Returns the given callbacks that are not applied yet. A callback's body is null if the bodies of the callbacks
 * before it already have a total of at least `bytes`. At least one body is therefore returned.
 */
export const findUnappliedCallbacks = (
  db: Db,
  ids: string[],
  { bytes }: { bytes: number },
): Promise<(Callback | CallbackWithoutBody)[]> => findUnapplied(db, ids, { ids, bytes })

export async function findCallback(db: Db, id: string): Promise<Callback | undefined> {
  const { rows } = await db.raw<{ rows: (Omit<Callback, 'headers' | 'body'> & StoredMessage)[] }>(
    `select ${columns} from provider_callbacks c where c.id = ?`,
    [id],
  )
  return rows.map(withMessage)[0]
}

export type CallbackOutcome = {
  id: string
  status: (typeof callbackOutcomes)[number]
  reason: string | null
  tenantId: string | null
  paymentId: string | null
}

/**
 * A callback's outcome. If `compressed` is set, it replaces the stored headers and body with a compressed
 * message.
 */
type OutcomeToStore = CallbackOutcome & { compressed?: Buffer | null | undefined }

const update = shardedStatement(
  only => `update provider_callbacks c
   set status = o.status, reason = o.reason, tenant_id = o.tenant_id, payment_id = o.payment_id, processed_at = :at,
       headers = case when o.compressed is null then c.headers end, body = case when o.compressed is null then c.body end,
       message_compressed = coalesce(o.compressed, c.message_compressed)
   from unnest(:ids::uuid[], :statuses::text[], :reasons::text[], :tenantIds::uuid[], :paymentIds::uuid[],
       :compressed::bytea[])
     as o (id, status, reason, tenant_id, payment_id, compressed)
   where c.id = o.id and (c.status <> 'applied' or o.status = 'applied') ${only('c.id')}`,
)

/**
 * Stores the outcomes of callbacks. If a callback already has the status `applied`, this status stays, even
 * if the callback is processed again.
 */
export async function updateCallbacks(tx: Tx, all: OutcomeToStore[], at: Date): Promise<void> {
  const mainOutcomes = new Map<string, OutcomeToStore>()
  for (const each of all)
    if (!mainOutcomes.has(each.id) || each.status === 'applied') mainOutcomes.set(each.id, each)
  const outcomes = [...mainOutcomes.values()]
  const ids = outcomes.map(each => each.id)
  await update(tx, ids, {
    ids,
    statuses: outcomes.map(each => each.status),
    reasons: outcomes.map(each => each.reason),
    tenantIds: outcomes.map(each => each.tenantId),
    paymentIds: outcomes.map(each => each.paymentId),
    compressed: outcomes.map(each => each.compressed ?? null),
    at,
  })
}

export type OwnJob = { id: string; priority: number }

const separate = preparedStatement<{ id: string }>(
  `update provider_callbacks set job = null where id = :id and status = 'received' returning id`,
)

const enqueueOwnJobs = `select enqueue('apply_callback', array_agg(json_build_object('callback_id', id)), array_agg(id::text),
       now() + :delayMs * interval '1 millisecond', priority)
     from separated group by priority`

/**
 * Moves callbacks out of their shared job. Each callback gets its own job, which runs after `delayMs`
 * milliseconds.
 */
export async function moveToOwnJobs(db: Db, callbacks: OwnJob[], delayMs: number): Promise<void> {
  if (isDistributed(db)) return moveOnShards(db, callbacks, delayMs)
  await db.raw(
    `with separated as (
       update provider_callbacks c set job = null
       from unnest(:ids::uuid[], :priorities::integer[]) as k (id, priority)
       where c.id = k.id and c.status = 'received' returning c.id, k.priority
     )
     ${enqueueOwnJobs}`,
    { ...columnsOf(callbacks), delayMs },
  )
}

/**
 * First changes the callbacks on their shards. Then queues their jobs on the coordinator, the only node with the job
 * queue.
 */
async function moveOnShards(db: Db, callbacks: OwnJob[], delayMs: number): Promise<void> {
  await db.transaction(async tx => {
    const separated: OwnJob[] = []
    for (const callback of callbacks)
      if ((await separate(tx, { id: callback.id })).length > 0) separated.push(callback)
    await tx.raw(
      `with separated as (
         select * from unnest(:ids::uuid[], :priorities::integer[]) as k (id, priority)
       )
       ${enqueueOwnJobs}`,
      { ...columnsOf(separated), delayMs },
    )
  })
}

const columnsOf = (callbacks: OwnJob[]) => ({
  ids: callbacks.map(({ id }) => id),
  priorities: callbacks.map(({ priority }) => priority),
})

const jobOf = 'coalesce(c.job, c.id)::text'

/**
 * Queues a new job for each unapplied callback that was received before `since` and whose job was lost. If the
 * callback's job has failed and would run much later, the new job replaces this job and keeps its priority.
 */
export async function requeueUnappliedCallbacks(db: Db, since: Date, limit: number): Promise<void> {
  if (isDistributed(db)) return requeueOnShards(db, since, limit)
  await db.raw(
    `with lost as (
       select c.id, ${jobPriority(jobOf)} as priority from provider_callbacks c
       where c.status = 'received' and c.received_at < :since and not ${jobRunsAsPlanned(jobOf)}
       order by c.received_at limit :limit for update skip locked
     ), separated as (
       update provider_callbacks c set job = null from lost where c.id = lost.id returning c.id, lost.priority
     )
     ${enqueueOwnJobs}`,
    { since, limit, delayMs: 0 },
  )
}

const withoutJob = preparedStatement<OwnJob>(
  `select c.id, ${jobPriority('c.job')} as priority
   from jsonb_to_recordset(:callbacks::jsonb) as c (id uuid, job text, received_at timestamptz)
   where not ${jobRunsAsPlanned('c.job')} order by c.received_at limit :limit`,
)

/**
 * On a distributed database, queues a new job for each callback whose job was lost. Each shard returns only
 * its oldest `WAITING_COUNTED` unapplied callbacks, and later calls find newer ones.
 */
async function requeueOnShards(db: Db, since: Date, limit: number): Promise<void> {
  const callbacks = await queryShards(
    db,
    'provider_callbacks',
    `select id, coalesce(job, id) as job, received_at from provider_callbacks
     where status = 'received' and received_at < :since order by received_at limit ${WAITING_COUNTED}`,
    { since },
  )
  await moveToOwnJobs(db, await withoutJob(db, { callbacks: JSON.stringify(callbacks), limit }), 0)
}
