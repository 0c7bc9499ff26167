import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeEnd, mergeTop, replaceItems } from './merge-top.ts'

type Item = { id: string; status: string }
const item = (number: number, status = 'pending'): Item => ({ id: String(number).padStart(4, '0'), status })
const page = (items: Item[], next: string | null = 'more') => ({ items, next_cursor: next })
const ids = (pages: { items: Item[] }[]) => pages.flatMap(({ items }) => items.map(({ id }) => Number(id)))

describe('reloading the newest page of a long list adds new items and removes items that no longer match', () => {
  test('merging the newest page into a list adds new items, updates changed items and leaves later pages unchanged', () => {
    const below = page([item(3), item(2)])
    const { pages, isAnew } = mergeTop([page([item(5), item(4)]), below], page([item(6), item(5, 'paid')]))
    expect(ids(pages)).toEqual([6, 5, 4, 3, 2])
    expect(pages[0]?.items[1]?.status).toBe('paid')
    expect(pages[1]?.items).toEqual(below.items)
    expect(isAnew).toBe(false)
  })

  test("an item that no longer matches the filter disappears when the list's first page is reloaded", () => {
    const { pages } = mergeTop([page([item(5), item(4), item(3)])], page([item(5), item(3)]))
    expect(ids(pages)).toEqual([5, 3])
  })

  test('a newest page without an item in common with the loaded list replaces the list', () => {
    const { pages, isAnew } = mergeTop([page([item(5), item(4)])], page([item(99), item(98)]))
    expect([ids(pages), isAnew]).toEqual([[99, 98], true])
  })

  test('if a refetch shows that the list now has only one page, this page replaces all loaded pages', () => {
    expect(mergeTop([page([item(5)]), page([item(4)], null)], page([], null)).pages).toEqual([page([], null)])
  })

  test.each(['newest', 'oldest'] as const)(
    'merging the reloaded first page into a list sorted %s first keeps the order, loses no item and adds no duplicates',
    order => {
      const direction = order === 'newest' ? -1 : 1
      const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 40 })
      const sorted = (all: Iterable<number>) =>
        [...all].toSorted((a, b) => direction * (a - b)).map(number => item(number))
      fc.assert(
        // In order, the generated values are:
        // - the IDs in the list when its pages were loaded
        // - the IDs removed later
        // - the IDs added later
        // - the page size
        // - the number of loaded pages after the first
        fc.property(
          numbers,
          numbers,
          numbers,
          fc.integer({ min: 1, max: 8 }),
          fc.nat(4),
          (was, gone, come, size, count) => {
            const before = sorted(was)
            const pageOf = (all: Item[], from: number, to: number) =>
              page(all.slice(from, to), to < all.length ? all[to - 1]?.id : null)
            const pages = Array.from({ length: count + 1 }, (_, index) =>
              pageOf(before, index * size, (index + 1) * size),
            )
            const now = sorted(new Set([...was.filter(number => !gone.includes(number)), ...come]))
            const top = now.slice(0, size)
            const { pages: merged } = mergeTop(pages, pageOf(now, 0, size), order)
            const shown = ids(merged)
            expect(shown).toEqual([...new Set(shown)].toSorted((a, b) => direction * (a - b)))
            expect(shown.slice(0, top.length)).toEqual(ids([page(top)]))
            const cursor = merged.at(-1)?.next_cursor ?? null
            const following = now.filter(
              ({ id }) => cursor !== null && direction * (Number(id) - Number(cursor)) > 0,
            )
            expect(ids([page(following)]).filter(id => shown.includes(id))).toEqual([])
          },
        ),
      )
    },
  )

  test("after a refetch, the ledger list keeps the service's order, even if it differs from the IDs' order", () => {
    const pages = [page([item(7), item(9)]), page([item(6), item(8)])]
    expect(ids(mergeTop(pages, page([item(10), item(7)])).pages)).toEqual([10, 7, 9, 6, 8])
  })
})

test("reloading a list's last page adds new items at the end, but no items from earlier pages", () => {
  const first = page([item(1), item(2), item(3)])
  const pages = mergeEnd([first, page([item(4)], null)], page([item(3), item(4), item(5)]))
  expect(pages).toEqual([first, page([item(4), item(5)])])
})

test('a changed item keeps its place in the list, and only its page is copied', () => {
  const [first, second] = [page([item(5)]), page([item(4), item(3)])]
  const replaced = replaceItems([first, second], [item(3, 'paid'), item(9)])
  expect(replaced[0]).toBe(first)
  expect(replaced[1]?.items).toEqual([item(4), item(3, 'paid')])
})
