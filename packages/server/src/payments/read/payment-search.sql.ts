// Searches a tenant's payments by the words in the table payment_search (migrations/0071_payment_search.sql).

import { type Count, LARGEST_COUNT, ROWS_EXAMINED } from '../../db/count-rows.ts'
import type { Db } from '../../db/db.ts'
import { firstPage, type ListOrder, sqlOf } from '../../db/list-order.ts'
import { isId } from '../../values/id.ts'
import type { Payment } from '../payment.ts'
import { withDashes } from '../payment-code.ts'
import { boundsOf, inRange, matches, type PaymentFilter, page } from './payment-filter.sql.ts'
import { type SearchTerms, searchQueryOf } from './search-query.ts'

/**
 * The numbers of payments that a search examines at the start of the list. If at least `FEW` of the first `first`
 * payments match, the search examines up to `more` payments, which usually fill the page. Otherwise, the search uses
 * the word index.
 */
const EXAMINED = { first: 2_000, more: 20_000 }
const FEW = 5
/**
 * The words are very frequent if at least this many of the first EXAMINED.first payments match. The search then does
 * not use the word index, which would read millions of matches. If other filters exclude nearly all matches, the caller
 * continues after the first EXAMINED.more payments.
 */
const VERY_MANY = 100
/**
 * A search in the word index first looks up `first` matches, which usually fill the page. If other filters
 * exclude too many of these matches, the search looks up `more` matches. If the page is still not full, the
 * caller continues after the last of the `more` matches.
 */
const LOOKED_UP = { first: 200, more: 20_000 }

/**
 * The first matching payments of a list. `examinedTo` is set if the search stopped early, at the payment with this ID.
 * More matches may then follow, even if fewer payments than requested were found.
 */
export type FoundPayments = { rows: Payment[]; examinedTo?: string | undefined }

const exactly = `
  select id from payments where tenant_id = :tenantId and id = :searchId
  union all
  select payment_id as id from payment_references where reference = :reference and tenant_id = :tenantId`

/**
 * Returns SQL that selects those payments from the subquery `found` that also match the other filters, in the order
 * of `found`. The SQL looks up each payment by its key.
 */
const matchesAmong = (found: string): string => `
  select wanted.id from (${found}) found
  cross join lateral (
    select p.id from payments p
    where ${inRange} and p.id = found.id and ${matches}
    limit 1
  ) wanted
  limit :limit`

/**
 * Searches payments. A rare word is looked up in the word index. A frequent word is searched for in the first payments
 * of the list instead. With the index, PostgreSQL would read and sort all matches of several days for such a word.
 *
 * If other filters exclude nearly all matches, the search may return fewer than `limit` payments. The caller must then
 * continue the search after the ID `examinedTo`.
 */
export async function searchPayments(
  db: Db,
  search: SearchTerms,
  order: ListOrder,
  values: { tenantId: string; fromId: string; beforeId: string; limit: number },
): Promise<FoundPayments> {
  const { text = '' } = search
  const bindings = {
    ...values,
    ...queriesOf(values.tenantId, search),
    reference: withDashes(text.toUpperCase()),
    searchId: isId(text) ? text : null,
  }
  const find = async (found: string, more = {}) =>
    (await db.raw<{ rows: Payment[] }>(page(found, order), { ...bindings, ...more })).rows
  const exact = await find(matchesAmong(exactly))
  if (exact.length > 0 || bindings.query === null) return { rows: exact }
  const first = await find(matchesAmong(amongFirst(order)), { examined: EXAMINED.first })
  if (first.length === values.limit) return { rows: first }
  const isVeryFrequent = await matchesVeryMany(db, bindings, order)
  if (first.length >= FEW || isVeryFrequent) {
    const more = await find(matchesAmong(amongFirst(order)), { examined: EXAMINED.more })
    if (more.length === values.limit) return { rows: more }
    if (isVeryFrequent) return { rows: more, examinedTo: await lastExamined(db, bindings, order, more) }
  }
  const candidates = await lookUp(db, bindings, order, LOOKED_UP.first)
  const found = await find(matchesAmong(amongCandidates(order)), candidates)
  if (found.length === values.limit || candidates.ids.length < LOOKED_UP.first) return { rows: found }
  const more = await lookUp(db, bindings, order, LOOKED_UP.more)
  const rows = await find(matchesAmong(amongCandidates(order)), more)
  const isCut = rows.length < values.limit && more.ids.length === LOOKED_UP.more
  return { rows, examinedTo: isCut ? more.ids.at(-1) : undefined }
}

function queriesOf(tenantId: string, search: SearchTerms) {
  const { query = null, ofCode = [] } = searchQueryOf(tenantId, search) ?? {}
  return { query, codeQueries: ofCode.map(each => each.query), codeParts: ofCode.map(each => each.part) }
}

type Queries = ReturnType<typeof queriesOf>

/** The database function that looks up `query` in the word index. It returns the first matching ids in list order. */
const byWords = (query: string, order: ListOrder, most: string): string =>
  `search_payments(:tenantId, lower(${query})::tsquery, :fromId, :beforeId, ${order === 'newest'}, ${most})`

