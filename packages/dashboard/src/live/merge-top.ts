// Keeps a scrolled list in place while its newest page is refetched.

type Page<Item> = { items: Item[]; next_cursor: string | null }
type Identified = { id: string }

/**
 * Merges the current newest page, `top`, into the loaded `pages`, newest first.
 *
 * - `top` replaces everything down to the last item that both contain. Older items missing from `top` were removed.
 * - If the last item of `top` was not loaded, all newer loaded items were removed. This relies on ids that sort by
 *   time. Ids of ledger entries only nearly do, but ledger entries are never removed.
 * - If they share no item, there is a gap, and the list restarts with `top`.
 */
export function mergeTop<Item extends Identified>(
  pages: readonly Page<Item>[],
  top: Page<Item>,
): { pages: Page<Item>[]; isAnew: boolean } {
  const fresh = new Set(top.items.map(({ id }) => id))
  const lastKnown = pages.flatMap(page => page.items).findLastIndex(({ id }) => fresh.has(id))
  const last = top.items.at(-1)
  if (!last || top.next_cursor === null || lastKnown < 0) return { pages: [top], isAnew: true }
  const endsKnown = pages.some(page => page.items.some(({ id }) => id === last.id))
  let place = 0
  const below = pages.map(page => ({
    ...page,
    items: page.items.filter(({ id }) => place++ > lastKnown && (endsKnown || id < last.id)),
  }))
  const [first, ...others] = below
  return {
    pages: first ? [{ ...first, items: [...top.items, ...first.items] }, ...others] : [top],
    isAnew: false,
  }
}

/** Replaces items by their ID. Pages and items that did not change keep their object identity. */
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
