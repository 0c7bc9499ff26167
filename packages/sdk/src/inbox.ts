// What waits for the Owner: money that arrived otherwise than was agreed, and charges of unknown outcome.

import type { Call } from './call.ts'
import {
  type AcceptUnexpectedMoneyBody,
  type AssignUnexpectedMoneyBody,
  acceptUnexpectedMoney,
  assignUnexpectedMoney,
  getUnexpectedMoney,
  inquireUnknownPayment,
  type ListUnexpectedMoneyData,
  type ListUnknownPaymentsData,
  listUnexpectedMoney,
  listUnknownPayments,
  type PaymentOutcome,
  type RefundUnexpectedMoneyBody,
  type ResolveUnknownPaymentBody,
  refundUnexpectedMoney,
  resolveUnknownPayment,
  type UnexpectedMoney,
  type UnexpectedMoneyPage,
  type UnknownPaymentPage,
} from './generated/index.ts'
import type { Loose, QueryOf } from './query.ts'

export const unexpectedMoneyOf = (call: Call) => ({
  /**
   * Newest first, in pages.
   *
   * @example
   * const { items } = await gapura.unexpectedMoney.list({ status: 'open' })
   */
  list: (query: QueryOf<ListUnexpectedMoneyData> = {}): Promise<UnexpectedMoneyPage> =>
    call.repeatable(options => listUnexpectedMoney({ ...options, query })),

  /**
   * One record as it stands.
   *
   * @example
   * const { kind, amount, in_ledger } = await gapura.unexpectedMoney.get(id)
   */
  get: (id: string): Promise<UnexpectedMoney> =>
    call.repeatable(options => getUnexpectedMoney({ ...options, path: { id } })),

  /**
   * Credits what is not in the ledger yet, and acknowledges what is.
   *
   * @example
   * await gapura.unexpectedMoney.accept(id, { reason: 'the difference was waived' })
   */
  accept: (id: string, body: AcceptUnexpectedMoneyBody): Promise<UnexpectedMoney> =>
    call.once(options => acceptUnexpectedMoney({ ...options, path: { id }, body })),

  /**
   * Gives money of an unknown reference to a payment, of any tenant, and credits it.
   *
   * @example
   * await gapura.unexpectedMoney.assign(id, { payment_id: payment.id, reason: 'paid to the old account' })
   */
  assign: (id: string, body: AssignUnexpectedMoneyBody): Promise<UnexpectedMoney> =>
    call.once(options => assignUnexpectedMoney({ ...options, path: { id }, body })),

  /**
   * Marks money as given back to the payer, outside of the service; what the ledger has is debited.
   *
   * @example
   * await gapura.unexpectedMoney.refund(id, { reason: 'paid twice', amount: 2_000_000 })
   */
  refund: (id: string, body: Loose<RefundUnexpectedMoneyBody>): Promise<UnexpectedMoney> =>
    call.once(options => refundUnexpectedMoney({ ...options, path: { id }, body })),
})

export const unknownPaymentsOf = (call: Call) => ({
  /**
   * Of all tenants, those that wait longest first, in pages.
   *
   * @example
   * const { items } = await gapura.unknownPayments.list()
   * const forUs = items.filter(payment => payment.waits_for_operator)
   */
  list: (query: QueryOf<ListUnknownPaymentsData> = {}): Promise<UnknownPaymentPage> =>
    call.repeatable(options => listUnknownPayments({ ...options, query })),

  /**
   * Asks the provider now, and answers what came of it.
   *
   * @example
   * const { outcome } = await gapura.unknownPayments.inquire(paymentId)
   */
  inquire: (paymentId: string): Promise<PaymentOutcome> =>
    call.once(options => inquireUnknownPayment({ ...options, path: { payment_id: paymentId } })),

  /**
   * For who looked it up at the provider and found nothing: the same idempotency key charges again.
   *
   * @example
   * await gapura.unknownPayments.resolve(paymentId, {
   *   decision: 'not_created',
   *   reason: 'not in their dashboard',
   * })
   */
  resolve: (paymentId: string, body: ResolveUnknownPaymentBody): Promise<PaymentOutcome> =>
    call.once(options => resolveUnknownPayment({ ...options, path: { payment_id: paymentId }, body })),
})
