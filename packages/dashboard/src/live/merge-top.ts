// A list that has been scrolled down is kept as it is, and its newest page is asked for again.

type Page<Item> = { items: Item[]; next_cursor: string | null }
type Identified = { id: string }

/**
 * pages: newest first, as they were loaded; top: the newest page as it is now. Top takes the place of everything down to
 * the last item that both know: what it has not is no longer in the list, or was not at the time. Where top ends with one
 * that was not loaded, what is as new as that is gone, too: ids sort by time (those of ledger entries nearly, and of these
 * none ever goes). Where they know none in common there is a gap, and the list begins anew.
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

/** Puts items in the place of those with their ids; the others stay the same objects. */
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
