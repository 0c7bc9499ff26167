import { z } from 'zod'
import type { Providers } from '../../providers/provider.ts'
import type { Role } from '../../tenants/tenant.ts'
import { isChargebackWithoutId, isRequestedHere, type PaymentRefund } from '../record/refund.ts'
import { refundView, viewRefund } from '../record/refund-view.ts'

/** A refund in the dashboard's list, including fields that are not in the published refund schema. */
export const refundDetailsView = refundView.extend({
  /** The reference sent to the provider for the refund. It consists of the payment code and the refund number. */
  reference: z.string(),
  provider: z.string(),
  /**
   * The payer's bank account, for a refund by bank transfer. Null for a Partner, which must not see its Clients'
   * payers.
   */
  bank_account: z.strictObject({ bank: z.string(), number: z.string(), holder_name: z.string() }).nullable(),
  /** The reference of the bank transfer the operator used to refund the payer. */
  bank_reference: z.string().nullable(),
  /** True if the refund is pending and only the operator can record its outcome. */
  is_waiting: z.boolean(),
  /**
   * True if a chargeback was debited and its provider does not report won chargebacks. In this case, only the operator
   * can record that the merchant won the chargeback. If the chargeback was assigned to the payment, the service rejects
   * this decision (resolve-chargeback.ts).
   */
  is_winnable: z.boolean(),
})

export const viewRefundDetailsFor =
  (viewer: Role, providers: Providers) =>
  (refund: PaymentRefund): z.output<typeof refundDetailsView> => ({
    ...viewRefund(refund),
    reference: refund.reference,
    provider: refund.provider,
    bank_account: viewer === 'partner' ? null : refund.bankAccount,
    bank_reference: refund.bankReference,
    is_waiting: refund.status === 'pending' && refund.nextCheckAt === null && isRequestedHere(refund.origin),
    is_winnable:
      refund.status !== 'failed' &&
      isChargebackWithoutId(refund) &&
      providers.get(refund.provider)?.omitsWonChargebacks === true,
  })
