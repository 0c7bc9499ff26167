// The inbox of the Owner (the service's operator): challenged payments (held for review), unexpected money
// (which matches no open payment), and charges with an unknown outcome.

import type { ApiPromise, PagePromise } from './api-promise.ts'
import { type CallOptions, pagesOf } from './call.ts'
import {
  acceptUnexpectedMoney,
  assignUnexpectedMoney,
  dismissUnexpectedMoney,
  getUnexpectedMoney,
  inquireUnknownPayment,
  listChallengedPayments,
  listUnexpectedMoney,
  listUnknownPayments,
  refundUnexpectedMoney,
  resolveUnknownPayment,
} from './generated/operations.gen.ts'
import type {
  AcceptUnexpectedMoneyBody,
  AssignUnexpectedMoneyBody,
  ChallengedPayment,
  DismissUnexpectedMoneyBody,
  ListChallengedPaymentsData,
  ListUnexpectedMoneyData,
  ListUnknownPaymentsData,
  PaymentOutcome,
  RefundUnexpectedMoneyBody,
  ResolveUnknownPaymentBody,
  UnexpectedMoney,
  UnknownPayment,
} from './generated/types.gen.ts'
import type { Loose, QueryOf } from './operation.ts'
import { Resource } from './resource.ts'

/**
 * Challenged payments: those that a provider holds for review, and those for which the payer paid less than the
 * amount. Only for the Owner (the service's operator).
 */
export class ChallengedPaymentsResource extends Resource {
  /**
   * Lists all tenants' challenged payments (held for review), longest waiting first. Use `payments.resolve` to
   * accept or reject one.
   *
   * @example
   * for await (const { payment_id, failure_reason } of gapura.challengedPayments.list())
   *   console.log(payment_id, failure_reason)
   */
  list(
    query: QueryOf<ListChallengedPaymentsData> = {},
    options?: CallOptions,
  ): PagePromise<ChallengedPayment> {
    return pagesOf(this.call, listChallengedPayments, { query }, options)
  }
}

/**
 * Money received that matches no open payment, and money that a provider took back. Only for the Owner (the
 * service's operator).
 */
export class UnexpectedMoneyResource extends Resource {
  /**
   * Lists the records of unexpected money, newest first. A record is about money that matches no open payment,
   * or about money that a provider took back.
   *
   * @example
   * const { items } = await gapura.unexpectedMoney.list({ status: 'open' })
   */
  list(query: QueryOf<ListUnexpectedMoneyData> = {}, options?: CallOptions): PagePromise<UnexpectedMoney> {
    return pagesOf(this.call, listUnexpectedMoney, { query }, options)
  }

  /**
   * Returns one record of unexpected money: money that matches no open payment, or money that a provider took
   * back.
   *
   * @example
   * const { kind, amount, in_ledger } = await gapura.unexpectedMoney.get(id)
   */
  get(id: string, options?: CallOptions): ApiPromise<UnexpectedMoney> {
    return this.call.repeatable(getUnexpectedMoney, { path: { id } }, options)
  }

  /**
   * Accepts a record of unexpected money. Received money is credited to the merchant's balance, unless the ledger
   * already contains the money. A refund or chargeback is debited from the balance. Throws `ConflictError` with the
   * reason if the record cannot be accepted. This includes a partial payment that the provider does not confirm, unless
   * you set `without_confirmation`.
   *
   * @example
   * await gapura.unexpectedMoney.accept(id, { reason: 'the difference was waived' })
   */
  accept(
    id: string,
    body: Loose<AcceptUnexpectedMoneyBody>,
    options?: CallOptions,
  ): ApiPromise<UnexpectedMoney> {
    return this.call.once(acceptUnexpectedMoney, { path: { id }, body }, options)
  }

  /**
   * Assigns received money with an unknown reference to a payment of any tenant, and credits the money. Throws
   * `ConflictError` if the money already belongs to a payment.
   *
   * @example
   * await gapura.unexpectedMoney.assign(id, { payment_id: payment.id, reason: 'paid to the old account' })
   */
  assign(
    id: string,
    body: Loose<AssignUnexpectedMoneyBody>,
    options?: CallOptions,
  ): ApiPromise<UnexpectedMoney> {
    return this.call.once(assignUnexpectedMoney, { path: { id }, body }, options)
  }

  /**
   * Refunds unexpected money to the payer. The new refund's ID and status are in `refund_id` and `refund_status`. If
   * the money was credited in the ledger, it is debited. Pass `bank_account` if the provider cannot refund the money.
   * Throws `ConflictError` with the reason if the record cannot be refunded.
   *
   * @example
   * await gapura.unexpectedMoney.refund(id, { reason: 'paid twice', amount: 2_000_000 })
   */
  refund(
    id: string,
    body: Loose<RefundUnexpectedMoneyBody>,
    options?: CallOptions,
  ): ApiPromise<UnexpectedMoney> {
    return this.call.once(refundUnexpectedMoney, { path: { id }, body }, options)
  }

  /**
   * Dismisses a record of a refund or chargeback that did not happen, or whose cost the merchant does not
   * bear. No balance changes. Throws `ConflictError` for other kinds of records.
   *
   * @example
   * await gapura.unexpectedMoney.dismiss(id, { reason: 'borne by us' })
   */
  dismiss(id: string, body: DismissUnexpectedMoneyBody, options?: CallOptions): ApiPromise<UnexpectedMoney> {
    return this.call.once(dismissUnexpectedMoney, { path: { id }, body }, options)
  }
}

/**
 * Charges whose outcome is unknown, for example because the provider's response was lost. Only for the Owner
 * (the service's operator).
 */
export class UnknownPaymentsResource extends Resource {
  /**
   * Lists all tenants' charges with an unknown outcome, longest waiting first.
   *
   * @example
   * for await (const payment of gapura.unknownPayments.list())
   *   if (payment.waits_for_operator) console.log(payment.id)
   */
  list(query: QueryOf<ListUnknownPaymentsData> = {}, options?: CallOptions): PagePromise<UnknownPayment> {
    return pagesOf(this.call, listUnknownPayments, { query }, options)
  }

  /**
   * Polls the provider immediately and returns the charge's outcome. Throws `ConflictError` if the outcome is
   * already known.
   *
   * @example
   * const { outcome } = await gapura.unknownPayments.inquire(paymentId)
   */
  inquire(paymentId: string, options?: CallOptions): ApiPromise<PaymentOutcome> {
    return this.call.once(inquireUnknownPayment, { path: { payment_id: paymentId } }, options)
  }

  /**
   * Records that a charge was not created at the provider. Check this with the provider first: afterwards, a create
   * request with the payment's idempotency key charges the payer again. Throws `ConflictError` if the outcome is
   * already known.
   *
   * @example
   * await gapura.unknownPayments.resolve(paymentId, {
   *   decision: 'not_created',
   *   reason: 'not in their dashboard',
   * })
   */
  resolve(
    paymentId: string,
    body: ResolveUnknownPaymentBody,
    options?: CallOptions,
  ): ApiPromise<PaymentOutcome> {
    return this.call.once(resolveUnknownPayment, { path: { payment_id: paymentId }, body }, options)
  }
}
