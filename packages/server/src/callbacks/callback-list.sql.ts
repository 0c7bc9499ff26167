import { type Count, countRows } from '../db/count-rows.ts'
import type { Db } from '../db/db.ts'
import { firstPage, type ListOrder, type PageStart, sqlOf } from '../db/list-order.ts'
import { idAfter, LAST_ID } from '../values/id.ts'
import type { Mode } from '../values/mode.ts'
import { type CallbackStatus, callbackStatuses } from './callback.sql.ts'
import { type StoredMessage, withMessage } from './stored-message.ts'

/** A list of callbacks contains at most this many bytes of each callback's body. */
const LISTED_BODY_BYTES = 16_384

export type CallbackFilter = {
  provider: string | null
  providerAccountId: string | null
  mode: Mode | null
  status: CallbackStatus | null
  paymentId: string | null
}

/** A stored callback. `body` contains the body's first bytes, and `bodyBytes` is the length of the whole body. */
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
 * Lists one page of callbacks. `start` specifies the sort order and the position after which the page begins. With a
 * payment filter, reads only the callbacks about this payment. Without the filter, merges one page for each provider
 * account and status.
 */
export async function listCallbacks(
  db: Db,
  filter: CallbackFilter,
  start: PageStart,
  limit: number,
): Promise<ListedCallback[]> {
  const { sort } = sqlOf[start.order]
  const found = filter.paymentId === null ? ofEachAccount(start.order) : aboutPayment
  type Row = Omit<ListedCallback, 'headers' | 'body' | 'bodyBytes'> &
    StoredMessage & { bodyBytes: number | null }
  const { rows } = await db.raw<{ rows: Row[] }>(
    `select c.id, c.provider, c.provider_account_id as "providerAccountId",
            (select mode from provider_accounts a where a.id = c.provider_account_id) as mode,
            c.received_at as "receivedAt", c.headers,
            substring(c.body for :listedBytes) as body, c.message_compressed as compressed,
            octet_length(c.body) as "bodyBytes", c.status, c.reason,
            c.tenant_id as "tenantId", c.payment_id as "paymentId",
            p.payment_code as "paymentCode", c.processed_at as "processedAt"
     from (${found} order by id ${sort} limit :limit) page
     join provider_callbacks c on c.id = page.id
     left join payments p on p.tenant_id = c.tenant_id and p.id = c.payment_id
     order by c.id ${sort}`,
    { ...valuesOf(filter, start), limit, listedBytes: LISTED_BODY_BYTES },
  )
  // If a body is stored compressed, `bodyBytes` is null. Such a body is always shorter than LISTED_BODY_BYTES
  // (compression/compress.ts), so the list contains the whole body and its length is known here.
  return rows.map(withMessage).map(row => ({ ...row, bodyBytes: row.bodyBytes ?? row.body.length }))
}

const ofAccount = `
  (:provider::text is null or a.provider_code = :provider)
  and (:providerAccountId::uuid is null or a.id = :providerAccountId)
  and (:mode::text is null or a.mode = :mode)`

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Returns the values for the SQL parameters of the list. The cursor of the page becomes a range of callback
 * IDs.
 */
const valuesOf = (filter: CallbackFilter, { order, afterId }: PageStart) => ({
  ...filter,
  statuses: filter.status === null ? callbackStatuses : [filter.status],
  fromId: afterId !== undefined && order === 'oldest' ? idAfter(afterId) : FIRST_ID,
  beforeId: afterId !== undefined && order === 'newest' ? afterId : LAST_ID,
})

/**
 * Returns the SQL that finds each provider account's first callbacks in the order of the list. The conditions use all
 * columns of the index, so that the planner chooses this index (payments/read/payment-filter.sql.ts explains why).
 */
const ofEachAccount = (order: ListOrder): string => {
  const { sort } = sqlOf[order]
  return `
  select first.id
  from provider_accounts a cross join unnest(:statuses::text[]) status
  cross join lateral (
    select c.id from provider_callbacks c
    where (c.provider_account_id, c.status, c.id) >= (a.id, status.status, cast(:fromId as uuid))
      and (c.provider_account_id, c.status, c.id) < (a.id, status.status, cast(:beforeId as uuid))
    order by c.provider_account_id ${sort}, c.status ${sort}, c.id ${sort} limit :limit
  ) first
  where ${ofAccount}`
}

const aboutPayment = `
  select c.id from provider_callbacks c join provider_accounts a on a.id = c.provider_account_id
  where c.payment_id = :paymentId and c.status = any(:statuses) and c.id >= :fromId and c.id < :beforeId
    and ${ofAccount}`

export const countCallbacks = (db: Db, filter: CallbackFilter): Promise<Count> =>
  countRows(
    db,
    filter.paymentId === null ? ofEachAccount('newest') : aboutPayment,
    valuesOf(filter, firstPage()),
  )

export type ListedRejection = ReceivedMessage & { reason: string }

/**
 * Lists rejected callbacks, newest first. Each provider account stores only its newest rejected callbacks, so
 * that forged callbacks cannot fill the database.
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
