import type { Outputs } from '../api/trpc.ts'

type Row = Outputs['reports']['payments']['items'][number]
type Sums = Pick<Row, 'count' | 'amount' | 'amount_paid'>

/** What a report by tenant and status says of one of them, the largest group first. */
export function figuresOf(rows: readonly Row[], tenantId: string): { total: Sums; byStatus: Row[] } {
  const byStatus = rows.filter(({ tenant }) => tenant === tenantId).toSorted((a, b) => b.count - a.count)
  const total = byStatus.reduce(
    (sums, { count, amount, amount_paid }) => ({
      count: sums.count + count,
      amount: sums.amount + amount,
      amount_paid: sums.amount_paid + amount_paid,
    }),
    { count: 0, amount: 0, amount_paid: 0 },
  )
  return { total, byStatus }
}

/** Of those that are over, how many were paid; undefined where none is over. */
export function paidShareOf(byStatus: readonly Row[]): number | undefined {
  const countOf = (...statuses: Row['status'][]) =>
    byStatus.reduce((sum, { status, count }) => (statuses.includes(status) ? sum + count : sum), 0)
  const over = countOf('paid', 'failed', 'expired', 'cancelled')
  return over === 0 ? undefined : countOf('paid') / over
}
