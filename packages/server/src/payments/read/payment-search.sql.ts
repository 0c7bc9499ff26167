// Searches a tenant's payments by the words in the table payment_search (migrations/0071_payment_search.sql).

import type { Db } from '../../db/db.ts'
import { firstPage, type ListOrder, sqlOf } from '../../db/list-order.ts'
import { isId } from '../../values/id.ts'
import type { Payment } from '../payment.ts'
import { withDashes } from '../payment-code.ts'
import { boundsOf, inRange, matches, type PaymentFilter, page } from './payment-filter.sql.ts'
import { type SearchTerms, searchQueryOf } from './search-query.ts'

/**
 * A search first examines the `first` payments in the list. If at least FEW of them match, the search word is frequent,
 * so the search examines up to `more` payments, which usually fill the page. Otherwise, it uses the word index.
 */
const EXAMINED = { first: 2_000, more: 20_000 }
const FEW = 5
/**
 * A search in the word index first looks up `first` matches, which usually fill the page. If other filters
 * exclude too many of them, it looks up `more` matches. Matches beyond these are not returned.
 */
const LOOKED_UP = { first: 200, more: 20_000 }

const exactly = `
  select id from payments where tenant_id = :tenantId and id = :searchId
  union all
  select payment_id as id from payment_references where reference = :reference and tenant_id = :tenantId`

/**
 * Selects the payments from the query `found` that also match the other filters, in the order in which `found`
 * returns them. Each payment is looked up by its key.
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
 * index. For a frequent word, the index is slow, because PostgreSQL reads and sorts all matches of several days.
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
  const candidates = await lookUp(db, bindings, order, LOOKED_UP.first)
  const found = await find(matchesAmong(amongCandidates(order)), candidates)
  if (found.length === values.limit || candidates.ids.length < LOOKED_UP.first) return found
  const more = await lookUp(db, bindings, order, LOOKED_UP.more)
  return find(matchesAmong(amongCandidates(order)), more)
}

function queriesOf(tenantId: string, search: SearchTerms) {
  const { query = null, ofCode = [] } = searchQueryOf(tenantId, search) ?? {}
  return { query, codeQueries: ofCode.map(each => each.query), codeParts: ofCode.map(each => each.part) }
}

/** The database function that looks up `query` in the word index. It returns the first matching ids in list order. */
const byWords = (query: string, order: ListOrder, most: string): string =>
  `search_payments(:tenantId, lower(${query})::tsquery, :fromId, :beforeId, ${order === 'newest'}, ${most})`

/**
 * Looks up payments in the word index, in list order. Also finds payments whose payment code may contain a word from
 * the search text. For these, `part` is this word, and the caller must check the code. Part of a code is a rare word,
 * so it is always looked up. This is a statement of its own, because a Citus cluster could not run the function on
 * a node with rows of `payments`.
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

const amongFirst = (order: ListOrder): string => `
  select first.payment_id as id from (
    select s.payment_id, s.words from payment_search s
    where s.tenant_id = :tenantId and s.payment_id >= :fromId and s.payment_id < :beforeId
    order by s.payment_id ${sqlOf[order].sort} limit :examined
  ) first
  where first.words @@ lower(:query)::tsquery
  order by first.payment_id ${sqlOf[order].sort}`

/**
 * If at least this many of the newest payments match, the search word is frequent, so looking it up in the word index
 * would be slow.
 */
const FREQUENT = 20

/**
 * Counts a search's matches, up to `most`. For a frequent word, counting all matches would be slow, so only the newest
 * payments are counted and the count is marked as not exact.
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
  const count = async (found: string, more = {}) => {
    const { rows } = await db.raw<{ rows: { count: number }[] }>(
      `select count(*)::integer as count from (${found}) matching`,
      { ...bindings, ...more },
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
  const candidates = await lookUp(db, bindings, 'newest', most)
  const all = await count(matchesAmong(amongCandidates('newest')), candidates)
  return { count: Math.min(all, most - 1), isExact: all < most }
}
