// The two orders of a list that is sorted by id, and their SQL. Ids are in the order in which the rows were
// created. The index on the id serves both orders.

export const listOrders = ['newest', 'oldest'] as const
export type ListOrder = (typeof listOrders)[number]

/**
 * Where a page of a list starts: after the row with the id `afterId` in this order, or at the first row if `afterId` is
 * undefined.
 */
export type PageStart = { order: ListOrder; afterId: string | undefined }

export const firstPage = (order: ListOrder = 'newest'): PageStart => ({ order, afterId: undefined })

/**
 * The SQL for each order: the sort direction, and the operator that compares the id of a later row with the
 * id of an earlier row.
 */
export const sqlOf = {
  newest: { sort: 'desc', later: '<' },
  oldest: { sort: 'asc', later: '>' },
} as const satisfies Record<ListOrder, { sort: string; later: string }>
