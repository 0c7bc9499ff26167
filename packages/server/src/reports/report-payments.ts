import type { z } from 'zod'
import type { Db } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import type { Period } from '../values/day.ts'
import { columnsOfGroup, type Group, MAX_ROWS, type reportView, toSafeNumber } from './payment-report.ts'
import { type ReportScope, sumPayments } from './report.sql.ts'

export async function reportPayments(
  app: { db: Db },
  scope: ReportScope,
  period: Period,
  grouping: readonly Group[],
): Promise<z.output<typeof reportView>> {
  const rows = await sumPayments(app.db, scope, period, grouping, MAX_ROWS + 1)
  if (rows.length > MAX_ROWS) throw fault('report_too_long', { most: MAX_ROWS }, { field: 'group_by' })
  const columns = grouping.flatMap(group => columnsOfGroup[group])
  return {
    items: rows.map(row => ({
      ...Object.fromEntries(columns.map(column => [column, row[column]])),
      count: Number(row.count),
      amount: toSafeNumber(row.amount),
      amount_paid: toSafeNumber(row.amount_paid),
      amount_refunded: toSafeNumber(row.amount_refunded),
      amount_reversed: toSafeNumber(row.amount_reversed),
    })),
  }
}
