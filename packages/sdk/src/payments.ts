import { ApiPromise, type PagePromise, type WithResponse } from './api-promise.ts'
import { type Call, type CallOptions, pagesOf } from './call.ts'
import { InvalidStateTransitionError } from './errors.ts'
import {
  cancelPayment,
  createPayment,
  getPayment,
  listPaymentAttempts,
  listPaymentLedger,
  listPayments,
  listPaymentTimeline,
  resolvePayment,
} from './generated/operations.gen.ts'
import type {
  LedgerEntry,
  ListPaymentsData,
  PaymentAttempt,
  ResolvePaymentBody,
  TimelineEntry,
} from './generated/types.gen.ts'
import type { Loose, QueryOf } from './operation.ts'
import type { CreatePayment, MethodType, PaidPayment, Payment } from './payment.ts'
import { Resource } from './resource.ts'
import { openStream, texts } from './stream.ts'
import { type WaitUntilPaidOptions, waitUntilPaid } from './wait-until-paid.ts'
import { withKey } from './with-key.ts'

/**
 * Options of `payments.create`.
 *
 * @example
 * const options: CreatePaymentOptions = { idempotencyKey: 'order-1001', timeoutMs: 15_000 }
 */
export type CreatePaymentOptions = CallOptions & {
  /**
   * A key of 1 to 255 visible ASCII characters that is never used for another order. If you pass your order number, you
   * can also retry after a crash. If you pass no key, the SDK generates a key that protects only this call's retries.
   * Errors contain the generated key, but an aborted call does not return the key.
   */
  idempotencyKey?: string | undefined
}

/** Creates, reads, lists and cancels payments. */
export class PaymentsResource extends Resource {
  /**
   * Creates a payment. Requires an API key. The response's `method_data` contains what the payer needs, such as an
   * account number. Throws `IdempotencyConflictError` if the idempotency key was already used for a different
   * order. Throws `ProviderError` if the provider rejected the payment or did not respond. To retry, pass the
   * `idempotencyKey` from the `GapuraError`.
   *
   * @example
   * const { method_data } = await gapura.payments.create(
   *   { amount: 2_500_000, currency: 'IDR', method_type: 'qris', method_detail: { type: 'qris' } },
   *   { idempotencyKey: 'order-1002' },
   * )
   * console.log(method_data.qr_string)
   */
  create<Method extends MethodType>(
    // The type of `order` has two parts. From `{ method_type: Method }`, TypeScript infers the payment method.
    // `CreatePayment<Method>` then determines the other fields for this method.
    order: { method_type: Method } & CreatePayment<Method>,
    options?: CreatePaymentOptions,
  ): ApiPromise<Payment<Method>> {
    // The cast to `Payment<Method>` is safe, because the created payment always has the payment method that
    // was requested.
    const created = withKey(order, options, (headers, options) =>
      this.call.repeatable(createPayment, { body: order as CreatePayment, headers }, options),
    )
    return new ApiPromise(created as Promise<WithResponse<Payment<Method>>>)
  }

  /**
   * Returns a payment's current state. Throws `NotFoundError` if the payment does not exist in the credential's mode
   * (live or test). Every call for a single payment also accepts the payment code, at the cost of an additional
   * request.
   *
   * @example
   * const { status } = await gapura.payments.get('01990000-0000-7000-8000-000000000001')
   */
  get(id: string, options?: CallOptions): ApiPromise<Payment> {
    return getOf(this.call, id, options)
  }

  /**
   * Polls the payment until it is paid, and continues after temporary errors. Throws `PaymentNotPaidError` if the
   * payment fails, expires or is cancelled. Throws `TimeoutError` if the payment is still open after `timeoutMs`. Use
   * this method in scripts, tests and points of sale. To wait for many payers, use webhooks.
   *
   * @example
   * const paid = await gapura.payments.waitUntilPaid(payment.id, { timeoutMs: 15 * 60_000 })
   * console.log(paid.amount_paid)
   */
  waitUntilPaid(id: string, options?: WaitUntilPaidOptions): Promise<PaidPayment> {
    return waitUntilPaid((given, signal) => getOf(this.call, given, { signal }), id, options)
  }

