import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toPart } from './page.ts'

const rows = fc.uniqueArray(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 5 }), {
  maxLength: 30,
})
type Part = { items: string[]; next_cursor: string | null }
const same = (row: string) => row

describe('a short list can be requested as a whole or page by page', () => {
  test('if a request for a short list has no limit and no cursor, it returns the whole list', () => {
    fc.assert(
      fc.property(rows, all => {
        expect(toPart(all, {}, same, same)).toEqual({ items: all, next_cursor: null })
      }),
    )
  })

  test('reading a short list page by page returns each item once and in order, for any page size', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 100 }), (all, limit) => {
        const walked: string[] = []
        let cursor: string | null = null
        do {
          const part: Part = toPart(all, { limit, cursor: cursor ?? undefined }, same, same)
          expect(part.items.length).toBe(Math.min(limit, all.length - walked.length))
          walked.push(...part.items)
          cursor = part.next_cursor
        } while (cursor !== null)
        expect(walked).toEqual(all)
      }),
    )
  })

  test("a request for the next page is rejected if its cursor's item is no longer in the list", () => {
    const { next_cursor } = toPart(['a', 'b', 'c'], { limit: 2 }, same, same)
    for (const cursor of [next_cursor as string, '', 'none'])
      expect(() => toPart(['a', 'c'], { cursor }, same, same)).toThrow(/^bad request: cursor: /)
  })
})
