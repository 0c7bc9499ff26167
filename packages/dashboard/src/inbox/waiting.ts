// Counts the items in an Inbox list that wait for a decision. Only the list's first page is counted, so a plus
// sign after the count shows that there are more.

export type Waiting = { count: number; isMore: boolean }

type Page<Item> = { items: readonly Item[]; next_cursor: string | null }

/**
 * Counts the items on a list's first page that wait for a decision. Pass `isWaiting` if the list continues with items
 * that need no decision.
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
