// Compares the database function search_payments with an in-memory search. The function reads only some of the
// payments, but must not miss a match or change the order.

import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { asOwner, testDatabase } from '../../../test/support/database.ts'
import { rowsReadBy } from '../../../test/support/rows-read.ts'
import type { Db } from '../../db/db.ts'
import { firstIdAt, idAfter, LAST_ID } from '../../values/id.ts'
import { after } from '../../values/time.ts'

type Row = { tenantId: string; id: string; words: string[] }

// The first two tenants share their words in the search index. An indexed word contains only the last digits of the
// tenant's ID, and these digits are the same for both tenants.
const LARGE = '01990000-0000-7000-8000-00000000abcd'
const SMALL = '01990000-0000-7000-8000-00000001abcd'
/** The tenant whose payment IDs are random, so that they contain no creation time, unlike usual payment IDs. */
const WITHOUT_TIMES = '01990000-0000-7000-8000-00000000dcba'
/**
 * All payments of this tenant are from one day. Most of them contain the word `dense`. The newest payments do not, so
 * they do not show how frequent the word is.
 */
const BUSY = '01990000-0000-7000-8000-00000000eeee'
const BUSY_SIZE = { all: 16_000, dense: 15_000 }
const SIZES = { [LARGE]: 9_000, [SMALL]: 500, [WITHOUT_TIMES]: 100 }
const FIRST_DAY = new Date('2026-01-01T00:00:00Z')
const DAYS = 300
const DAY_MS = 86_400_000

let state = 1
/** Returns random numbers from 0 to 1 with a fixed seed, so that every run tests the same payments. */
function random(): number {
  state = (state * 48_271) % 2_147_483_647
  return state / 2_147_483_647
}
const isOneIn = (count: number) => random() * count < 1
const hex = (length: number) => Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('')

/**
 * Returns a payment's row in the table `payment_search`. As in production, the times from which the id and the
 * code are derived differ by up to a minute.
 */
function rowOf(tenantId: string): Row {
  const day = Math.floor(random() * DAYS)
  const ms = isOneIn(2) ? (random() - 0.5) * 60_000 : random() * DAY_MS
  const at = after(FIRST_DAY, day * DAY_MS + ms)
  const codeAt = after(at, (random() - 0.5) * 120_000)
  const id =
    tenantId === WITHOUT_TIMES
      ? `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`
      : `${firstIdAt(at).slice(0, 13)}-7${hex(3)}-8${hex(3)}-${hex(12)}`
  const isOld = day < DAYS / 3
  const words = [
    `gp${codeAt.toISOString().slice(2, 10).replaceAll('-', '')}`,
    'every',
    isOld ? `inv${hex(8)}` : `order${hex(8)}`,
    ...(isOld ? ['old'] : []),
    ...(isOld && isOneIn(20) ? ['seldom'] : []),
    ...(day === 150 ? ['spot'] : []),
    ...(isOneIn(3) ? ['third'] : []),
    ...(isOneIn(500) ? ['rare'] : []),
    // One in 16 payments has such a word, more than in production, so that the test needs fewer payments.
    ...(isOneIn(16) ? [`${isOld ? '<' : '>'}qx${hex(2)}`] : []),
  ]
  return { tenantId, id, words }
}

const rowsOfBusyTenant = (): Row[] =>
  Array.from({ length: BUSY_SIZE.all }, (_, n) => ({
    tenantId: BUSY,
    id: `${firstIdAt(after(FIRST_DAY, n * 1_000)).slice(0, 13)}-7${hex(3)}-8${hex(3)}-${hex(12)}`,
    words: n < BUSY_SIZE.dense ? ['dense'] : ['new'],
  }))

