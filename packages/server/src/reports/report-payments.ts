import type { z } from 'zod'
import type { Db } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import type { Period } from '../values/day.ts'
import { MAX_SUM } from '../values/money.ts'
import { amounts, columnsOfGroup, type Group, MAX_ROWS, type reportView } from './payment-report.ts'
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
      amount: capped(row.amount),
      amount_paid: capped(row.amount_paid),
      amount_refunded: capped(row.amount_refunded),
      amount_reversed: capped(row.amount_reversed),
      ...(amounts.some(name => BigInt(row[name]) > MAX_SUM) && { is_capped: true as const }),
    })),
    next_cursor: null,
  }
}

/**
 * Converts a total to a number, at most MAX_SUM. An error would let one tenant break the reports of its Partner and of
 * the Owner, because unpaid orders also count toward the totals.
 */
const capped = (total: string): number => Number(BigInt(total) > MAX_SUM ? MAX_SUM : BigInt(total))
