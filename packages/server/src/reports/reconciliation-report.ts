// The output of a reconciliation: either a stream of lines while the reconciliation runs, or a single object
// at the end.

import { z } from 'zod'
import { day } from '../values/day.ts'
import { modes } from '../values/mode.ts'
import { differenceKinds, pairs } from './difference.ts'

/**
 * Where the provider's data for a reconciliation comes from. `auto` uses the settlement if one was uploaded;
 * otherwise, it uses status inquiries. `books` uses no provider data and compares payments only with the
 * ledger.
 */
export const reconciliationSources = ['auto', 'settlement', 'inquiry', 'books'] as const
export type ReconciliationSource = (typeof reconciliationSources)[number]

/** The maximum number of differences in a JSON response. NDJSON and CSV responses list all differences. */
export const MAX_DIFFERENCES = 1_000

const cents = z.int()
const count = z.int().min(0)

export const differenceFields = {
  kind: z.enum(differenceKinds),
  between: z.enum(pairs).meta({
    description:
      'The two sources that differ, such as the payments and the ledger. `missing_here` means that the money is missing in the first source. `missing_there` means that it is missing in the second',
  }),
  tenant_id: z
    .uuid()
    .nullable()
    .meta({ description: 'Tenant ID, or null if the reference matches no payment' }),
  mode: z.enum(modes),
  payment_id: z.uuid().nullable(),
  payment_code: z.string().nullable(),
  reference: z.string().meta({ description: "The payment's reference at the provider" }),
  provider: z.string().meta({ example: 'midtrans' }),
  provider_account_id: z.uuid(),
  provider_payment_id: z.string().nullable(),
  our_status: z.string().nullable().meta({ example: 'paid' }),
  our_amount: cents.nullable().meta({
    description: 'Amount paid according to this service, in cents, or null if the payment is not paid',
  }),
  ledger_amount: cents.nullable().meta({
    description:
      "The payment's credits minus its debits in the ledger, in cents, or null if the payment has no ledger entry",
  }),
  their_status: z.string().nullable().meta({
    description: "The payment's status according to the provider, or null if the provider reported none",
  }),
  their_amount: cents.nullable().meta({
    description:
      "The payment's amount according to the provider, in cents. If the source is a settlement, this is the settled amount minus refunds and reversals. If it is a status inquiry, this is the amount in the provider's response",
  }),
  source: z.enum(['settlement', 'inquiry']).nullable().meta({
    description: "Where this difference's provider data comes from: a settlement or a status inquiry",
  }),
  detail: z.string(),
}
export const differenceColumns = Object.keys(differenceFields)
export const differenceView = z.strictObject(differenceFields).meta({
  id: 'ReconciliationDifference',
  description: 'A difference between payments, ledger and providers',
})
export type DifferenceView = z.output<typeof differenceView>

const compared = z.strictObject({
  settlement: count.meta({ description: 'Number of payments compared with a settlement' }),
  inquiry: count.meta({
    description: 'Number of payments compared with the result of a status inquiry',
  }),
  unanswered: count.meta({ description: 'Number of payments whose status the provider did not return' }),
  books: count.meta({ description: 'Number of payments compared only with the ledger' }),
  unknown_lines: count.meta({ description: 'Number of settlement lines that match no payment' }),
})
const counts = z.strictObject(
  Object.fromEntries(differenceKinds.map(kind => [kind, count])) as Record<
    (typeof differenceKinds)[number],
    typeof count
  >,
)

const summaryFields = {
  date: day.meta({ description: 'Day in Asia/Jakarta' }),
  source: z.enum(reconciliationSources),
  items: z
    .array(
      z.strictObject({
        tenant_id: z.uuid(),
        mode: z.enum(modes),
        paid: z.strictObject({ count, amount: cents }),
        credited: z.strictObject({ count, amount: cents }),
        debited: z.strictObject({ count, amount: cents }),
      }),
    )
    .meta({
      description:
        'One item for each balance that changed on the day, with the payments paid (by `paid_at`) and the credits and debits posted on that day. A payment made shortly before midnight can be credited on the next day. Such a payment does not count as a difference.',
    }),
  compared: compared.meta({
    description:
      "Numbers of payments compared, by the source of the provider's data (such as a settlement). Every payment is also compared with the ledger",
  }),
  counts: counts.meta({ description: 'Number of differences of each kind' }),
  by_mode: z.array(z.strictObject({ mode: z.enum(modes), compared, counts })).meta({
    description: 'The same numbers as in `compared` and `counts`, separately for each requested mode',
  }),
  balanced: z.boolean().meta({ description: 'True if there are no differences' }),
}
export type SummaryView = z.output<z.ZodObject<typeof summaryFields>>

export const reconciliationView = z
  .strictObject({
    ...summaryFields,
    differences: z.array(differenceView).meta({
      description: `Up to ${MAX_DIFFERENCES} differences. NDJSON and CSV responses contain all of them`,
    }),
    truncated: z.boolean().meta({ description: 'True if there are more differences than listed' }),
  })
  .meta({
    id: 'Reconciliation',
    description: "The result of reconciling one day's payments with the ledger and the providers",
  })

export const reconciliationLine = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('progress'), done: count, total: count }),
    z.strictObject({ type: z.literal('difference'), ...differenceFields }),
    z.strictObject({ type: z.literal('summary'), ...summaryFields }),
    z
      .strictObject({
        type: z.literal('error'),
        error: z.strictObject({ code: z.string(), message: z.string() }),
      })
      .meta({ description: 'The reconciliation failed. The preceding lines are incomplete' }),
  ])
  .meta({ id: 'ReconciliationLine' })

/** One line of a reconciliation's output, in the format sent to the client. */
export type SentReconciliationLine = z.output<typeof reconciliationLine>
export type ReconciliationLine = Exclude<SentReconciliationLine, { type: 'error' }>
