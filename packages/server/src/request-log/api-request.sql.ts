import { type Count, countMatchingRows } from '../db/count-rows.ts'
import type { Db } from '../db/db.ts'
import { groupsByShard, shardedStatement } from '../db/distributed-database.ts'
import { type PageStart, sqlOf } from '../db/list-order.ts'
import type { Period } from '../values/day.ts'
import { firstIdAt } from '../values/id.ts'
import type { Mode } from '../values/mode.ts'
import type { ApiRequest } from './api-request.ts'

const stored = [
  ['id', 'id', 'uuid'],
  ['tenant_id', 'tenantId', 'uuid'],
  ['mode', 'mode', 'text'],
  ['api_key_id', 'apiKeyId', 'uuid'],
  ['request_id', 'requestId', 'text'],
  ['method', 'method', 'text'],
  ['route', 'route', 'text'],
  ['path', 'path', 'text'],
  ['status', 'status', 'smallint'],
  ['error_code', 'errorCode', 'text'],
  ['error_field', 'errorField', 'text'],
  ['idempotency_key', 'idempotencyKey', 'text'],
  ['duration_ms', 'durationMs', 'integer'],
  ['client_address', 'clientAddress', 'text'],
  ['user_agent', 'userAgent', 'text'],
  ['payment_id', 'paymentId', 'uuid'],
  ['payment_code', 'paymentCode', 'text'],
] as const

const insert = shardedStatement(
  (_, onShard) => `insert into api_requests (${stored.map(([column]) => column).join(', ')})
  select ${stored.map(([, name]) => (name === 'tenantId' ? onShard('b.tenant_id', '"tenantId"') : `row."${name}"`)).join(', ')}
  from jsonb_to_recordset(:rows::jsonb) as row (${stored.map(([, name, type]) => `"${name}" ${type}`).join(', ')})
  ${onShard('join balances b on b.tenant_id = :onlyKey and b.mode = row.mode')}`,
)

export async function insertApiRequests(db: Db, rows: ApiRequest[]): Promise<void> {
  for (const group of groupsByShard(db, rows, each => each.tenantId))
    await insert(
      db,
      group.map(each => each.tenantId),
      { rows: JSON.stringify(group) },
    )
}

export type ApiRequestRow = ApiRequest & { apiKeyName: string | null }

export type ApiRequestFilter = Period & {
  mode: Mode | null
  /** Selects requests with a status code from `statusFrom` to `statusTo` (both inclusive). */
  statusFrom: number
  statusTo: number
  method: string | null
  /**
   * Filters the requests by path. The value is the start of a path, or a complete route such as
   * `/v1/payments/{payment_id}`.
   */
  path: string | null
}

const columns = `r.id, r.mode, r.api_key_id as "apiKeyId", k.name as "apiKeyName", r.request_id as "requestId", r.method, r.route,
  r.path, r.status, r.error_code as "errorCode", r.error_field as "errorField", r.idempotency_key as "idempotencyKey",
  r.duration_ms as "durationMs", r.client_address as "clientAddress", r.user_agent as "userAgent",
  r.payment_id as "paymentId", r.payment_code as "paymentCode"`

/**
 * The maximum number of rows that the query for one page examines. Because of this limit, a page may have
 * fewer items than requested if few rows match the filter.
 */
const ROWS_EXAMINED = 10_000

const inRange = 'tenant_id = :tenantId and id >= :fromId and id < :beforeId'
const matches = `
  (:mode::text is null or mode = :mode) and status between :statusFrom and :statusTo
  and (:method::text is null or method = :method)
  and (:path::text is null or starts_with(path, :path) or route = :path)`

const valuesOf = (tenantId: string, { from, before, ...filter }: ApiRequestFilter) => ({
  tenantId,
  ...filter,
  fromId: firstIdAt(from),
  beforeId: firstIdAt(before),
})

/**
 * Lists the logged requests after `afterId`, in the given order. The next page starts after `resumeAfterId`: the last
 * ID on a full page, or else the last ID examined. At the end of the list, `resumeAfterId` is undefined.
 */
export async function listApiRequests(
  db: Db,
  tenantId: string,
  filter: ApiRequestFilter,
  { order, afterId }: PageStart,
  limit: number,
  examined = ROWS_EXAMINED,
): Promise<{ rows: ApiRequestRow[]; resumeAfterId: string | undefined }> {
  const { sort, later } = sqlOf[order]
  const { rows } = await db.raw<{ rows: (ApiRequestRow & { isMatch: boolean })[] }>(
    `with examined as materialized (
       select * from api_requests
       where ${inRange} and (:afterId::uuid is null or id ${later} :afterId)
       order by id ${sort} limit :examined
     ), matching as (
       select * from examined where ${matches} order by id ${sort} limit :limit + 1
     ), last_examined as (
       select * from examined order by id ${sort} offset :examined - 1 limit 1
     )
     select ${columns}, true as "isMatch" from matching r
     left join api_keys k on k.tenant_id = :tenantId and k.id = r.api_key_id
     union all
     select ${columns}, false from last_examined r left join api_keys k on false
     where (select count(*) from matching) <= :limit
     order by id ${sort}, "isMatch" desc`,
    { ...valuesOf(tenantId, filter), afterId: afterId ?? null, limit, examined },
  )
  const found = rows.filter(({ isMatch }) => isMatch)
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : rows.find(({ isMatch }) => !isMatch)
  return { rows: page, resumeAfterId: last?.id }
}

export const countApiRequests = (db: Db, tenantId: string, filter: ApiRequestFilter): Promise<Count> =>
  countMatchingRows(db, `select * from api_requests where ${inRange}`, matches, valuesOf(tenantId, filter))

/** Finds the latest log entry with the given request id. */
export async function findApiRequest(
  db: Db,
  tenantId: string,
  mode: Mode | null,
  requestId: string,
): Promise<ApiRequestRow | undefined> {
  const { rows } = await db.raw<{ rows: ApiRequestRow[] }>(
    `select ${columns} from api_requests r
     left join api_keys k on k.tenant_id = :tenantId and k.id = r.api_key_id
     where r.tenant_id = :tenantId and r.request_id = :requestId and (:mode::text is null or r.mode = :mode)
     order by r.id desc limit 1`,
    { tenantId, mode, requestId },
  )
  return rows[0]
}
