// A page of a list ends at a number of bytes, too, where its items may be large: more than these this process would read,
// check and write in one go while all other requests wait.

/** As JSON, about. A page of ordinary payments has a tenth of it. */
export const PAGE_BYTES = 512 * 1024

/** hasMore: a row was left out. */
export type Page<Row> = { rows: Row[]; hasMore: boolean; bytes: number }

/** Of rows, of which one more was read than a page may have: as many as there is room for, and at least one. */
export function pageOfBytes<Row>(rows: Row[], limit: number, bytesOf: (row: Row) => number): Page<Row> {
  const page: Row[] = []
  let bytes = 0
  for (const row of rows) {
    const size = bytesOf(row)
    if (page.length === limit || (page.length > 0 && bytes + size > PAGE_BYTES))
      return { rows: page, hasMore: true, bytes }
    page.push(row)
    bytes += size
  }
  return { rows: page, hasMore: false, bytes }
}
