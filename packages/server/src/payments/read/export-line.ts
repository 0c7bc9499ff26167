// The lines of a payment export: one line per payment, then a final line with the number of payments. A CSV
// export omits the final line. CSV amounts are in whole cents, because spreadsheets with Indonesian settings
// would read a decimal point as a thousands separator.

import { z } from 'zod'
import type { Payment } from '../payment.ts'
import { paymentView, viewPayment } from '../payment-view.ts'

const exportedPayment = z.strictObject({
  type: z.literal('payment'),
  channel: z.string().meta({
    description: 'Channel code from `GET /v1/active-methods`, such as `BCA`; `qris` for QRIS',
    example: 'bca',
  }),
  ...paymentView.shape,
})
export type ExportedPayment = z.output<typeof exportedPayment>

export const paymentLine = z
  .discriminatedUnion('type', [
    exportedPayment,
    z.strictObject({ type: z.literal('end'), count: z.int().min(0) }).meta({
      description:
        'The last line of a complete export. If it is missing, the export is incomplete. `count` is the number of payments',
    }),
    z
      .strictObject({
        type: z.literal('error'),
        error: z.strictObject({ code: z.string(), message: z.string() }),
      })
      .meta({ description: 'The export failed. The preceding lines are incomplete' }),
  ])
  .meta({ id: 'PaymentLine' })
export type PaymentLine = Exclude<z.output<typeof paymentLine>, { type: 'error' }>

export const exportPayment = (payment: Payment): ExportedPayment => ({
  type: 'payment',
  channel: payment.channel,
  ...viewPayment(payment),
})

const fieldOf = {
  id: 'id',
  payment_code: 'payment_code',
  idempotency_key: 'idempotency_key',
  mode: 'mode',
  status: 'status',
  method_type: 'method_type',
  channel: 'channel',
  provider: 'provider',
  provider_payment_id: 'provider_payment_id',
  currency: 'currency',
  amount_cents: 'amount',
  amount_paid_cents: 'amount_paid',
  customer_name: 'customer_name',
  customer_email: 'customer_email',
  customer_phone: 'customer_phone',
  created_at: 'created_at',
  expires_at: 'expires_at',
  paid_at: 'paid_at',
  updated_at: 'updated_at',
  failure_reason: 'failure_reason',
} as const satisfies Record<string, keyof ExportedPayment>

export const exportColumns = Object.keys(fieldOf)

/** Returns the CSV row for an export line of type `payment`. */
export const csvRowOf = (line: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fieldOf).map(([column, field]) => [column, line[field]]))

export const exportAsCsv = {
  type: 'payment',
  columns: exportColumns,
  rowOf: csvRowOf,
  money: ['amount_cents', 'amount_paid_cents'],
  times: ['created_at', 'expires_at', 'paid_at', 'updated_at'],
}