  /**
   * Cancels a payment that is pending or challenged (held for review). The provider is not notified, so if the payer
   * still pays, the payment becomes paid. Throws `InvalidStateTransitionError` if the payment is already paid,
   * failed, expired or cancelled.
   *
   * @example
   * await gapura.payments.cancel('01990000-0000-7000-8000-000000000001')
   */
  cancel(id: string, options?: CallOptions): ApiPromise<Payment> {
    return new ApiPromise(cancelOrLookUp(this.call, id, options))
  }

  /**
   * Lists the payment's ledger entries, oldest first. The list is empty until the payment is paid.
   *
   * @example
   * const [credit] = await gapura.payments.listLedger('01990000-0000-7000-8000-000000000001')
   */
  listLedger(id: string, options?: CallOptions): ApiPromise<LedgerEntry[]> {
    return this.call.repeatable(listPaymentLedger, { path: { payment_id: id } }, options)
  }

  /**
   * Lists the tenant's payments, newest first by default.
   *
   * @example
   * for await (const payment of gapura.payments.list({ status: 'paid', from: '2026-11-01' }))
   *   console.log(payment.payment_code, payment.amount_paid)
   *
   * @example
   * const { items, next_cursor } = await gapura.payments.list({ limit: 100 })
   */
  list(query: QueryOf<ListPaymentsData> = {}, options?: CallOptions): PagePromise<Payment> {
    return pagesOf(this.call, listPayments, { query }, options)
  }

  /**
   * Streams all matching payments as CSV for a spreadsheet. Amounts are whole cents. If this method throws an error,
   * discard the partial file.
   *
   * @example
   * for await (const piece of gapura.payments.csv({ status: 'paid', from: '2026-11-01', to: '2026-11-30' }))
   *   file.write(piece)
   */
  async *csv(
    query: Omit<QueryOf<ListPaymentsData>, 'limit' | 'cursor'> = {},
    options?: CallOptions,
  ): AsyncGenerator<string, void, undefined> {
    yield* texts(await openStream(this.call, listPayments, { query }, options, 'text/csv'))
  }

  /**
   * Lists all of the payment's status changes, oldest first.
   *
   * @example
   * for (const { at, to, cause } of await gapura.payments.listTimeline(payment.id)) console.log(at, to, cause)
   */
  listTimeline(id: string, options?: CallOptions): ApiPromise<TimelineEntry[]> {
    return this.call.repeatable(listPaymentTimeline, { path: { payment_id: id } }, options)
  }

  /**
   * Lists the payment's charge attempts, oldest first, with each attempt's provider and outcome.
   *
   * @example
   * const [first, second] = await gapura.payments.listAttempts(payment.id)
   */
  listAttempts(id: string, options?: CallOptions): ApiPromise<PaymentAttempt[]> {
    return this.call.repeatable(listPaymentAttempts, { path: { payment_id: id } }, options)
  }

  /**
   * Accepts or rejects any tenant's challenged payment (held for review). Only for the Owner (the service's
   * operator). Throws `InvalidStateTransitionError` if the payment is not challenged. Throws `ConflictError` if the
   * provider does not confirm the payment, unless `without_confirmation` is set.
   *
   * @example
   * await gapura.payments.resolve(payment.id, { decision: 'accept', reason: 'the difference was waived' })
   */
  resolve(id: string, body: Loose<ResolvePaymentBody>, options?: CallOptions): ApiPromise<Payment> {
    return this.call.once(resolvePayment, { path: { payment_id: id }, body }, options)
  }
}

const getOf = (call: Call, id: string, options?: CallOptions): ApiPromise<Payment> =>
  call.repeatable(getPayment, { path: { payment_id: id } }, options)

async function cancelOrLookUp(call: Call, id: string, options?: CallOptions): Promise<WithResponse<Payment>> {
  try {
    return await call.repeatable(cancelPayment, { path: { payment_id: id } }, options).withResponse()
  } catch (error) {
    if (!(error instanceof InvalidStateTransitionError) || error.attempts === 1) throw error
    // The service rejects a second cancellation of the same payment. If an earlier attempt cancelled the payment but
    // its response was lost, the retry is therefore rejected. The call still succeeds, because the payment is
    // cancelled.
    const found = await getOf(call, id, options).withResponse()
    if (found.data.status !== 'cancelled') throw error
    return found
  }
}
