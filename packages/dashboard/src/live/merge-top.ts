// Keeps a scrolled list at its position while its first page is refetched.

import type { ListOrder } from '../table/order.ts'

type Page<Item> = { items: Item[]; next_cursor: string | null }
type Identified = { id: string }

/**
 * Merges the refetched first page, `top`, into the loaded `pages`. Both have the same sort order. There are three
 * cases:
 *
 * - `top` is the list's only page, or contains all loaded items that still exist, or `top` and `pages` share no item, so
 *   that items between them may be missing. The list then restarts with `top`.
 * - The last item of `top` is already in `pages`. `top` then replaces this item and all items before it.
 * - The last item of `top` is not in `pages`, but other items of `top` are. This happens if items were removed, because
 *   later items then move up into `top`. In this case, `top` replaces all loaded items that come before its last item.
 *
 * The third case compares IDs, which normally sort by creation time. The IDs of ledger entries do not follow this
 * order exactly. However, ledger entries are never removed, so the third case does not occur for them.
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
  const below = pages.map(page => ({
    ...page,
    items: page.items.filter(
      ({ id }) => place++ > lastKnown && (endsKnown || (order === 'newest' ? id < last.id : id > last.id)),
    ),
  }))
  const [first, ...others] = below
  // If no item is left below `top`, the list ends where `top` ends, which can be later than where it ended before.
  if (!first || below.every(({ items }) => items.length === 0)) return { pages: [top], isAnew: true }
  return { pages: [{ ...first, items: [...top.items, ...first.items] }, ...others], isAnew: false }
}

/**
 * Replaces the last loaded page with `end`. This is the reloaded last page, which also contains the items that were
 * added to the end of the list.
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
