// The two orders of a list that is sorted by ID, and the SQL for each order. IDs increase in the order in which the
// rows were created. One index on the ID serves both orders.

export const listOrders = ['newest', 'oldest'] as const
export type ListOrder = (typeof listOrders)[number]

/**
 * Where a page of a list starts: after the row with the ID `afterId` in this order, or at the first row if
 * `afterId` is undefined.
 */
export type PageStart = { order: ListOrder; afterId: string | undefined }

export const firstPage = (order: ListOrder = 'newest'): PageStart => ({ order, afterId: undefined })

/**
 * The SQL for each sort order of a list. `sort` is the sort direction. `later` is the operator that selects the rows
 * after a given ID.
 */
export const sqlOf = {
  newest: { sort: 'desc', later: '<' },
  oldest: { sort: 'asc', later: '>' },
} as const satisfies Record<ListOrder, { sort: string; later: string }>
