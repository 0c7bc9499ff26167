import { beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { rowsReadBy } from '../../test/support/rows-read.ts'
import { countMatchingRows, countRows } from './count-rows.ts'
import type { Db } from './db.ts'

let db: Db
beforeAll(async () => {
  ;({ db } = await testDatabase())
})

const series = (rows: number) => `select n from generate_series(1, ${rows}) n`

test.each([
  [0, { count: 0, isExact: true }],
  [10_000, { count: 10_000, isExact: true }],
  [10_001, { count: 10_000, isExact: false }],
])('the count of a list with %s rows is exact if the list has at most 10,000 rows', async (rows, counted) => {
  expect(await countRows(db, series(rows), {})).toEqual(counted)
})

test.each([
  ['few matches among few rows', 50_000, 'n % 10000 = 0', { count: 5, isExact: true }],
  [
    'few matches among more rows than a count examines',
    100_001,
    'n % 10000 = 0',
    { count: 10, isExact: false },
  ],
  ['as many matches as the largest count', 10_000, 'true', { count: 10_000, isExact: true }],
  ['more matches than the largest count', 10_001, 'true', { count: 10_000, isExact: false }],
])(
  'a count of matching rows is reported as exact only if all rows were examined (%s)',
  async (_, rows, matches, counted) => {
    expect(await countMatchingRows(db, series(rows), matches, {})).toEqual(counted)
  },
)

test('counting a list reads at most one row more than the highest number counted exactly', async () => {
  await db.raw(
    `insert into audit_log (id, action) select uuidv7(n * interval '-1 second'), 'a.b' from generate_series(1, 12000) n`,
  )
  const read = await db.transaction(tx =>
    rowsReadBy(tx, ['audit_log'], () => countRows(tx as Db, 'select from audit_log', {})),
  )
  expect(read).toBe(10_001)
})
