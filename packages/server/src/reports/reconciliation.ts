// A day's payments against the same day's ledger. The database lets no payment be paid without its credit, so
// whatever is found here got past it.

import { z } from 'zod'
import { day } from '../day.ts'
import { modes } from '../mode.ts'
import { toJsonNumber } from '../money.ts'
import { sumOf } from './payment-report.ts'
import type { Books, Difference } from './report.sql.ts'

export const differenceKinds = ['paid_without_credit', 'credit_without_paid', 'amount_differs'] as const
type DifferenceKind = (typeof differenceKinds)[number]

export const MAX_DIFFERENCES = 1_000

const cents = z.int().min(0)

export const reconciliationView = z
  .strictObject({
    date: day.meta({ description: 'Of Asia/Jakarta' }),
    items: z
      .array(
        z.strictObject({
          tenant_id: z.uuid(),
          mode: z.enum(modes),
          paid: z.strictObject({ count: z.int().min(0), amount: cents }),
          credited: z.strictObject({ count: z.int().min(0), amount: cents }),
        }),
      )
      .meta({
        description:
          'Of each balance that moved: payments paid on the day (paid_at), and credits posted on it. A payment around midnight can be in one day and its credit in the next; that is no difference.',
      }),
    differences: z
      .array(
        z.strictObject({
          kind: z.enum(differenceKinds),
          tenant_id: z.uuid(),
          mode: z.enum(modes),
          payment_id: z.uuid(),
          payment_code: z.string(),
          status: z.string().meta({ example: 'paid' }),
          amount_paid: cents.nullable(),
          amount_credited: cents.nullable(),
        }),
      )
      .meta({ description: `Payments that do not agree with their credits, ${MAX_DIFFERENCES} at most` }),
    balanced: z.boolean().meta({ description: 'There is no difference' }),
  })
  .meta({ id: 'Reconciliation' })

export function viewReconciliation(
  date: string,
  books: Books[],
  differences: Difference[],
): z.output<typeof reconciliationView> {
  return {
    date,
    items: books.map(each => ({
      tenant_id: each.tenantId,
      mode: each.mode,
      paid: { count: Number(each.paidCount), amount: sumOf(each.paidAmount) },
      credited: { count: Number(each.creditCount), amount: sumOf(each.creditAmount) },
    })),
    differences: differences.map(each => ({
      kind: kindOf(each),
      tenant_id: each.tenantId,
      mode: each.mode,
      payment_id: each.paymentId,
      payment_code: each.paymentCode,
      status: each.status,
      amount_paid: each.amountPaid === null ? null : toJsonNumber(each.amountPaid),
      amount_credited: each.amountCredited === null ? null : toJsonNumber(each.amountCredited),
    })),
    balanced: differences.length === 0,
  }
}

function kindOf({ amountPaid, amountCredited }: Difference): DifferenceKind {
  if (amountCredited === null) return 'paid_without_credit'
  return amountPaid === null ? 'credit_without_paid' : 'amount_differs'
}
