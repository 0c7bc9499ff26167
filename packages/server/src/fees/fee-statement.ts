// The monthly statement of a tenant's fees, with the amounts before tax (DPP) and the tax (PPN).

import { z } from 'zod'
import type { Db } from '../db/db.ts'
import { methodTypes } from '../payments/method.ts'
import { MAX_ROWS, toSafeNumber } from '../reports/payment-report.ts'
import { day, type Period, startOfDay } from '../values/day.ts'
import { type Mode, modes } from '../values/mode.ts'
import { sumFees } from './fee-report.sql.ts'

export const month = z
  .string()
  .regex(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/)
  .meta({ description: 'Calendar month in Asia/Jakarta, as `YYYY-MM`', example: '2026-11' })

const cents = (description: string, example: number) => z.int().meta({ description, example })
const amounts = {
  count: z.int().min(0).meta({ description: 'Number of payments with a fee', example: 1 }),
  net: cents('Fees before tax (DPP), in cents', 505_000),
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
  })
  .meta({
    id: 'FeeStatement',
    description: "One tenant's fees in one month, net of fees returned by refunds",
  })

export const statementSheet = {
  columns: ['method_type', 'channel', ...Object.keys(amounts)],
  money: ['net', 'tax', 'total'],
}

/** Returns a tenant's fee statement for a month such as `2026-11`. */
export async function stateFees(
  app: { db: Db },
  { id, name }: { id: string; name: string },
  mode: Mode,
  month: string,
): Promise<z.output<typeof feeStatementView>> {
  const grouping = ['tenant', 'method_type', 'channel'] as const
  const rows = await sumFees(app.db, { viewer: id, mode }, periodOfMonth(month), grouping, MAX_ROWS)
  const items = rows
    .filter(({ tenant }) => tenant === id)
    .map(row => ({
      method_type: row.method_type as (typeof methodTypes)[number],
      channel: row.channel as string,
      ...withTotal(Number(row.count), toSafeNumber(row.net), toSafeNumber(row.tax)),
    }))
  const sum = (of: 'count' | 'net' | 'tax') => items.reduce((total, item) => total + item[of], 0)
  return {
    ...{ tenant_id: id, tenant_name: name, month, mode, from: `${month}-01`, currency: 'IDR', items },
    ...withTotal(sum('count'), sum('net'), sum('tax')),
  }
}

const withTotal = (count: number, net: number, tax: number) => ({ count, net, tax, total: net + tax })

function periodOfMonth(month: string): Period {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const next =
    number === 12
      ? `${String(year + 1).padStart(4, '0')}-01`
      : `${String(year).padStart(4, '0')}-${String(number + 1).padStart(2, '0')}`
  return { from: startOfDay(`${month}-01`), before: startOfDay(`${next}-01`) }
}
