// Limits a list page by bytes as well as by items. Reading, validating and writing a larger page would block all of
// this process's other requests.

/**
 * The approximate maximum size of a page as JSON, in bytes. A full page of ordinary payments is about a tenth of
 * this size.
 */
export const MAX_PAGE_BYTES = 512 * 1024

/** The rows on a page. `hasMore` is true if the list has at least one further row. */
export type RowPage<Row> = { rows: Row[]; hasMore: boolean; bytes: number }

/**
 * Returns as many rows as fit on a page, but at least one. `rows` must contain one row more than `limit`, if
 * the list has that many.
 */
export function limitPageSize<Row>(rows: Row[], limit: number, bytesOf: (row: Row) => number): RowPage<Row> {
  const page: Row[] = []
  let bytes = 0
  for (const row of rows) {
    const size = bytesOf(row)
    if (page.length === limit || (page.length > 0 && bytes + size > MAX_PAGE_BYTES))
      return { rows: page, hasMore: true, bytes }
    page.push(row)
    bytes += size
  }
  return { rows: page, hasMore: false, bytes }
}
