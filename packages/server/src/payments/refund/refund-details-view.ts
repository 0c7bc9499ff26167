import { z } from 'zod'
import type { Role } from '../../tenants/tenant.ts'
import { isRequestedHere, type PaymentRefund } from '../record/refund.ts'
import { refundView, viewRefund } from '../record/refund-view.ts'

/** A refund as the dashboard lists it, with fields that the published schema of a refund does not have. */
export const refundDetailsView = refundView.extend({
  /**
   * The reference that this service sends to the provider for the refund: the payment code and the number of the
   * refund.
   */
  reference: z.string(),
  provider: z.string(),
  /** The payer's bank account, for a manual refund. Null for a Partner, which does not see its Clients' payers. */
  bank_account: z.strictObject({ bank: z.string(), number: z.string(), holder_name: z.string() }).nullable(),
  /** The reference of the Owner's bank transfer. */
  bank_reference: z.string().nullable(),
  /** True if only the Owner can settle the refund. */
  is_waiting: z.boolean(),
})

export const viewRefundDetailsFor =
  (viewer: Role) =>
  (refund: PaymentRefund): z.output<typeof refundDetailsView> => ({
    ...viewRefund(refund),
    reference: refund.reference,
    provider: refund.provider,
    bank_account: viewer === 'partner' ? null : refund.bankAccount,
    bank_reference: refund.bankReference,
    is_waiting: refund.status === 'pending' && refund.nextCheckAt === null && isRequestedHere(refund.origin),
  })
