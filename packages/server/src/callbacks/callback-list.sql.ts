import type { Db } from '../db/db.ts'
import type { Mode } from '../values/mode.ts'
import { type CallbackStatus, callbackStatuses } from './callback.sql.ts'

/** The maximum number of bytes of each callback body that a list of callbacks contains. */
const LISTED_BODY_BYTES = 16_384

export type CallbackFilter = {
  provider: string | null
  providerAccountId: string | null
  mode: Mode | null
  status: CallbackStatus | null
  paymentId: string | null
}

/** A stored callback. `body` contains the first bytes of the body, and `bodyBytes` is the length of the whole body. */
export type ReceivedMessage = {
  id: string
  provider: string
  providerAccountId: string
  mode: Mode
  receivedAt: Date
  headers: Record<string, string>
  body: Buffer
  bodyBytes: number
}

export type ListedCallback = ReceivedMessage & {
  status: CallbackStatus
  reason: string | null
  tenantId: string | null
  paymentId: string | null
  paymentCode: string | null
  processedAt: Date | null
}

/**
 * Lists callbacks, newest first. The query merges one page per provider account and status. If the filter
 * names a payment, the query reads only the few callbacks about this payment.
 */
export async function listCallbacks(
  db: Db,
  filter: CallbackFilter,
  afterId: string | undefined,
  limit: number,
): Promise<ListedCallback[]> {
  const { rows } = await db.raw<{ rows: ListedCallback[] }>(
    `select c.id, c.provider, c.provider_account_id as "providerAccountId",
            (select mode from provider_accounts a where a.id = c.provider_account_id) as mode,
            c.received_at as "receivedAt", c.headers,
            substring(c.body for :listedBytes) as body, octet_length(c.body) as "bodyBytes", c.status, c.reason,
            c.tenant_id as "tenantId", c.payment_id as "paymentId",
            p.payment_code as "paymentCode", c.processed_at as "processedAt"
     from (${filter.paymentId === null ? newestOfEachAccount : aboutPayment}) page
     join provider_callbacks c on c.id = page.id
     left join payments p on p.tenant_id = c.tenant_id and p.id = c.payment_id
     order by c.id desc`,
    {
      ...filter,
      statuses: filter.status === null ? callbackStatuses : [filter.status],
      afterId: afterId ?? null,
      firstId: '00000000-0000-0000-0000-000000000000',
      lastId: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      limit,
      listedBytes: LISTED_BODY_BYTES,
    },
  )
  return rows
}

const ofAccount = `
  (:provider::text is null or a.provider_code = :provider)
  and (:providerAccountId::uuid is null or a.id = :providerAccountId)
  and (:mode::text is null or a.mode = :mode)`

/**
 * Returns the SQL for the newest callbacks of each account. The conditions use all columns of the index, so
 * that the planner chooses this index (payments/read/payment-filter.sql.ts explains why).
 */
const newestOfEachAccount = `
  select newest.id
  from provider_accounts a cross join unnest(:statuses::text[]) status
  cross join lateral (
    select c.id from provider_callbacks c
    where (c.provider_account_id, c.status, c.id) >= (a.id, status.status, cast(:firstId as uuid))
      and (c.provider_account_id, c.status, c.id) < (a.id, status.status, cast(coalesce(:afterId, :lastId) as uuid))
    order by c.provider_account_id desc, c.status desc, c.id desc limit :limit
  ) newest
  where ${ofAccount}
  order by newest.id desc limit :limit`

const aboutPayment = `
  select c.id from provider_callbacks c join provider_accounts a on a.id = c.provider_account_id
  where c.payment_id = :paymentId and c.status = any(:statuses) and (:afterId::uuid is null or c.id < :afterId)
    and ${ofAccount}
  order by c.id desc limit :limit`

export type ListedRejection = ReceivedMessage & { reason: string }

/**
 * Lists rejected callbacks, newest first. Each account stores only its newest rejected callbacks, so that forged
 * callbacks cannot fill the database.
 */
export async function listRejectedCallbacks(
  db: Db,
  filter: Pick<CallbackFilter, 'provider' | 'providerAccountId' | 'mode'>,
  afterId: string | undefined,
  limit: number,
): Promise<ListedRejection[]> {
  const { rows } = await db.raw<{ rows: ListedRejection[] }>(
    `select r.id, a.provider_code as provider, r.provider_account_id as "providerAccountId",
            a.mode, r.received_at as "receivedAt", r.headers, r.body, octet_length(r.body) as "bodyBytes", r.reason
     from rejected_callbacks r join provider_accounts a on a.id = r.provider_account_id
     where (:afterId::uuid is null or r.id < :afterId) and ${ofAccount}
     order by r.id desc limit :limit`,
    { ...filter, afterId: afterId ?? null, limit },
  )
  return rows
}
