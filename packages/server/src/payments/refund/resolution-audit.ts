import type { AuditedResult } from '../../audit/audited-transaction.ts'
import type { PaymentRefund } from '../record/refund.ts'

/** Returns the result and the audit entry of the operator's decision on a refund. */
export const auditedResolution = (
  before: PaymentRefund,
  refund: PaymentRefund,
  reason: string | undefined,
): AuditedResult<PaymentRefund> => ({
  result: refund,
  action: 'refund.resolve',
  tenantId: refund.tenantId,
  subjectId: refund.id,
  before: { status: before.status },
  after: {
    status: refund.status,
    amount: refund.amount.toString(),
    bank_reference: refund.bankReference,
    ...(reason && { reason }),
  },
})
