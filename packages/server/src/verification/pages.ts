import type { Portion } from './portions.sql.ts'

/** The number of rows per page. */
export const PAGE = 5_000

/** A page ends after this many SQL statements, even if it has few rows or none. */
const READS_PER_PAGE = 100

/**
 * Yields all rows of the portions in pages. A portion is one tenant's rows, or all rows. `read` returns up to `size`
 * rows of a portion after a given row. Only the last page, or a page that required too many SQL statements, has fewer
 * than `size` rows.
 */
export async function* pages<Row>(
  portions: Portion[],
  read: (portion: Portion, after: Row | undefined) => Promise<Row[]>,
  size = PAGE,
): AsyncGenerator<Row[]> {
  let [page, reads]: [Row[], number] = [[], 0]
  for (const portion of portions)
    for (let after: Row | undefined, isLast = false; !isLast; ) {
      const rows = await read(portion, after)
      page.push(...rows)
      reads += 1
      if (page.length >= size || reads === READS_PER_PAGE) {
        yield page
        ;[page, reads] = [[], 0]
      }
      after = rows.at(-1)
      isLast = rows.length < size
    }
  if (page.length > 0) yield page
}
