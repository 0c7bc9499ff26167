import type { Db, Tx } from '../db/db.ts'
import { findPaymentsByReference, type PaymentKey } from '../payments/payment.sql.ts'
import { referenceOf } from '../payments/payment.ts'
import { paymentCodeOfRefund } from '../payments/payment-code.ts'
import { findPaymentsByProviderId } from '../payments/provider-payment-id.sql.ts'
import type { MoneyReturn } from '../providers/provider.ts'

/**
 * A payment that a callback concerns. `reference` is the order reference of the charge attempt named in the
 * callback.
 */
export type FoundPayment = PaymentKey & { reference: string }

const keyOf = (providerAccountId: string, id: string): string => `${providerAccountId}/${id}`

/**
 * Finds payments by our order reference or by the provider's ID for the payment. Each method finds only payments
 * charged at the given provider account.
 */
export type PaymentFinder = {
  byReference(providerAccountId: string, reference: string): FoundPayment | undefined
  /** Returns the payment with this provider ID, or undefined if no payment or several payments have it. */
  byProviderId(providerAccountId: string, providerPaymentId: string): FoundPayment | undefined
  /**
   * Finds a payment by a refund that this service requested and the provider now reports. The refund's reference
   * contains the payment's code. Returns the payment with its last charge attempt at this account, or undefined if
   * there is no such attempt.
   */
  byOwnRefund(providerAccountId: string, returns: readonly MoneyReturn[]): FoundPayment | undefined
}

type PaymentLookup = {
  providerAccountId: string
  reference: string | null
  providerPaymentId: string | null
  returns?: readonly MoneyReturn[] | undefined
}

/**
 * The maximum number of a payment's charge attempts that are searched for the order of a refund. A callback about a
 * refund may not name the order, and the payer may have paid any attempt.
 */
const MAX_LOOKED_UP_ATTEMPTS = 10

/**
 * Returns the references of the orders to which a refund requested by this service may belong, beginning with
 * the last charge attempt.
 */
const referencesOfRefunds = (returns: readonly MoneyReturn[]): string[] =>
  [...new Set(returns.flatMap(({ reference }) => paymentCodeOfRefund(reference ?? '') ?? []))].flatMap(
    paymentCode =>
      Array.from({ length: MAX_LOOKED_UP_ATTEMPTS }, (_, index) =>
        referenceOf({ paymentCode, attempt: MAX_LOOKED_UP_ATTEMPTS - index }),
      ),
  )

export async function findCallbackPayments(db: Db | Tx, lookups: PaymentLookup[]): Promise<PaymentFinder> {
  const references = lookups.flatMap(({ providerAccountId, reference, returns = [] }) =>
    [...(reference === null ? [] : [reference]), ...referencesOfRefunds(returns)].map(each => ({
      providerAccountId,
      reference: each,
    })),
  )
  const ids = lookups.flatMap(({ providerAccountId, providerPaymentId }) =>
    !providerPaymentId ? [] : [{ providerAccountId, providerPaymentId }],
  )
  const [byReference, byId] = await Promise.all([
    references.length > 0 ? findPaymentsByReference(db, references) : [],
    ids.length > 0 ? findPaymentsByProviderId(db, ids) : [],
  ])
  const ofReference = new Map(
    byReference.map(({ tenantId, paymentId, reference, providerAccountId }) => [
      keyOf(providerAccountId, reference),
      { tenantId, paymentId, reference },
    ]),
  )
  const ofId = new Map<string, FoundPayment | undefined>()
  for (const { tenantId, paymentId, providerAccountId, providerPaymentId, ...payment } of byId) {
    const key = keyOf(providerAccountId, providerPaymentId)
    const isAnother = ofId.has(key) && ofId.get(key)?.paymentId !== paymentId
    ofId.set(key, isAnother ? undefined : { tenantId, paymentId, reference: referenceOf(payment) })
  }
  return {
    byReference: (account, reference) => ofReference.get(keyOf(account, reference)),
    byProviderId: (account, id) => ofId.get(keyOf(account, id)),
    byOwnRefund: (account, returns) =>
      referencesOfRefunds(returns)
        .map(reference => ofReference.get(keyOf(account, reference)))
        .find(found => found !== undefined),
  }
}
