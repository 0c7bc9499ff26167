import { ApiPromise, type PagePromise } from './api-promise.ts'
import { type CallOptions, pagesOf } from './call.ts'
import {
  createRefund,
  getRefund,
  listPaymentRefunds,
  listRefunds,
  resolveRefund,
} from './generated/operations.gen.ts'
import type { CreateRefundBody, ListRefundsData, Refund, ResolveRefundBody } from './generated/types.gen.ts'
import type { Loose, QueryOf } from './operation.ts'
import { Resource } from './resource.ts'
import { withKey } from './with-key.ts'

/**
 * Options of `refunds.create`.
 *
 * @example
 * const options: CreateRefundOptions = { idempotencyKey: 'refund-of-order-1001' }
 */
export type CreateRefundOptions = CallOptions & {
  /**
   * A key of 1 to 255 visible ASCII characters that is never used for another refund. If you pass your own key,
   * you can also retry after a crash. Otherwise, the SDK generates a key that protects only this call's
   * retries.
   */
  idempotencyKey?: string | undefined
}

/** Refunds paid payments, and lists refunds and chargebacks. */
export class RefundsResource extends Resource {
  /**
   * Refunds a paid payment in full or in part. The balance is debited immediately. For the outcome, wait for the
   * webhook `payment.refunded` or poll `refunds.get`. Throws `InsufficientBalanceError` if the balance does not
   * cover the refund.
   *
   * With an access token, a refund above the tenant's limit requires a recently confirmed second factor. If the call
   * throws `OtpRequiredError`, call `secondFactor.confirm` and repeat the refund with the same idempotency key.
   *
   * @example
   * const refund = await gapura.refunds.create(
   *   payment.id,
   *   { amount: 2_000_000, reason: 'one book was missing' },
   *   { idempotencyKey: 'refund-of-order-1001' },
   * )
   */
  create(
    paymentId: string,
    body: Loose<CreateRefundBody> = {},
    options?: CreateRefundOptions,
  ): ApiPromise<Refund> {
    const created = withKey(body, options, (headers, options) =>
      this.call.repeatable(createRefund, { path: { payment_id: paymentId }, headers, body }, options),
    )
    return new ApiPromise(created)
  }

  /**
   * Returns a refund's current state.
   *
   * @example
   * const { status } = await gapura.refunds.get(refund.id)
   */
  get(id: string, options?: CallOptions): ApiPromise<Refund> {
    return this.call.repeatable(getRefund, { path: { refund_id: id } }, options)
  }

  /**
   * Lists refunds and chargebacks, newest first.
   *
   * @example
   * for await (const refund of gapura.refunds.list({ status: 'pending' })) console.log(refund.id)
   */
  list(query: QueryOf<ListRefundsData> = {}, options?: CallOptions): PagePromise<Refund> {
    return pagesOf(this.call, listRefunds, { query }, options)
  }

  /**
   * Lists all of a payment's refunds and chargebacks, oldest first.
   *
   * @example
   * const refunds = await gapura.refunds.listOfPayment(payment.id)
   */
  listOfPayment(paymentId: string, options?: CallOptions): ApiPromise<Refund[]> {
    return this.call.repeatable(listPaymentRefunds, { path: { payment_id: paymentId } }, options)
  }

  /**
   * Records the outcome of a pending refund that the provider does not report: a manual refund (the Owner transfers the
   * money), or a refund with an unknown outcome. For any other refund, including one made at the provider, the service
   * responds with 409. Only for the Owner (the service's operator).
   *
   * @example
   * await gapura.refunds.resolve(refund.id, { outcome: 'succeeded', bank_reference: 'TRF-20261120-0001' })
   */
  resolve(id: string, body: Loose<ResolveRefundBody>, options?: CallOptions): ApiPromise<Refund> {
    return this.call.once(resolveRefund, { path: { refund_id: id }, body }, options)
  }
}