let db: Db
let rows: Row[]
beforeAll(async () => {
  ;({ db } = await testDatabase())
  rows = Object.entries(SIZES).flatMap(([tenantId, size]) =>
    Array.from({ length: size }, () => rowOf(tenantId)),
  )
  rows.push(...rowsOfBusyTenant())
  await asOwner(db, owner =>
    owner.raw(
      `insert into payment_search (tenant_id, payment_id, words)
       select "tenantId", id, array_to_tsvector(array(select right("tenantId"::text, 4) || word from unnest(words) word))
       from jsonb_to_recordset(?) as r ("tenantId" uuid, id uuid, words text[]) order by id`,
      [JSON.stringify(rows)],
    ),
  )
  await asOwner(db, owner => owner.raw('vacuum analyze payment_search'))
}, 60_000)

type Query = { tsquery: string; matches: (words: string[]) => boolean }
const word = (content: string): Query => ({
  tsquery: `'~${content}'`,
  matches: words => words.includes(content),
})
const prefix = (content: string): Query => ({
  tsquery: `'~${content}':*`,
  matches: words => words.some(each => each.startsWith(content)),
})
const both = (one: Query, other: Query): Query => ({
  tsquery: `(${one.tsquery} & ${other.tsquery})`,
  matches: words => one.matches(words) && other.matches(words),
})
const either = (one: Query, other: Query): Query => ({
  tsquery: `(${one.tsquery} | ${other.tsquery})`,
  matches: words => one.matches(words) || other.matches(words),
})

const single = fc.constantFrom(
  ...['every', 'old', 'seldom', 'spot', 'third', 'rare', 'nowhere'].map(word),
  ...['inv', 'inv1', 'order', 'ord', 'ra', 'gp2603', 'gp260531'].map(prefix),
)
const query = fc.oneof(
  single,
  // This query with several word prefixes matches more payments than the SQL function search_payments reads
  // in one step, so the function needs several steps.
  fc.constant(both(prefix('ev'), prefix('order'))),
  fc.tuple(single, single).chain(pair => fc.constantFrom(both(...pair), either(...pair))),
)

type Search = {
  tenantId: string
  query: Query
  fromId: string
  beforeId: string
  isNewestFirst: boolean
  limit: number
}

async function search({ tenantId, query, fromId, beforeId, isNewestFirst, limit }: Search, on: Db = db) {
  const found = await on.raw<{ rows: { id: string }[] }>(
    'select id from search_payments(:tenantId, cast(:words as tsquery), :fromId, :beforeId, :isNewestFirst, :limit) as id',
    {
      tenantId,
      words: query.tsquery.replaceAll('~', tenantId.slice(-4)),
      fromId,
      beforeId,
      isNewestFirst,
      limit,
    },
  )
  return found.rows.map(({ id }) => id)
}

function searchInMemory({ tenantId, query, fromId, beforeId, isNewestFirst, limit }: Search): string[] {
  const ids = rows
    .filter(
      row => row.tenantId === tenantId && row.id >= fromId && row.id < beforeId && query.matches(row.words),
    )
    .map(({ id }) => id)
    .sort()
  return (isNewestFirst ? ids.reverse() : ids).slice(0, limit)
}

const FIRST_ID = firstIdAt(new Date(0))
const bound = (extreme: string) =>
  fc.oneof(
    fc.constant(extreme),
    fc.nat({ max: DAYS * DAY_MS }).map(ms => firstIdAt(after(FIRST_DAY, ms))),
    fc.nat().map(n => rows[n % rows.length]?.id ?? extreme),
  )
const anySearch = () =>
  fc.record({
    tenantId: fc.constantFrom(LARGE, LARGE, SMALL, WITHOUT_TIMES),
    query,
    fromId: bound(FIRST_ID),
    beforeId: bound(LAST_ID),
    isNewestFirst: fc.boolean(),
    limit: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 3_000 })),
  })

test("a search returns exactly the tenant's first matches in the requested order and range of IDs", async () => {
  await fc.assert(
    fc.asyncProperty(anySearch(), async each => {
      expect(await search(each)).toEqual(searchInMemory(each))
    }),
    { numRuns: 400 },
  )
}, 120_000)

