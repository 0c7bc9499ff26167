// Limits the size of a list page in bytes as well as the number of its items. While a larger page is read, validated
// and written, all other requests in this process would be blocked.

/**
 * The approximate maximum size of a page as JSON, in bytes. A full page of ordinary payments is about a tenth of
 * this size.
 */
export const MAX_PAGE_BYTES = 512 * 1024

/** The rows on a page. `hasMore` is true if the list contains at least one row after this page. */
export type RowPage<Row> = { rows: Row[]; hasMore: boolean; bytes: number }

/**
 * Returns as many rows as fit on a page, but at least one row. If the list has more than `limit` rows left,
 * `rows` must contain `limit` + 1 rows.
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
