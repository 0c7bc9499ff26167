import type { Db } from './db.ts'

/**
 * The highest number of rows that is counted exactly. Counting stops at this number, because an exact count
 * must read every matching row.
 */
export const LARGEST_COUNT = 10_000
/**
 * The maximum number of rows that are examined for a count, if the index that is used also contains rows that
 * do not match.
 */
export const ROWS_EXAMINED = 100_000

/** The number of rows in a list. `isExact` is false if counting stopped early, so there may be more rows. */
export type Count = { count: number; isExact: boolean }
export const nothing: Count = { count: 0, isExact: true }

/**
 * Counts the rows that the SQL query `listed` returns, up to 10,000. The query may use the parameter `:limit` to limit
 * its rows too.
 */
export async function countRows(db: Db, listed: string, values: object): Promise<Count> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select count(*)::integer as count from (${listed} limit :limit) listed`,
    { ...values, limit: LARGEST_COUNT + 1 },
  )
  const { count } = rows[0] as { count: number }
  return { count: Math.min(count, LARGEST_COUNT), isExact: count <= LARGEST_COUNT }
}

/**
 * Counts the rows of the query `examined` that meet the condition `matches`, up to 10,000. The function
 * examines only a limited number of rows (`:limit` in the query), so use it if no index selects exactly the
 * matching rows.
 */
export async function countMatchingRows(
  db: Db,
  examined: string,
  matches: string,
  values: object,
): Promise<Count> {
  const { rows } = await db.raw<{ rows: { count: number; isMore: boolean }[] }>(
    `select count, count > :largest or exists (${examined} offset :limit) as "isMore"
     from (
       select count(*)::integer as count
       from (select 1 as matching from (${examined} limit :limit) examined where ${matches} limit :largest + 1) matching
     ) counted`,
    { ...values, largest: LARGEST_COUNT, limit: ROWS_EXAMINED },
  )
  const { count, isMore } = rows[0] as { count: number; isMore: boolean }
  return { count: Math.min(count, LARGEST_COUNT), isExact: !isMore }
}
