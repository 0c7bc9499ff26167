import { z } from 'zod'
import { day } from '../values/day.ts'
import { toJsonNumber } from '../values/money.ts'
import type { Settlement } from './settlement.sql.ts'

export const settlementView = z
  .strictObject({
    date: day.meta({ description: 'Day in Asia/Jakarta', example: '2026-11-20' }),
    lines: z.int().min(0),
    amount: z.int().meta({
      description:
        'Total amount of the settlement, in cents: the settled payments minus refunds and reversals',
      example: 1_000_000_000,
    }),
    fees: z
      .int()
      .min(0)
      .meta({ description: 'Total of the fees in the file, in cents. Lines without a fee count as 0' }),
    duplicates: z.int().min(0).meta({
      description: 'Number of settlement lines that report a payment already reported by an earlier line',
    }),
    uploaded_at: z.iso.datetime(),
  })
  .meta({ id: 'Settlement', description: 'A settlement of a provider account for one day' })

export const viewSettlement = (settlement: Settlement): z.output<typeof settlementView> => ({
  date: settlement.date,
  lines: settlement.lines,
  amount: toJsonNumber(settlement.amount),
  fees: toJsonNumber(settlement.fees),
  duplicates: settlement.duplicates,
  uploaded_at: settlement.uploadedAt.toISOString(),
})
