import type { Db } from '../db/db.ts'
import { isPaymentCode } from '../payments/payment-code.ts'
import { isId } from '../values/id.ts'
import { auditReads, type Supporter } from './audit-read.ts'

/**
 * Requests for the same list within this time share one audit entry. The time is longer than for a payment's page,
 * because an open list is refetched often.
 */
const LIST_MS = 10 * 60_000

/** The filters of a list of payments, with the names that they have in the API. */
type ListFilters = {
  [filter in 'mode' | 'status' | 'method_type' | 'provider' | 'amount' | 'from' | 'to']?: unknown
} & { [text in 'channel' | 'q']?: string | undefined }

/** Records in the audit log that a user listed a merchant's payments, with the filters of the list. */
export const auditPaymentList = (
  app: { db: Db },
  supporter: Supporter,
  tenantId: string,
  input: ListFilters,
): Promise<void> =>
  auditReads(
    app,
    supporter,
    [{ action: 'payment.list', tenantId, subjectId: null, after: filtersOf(input) }],
    LIST_MS,
  )

/**
 * Returns the filters without the search text, which can be a payer's name, email address or phone number. The audit
 * log is kept forever, so it must not contain payers' personal data. A payment code or payment ID in the text is
 * recorded, because it shows which payment the user searched for.
 */
function filtersOf({
  mode = 'live',
  status,
  method_type,
  provider,
  channel,
  amount,
  from,
  to,
  q = '',
}: ListFilters) {
  const words = q.split(/[^0-9A-Za-z-]+/)
  return {
    ...{ mode, status, method_type, provider, channel: channel?.toLowerCase(), amount, from, to },
    ...(q !== '' && { searched: true }),
    payment_code: words.find(isPaymentCode)?.toUpperCase(),
    payment_id: words.find(isId)?.toLowerCase(),
  }
}
