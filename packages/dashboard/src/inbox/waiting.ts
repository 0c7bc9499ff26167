// Counts the items that wait for a decision, up to the length of one page.

export type Waiting = { count: number; isMore: boolean }

type Page<Item> = { items: readonly Item[]; next_cursor: string | null }

/** isWaiting: for a list in which other items follow those that wait. */
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

/** Undefined if nothing waits. */
export const shownCount = ({ count, isMore }: Waiting): string | undefined =>
  count === 0 ? undefined : `${count}${isMore ? '+' : ''}`
