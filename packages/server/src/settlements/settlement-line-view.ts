import { z } from 'zod'
import { toJsonNumber } from '../values/money.ts'
import { lineStatuses } from './settlement-line.ts'
import type { StoredLine } from './settlement-lines.sql.ts'

export const settlementLineView = z
  .strictObject({
    line: z.int().meta({ description: 'Line number in the uploaded file', example: 2 }),
    reference: z.string().meta({ description: "The payment's reference at the provider" }),
    status: z.enum(lineStatuses),
    amount: z.int().meta({ description: 'Amount in cents', example: 10_000_000 }),
    fee: z.int().nullable().meta({ description: 'Fee in cents, or null if the file contains none' }),
    paid_at: z.iso.datetime().nullable(),
    provider_payment_id: z.string().nullable(),
    tenant_id: z
      .uuid()
      .nullable()
      .meta({ description: 'Tenant ID of the payment, or null if no payment matches' }),
    payment_id: z.uuid().nullable(),
  })
  .meta({ id: 'SettlementLine', description: 'A line of an uploaded settlement' })

export const viewSettlementLine = (line: StoredLine): z.output<typeof settlementLineView> => ({
  line: line.line,
  reference: line.reference,
  status: line.status,
  amount: toJsonNumber(line.amount),
  fee: line.fee === null ? null : toJsonNumber(line.fee),
  paid_at: line.paidAt?.toISOString() ?? null,
  provider_payment_id: line.providerPaymentId,
  tenant_id: line.tenantId,
  payment_id: line.paymentId,
})

const exportedLine = z.strictObject({ type: z.literal('line'), ...settlementLineView.shape })

export const settlementExportLine = z
  .discriminatedUnion('type', [
    exportedLine,
    z.strictObject({ type: z.literal('end'), count: z.int().min(0) }).meta({
      description: 'The last line of a complete export. If it is missing, the export is incomplete',
    }),
    z
      .strictObject({
        type: z.literal('error'),
        error: z.strictObject({ code: z.string(), message: z.string() }),
      })
      .meta({ description: 'The export failed. The preceding lines are incomplete' }),
  ])
  .meta({ id: 'SettlementExportLine' })
export type SettlementExportLine = Exclude<z.output<typeof settlementExportLine>, { type: 'error' }>

/** Maps each column in a settlement's CSV export to the line field it contains. */
const fieldOf = {
  line: 'line',
  reference: 'reference',
  status: 'status',
  amount_cents: 'amount',
  fee_cents: 'fee',
  paid_at: 'paid_at',
  provider_payment_id: 'provider_payment_id',
  tenant_id: 'tenant_id',
  payment_id: 'payment_id',
} as const satisfies Record<string, keyof z.output<typeof exportedLine>>

export const settlementAsCsv = {
  type: 'line',
  columns: Object.keys(fieldOf),
  rowOf: (line: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(fieldOf).map(([column, field]) => [column, line[field]])),
  money: ['amount_cents', 'fee_cents'],
  times: ['paid_at'],
}
