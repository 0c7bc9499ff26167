import type { ApiPromise, PagePromise } from './api-promise.ts'
import { type CallOptions, pagesOf } from './call.ts'
import {
  getTenantPayment,
  listTenantPaymentAttempts,
  listTenantPaymentCallbacks,
  listTenantPaymentDeliveries,
  listTenantPaymentRefunds,
  listTenantPayments,
  listTenantPaymentTimeline,
} from './generated/operations.gen.ts'
import type {
  ListTenantPaymentDeliveriesData,
  ListTenantPaymentsData,
  PaymentAttempt,
  PaymentCallback,
  Refund,
  TimelineEntry,
  WebhookDelivery,
} from './generated/types.gen.ts'
import type { QueryOf } from './operation.ts'
import type { Payment } from './payment.ts'
import { Resource } from './resource.ts'

/**
 * Merchants' payments, for answering the merchants' questions. The Owner (the service's operator) can read all
 * payments, and a Partner (a reseller) the payments of its Clients (merchants). The audit log records who listed the
 * payments or opened a payment. Each call also accepts the payment code.
 */
export class TenantPaymentsResource extends Resource {
  /**
   * Lists a merchant's payments, newest first by default.
   *
   * @example
   * for await (const { payment_code } of gapura.tenantPayments.list(tenantId, { q: 'Lestari' }))
   *   console.log(payment_code)
   */
  list(
    tenantId: string,
    query: QueryOf<ListTenantPaymentsData> = {},
    options?: CallOptions,
  ): PagePromise<Payment> {
    return pagesOf(this.call, listTenantPayments, { path: { tenant_id: tenantId }, query }, options)
  }

  /**
   * Returns the current state of a merchant's payment.
   *
   * @example
   * const { status } = await gapura.tenantPayments.get(tenantId, 'GP261120-7Q4M2ZK8XW')
   */
  get(tenantId: string, paymentId: string, options?: CallOptions): ApiPromise<Payment> {
    return this.call.repeatable(getTenantPayment, { path: pathOf(tenantId, paymentId) }, options)
  }

  /**
   * Lists the status changes of a merchant's payment, oldest first.
   *
   * @example
   * const timeline = await gapura.tenantPayments.listTimeline(tenantId, paymentId)
   */
  listTimeline(tenantId: string, paymentId: string, options?: CallOptions): ApiPromise<TimelineEntry[]> {
    return this.call.repeatable(listTenantPaymentTimeline, { path: pathOf(tenantId, paymentId) }, options)
  }

  /**
   * Lists the charge attempts of a merchant's payment, oldest first.
   *
   * @example
   * const attempts = await gapura.tenantPayments.listAttempts(tenantId, paymentId)
   */
  listAttempts(tenantId: string, paymentId: string, options?: CallOptions): ApiPromise<PaymentAttempt[]> {
    return this.call.repeatable(listTenantPaymentAttempts, { path: pathOf(tenantId, paymentId) }, options)
  }

  /**
   * Lists the provider callbacks for a merchant's payment, oldest first, without headers and bodies.
   *
   * @example
   * const callbacks = await gapura.tenantPayments.listCallbacks(tenantId, paymentId)
   */
  listCallbacks(tenantId: string, paymentId: string, options?: CallOptions): ApiPromise<PaymentCallback[]> {
    return this.call.repeatable(listTenantPaymentCallbacks, { path: pathOf(tenantId, paymentId) }, options)
  }

  /**
   * Lists the webhook deliveries for a merchant's payment, newest first.
   *
   * @example
   * for await (const { type, status } of gapura.tenantPayments.listDeliveries(tenantId, paymentId))
   *   console.log(type, status)
   */
  listDeliveries(
    tenantId: string,
    paymentId: string,
    query: QueryOf<ListTenantPaymentDeliveriesData> = {},
    options?: CallOptions,
  ): PagePromise<WebhookDelivery> {
    return pagesOf(
      this.call,
      listTenantPaymentDeliveries,
      { path: pathOf(tenantId, paymentId), query },
      options,
    )
  }

  /**
   * Lists all refunds and chargebacks of a merchant's payment, oldest first.
   *
   * @example
   * const refunds = await gapura.tenantPayments.listRefunds(tenantId, paymentId)
   */
  listRefunds(tenantId: string, paymentId: string, options?: CallOptions): ApiPromise<Refund[]> {
    return this.call.repeatable(listTenantPaymentRefunds, { path: pathOf(tenantId, paymentId) }, options)
  }
}

const pathOf = (tenantId: string, paymentId: string) => ({ tenant_id: tenantId, payment_id: paymentId })