test('a search finds payments created around midnight, even if the date in their payment code is a day off', async () => {
  for (let day = 50; day <= DAYS - 50; day += 5) {
    const midnight = after(FIRST_DAY, day * DAY_MS)
    const all = { tenantId: LARGE, query: word('every'), fromId: FIRST_ID, beforeId: LAST_ID, limit: 5 }
    const toMidnight = { ...all, beforeId: firstIdAt(after(midnight, -1)), isNewestFirst: true }
    const fromMidnight = { ...all, fromId: firstIdAt(midnight), isNewestFirst: false }
    for (const each of [toMidnight, fromMidnight]) expect(await search(each)).toEqual(searchInMemory(each))
  }
})

test('the pages of a search result contain each match exactly once', async () => {
  for (const isNewestFirst of [true, false])
    for (const query of [word('old'), both(word('third'), prefix('order'))]) {
      const all = { tenantId: LARGE, query, fromId: FIRST_ID, beforeId: LAST_ID, isNewestFirst, limit: 100 }
      const found: string[] = []
      for (;;) {
        const last = found.at(-1)
        const bounds =
          last === undefined ? {} : isNewestFirst ? { beforeId: last } : { fromId: idAfter(last) }
        const page = await search({ ...all, ...bounds })
        found.push(...page)
        if (page.length < all.limit) break
      }
      expect(found).toEqual(searchInMemory({ ...all, limit: rows.length }))
    }
})

test.each([
  ['newest', 'old', true],
  ['oldest', 'new', false],
] as const)(
  'in a list with the %s payments first, finding 20 of many matches among the %s payments reads less than half of the matches',
  async (_order, age, isNewestFirst) => {
    const query = age === 'old' ? word('old') : prefix('order')
    const all = { tenantId: LARGE, query, fromId: FIRST_ID, beforeId: LAST_ID, isNewestFirst, limit: 20 }
    const read = await asOwner(db, owner =>
      owner.transaction(tx => rowsReadBy(tx, ['payment_search'], () => search(all, tx as Db))),
    )
    expect(read).toBeGreaterThanOrEqual(20)
    expect(read).toBeLessThan(searchInMemory({ ...all, limit: rows.length }).length / 2)
  },
)

const denseSearch = (isNewestFirst: boolean, limit: number): Search => ({
  tenantId: BUSY,
  query: word('dense'),
  fromId: FIRST_ID,
  beforeId: LAST_ID,
  isNewestFirst,
  limit,
})

test.each([1, 20, 200, 4_000])(
  'a search for a word that very many payments of a few days contain returns the first %i matches in either list order',
  async limit => {
    for (const isNewestFirst of [true, false]) {
      const all = denseSearch(isNewestFirst, limit)
      expect(await search(all)).toEqual(searchInMemory(all))
    }
  },
)

test('if very many payments of a few days match a word, a search reads less than 80% of them', async () => {
  const read = await asOwner(db, owner =>
    owner.transaction(tx =>
      rowsReadBy(tx, ['payment_search'], () => search(denseSearch(true, 20), tx as Db)),
    ),
  )
  expect(read).toBeLessThan(0.8 * BUSY_SIZE.dense)
})

test("a search for a very common word reads the word's index entries of only a few days", async () => {
  const all = {
    tenantId: LARGE,
    query: word('every'),
    fromId: FIRST_ID,
    beforeId: LAST_ID,
    isNewestFirst: true,
  }
  const entries = await asOwner(db, async owner => {
    const read = async () => {
      await owner.raw('select pg_stat_force_next_flush()')
      const { rows } = await owner.raw<{ rows: { read: number }[] }>(
        `select idx_tup_read::integer as read from pg_stat_user_indexes where indexrelname = 'payment_search_by_period'`,
      )
      return rows[0]?.read ?? 0
    }
    const before = await read()
    await search({ ...all, limit: 20 }, owner)
    return (await read()) - before
  })
  expect(entries).toBeGreaterThanOrEqual(20)
  expect(entries).toBeLessThan(SIZES[LARGE] / 10)
})
