import type { Db } from '../db/db.ts'
import type { Payment } from '../payments/payment.ts'
import { auditReads, type Supporter } from './audit-read.ts'

/**
 * Requests for the same payment within this time share one audit entry. A payment's page in the dashboard sends several
 * requests at once, and repeats them while the page is open.
 */
const OPEN_MS = 10 * 60_000

/** Records in the audit log that a user opened a merchant's payment or one of its refunds. */
export const auditOpenedPayment = (
  app: { db: Db },
  supporter: Supporter,
  { tenantId, id, paymentCode }: Pick<Payment, 'tenantId' | 'id' | 'paymentCode'>,
): Promise<void> =>
  auditReads(
    app,
    supporter,
    [{ action: 'payment.open', tenantId, subjectId: id, after: { payment_code: paymentCode } }],
    OPEN_MS,
  )
