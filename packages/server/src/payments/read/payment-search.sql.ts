// Searches a tenant's payments by the words in the table payment_search (migrations/0071_payment_search.sql).

import type { Db } from '../../db/db.ts'
import { isId } from '../../values/id.ts'
import type { Payment } from '../payment.ts'
import { withDashes } from '../payment-code.ts'
import { boundsOf, inRange, matches, type PaymentFilter, page } from './payment-filter.sql.ts'
import { type SearchTerms, searchQueryOf } from './search-query.ts'

/**
 * How many of the newest payments a search examines before it uses the index of words. If the `first` newest
 * payments contain at least FEW matches, the word is frequent. The search then examines `more` payments,
 * because they soon fill the page.
 */
const EXAMINED = { first: 2_000, more: 20_000 }
const FEW = 5
/** The maximum number of matches, newest first, that a search in the index of words returns. */
const MAX_MATCHES = 20_000

const exactly = `
  select id from payments where tenant_id = :tenantId and id = :searchId
  union all
  select payment_id as id from payment_references where reference = :reference and tenant_id = :tenantId`

/**
 * Selects those payments of the query `found` that also match the other filters, newest first. Each payment
 * is looked up by its key.
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
 * Searches payments. A word that occurs in many payments is found among the newest payments. A rare word is
 * looked up in the index of words. This index is not sorted by time, so it would be slow for frequent words.
 */
export async function searchPayments(
  db: Db,
  search: SearchTerms,
  values: { tenantId: string; beforeId: string; limit: number },
): Promise<Payment[]> {
  const { text = '' } = search
  const bindings = {
    ...values,
    ...queriesOf(values.tenantId, search),
    reference: withDashes(text.toUpperCase()),
    searchId: isId(text) ? text : null,
    most: MAX_MATCHES,
  }
  const find = async (found: string, examined = 0) =>
    (await db.raw<{ rows: Payment[] }>(page(found), { ...bindings, examined })).rows
  const exact = await find(matchesAmong(exactly))
  if (exact.length > 0 || bindings.query === null) return exact
  const recent = await find(matchesAmong(amongNewest), EXAMINED.first)
  if (recent.length === values.limit) return recent
  if (recent.length >= FEW) {
    const more = await find(matchesAmong(amongNewest), EXAMINED.more)
    if (more.length === values.limit) return more
  }
  return find(matchesAmong(byWordsOf(bindings)))
}

function queriesOf(tenantId: string, search: SearchTerms) {
  const { query = null, ofCode = [] } = searchQueryOf(tenantId, search) ?? {}
  return { query, codeQueries: ofCode.map(each => each.query), codeParts: ofCode.map(each => each.part) }
}

const byWords = 'select id from find_payments(:tenantId, lower(:query)::tsquery, :beforeId, :most) as id'
/**
 * Also finds the payments whose payment code contains a word of the text. The newest payments are examined without
 * these matches, because a part of a code is never frequent.
 */
const byWordsOrCode = `
  ${byWords}
  union
  select found.id from unnest(:codeQueries::text[], :codeParts::text[]) as code (query, part)
  cross join lateral find_payments(:tenantId, lower(code.query)::tsquery, :beforeId, :most) as found (id)
  cross join lateral (
    select from payments p
    where p.tenant_id = :tenantId and p.id = found.id and strpos(p.payment_code, code.part) > 0
    limit 1
  ) verified
  order by id desc`
const byWordsOf = ({ codeQueries }: { codeQueries: string[] }): string =>
  codeQueries.length > 0 ? byWordsOrCode : byWords

const amongNewest = `
  select newest.payment_id as id from (
    select s.payment_id, s.words from payment_search s
    where s.tenant_id = :tenantId and s.payment_id < :beforeId order by s.payment_id desc limit :examined
  ) newest
  where newest.words @@ lower(:query)::tsquery
  order by newest.payment_id desc`

/**
 * If the newest payments contain at least this many matches, the word is frequent, and looking it up in the
 * index of words would be slow.
 */
const FREQUENT = 20

/**
 * Counts the matches of a search, up to `most`. For a frequent word, counts only the matches among the newest
 * payments, because counting all matches would read all of them. The count is then marked as not exact.
 */
export async function countMatches(
  db: Db,
  { search, createdIn, ...kinds }: PaymentFilter,
  most: number,
): Promise<{ count: number; isExact: boolean }> {
  const bindings = {
    ...kinds,
    ...boundsOf(createdIn, undefined),
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
  const recent = await count(matchesAmong(amongNewest))
  const payments = await count(
    'select from payment_search where tenant_id = :tenantId and payment_id < :beforeId limit :examined',
  )
  if (payments < EXAMINED.first) {
    if (bindings.codeQueries.length === 0) return { count: recent, isExact: true }
  } else if (recent >= FREQUENT) return { count: recent, isExact: false }
  const all = await count(matchesAmong(byWordsOf(bindings)))
  return { count: Math.min(all, most - 1), isExact: all < most }
}
