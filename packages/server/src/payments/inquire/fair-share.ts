// Chooses the payments to check next from the due payments on several shards of a distributed database.

export type DuePayment = {
  tenantId: string
  id: string
  accountId: string
  /**
   * The payment's rank among those of its tenant and account that are waiting for a status inquiry. The payment
   * that has waited longest comes first.
   */
  place: number
  nextCheckAt: string
  roomOfAccount: number
  /**
   * True if the tenant has already had its turn in this round, which is the case if its ID is at most the ID
   * of the tenant served last.
   */
  hadTurn: boolean
}

/**
 * Returns up to `freeSlots` payments. Each account gets an equal share, and its tenants take turns. On a
 * single PostgreSQL server, next-check.sql.ts applies the same rules.
 */
export function fairShare(due: DuePayment[], freeSlots: number): DuePayment[] {
  const accounts = Map.groupBy(due, each => each.accountId)
  const share = Math.floor(freeSlots / accounts.size) + 1
  const inTurn = (a: DuePayment, b: DuePayment) =>
    a.place - b.place || Number(a.hadTurn) - Number(b.hadTurn) || compare(a.tenantId, b.tenantId)
  return [...accounts.values()]
    .flatMap(payments =>
      payments
        .sort(inTurn)
        .slice(0, Math.min(share, payments[0]?.roomOfAccount ?? 0))
        .map((payment, number) => ({ payment, number })),
    )
    .sort((a, b) => a.number - b.number || compare(a.payment.nextCheckAt, b.payment.nextCheckAt))
    .slice(0, freeSlots)
    .map(({ payment }) => payment)
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
