/** The list with one of its items a place further up (-1) or down (1); the same list where there is no such place. */
export function moved<Item>(items: readonly Item[], from: number, by: -1 | 1): Item[] {
  const to = from + by
  if (to < 0 || to >= items.length) return [...items]
  return items.with(from, items[to] as Item).with(to, items[from] as Item)
}
