// The two orders of a list that is sorted by id, and their SQL. Ids sort by the time at which rows were created, so one
// index on the id gives both orders.

export const listOrders = ['newest', 'oldest'] as const
export type ListOrder = (typeof listOrders)[number]

/** Where a page starts: after the row `afterId` in this order, or at the first row of the list. */
export type PageStart = { order: ListOrder; afterId: string | undefined }

export const firstPage = (order: ListOrder = 'newest'): PageStart => ({ order, afterId: undefined })

/** For each order: how SQL sorts the list, and how the id of a later row in the list compares with an earlier one. */
export const sqlOf = {
  newest: { sort: 'desc', later: '<' },
  oldest: { sort: 'asc', later: '>' },
} as const satisfies Record<ListOrder, { sort: string; later: string }>
