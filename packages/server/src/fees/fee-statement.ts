// The monthly statement of a tenant's fees, with the amounts before tax (DPP) and the tax (PPN). A Partner's statement
// also contains its margins.

import { z } from 'zod'
import type { Db } from '../db/db.ts'
import { rule } from '../faults/rule.ts'
import { methodTypes } from '../payments/method.ts'
import { MAX_ROWS, toSafeNumber } from '../reports/payment-report.ts'
import type { Role } from '../tenants/tenant.ts'
import { day, type Period, periodOfDays } from '../values/day.ts'
import { type Mode, modes } from '../values/mode.ts'
import { sumFees } from './fee-report.sql.ts'
import { type PartnerMargins, partnerMarginsView, statePartnerMargins } from './partner-statement.ts'

export const month = z
  .string()
  .regex(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/, rule('format_wrong', { format: 'month' }))
  .meta({ description: 'Calendar month in Asia/Jakarta, as `YYYY-MM`', example: '2026-11' })

const cents = (description: string, example: number) => z.int().meta({ description, example })
const amounts = {
  count: z.int().min(0).meta({ description: 'Number of payments with a fee', example: 1 }),
  net: cents('Fees before tax, in cents (the tax base, DPP)', 505_000),
  tax: cents('Tax on the fees (PPN), in cents', 55_550),
  total: cents('Fees including tax, in cents', 560_550),
}

export const feeStatementView = z
  .strictObject({
    tenant_id: z.uuid(),
    tenant_name: z.string().meta({ example: 'Toko Budi' }),
    month,
    mode: z.enum(modes),
    from: day.meta({ description: 'First day of the month, in Asia/Jakarta', example: '2026-11-01' }),
    currency: z.literal('IDR'),
    items: z.array(
      z.strictObject({
        method_type: z.enum(methodTypes),
        channel: z.string().meta({ example: 'bca' }),
        ...amounts,
      }),
    ),
    ...amounts,
    margins: partnerMarginsView.optional().meta({
      description:
        "The Partner's margins from the fees that its Clients paid. Omitted if the tenant is no Partner",
    }),
  })
  .meta({
    id: 'FeeStatement',
    description: "One tenant's fees in one month, net of returned fees",
  })

type Statement = z.output<typeof feeStatementView>

const sheet = {
  columns: ['method_type', 'channel', ...Object.keys(amounts)],
  money: ['net', 'tax', 'total'],
}

/**
 * Returns the columns and rows of a fee statement for export to a file. A Partner's export also has the column `line`:
 * `fee` (paid by the Partner), `margin` (earned by the Partner), or the name of a total. The totals compare the margins
 * with the Partner's ledger.
 */
export function statementSheet({ items, margins }: Statement) {
  if (margins === undefined) return { ...sheet, rows: items }
  return {
    ...sheet,
    columns: [...sheet.columns, 'line', 'client_id', 'client_name'],
    rows: [
      ...items.map(item => ({ ...item, line: 'fee' })),
      ...margins.items.map(({ tenant_id, tenant_name, ...item }) => ({
        ...{ ...item, line: 'margin', client_id: tenant_id, client_name: tenant_name },
      })),
      ...marginTotals(margins),
    ],
  }
}

const marginTotals = ({ uncredited_before, credits, credited, uncredited_after }: PartnerMargins) => [
  { line: 'uncredited_before', total: uncredited_before },
  { line: 'credited', count: credits, total: credited },
  { line: 'uncredited_after', total: uncredited_after },
]

/** Returns a tenant's fee statement for a month such as `2026-11`. */
export async function stateFees(
  app: { db: Db },
  { id, name, role }: { id: string; name: string; role: Role },
  mode: Mode,
  month: string,
): Promise<Statement> {
  const scope = { viewer: id, tenant: id, mode }
  const rows = await sumFees(app.db, scope, periodOfMonth(month), ['method_type', 'channel'], MAX_ROWS)
  const items = rows.map(row => ({
    method_type: row.method_type as (typeof methodTypes)[number],
    channel: row.channel as string,
    ...withTotal(Number(row.count), toSafeNumber(row.net), toSafeNumber(row.tax)),
  }))
  const sum = (of: 'count' | 'net' | 'tax') => items.reduce((total, item) => total + item[of], 0)
  return {
    ...{ tenant_id: id, tenant_name: name, month, mode, from: `${month}-01`, currency: 'IDR', items },
    ...withTotal(sum('count'), sum('net'), sum('tax')),
    ...(role === 'partner' && {
      margins: await statePartnerMargins(app, id, mode, periodOfMonth(month)),
    }),
  }
}

const withTotal = (count: number, net: number, tax: number) => ({ count, net, tax, total: net + tax })

function periodOfMonth(month: string): Period {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return periodOfDays(`${month}-01`, `${month}-${lastDay}`)
}