/**
 * Looks up payments in the word index and returns them in list order. Also returns payments whose payment code may
 * contain a word from the search text. For these payments, `part` is this word, and the caller must check the code.
 *
 * A part of a code is rare, so it is always looked up in the index. The lookup is a separate statement, because Citus
 * could not run the function `search_payments` on a node with rows of `payments`.
 */
async function lookUp(db: Db, bindings: object, order: ListOrder, most: number): Promise<Candidates> {
  const { rows } = await db.raw<{ rows: { id: string; part: string | null }[] }>(
    `select id, null as part from ${byWords(':query', order, ':most')} as id
     union all
     select found.id, code.part from unnest(:codeQueries::text[], :codeParts::text[]) as code (query, part)
     cross join lateral ${byWords('code.query', order, `${LOOKED_UP.more}`)} as found (id)
     order by id ${sqlOf[order].sort} limit :most`,
    { ...bindings, most },
  )
  return { ids: rows.map(({ id }) => id), parts: rows.map(({ part }) => part) }
}
type Candidates = { ids: string[]; parts: (string | null)[] }

const amongCandidates = (order: ListOrder): string => `
  select distinct candidate.id from unnest(:ids::uuid[], :parts::text[]) as candidate (id, part)
  cross join lateral (
    select from payments p
    where p.tenant_id = :tenantId and p.id = candidate.id
      and (candidate.part is null or strpos(p.payment_code, candidate.part) > 0)
    limit 1
  ) verified
  order by candidate.id ${sqlOf[order].sort}`

const firstInList = (order: ListOrder): string => `
  select s.payment_id, s.words from payment_search s
  where s.tenant_id = :tenantId and s.payment_id >= :fromId and s.payment_id < :beforeId
  order by s.payment_id ${sqlOf[order].sort} limit :examined`

const amongFirst = (order: ListOrder): string => `
  select first.payment_id as id from (${firstInList(order)}) first
  where first.words @@ lower(:query)::tsquery
  order by first.payment_id ${sqlOf[order].sort}`

/**
 * Returns whether very many of the first payments in list order match the search words. Returns false for
 * words that may be part of a payment code, because these are always looked up in the word index.
 */
async function matchesVeryMany(db: Db, bindings: Queries, order: ListOrder): Promise<boolean> {
  if (bindings.codeQueries.length > 0) return false
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select count(*)::integer as count from (${amongFirst(order)}) matching`,
    { ...bindings, examined: EXAMINED.first },
  )
  return (rows[0]?.count ?? 0) >= VERY_MANY
}

/**
 * Returns the id of the payment at position EXAMINED.more in the list, or undefined if the list is shorter. If new
 * payments have moved the last payment in `found` past this position, returns the id of that payment instead.
 */
async function lastExamined(
  db: Db,
  bindings: Queries,
  order: ListOrder,
  found: Payment[],
): Promise<string | undefined> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `select first.payment_id as id from (${firstInList(order)}) first offset :examined - 1`,
    { ...bindings, examined: EXAMINED.more },
  )
  const [last] = rows
  if (!last) return undefined
  const ids = [last.id, found.at(-1)?.id ?? last.id].sort()
  return order === 'newest' ? ids[0] : ids[1]
}

/**
 * If at least this many of the newest payments match, the search word is frequent. Looking it up in the word index
 * would be slow.
 */
const FREQUENT = 20

/**
 * Counts a search's matches, up to LARGEST_COUNT. Counting all matches of a frequent word would be slow, so only the
 * newest ROWS_EXAMINED payments are examined. If the tenant has no further payments, the count is still exact.
 */
export async function countMatches(db: Db, { search, createdIn, ...kinds }: PaymentFilter): Promise<Count> {
  const most = LARGEST_COUNT + 1
  const bindings = {
    ...kinds,
    ...boundsOf(createdIn, firstPage()),
    ...queriesOf(kinds.tenantId, search),
    limit: most,
  }
  const count = async (found: string, more: object) => {
    const { rows } = await db.raw<{ rows: { count: number; isMore: boolean }[] }>(
      `select count(*)::integer as count, ${isMore} as "isMore" from (${matchesAmong(found)}) matching`,
      { ...bindings, ...more },
    )
    return rows[0] as { count: number; isMore: boolean }
  }
  const upTo = (matching: number, isExact: boolean): Count => ({
    count: Math.min(matching, LARGEST_COUNT),
    isExact: isExact && matching < most,
  })
  const recent = await count(amongFirst('newest'), { examined: EXAMINED.first })
  const isOnlyWords = bindings.codeQueries.length === 0
  if (!recent.isMore && isOnlyWords) return upTo(recent.count, true)
  if (recent.isMore && (recent.count >= FREQUENT || (await matchesVeryMany(db, bindings, 'newest')))) {
    const examined = await count(amongFirst('newest'), { examined: ROWS_EXAMINED })
    return upTo(examined.count, isOnlyWords && !examined.isMore)
  }
  const { ids, parts } = await lookUp(db, bindings, 'newest', most)
  const found = await count(amongCandidates('newest'), { ids, parts, examined: 0 })
  return upTo(found.count, ids.length < most)
}

/**
 * SQL that is true if the searched range contains more of the tenant's payments than the query has examined
 * so far.
 */
const isMore = `exists (
  select from payment_search
  where tenant_id = :tenantId and payment_id >= :fromId and payment_id < :beforeId
  order by payment_id offset :examined
)`
