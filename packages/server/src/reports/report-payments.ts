import type { z } from 'zod'
import type { Db } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import type { Period } from '../values/day.ts'
import { columnsOf, type Group, MAX_ROWS, type reportView, sumOf } from './payment-report.ts'
import { type Scope, sumPayments } from './report.sql.ts'

export async function reportPayments(
  app: { db: Db },
  scope: Scope,
  period: Period,
  grouping: readonly Group[],
): Promise<z.output<typeof reportView>> {
  const rows = await sumPayments(app.db, scope, period, grouping, MAX_ROWS + 1)
  if (rows.length > MAX_ROWS) throw fault('report_too_long', { most: MAX_ROWS }, { field: 'group_by' })
  const columns = grouping.flatMap(group => columnsOf[group])
  return {
    items: rows.map(row => ({
      ...Object.fromEntries(columns.map(column => [column, row[column]])),
      count: Number(row.count),
      amount: sumOf(row.amount),
      amount_paid: sumOf(row.amount_paid),
      amount_reversed: sumOf(row.amount_reversed),
    })),
  }
}
