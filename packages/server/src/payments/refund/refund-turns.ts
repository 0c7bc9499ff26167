// Chooses the refunds to continue next from the due refunds on several shards of a distributed database.

/** A due refund. `room` is the number of free slots of its provider account. */
export type DueRefund = { tenantId: string; id: string; accountId: string; atMs: number; room: number }

/**
 * Returns up to `freeSlots` of the due refunds. Accounts take turns, and each account's refunds are chosen earliest
 * first. On a single PostgreSQL server, due-refunds.sql.ts applies the same rules.
 */
export const chooseInTurns = (due: DueRefund[], freeSlots: number): DueRefund[] =>
  [...Map.groupBy(due, each => each.accountId).values()]
    .flatMap(ofAccount =>
      ofAccount
        .sort((a, b) => a.atMs - b.atMs)
        .map((refund, place) => ({ refund, place }))
        .filter(({ refund, place }) => place < refund.room),
    )
    .sort((a, b) => a.place - b.place || a.refund.atMs - b.refund.atMs)
    .slice(0, freeSlots)
    .map(({ refund }) => refund)
