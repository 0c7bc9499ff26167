// A payment and the order it is created by, as unions over the method: what belongs to one method is not there for
// another.

import type * as generated from './generated/types.gen.ts'
import type { Loose } from './operation.ts'

/**
 * How a payer pays.
 *
 * @example
 * const method: MethodType = 'qris'
 */
export type MethodType = generated.CreatePayment['method_type']

/** One flat object each, so that an editor shows fields and no arithmetic of types. */
type Flat<Fields> = { [Name in keyof Fields]: Fields[Name] }

/**
 * A payment: `method_type` and `method_data.type` both tell what is in `method_data`. `Payment<'qris'>` is one of
 * that method. Amounts are integer cents, times are ISO 8601 in UTC.
 *
 * @example
 * const numberOf = (payment: Payment) =>
 *   payment.method_type === 'virtual_account' ? payment.method_data.va_number : undefined
 */
export type Payment<Method extends MethodType = MethodType> = {
  [Each in Method]: Flat<Extract<generated.Payment, { method_type: Each }>>
}[Method]

/**
 * A payment of which the money has arrived. `amount_paid` may be more than `amount`.
 *
 * @example
 * const ship = ({ payment_code, amount_paid }: PaidPayment) => console.log(payment_code, amount_paid)
 */
export type PaidPayment<Method extends MethodType = MethodType> = Payment<Method> & {
  status: 'paid'
  paid_at: string
  amount_paid: number
}

/**
 * What a payment is created by. `method_detail` is that of `method_type`: another does not compile.
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
