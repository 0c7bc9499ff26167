// Keeps a scrolled list at its position while its first page is refetched.

import type { ListOrder } from '../table/order.ts'

type Page<Item> = { items: Item[]; next_cursor: string | null }
type Identified = { id: string }

/**
 * Merges the refetched first page, `top`, into the loaded `pages`. Both have the same sort order. There are three
 * cases:
 *
 * - The list restarts with `top` if one of these conditions is met:
 *   - `top` is the list's only page.
 *   - `top` contains all loaded items that still exist.
 *   - `top` and `pages` share no item, so items between `top` and `pages` may be missing.
 * - The last item of `top` is also in `pages`. In this case, `top` replaces the loaded items up to this item.
 * - The last item of `top` is not in `pages`, but other items of `top` are. Items were removed, so later items have
 *   moved up into `top`. In this case, `top` replaces all loaded items that come before its last item.
 */
export function mergeTop<Item extends Identified>(
  pages: readonly Page<Item>[],
  top: Page<Item>,
  order: ListOrder = 'newest',
): { pages: Page<Item>[]; isAnew: boolean } {
  const fresh = new Set(top.items.map(({ id }) => id))
  const lastKnown = pages.flatMap(page => page.items).findLastIndex(({ id }) => fresh.has(id))
  const last = top.items.at(-1)
  if (!last || top.next_cursor === null || lastKnown < 0) return { pages: [top], isAnew: true }
  const endsKnown = pages.some(page => page.items.some(({ id }) => id === last.id))
  let place = 0
  // Only the third case compares IDs. IDs sort by creation time, but the IDs of ledger entries only approximately. This
  // causes no error, because ledger entries are never removed.
  const below = pages.map(page => ({
    ...page,
    items: page.items.filter(
      ({ id }) => place++ > lastKnown && (endsKnown || (order === 'newest' ? id < last.id : id > last.id)),
    ),
  }))
  const [first, ...others] = below
  // No loaded item comes after the items of `top`, so the list consists only of `top`.
  if (!first || below.every(({ items }) => items.length === 0)) return { pages: [top], isAnew: true }
  return { pages: [{ ...first, items: [...top.items, ...first.items] }, ...others], isAnew: false }
}

/**
 * Replaces the last loaded page of a list with `end`, the same page reloaded. The reloaded page also contains the items
 * that were added to the end of the list.
 */
export function mergeEnd<Item extends Identified>(
  pages: readonly Page<Item>[],
  end: Page<Item>,
): Page<Item>[] {
  const others = pages.slice(0, -1)
  const before = new Set(others.flatMap(page => page.items.map(({ id }) => id)))
  return [...others, { ...end, items: end.items.filter(({ id }) => !before.has(id)) }]
}

/**
 * Replaces items in a cached list, identified by their IDs. Pages and items that have not changed remain the
 * same objects.
 */
export function replaceItems<Item extends Identified>(
  pages: readonly Page<Item>[],
  items: readonly Item[],
): Page<Item>[] {
  const fresh = new Map(items.map(item => [item.id, item]))
  return pages.map(page =>
    page.items.some(item => fresh.has(item.id))
      ? { ...page, items: page.items.map(item => fresh.get(item.id) ?? item) }
      : page,
  )
}
