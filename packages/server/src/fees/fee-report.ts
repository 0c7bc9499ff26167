// The fee report: the number and total amounts of fees in each group of payments.

import { z } from 'zod'
import type { Db } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import { rule } from '../faults/rule.ts'
import { methodTypes } from '../payments/method.ts'
import { MAX_ROWS, toSafeNumber } from '../reports/payment-report.ts'
import type { ReportScope } from '../reports/report.sql.ts'
import { day, type Period } from '../values/day.ts'
import { modes } from '../values/mode.ts'
import { noNextCursor } from '../values/no-next-cursor.ts'
import { type FeeGroup, feeGroups, sumFees } from './fee-report.sql.ts'

/** Maps each way of grouping the report, such as by day, to the columns that it adds to the report. */
const columnsOf: Record<FeeGroup, readonly string[]> = {
  day: ['day'],
  tenant: ['tenant', 'tenant_name'],
  method_type: ['method_type'],
  channel: ['channel'],
  mode: ['mode'],
}

const isFeeGroup = (name: string): name is FeeGroup => (feeGroups as readonly string[]).includes(name)

/**
 * Parses a query value such as `day,channel` into a list of groups. The list has no duplicates and is in the order of
 * the report's columns.
 */
export const feeGroupList = z
  .string()
  .transform(names => [...new Set(names.split(',').map(name => name.trim()))].filter(name => name !== ''))
  .refine(names => names.every(isFeeGroup), rule('groups_unknown', { values: [...feeGroups] }))
  .transform(names => names.filter(isFeeGroup))

const cents = (description: string) => z.int().meta({ description, example: 505_000 })

const sums = {
  count: z.int().min(0).meta({ description: 'Number of payments with a fee' }),
  net: cents('Total fees before tax (DPP), in cents'),
  tax: cents('Total tax on the fees (PPN), in cents'),
  fee: cents('Total fees including tax, in cents'),
}
/**
 * The columns that are included only for the Owner (the operator) and for Partners (resellers), but not for
 * Clients (merchants).
 */
const parts = {
  operator_fee: cents('Part of `fee` that the operator keeps, in cents. Omitted for Clients').optional(),
  partner_margin: cents('Part of `fee` that the Partner receives, in cents. Omitted for Clients').optional(),
}

export const feeReportView = z
  .strictObject({
    items: z.array(
      z.strictObject({
        day: day.optional().meta({ description: 'Day in Asia/Jakarta when the fees were charged' }),
        tenant: z.uuid().optional(),
        tenant_name: z.string().optional(),
        method_type: z.enum(methodTypes).optional(),
        channel: z.string().optional(),
        mode: z.enum(modes).optional(),
        ...sums,
        ...parts,
      }),
    ),
    next_cursor: noNextCursor,
  })
  .meta({
    id: 'FeeReport',
    description: 'Numbers and totals of fees, in cents. Returned fees are subtracted',
  })

/**
 * Returns the report's columns for an export to a file. A Client must not see the amounts in `parts`, so
 * these columns are empty for a Client.
 */
export const feeReportSheet = (grouping: readonly FeeGroup[]) => {
  const { count, ...amounts } = { ...sums, ...parts }
  const money = Object.keys(amounts)
  return { columns: [...grouping.flatMap(group => columnsOf[group]), 'count', ...money], money }
}

export async function reportFees(
  app: { db: Db },
  scope: ReportScope,
  period: Period,
  grouping: readonly FeeGroup[],
  seesParts: boolean,
): Promise<z.output<typeof feeReportView>> {
  const rows = await sumFees(app.db, scope, period, grouping, MAX_ROWS + 1)
  if (rows.length > MAX_ROWS) throw fault('report_too_long', { most: MAX_ROWS }, { field: 'group_by' })
  const columns = grouping.flatMap(group => columnsOf[group])
  return {
    items: rows.map(row => {
      const [net, tax] = [toSafeNumber(row.net), toSafeNumber(row.tax)]
      const operator = toSafeNumber(row.operator_fee)
      return {
        ...Object.fromEntries(columns.map(column => [column, row[column]])),
        ...{ count: Number(row.count), net, tax, fee: net + tax },
        ...(seesParts && { operator_fee: operator, partner_margin: net + tax - operator }),
      }
    }),
    next_cursor: null,
  }
}
