import type { Call } from './call.ts'
import { GapuraError, InvalidStateTransitionError } from './errors.ts'
import {
  type CreatePayment,
  cancelPayment,
  createPayment,
  getPayment,
  type LedgerEntry,
  type ListPaymentsData,
  listPaymentAttempts,
  listPaymentLedger,
  listPayments,
  listPaymentTimeline,
  type Payment,
  type PaymentAttempt,
  type PaymentPage,
  type ResolvePaymentBody,
  resolvePayment,
  type TimelineEntry,
} from './generated/index.ts'
import type { QueryOf } from './query.ts'

/**
 * How to create.
 *
 * @example
 * const options: CreateOptions = { idempotencyKey: 'order-1001' }
 */
export type CreateOptions = {
  /**
   * One for each order, for ever: 1 to 255 visible ASCII characters. Your order number is a good one: it
   * survives a crash of yours. Without it each call makes its own, which covers that call's retries only.
   */
  idempotencyKey?: string | undefined
}

export const paymentsOf = (call: Call) => ({
  /**
   * Creates a payment. `method_data` of the answer holds what the payer needs to pay. Takes an API key.
   *
   * @example
   * const { method_data } = await gapura.payments.create(
   *   { amount: 2_500_000, currency: 'IDR', method_type: 'qris', method_detail: { type: 'qris' } },
   *   { idempotencyKey: 'order-1002' },
   * )
   */
  create: async (
    order: CreatePayment,
    { idempotencyKey = crypto.randomUUID() }: CreateOptions = {},
  ): Promise<Payment> => {
    try {
      return await call.repeatable(options =>
        createPayment({
          ...options,
          body: order,
          headers: { ...options.headers, 'X-Idempotency-Key': idempotencyKey },
        }),
      )
    } catch (error) {
      if (error instanceof GapuraError) error.idempotencyKey = idempotencyKey
      throw error
    }
  },

  /**
   * The payment as it stands now.
   *
   * @example
   * const { status } = await gapura.payments.get('01990000-0000-7000-8000-000000000001')
   */
  get: (id: string): Promise<Payment> =>
    call.repeatable(options => getPayment({ ...options, path: { payment_id: id } })),

  /**
   * Cancels a pending or challenged payment. The provider is not told: money that arrives all the same
   * makes the payment paid.
   *
   * @example
   * await gapura.payments.cancel('01990000-0000-7000-8000-000000000001')
   */
  cancel: async (id: string): Promise<Payment> => {
    let tries = 0
    try {
      return await call.repeatable(options => {
        tries++
        return cancelPayment({ ...options, path: { payment_id: id } })
      })
    } catch (error) {
      if (tries === 1 || !(error instanceof InvalidStateTransitionError)) throw error
      // An earlier try of ours may have cancelled it, its answer lost.
      const payment = await call.repeatable(options => getPayment({ ...options, path: { payment_id: id } }))
      if (payment.status !== 'cancelled') throw error
      return payment
    }
  },

  /**
   * What the payment moved on the balance, in order; empty before it is paid.
   *
   * @example
   * const [credit] = await gapura.payments.ledger('01990000-0000-7000-8000-000000000001')
   */
  ledger: (id: string): Promise<LedgerEntry[]> =>
    call.repeatable(options => listPaymentLedger({ ...options, path: { payment_id: id } })),

  /**
   * The tenant's payments, newest first, in pages.
   *
   * @example
   * const { items, next_cursor } = await gapura.payments.list({ status: 'paid', from: '2026-11-01' })
   */
  list: (query: QueryOf<ListPaymentsData> = {}): Promise<PaymentPage> =>
    call.repeatable(options => listPayments({ ...options, query })),

  /**
   * Every change of the payment's status, in order.
   *
   * @example
   * for (const { at, to, cause } of await gapura.payments.timeline(payment.id)) console.log(at, to, cause)
   */
  timeline: (id: string): Promise<TimelineEntry[]> =>
    call.repeatable(options => listPaymentTimeline({ ...options, path: { payment_id: id } })),

  /**
   * At which providers it was charged, one after the other, and what came of each.
   *
   * @example
   * const [first, second] = await gapura.payments.attempts(payment.id)
   */
  attempts: (id: string): Promise<PaymentAttempt[]> =>
    call.repeatable(options => listPaymentAttempts({ ...options, path: { payment_id: id } })),

  /**
   * Accepts or rejects a challenged payment of any tenant. For the Owner.
   *
   * @example
   * await gapura.payments.resolve(payment.id, { decision: 'accept', reason: 'the difference was waived' })
   */
  resolve: (id: string, body: ResolvePaymentBody): Promise<Payment> =>
    call.once(options => resolvePayment({ ...options, path: { payment_id: id }, body })),
})
