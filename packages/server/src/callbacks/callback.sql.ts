import type { Db, Tx } from '../db/db.ts'
import { newId } from '../id.ts'

export type Callback = {
  id: string
  providerAccountId: string
  path: string
  headers: Record<string, string>
  body: Buffer
  receivedAt: Date
}

/** What came of it. */
export const callbackOutcomes = ['applied', 'repeated', 'refused', 'ignored', 'unmatched'] as const
/** received: its job has not come yet. */
export const callbackStatuses = ['received', ...callbackOutcomes] as const
export type CallbackStatus = (typeof callbackStatuses)[number]

/** Keeps it and queues its job in one statement, so neither is there without the other. */
export async function insertCallback(db: Db, callback: Callback & { provider: string }): Promise<void> {
  await db.raw(
    `with inserted as (
       insert into provider_callbacks (id, provider_account_id, provider, received_at, path, headers, body)
       values (:id, :providerAccountId, :provider, :receivedAt, :path, :headers, :body) returning id
     )
     select enqueue('apply_callback', array[json_build_object('callback_id', id)], array[id::text]) from inserted`,
    { ...callback, headers: JSON.stringify(callback.headers) },
  )
}

/** Slots of one account's ring; a flood of forgeries overwrites itself. */
const REJECTED_KEPT = 200
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
      kept: REJECTED_KEPT,
    },
  )
}

/** Those that are not applied yet. */
export async function findUnappliedCallbacks(db: Db, ids: string[]): Promise<Callback[]> {
  const { rows } = await db.raw<{ rows: Callback[] }>(
    `select id, provider_account_id as "providerAccountId", path, headers, body, received_at as "receivedAt"
     from provider_callbacks where id = any(?) and status = 'received' order by received_at, id`,
    [ids],
  )
  return rows
}

export async function findCallback(db: Db, id: string): Promise<Callback | undefined> {
  const { rows } = await db.raw<{ rows: Callback[] }>(
    `select id, provider_account_id as "providerAccountId", path, headers, body, received_at as "receivedAt"
     from provider_callbacks where id = ?`,
    [id],
  )
  return rows[0]
}

export type CallbackOutcome = {
  id: string
  status: (typeof callbackOutcomes)[number]
  reason: string | null
  tenantId: string | null
  paymentId: string | null
}

/** What was applied stays so: that it is looked at again, or by two at once, does not undo what it did. */
export async function updateCallbacks(tx: Tx, outcomes: CallbackOutcome[], at: Date): Promise<void> {
  await tx.raw(
    `update provider_callbacks c
     set status = o.status, reason = o.reason, tenant_id = o."tenantId", payment_id = o."paymentId", processed_at = :at
     from jsonb_to_recordset(:outcomes) as o (id uuid, status text, reason text, "tenantId" uuid, "paymentId" uuid)
     where c.id = o.id and (c.status <> 'applied' or o.status = 'applied')`,
    { outcomes: JSON.stringify(outcomes), at },
  )
}

/** Gives a job to callbacks kept before `since` that nobody applied: their job was lost. */
export async function requeueUnappliedCallbacks(db: Db, since: Date, limit: number): Promise<void> {
  await db.raw(
    `select enqueue('apply_callback', array_agg(json_build_object('callback_id', id)), array_agg(id::text))
     from (
       select id from provider_callbacks c where status = 'received' and received_at < ? and not exists (
         select from graphile_worker._private_jobs j
         where j.key = c.id::text and (j.locked_at is not null or j.run_at < now() + interval '1 minute'))
       order by received_at limit ?
     ) unapplied having count(*) > 0`,
    [since, limit],
  )
}
