// Counts the Inbox items that wait for a decision. Only the first page of the Inbox list is counted. If later
// pages may contain more of these items, a plus sign follows the count.

export type Waiting = { count: number; isMore: boolean }

type Page<Item> = { items: readonly Item[]; next_cursor: string | null }

/**
 * Returns how many items on a list's first page wait for a decision, and whether later pages may contain more waiting
 * items. The list must be sorted so that waiting items come first.
 */
export function waitingOf<Item>(
  page: Page<Item> | undefined,
  isWaiting: (item: Item) => boolean = () => true,
): Waiting {
  const items = page?.items ?? []
  const count = items.filter(isWaiting).length
  return { count, isMore: (page?.next_cursor ?? null) !== null && count === items.length }
}

export const sumOf = (all: readonly Waiting[]): Waiting => ({
  count: all.reduce((sum, { count }) => sum + count, 0),
  isMore: all.some(({ isMore }) => isMore),
})

/** Returns the count as text, such as `3` or `100+`, or undefined if no item waits for a decision. */
export const shownCount = ({ count, isMore }: Waiting): string | undefined =>
  count === 0 ? undefined : `${count}${isMore ? '+' : ''}`
