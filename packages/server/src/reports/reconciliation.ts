// The output of a reconciliation, as lines while it runs or as one object at its end.

import { z } from 'zod'
import { day } from '../day.ts'
import { modes } from '../mode.ts'
import { differenceKinds, pairs } from './difference.ts'

/** auto: the settlement if one was uploaded, otherwise inquiries. books: compare payments with the ledger only. */
export const sources = ['auto', 'settlement', 'inquiry', 'books'] as const
export type Source = (typeof sources)[number]

/** A JSON response lists up to this many differences; NDJSON and CSV list all. */
export const MAX_DIFFERENCES = 1_000

const cents = z.int()
const count = z.int().min(0)

export const differenceFields = {
  kind: z.enum(differenceKinds),
  between: z.enum(pairs).meta({ description: 'The first of the two is here, the second there' }),
  tenant_id: z.uuid().nullable().meta({ description: 'null: the reference leads to no payment' }),
  mode: z.enum(modes),
  payment_id: z.uuid().nullable(),
  payment_code: z.string().nullable(),
  reference: z.string().meta({ description: 'What the provider knows the payment by' }),
  provider: z.string().meta({ example: 'midtrans' }),
  provider_account_id: z.uuid(),
  provider_payment_id: z.string().nullable(),
  our_status: z.string().nullable().meta({ example: 'paid' }),
  our_amount: cents.nullable().meta({ description: 'Cents that were paid; null: it is not paid here' }),
  ledger_amount: cents
    .nullable()
    .meta({ description: 'Cents: all credits less all debits; null: there is no entry' }),
  their_status: z.string().nullable().meta({ description: "In the provider's word; null: it said nothing" }),
  their_amount: cents
    .nullable()
    .meta({ description: 'Cents: what was settled less what went back, or what the inquiry names' }),
  source: z
    .enum(['settlement', 'inquiry'])
    .nullable()
    .meta({ description: "Where the provider's word is from" }),
  detail: z.string(),
}
export const differenceColumns = Object.keys(differenceFields)
export const differenceView = z.strictObject(differenceFields).meta({ id: 'ReconciliationDifference' })
export type DifferenceView = z.output<typeof differenceView>

const compared = z.strictObject({
  settlement: count.meta({ description: 'Payments held against a settlement' }),
  inquiry: count.meta({ description: 'Payments that their provider told about' }),
  unanswered: count.meta({ description: 'Payments that their provider could not or did not tell about' }),
  books: count.meta({ description: 'Payments held against the ledger alone' }),
  unknown_lines: count.meta({ description: 'Lines of settlements that lead to no payment' }),
})
const counts = z.strictObject(
  Object.fromEntries(differenceKinds.map(kind => [kind, count])) as Record<
    (typeof differenceKinds)[number],
    typeof count
  >,
)

const summaryFields = {
  date: day.meta({ description: 'Of Asia/Jakarta' }),
  source: z.enum(sources),
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
        'Of each balance that moved: payments paid on the day (paid_at), and credits and debits posted on it. A payment around midnight can be in one day and its credit in the next; that is no difference.',
    }),
  compared: compared.meta({ description: 'What was looked at. Every payment is held against the ledger' }),
  counts: counts.meta({ description: 'Differences of each kind' }),
  by_mode: z
    .array(z.strictObject({ mode: z.enum(modes), compared, counts }))
    .meta({ description: '`compared` and `counts` of each mode that was asked for' }),
  balanced: z.boolean().meta({ description: 'There is no difference' }),
}
export type SummaryView = z.output<z.ZodObject<typeof summaryFields>>

export const reconciliationView = z
  .strictObject({
    ...summaryFields,
    differences: z
      .array(differenceView)
      .meta({ description: `${MAX_DIFFERENCES} at most; as lines or CSV there are all` }),
    truncated: z.boolean().meta({ description: 'There are more differences than are listed' }),
  })
  .meta({ id: 'Reconciliation' })

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
      .meta({ description: 'It broke off: what was told before is no whole' }),
  ])
  .meta({ id: 'ReconciliationLine' })

/** A line as it is sent to the client. */
export type SentReconciliationLine = z.output<typeof reconciliationLine>
export type ReconciliationLine = Exclude<SentReconciliationLine, { type: 'error' }>
