/**
 * Moves a list item up (-1) or down (1). If the item is already at that end of the list, the order stays the same.
 */
export function moved<Item>(items: readonly Item[], from: number, by: -1 | 1): Item[] {
  const to = from + by
  if (to < 0 || to >= items.length) return [...items]
  return items.with(from, items[to] as Item).with(to, items[from] as Item)
}
