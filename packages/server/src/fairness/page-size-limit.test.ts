import { expect, test } from 'vitest'
import { limitPageSize, MAX_PAGE_BYTES } from './page-size-limit.ts'

const pageOf = (sizes: number[], limit: number) => limitPageSize(sizes, limit, size => size)

test('a list page ends at its row limit or its byte limit and reports whether more rows exist', () => {
  expect(pageOf([1, 2, 3], 3)).toEqual({ rows: [1, 2, 3], hasMore: false, bytes: 6 })
  expect(pageOf([1, 2, 3], 2)).toEqual({ rows: [1, 2], hasMore: true, bytes: 3 })
  expect(pageOf([1, MAX_PAGE_BYTES - 1, 1], 9)).toEqual({
    rows: [1, MAX_PAGE_BYTES - 1],
    hasMore: true,
    bytes: MAX_PAGE_BYTES,
  })
})

test('a list page contains at least one remaining item, even if it exceeds the byte limit', () => {
  expect(pageOf([2 * MAX_PAGE_BYTES, 1], 9)).toMatchObject({ rows: [2 * MAX_PAGE_BYTES], hasMore: true })
  expect(pageOf([], 9)).toEqual({ rows: [], hasMore: false, bytes: 0 })
})
