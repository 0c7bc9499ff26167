// Types for a payment and for the order that creates it. Each type is a union with one member per payment
// method, which has only the fields of that method.

import type * as generated from './generated/types.gen.ts'
import type { Loose } from './operation.ts'

/**
 * The payment method.
 *
 * @example
 * const method: MethodType = 'qris'
 */
export type MethodType = generated.CreatePayment['method_type']

/** Flattens an intersection type into one object type, so that editors show its fields. */
type Flat<Fields> = { [Name in keyof Fields]: Fields[Name] }

/**
 * A payment. Both `method_type` and `method_data.type` determine the fields of `method_data`.
 * `Payment<'qris'>` is a QRIS payment. Amounts are integer cents. Times are ISO 8601 in UTC.
 *
 * @example
 * const numberOf = (payment: Payment) =>
 *   payment.method_type === 'virtual_account' ? payment.method_data.va_number : undefined
 */
export type Payment<Method extends MethodType = MethodType> = {
  [Each in Method]: Flat<Extract<generated.Payment, { method_type: Each }>>
}[Method]

/**
 * A payment whose money has been received. `amount_paid` can be more than `amount`, or less if the operator accepted a
 * partial payment.
 *
 * @example
 * const isPaidInFull = ({ amount, amount_paid }: PaidPayment) => amount_paid >= amount
 */
export type PaidPayment<Method extends MethodType = MethodType> = Payment<Method> & {
  status: 'paid'
  paid_at: string
  amount_paid: number
}

/**
 * The request that creates a payment. `method_detail` must belong to `method_type`; otherwise, the code does
 * not compile.
 *
 * @example
 * const order: CreatePayment = {
 *   amount: 2_500_000,
 *   currency: 'IDR',
 *   method_type: 'qris',
 *   method_detail: { type: 'qris' },
 * }
 */
export type CreatePayment<Method extends MethodType = MethodType> = {
  [Each in Method]: Loose<Flat<Extract<generated.CreatePayment, { method_type: Each }>>>
}[Method]
