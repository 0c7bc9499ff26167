// A list that has been scrolled down is kept as it is, and its newest page is asked for again.

type Page<Item> = { items: Item[]; next_cursor: string | null }
type Identified = { id: string }

/**
 * pages: newest first, as they were loaded; top: the newest page as it is now. What top holds takes the place of what was
 * there; what is as new as top and not in it is no longer in the list. Ids sort by time. Where nothing of top is known,
 * there is a gap, and the list begins anew.
 */
export function mergeTop<Item extends Identified>(
  pages: readonly Page<Item>[],
  top: Page<Item>,
): { pages: Page<Item>[]; isAnew: boolean } {
  const fresh = new Map(top.items.map(item => [item.id, item]))
  const last = top.items.at(-1)
  const isKnown = pages.some(page => page.items.some(item => fresh.has(item.id)))
  if (!last || top.next_cursor === null || !isKnown) return { pages: [top], isAnew: true }
  const older = pages.map(page => ({ ...page, items: page.items.filter(item => item.id < last.id) }))
  const [first, ...others] = older
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
