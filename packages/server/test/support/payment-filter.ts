import { methodTypes } from '../../src/payments/method.ts'
import { shownStatuses } from '../../src/payments/payment.ts'
import type { PaymentFilter } from '../../src/payments/read/payment-filter.sql.ts'
import { periodBetween } from '../../src/values/day.ts'
import { modes } from '../../src/values/mode.ts'

/** The filter for a list that contains all of a tenant's payments. */
export const allPaymentsOf = (tenantId: string): PaymentFilter => ({
  tenantId,
  modes,
  statuses: shownStatuses,
  methodTypes,
  providers: ['midtrans', 'xendit', 'snap', 'doku', 'tripay', 'duitku'],
  createdIn: periodBetween(undefined, undefined),
  search: { text: undefined, channel: undefined, amount: undefined },
})
