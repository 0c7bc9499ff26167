// Chooses the payments to check next from the due payments on several shards of a distributed database.

export type DuePayment = {
  tenantId: string
  id: string
  accountId: string
  /**
   * The payment's position among the payments of the same tenant and account that are due for a status inquiry.
   * The payment that has waited longest has the first position.
   */
  place: number
  nextCheckAt: string
  roomOfAccount: number
  /**
   * True if the tenant has already had its turn in this round. Tenants take turns in the order of their IDs. A tenant
   * has therefore had its turn if its ID is at most the ID of the tenant served last.
   */
  hadTurn: boolean
}

/**
 * Returns up to `freeSlots` of the due payments, for which status inquiries are sent next. Each provider
 * account gets an equal share, and the tenants of an account take turns. On a single PostgreSQL server,
 * next-check.sql.ts applies the same rules.
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
