// Searches a tenant's payments by the words in the table payment_search (migrations/0071_payment_search.sql).

import type { Db } from '../../db/db.ts'
import { firstPage, type ListOrder, sqlOf } from '../../db/list-order.ts'
import { isId } from '../../values/id.ts'
import type { Payment } from '../payment.ts'
import { withDashes } from '../payment-code.ts'
import { boundsOf, inRange, matches, type PaymentFilter, page } from './payment-filter.sql.ts'
import { type SearchTerms, searchQueryOf } from './search-query.ts'

/**
 * A search first examines the `first` payments in the list. If at least FEW match, the search word is frequent, and
 * `more` payments usually fill the page. Otherwise, the search uses the word index.
 */
const EXAMINED = { first: 2_000, more: 20_000 }
const FEW = 5
/**
 * A search first looks up `first` matches in the word index, which usually fill the page. If other filters
 * exclude too many, it looks up `more` matches. Further matches are not returned.
 */
const LOOKED_UP = { first: 200, more: 20_000 }

const exactly = `
  select id from payments where tenant_id = :tenantId and id = :searchId
  union all
  select payment_id as id from payment_references where reference = :reference and tenant_id = :tenantId`

/**
 * Selects the payments from the query `found` that also match the other filters, in the order of `found`. Each
 * payment is looked up by its key.
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
 * Searches payments. A frequent word is found among the first payments in the list, and a rare word in the word
 * index. The index is slow for frequent words, because it is not sorted by time.
 */
export async function searchPayments(
  db: Db,
  search: SearchTerms,
  order: ListOrder,
  values: { tenantId: string; fromId: string; beforeId: string; limit: number },
): Promise<Payment[]> {
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
  if (exact.length > 0 || bindings.query === null) return exact
  const first = await find(matchesAmong(amongFirst(order)), { examined: EXAMINED.first })
  if (first.length === values.limit) return first
  if (first.length >= FEW) {
    const more = await find(matchesAmong(amongFirst(order)), { examined: EXAMINED.more })
    if (more.length === values.limit) return more
  }
  const byIndex = byWordsOf(bindings, order)
  const lookedUp = await db.raw<{ rows: { id: string }[] }>(byIndex, { ...bindings, most: LOOKED_UP.first })
  const ids = lookedUp.rows.map(({ id }) => id)
  const found = await find(matchesAmong('select unnest(:ids::uuid[]) as id'), { ids })
  if (found.length === values.limit || ids.length < LOOKED_UP.first) return found
  return find(matchesAmong(byIndex), { most: LOOKED_UP.more })
}

function queriesOf(tenantId: string, search: SearchTerms) {
  const { query = null, ofCode = [] } = searchQueryOf(tenantId, search) ?? {}
  return { query, codeQueries: ofCode.map(each => each.query), codeParts: ofCode.map(each => each.part) }
}

/** Looks up `query` in the word index with a database function. Returns the first matching ids in list order. */
const lookedUpBy = (query: string, order: ListOrder, most: string): string =>
  `search_payments(:tenantId, lower(${query})::tsquery, :fromId, :beforeId, ${order === 'newest'}, ${most})`

const byWords = (order: ListOrder): string => `select id from ${lookedUpBy(':query', order, ':most')} as id`
/**
 * Also finds payments whose payment code contains a word from the search text. Part of a code is a rare word, so it
 * is always looked up in the word index.
 */
const byWordsOrCode = (order: ListOrder): string => `
  ${byWords(order)}
  union
  select found.id from unnest(:codeQueries::text[], :codeParts::text[]) as code (query, part)
  cross join lateral ${lookedUpBy('code.query', order, `${LOOKED_UP.more}`)} as found (id)
  cross join lateral (
    select from payments p
    where p.tenant_id = :tenantId and p.id = found.id and strpos(p.payment_code, code.part) > 0
    limit 1
  ) verified
  order by id ${sqlOf[order].sort} limit :most`
const byWordsOf = ({ codeQueries }: { codeQueries: string[] }, order: ListOrder): string =>
  codeQueries.length > 0 ? byWordsOrCode(order) : byWords(order)

const amongFirst = (order: ListOrder): string => `
  select first.payment_id as id from (
    select s.payment_id, s.words from payment_search s
    where s.tenant_id = :tenantId and s.payment_id >= :fromId and s.payment_id < :beforeId
    order by s.payment_id ${sqlOf[order].sort} limit :examined
  ) first
  where first.words @@ lower(:query)::tsquery
  order by first.payment_id ${sqlOf[order].sort}`

/**
 * If the newest payments contain at least this many matches, the search word is frequent, so looking it up in the
 * word index would be slow.
 */
const FREQUENT = 20

/**
 * Counts a search's matches, up to `most`. For a frequent word, counting all matches would be slow. The count then
 * covers only the newest payments and is marked as not exact.
 */
export async function countMatches(
  db: Db,
  { search, createdIn, ...kinds }: PaymentFilter,
  most: number,
): Promise<{ count: number; isExact: boolean }> {
  const bindings = {
    ...kinds,
    ...boundsOf(createdIn, firstPage()),
    ...queriesOf(kinds.tenantId, search),
    examined: EXAMINED.first,
    most,
    limit: most,
  }
  const count = async (found: string) => {
    const { rows } = await db.raw<{ rows: { count: number }[] }>(
      `select count(*)::integer as count from (${found}) matching`,
      bindings,
    )
    return rows[0]?.count ?? 0
  }
  const recent = await count(matchesAmong(amongFirst('newest')))
  const payments = await count(
    'select from payment_search where tenant_id = :tenantId and payment_id >= :fromId and payment_id < :beforeId limit :examined',
  )
  if (payments < EXAMINED.first) {
    if (bindings.codeQueries.length === 0) return { count: recent, isExact: true }
  } else if (recent >= FREQUENT) return { count: recent, isExact: false }
  const all = await count(matchesAmong(byWordsOf(bindings, 'newest')))
  return { count: Math.min(all, most - 1), isExact: all < most }
}
