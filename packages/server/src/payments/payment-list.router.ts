// The query parameters for a list of payments. The list of a tenant's own payments and the support view of a
// tenant's payments share them.

import { z } from 'zod'
import { chosenMode, modeFilter } from '../api/chosen-mode.ts'
import type { Caller, Context } from '../api/context.ts'
import { longListInput, longListOf, totalOf } from '../api/long-list.ts'
import { pageFrom, startOf } from '../api/page.ts'
import { limitLargeReads } from '../fairness/large-read-limit.ts'
import { fault } from '../faults/fault.ts'
import { knownProvider } from '../providers/known-provider.ts'
import { moment, periodBetween } from '../values/day.ts'
import { modes } from '../values/mode.ts'
import { queryInteger } from '../values/query-integer.ts'
import { text } from '../values/text.ts'
import { methodTypes } from './method.ts'
import { shownStatuses } from './payment.ts'
import { paymentView, viewPayment } from './payment-view.ts'
import { countPayments } from './read/count-payments.sql.ts'
import type { PaymentFilter } from './read/payment-filter.sql.ts'
import { readPaymentPage } from './read/read-payment-page.ts'

/** The query parameters for a list of payments, without the export format, which only a tenant's own list supports. */
export const paymentListInput = longListInput.extend({
  mode: modeFilter('payments'),
  status: z.enum(shownStatuses).optional().meta({ description: 'Only payments with this status' }),
  method_type: z.enum(methodTypes).optional().meta({ description: 'Only payments with this payment method' }),
  provider: z
    .string()
    .optional()
    .meta({ description: 'Only payments whose provider has exactly this code', example: 'midtrans' }),
  channel: text()
    .optional()
    .meta({ description: 'Only payments with exactly this channel code, ignoring case', example: 'bca' }),
  amount: queryInteger(1, 100_000_000_000_000)
    .optional()
    .meta({ description: 'Only payments with exactly this amount in cents', example: 10_000_000 }),
  from: moment.optional().meta({
    description:
      'Only payments created at or after this time (inclusive). A date means the start of that day in Asia/Jakarta. A timestamp must be in ISO 8601 format with a time zone',
    example: '2026-11-01',
  }),
  to: moment.optional().meta({
    description:
      'Only payments created at or before this time (inclusive). A date means the end of that day in Asia/Jakarta. A timestamp must be in ISO 8601 format with a time zone',
    example: '2026-11-30',
  }),
  q: text().optional().meta({
    description:
      "Only payments that match every word of this text, ignoring case. A word can be: the beginning of a word of the customer's name or email address; the beginning of a phone number, `idempotency_key`, `provider_payment_id`, virtual account number or store code; a whole `id`; an amount in rupiah, such as `150000` or `Rp150.000`; the beginning of a `payment_code`; five or more adjacent characters after the date of a `payment_code`; four or more characters at the end of a `payment_code`, virtual account number or store code. Words of one or two characters are ignored if the text also contains a longer word. If all words are this short, each must equal a whole word. Only the first eight words are used",
    example: 'budi',
  }),
})

export const paymentPage = longListOf(paymentView, 'PaymentPage')

type PaymentListInput = z.output<typeof paymentListInput>
type Reader = Pick<Context, 'app'> & { caller: Caller }

/** Converts a payment list query to a filter on the payments of `tenantId`. */
export function paymentFilterOf(
  { app, caller }: Reader,
  tenantId: string,
  { mode, status, method_type, provider, channel, amount, from, to, q }: PaymentListInput,
): PaymentFilter {
  const only = chosenMode(caller, mode)
  const knownCode = knownProvider(app.providers, provider)
  const createdIn = periodBetween(from, to)
  if (createdIn.from >= createdIn.before) throw fault('period_ends_before_start', {}, { field: 'to' })
  return {
    tenantId,
    modes: only ? [only] : modes,
    statuses: status ? [status] : shownStatuses,
    methodTypes: method_type ? [method_type] : methodTypes,
    providers: knownCode ? [knownCode] : [...app.providers.keys()],
    createdIn,
    search: {
      text: q || undefined,
      channel: channel?.toLowerCase() || undefined,
      amount: amount === undefined ? undefined : BigInt(amount),
    },
  }
}

export async function listPage(
  { app, caller, onReceived }: Reader & Pick<Context, 'onReceived'>,
  filter: PaymentFilter,
  input: PaymentListInput,
) {
  const start = startOf(input)
  const page = await limitLargeReads({ owner: caller.tenantId, onReceived }, () =>
    readPaymentPage(app.db, filter, start, input.limit),
  )
  return {
    ...pageFrom(page.rows, page.resumeAfterId, viewPayment, input.order),
    ...(await totalOf(input, () => countPayments(app.db, filter))),
  }
}
