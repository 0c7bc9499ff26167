// The fee that is charged when a payment is credited. It consists of transfers in the tenant's book (its
// ledger) and a row in `fee_charges` for reports.

import { type Transfer, transfer } from '../ledger/transfer.ts'
import type { MethodType } from '../payments/method.ts'
import type { Mode } from '../values/mode.ts'
import type { Cents } from '../values/money.ts'
import { feeOf, pricingTerm } from './fee.ts'
import { feeReason } from './fee-reason.ts'
import { totalOf } from './price.ts'
import { feeTermsOf, type StoredFeeTerms } from './stored-fee-rule.ts'

export type FeeCharge = {
  tenantId: string
  paymentId: string
  /**
   * Identifies one change of the payment's fee: 0 for the fee charged when the payment was credited. A change by a
   * refund or reversal has the number of the payment transition that recorded the change. The amounts are negative if
   * part of the fee is returned.
   */
  number: number
  mode: Mode
  methodType: MethodType
  channel: string
  net: Cents
  tax: Cents
  operatorNet: Cents
  operatorTax: Cents
}

/** A charged fee or a change of a fee, with its transfers. */
export type PostedFee = { charge: FeeCharge; transfers: Transfer[] }

type OfPayment = {
  tenantId: string
  id: string
  mode: Mode
  paymentCode: string
  methodType: MethodType
  channel: string
  feeTerms: StoredFeeTerms | null
}

/**
 * Returns the fee for a payment of which `credit` cents are credited, or undefined if no fee is charged. The
 * merchant pays the fee to the operator, and the operator passes the Partner's margin on to the Partner.
 */
export function feeChargeFor(payment: OfPayment, credit: Cents): PostedFee | undefined {
  if (payment.feeTerms === null) return undefined
  const terms = feeTermsOf(payment.feeTerms)
  const term = pricingTerm(terms, credit)
  const { charged, operator, margin } = feeOf(terms, credit)
  const total = totalOf(charged)
  if (term === null || total === 0n) return undefined
  const { tenantId, id: paymentId, mode, methodType, channel } = payment
  const reason = feeReason(term, { methodType, channel })
  const of = { tenantId, mode, paymentId, unexpectedMoneyId: null, referenceId: payment.paymentCode }
  return {
    charge: {
      ...{ tenantId, paymentId, number: 0, mode, methodType, channel, ...charged },
      ...{ operatorNet: operator.net, operatorTax: operator.tax },
    },
    transfers: [
      { ...transfer('merchant', 'fee:operator', total), ...of, reason },
      ...(margin > 0n
        ? [
            {
              ...transfer('fee:operator', 'fee:partner', margin),
              ...of,
              reason: `margin of the partner: ${reason}`,
            },
          ]
        : []),
    ],
  }
}
