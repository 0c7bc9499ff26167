import { expect, test } from 'vitest'
import { PAGE_BYTES, pageOfBytes } from './page-size-limit.ts'

const pageOf = (sizes: number[], limit: number) => pageOfBytes(sizes, limit, size => size)

test('a page of a list ends at its row limit or its byte limit, whichever comes first, and says if there is more', () => {
  expect(pageOf([1, 2, 3], 3)).toEqual({ rows: [1, 2, 3], hasMore: false, bytes: 6 })
  expect(pageOf([1, 2, 3], 2)).toEqual({ rows: [1, 2], hasMore: true, bytes: 3 })
  expect(pageOf([1, PAGE_BYTES - 1, 1], 9)).toEqual({
    rows: [1, PAGE_BYTES - 1],
    hasMore: true,
    bytes: PAGE_BYTES,
  })
})

test('a page of a list has at least one item, however large, and none if there is none', () => {
  expect(pageOf([2 * PAGE_BYTES, 1], 9)).toMatchObject({ rows: [2 * PAGE_BYTES], hasMore: true })
  expect(pageOf([], 9)).toEqual({ rows: [], hasMore: false, bytes: 0 })
})
