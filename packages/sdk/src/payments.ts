import { ApiPromise, type PagePromise, type WithResponse } from './api-promise.ts'
import { type Call, type CallOptions, pagesOf } from './call.ts'
import { GapuraError, InvalidStateTransitionError } from './errors.ts'
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
import type { QueryOf } from './operation.ts'
import type { CreatePayment, MethodType, PaidPayment, Payment } from './payment.ts'
import { openStream, texts } from './stream.ts'
import { type WaitOptions, waitUntilPaid } from './wait-until-paid.ts'

/**
 * How to create.
 *
 * @example
 * const options: CreateOptions = { idempotencyKey: 'order-1001', timeoutMs: 15_000 }
 */
export type CreateOptions = CallOptions & {
  /**
   * One for each order, for ever: 1 to 255 visible ASCII characters. Your order number is a good one: it
   * survives a crash of yours. Without it each call makes its own, which covers that call's retries only, and
   * which an error tells; what you abort by a signal does not, so give one there.
   */
  idempotencyKey?: string | undefined
}

export const paymentsOf = (call: Call) => ({
  /**
   * Creates a payment. `method_data` of the answer holds what the payer needs to pay, of the very method that was
   * asked for. Takes an API key. An error carries the `idempotencyKey` to go on with.
   *
   * @example
   * const { method_data } = await gapura.payments.create(
   *   { amount: 2_500_000, currency: 'IDR', method_type: 'qris', method_detail: { type: 'qris' } },
   *   { idempotencyKey: 'order-1002' },
   * )
   * console.log(method_data.qr_string)
   */
  create: <Method extends MethodType>(
    // The method is inferred from the first part alone, and what belongs to it is checked by the second.
    order: { method_type: Method } & CreatePayment<Method>,
    options?: CreateOptions,
  ): ApiPromise<Payment<Method>> =>
    // The service answers with the method that it was asked for.
    new ApiPromise(createWithKey(call, order, options) as Promise<WithResponse<Payment<Method>>>),

  /**
   * The payment as it stands now.
   *
   * @example
   * const { status } = await gapura.payments.get('01990000-0000-7000-8000-000000000001')
   */
  get: (id: string, options?: CallOptions): ApiPromise<Payment> => getOf(call, id, options),

  /**
   * Waits for the payer, by asking again and again. Takes what may pass, such as a service that restarts, as no
   * answer yet. Throws `PaymentNotPaidError` when the payment ends otherwise, and `TimeoutError` when it is still
   * open after `timeoutMs`. For a shell, a test or a till; where many payers are waited for, take webhooks.
   *
   * @example
   * const paid = await gapura.payments.waitUntilPaid(payment.id, { timeoutMs: 15 * 60_000 })
   * console.log(paid.amount_paid)
   */
  waitUntilPaid: (id: string, options?: WaitOptions): Promise<PaidPayment> =>
    waitUntilPaid(signal => getOf(call, id, { signal }), id, options),

  /**
   * Cancels a pending or challenged payment. The provider is not told: money that arrives all the same
   * makes the payment paid.
   *
   * @example
   * await gapura.payments.cancel('01990000-0000-7000-8000-000000000001')
   */
  cancel: (id: string, options?: CallOptions): ApiPromise<Payment> =>
    new ApiPromise(cancelOrLookUp(call, id, options)),

  /**
   * What the payment moved on the balance, in order; empty before it is paid.
   *
   * @example
   * const [credit] = await gapura.payments.ledger('01990000-0000-7000-8000-000000000001')
   */
  ledger: (id: string, options?: CallOptions): ApiPromise<LedgerEntry[]> =>
    call.repeatable(listPaymentLedger, { path: { payment_id: id } }, options),

  /**
   * The tenant's payments, newest first.
   *
   * @example
   * for await (const payment of gapura.payments.list({ status: 'paid', from: '2026-11-01' }))
   *   console.log(payment.payment_code, payment.amount_paid)
   *
   * @example
   * const { items, next_cursor } = await gapura.payments.list({ limit: 100 })
   */
  list: (query: QueryOf<ListPaymentsData> = {}, options?: CallOptions): PagePromise<Payment> =>
    pagesOf(call, listPayments, { query }, options),

  /**
   * All of them as CSV for a spreadsheet, piece by piece as they are read; sums are in whole cents. If it breaks off it
   * throws: what came is no whole.
   *
   * @example
   * for await (const piece of gapura.payments.csv({ status: 'paid', from: '2026-11-01', to: '2026-11-30' }))
   *   file.write(piece)
   */
  async *csv(
    query: Omit<QueryOf<ListPaymentsData>, 'limit' | 'cursor'> = {},
    options?: CallOptions,
  ): AsyncGenerator<string, void, undefined> {
    yield* texts(await openStream(call, listPayments, { query }, options, 'text/csv'))
  },

  /**
   * Every change of the payment's status, in order.
   *
   * @example
   * for (const { at, to, cause } of await gapura.payments.timeline(payment.id)) console.log(at, to, cause)
   */
  timeline: (id: string, options?: CallOptions): ApiPromise<TimelineEntry[]> =>
    call.repeatable(listPaymentTimeline, { path: { payment_id: id } }, options),

  /**
   * At which providers it was charged, one after the other, and what came of each.
   *
   * @example
   * const [first, second] = await gapura.payments.attempts(payment.id)
   */
  attempts: (id: string, options?: CallOptions): ApiPromise<PaymentAttempt[]> =>
    call.repeatable(listPaymentAttempts, { path: { payment_id: id } }, options),

  /**
   * Accepts or rejects a challenged payment of any tenant. For the Owner.
   *
   * @example
   * await gapura.payments.resolve(payment.id, { decision: 'accept', reason: 'the difference was waived' })
   */
  resolve: (id: string, body: ResolvePaymentBody, options?: CallOptions): ApiPromise<Payment> =>
    call.once(resolvePayment, { path: { payment_id: id }, body }, options),
})

const getOf = (call: Call, id: string, options?: CallOptions): ApiPromise<Payment> =>
  call.repeatable(getPayment, { path: { payment_id: id } }, options)

async function createWithKey(
  call: Call,
  order: CreatePayment,
  { idempotencyKey = globalThis.crypto?.randomUUID?.(), ...options }: CreateOptions = {},
): Promise<WithResponse<Payment>> {
  // fetch trims a header and writes null out as a word: the orders of two payers would share a key.
  if (typeof idempotencyKey !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
    throw new TypeError(
      'idempotencyKey: 1 to 255 visible ASCII characters are needed, from you where crypto.randomUUID is missing',
    )
  const headers = { 'X-Idempotency-Key': idempotencyKey }
  try {
    return await call.repeatable(createPayment, { body: order, headers }, options).withResponse()
  } catch (error) {
    if (error instanceof GapuraError) error.idempotencyKey = idempotencyKey
    throw error
  }
}

async function cancelOrLookUp(call: Call, id: string, options?: CallOptions): Promise<WithResponse<Payment>> {
  try {
    return await call.repeatable(cancelPayment, { path: { payment_id: id } }, options).withResponse()
  } catch (error) {
    if (!(error instanceof InvalidStateTransitionError) || error.tries === 1) throw error
    // An earlier try of ours may have cancelled it, its answer lost.
    const found = await getOf(call, id, options).withResponse()
    if (found.data.status !== 'cancelled') throw error
    return found
  }
}
