// The support view: the Owner can read every merchant's payments, and a Partner can read its Clients' payments.
// Each read has database access only to the merchant's rows, because row-level security hides all other tenants.
// The support view changes no data.

import { z } from 'zod'
import { userModeFilter } from '../api/chosen-mode.ts'
import type { UserCaller } from '../api/context.ts'
import { longListInput } from '../api/long-list.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { listCallbacksOfPayment } from '../callbacks/payment-callback.sql.ts'
import { paymentCallbackView, viewPaymentCallback } from '../callbacks/payment-callback-view.ts'
import type { Db } from '../db/db.ts'
import { inScope, scopeOfTenant } from '../db/tenant-scope.ts'
import { limitWholeList } from '../fairness/large-read-limit.ts'
import { listAttempts } from '../payments/attempt.sql.ts'
import type { Payment } from '../payments/payment.ts'
import { listPage, paymentFilterOf, paymentListInput, paymentPage } from '../payments/payment-list.router.ts'
import { paymentView, viewPayment } from '../payments/payment-view.ts'
import { attemptView, viewAttempt } from '../payments/read/attempt-view.ts'
import { findPaymentByCode, listTransitions } from '../payments/read/payment-list.sql.ts'
import { BYTES_OF_TRANSITION, timelineEntryView, timelineOf } from '../payments/read/timeline.ts'
import { listRefundsOfPayments } from '../payments/record/refund.sql.ts'
import { BYTES_OF_REFUND, refundView, viewRefund } from '../payments/record/refund-view.ts'
import { tenantPath } from '../tenants/tenant-view.ts'
import { getVisibleTenant } from '../tenants/visible-tenant.ts'
import { countDeliveries, listDeliveries } from '../webhooks/delivery/delivery.sql.ts'
import { deliveryPage, readDeliveryPage } from '../webhooks/delivery-page.router.ts'
import { auditPaymentList } from './audit-payment-list.ts'
import { openPayment } from './open-payment.ts'

const supporterProcedure = userProcedure({ permission: 'viewer', roles: ['owner', 'partner'] })

const paymentPath = tenantPath.extend({
  payment_id: z.string().meta({
    description: 'Payment UUID or payment code',
    example: '01990000-0000-7000-8000-000000000001',
  }),
})
const audited = ' The audit log records who opened the payment.'

export const supportRouter = router({
  payments: supporterProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tenants/{tenant_id}/payments',
        operationId: 'listTenantPayments',
        tags: ['Support'],
        summary: "List a merchant's payments",
        description:
          "Lists a Client's payments, with the same filters and order as `GET /v1/payments`. The Owner can list every tenant's payments, and a Partner can list its Clients' payments. The audit log records who listed the payments, and with which filters. The text of `q` is not recorded, except for a payment code or payment UUID in it.",
      },
      errors: ['NOT_FOUND'],
    })
    .input(tenantPath.extend({ ...paymentListInput.shape, mode: userModeFilter('payments') }))
    .output(paymentPage)
    .query(({ ctx, input }) =>
      asTenant(ctx, input.tenant_id, async tenantId => {
        const filter = paymentFilterOf(ctx, tenantId, input)
        await auditPaymentList(ctx.app, ctx.caller, tenantId, input)
        return listPage(ctx, filter, input)
      }),
    ),

  // Only the dashboard's command bar calls this procedure, over tRPC. Users who search there know the payment's code
  // but not its tenant, so the procedure returns the tenant.
  find: supporterProcedure
    .input(z.object({ payment_code: z.string() }))
    .output(z.strictObject({ tenant_id: z.uuid(), payment_code: z.string() }).nullable())
    .query(async ({ ctx, input }) => {
      const payment = await findPaymentByCode(ctx.app.db, input.payment_code)
      return payment ? { tenant_id: payment.tenantId, payment_code: payment.paymentCode } : null
    }),

  payment: supporterProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tenants/{tenant_id}/payments/{payment_id}',
        operationId: 'getTenantPayment',
        tags: ['Support'],
        summary: "Get a merchant's payment",
        description: `Returns the current state of a Client's payment.${audited}`,
      },
      errors: ['NOT_FOUND'],
    })
    .input(paymentPath)
    .output(paymentView)
    .query(({ ctx, input }) => withPayment(ctx, input, async payment => viewPayment(payment))),

  timeline: supporterProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tenants/{tenant_id}/payments/{payment_id}/timeline',
        operationId: 'listTenantPaymentTimeline',
        tags: ['Support'],
        summary: "List the status changes for a merchant's payment",
        description: `Lists every status change of a Client's payment, oldest first, with the cause of each change.${audited}`,
      },
      errors: ['NOT_FOUND'],
    })
    .input(paymentPath)
    .output(z.array(timelineEntryView))
    .query(({ ctx, input }) =>
      withPayment(ctx, input, async payment =>
        timelineOf(
          payment,
          await limitWholeList(ctx, BYTES_OF_TRANSITION, () =>
            listTransitions(ctx.app.db, payment.tenantId, payment.id),
          ),
        ),
      ),
    ),

  attempts: supporterProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tenants/{tenant_id}/payments/{payment_id}/attempts',
        operationId: 'listTenantPaymentAttempts',
        tags: ['Support'],
        summary: "List the charge attempts for a merchant's payment",
        description: `Lists the charge attempts for a Client's payment, oldest first, with each attempt's provider and outcome.${audited}`,
      },
      errors: ['NOT_FOUND'],
    })
    .input(paymentPath)
    .output(z.array(attemptView))
    .query(({ ctx, input }) =>
      withPayment(ctx, input, async payment =>
        (await listAttempts(ctx.app.db, payment)).map(viewAttempt(payment)),
      ),
    ),

  callbacks: supporterProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tenants/{tenant_id}/payments/{payment_id}/callbacks',
        operationId: 'listTenantPaymentCallbacks',
        tags: ['Support'],
        summary: "List the provider callbacks about a merchant's payment",
        description: `Lists the latest 100 provider callbacks about a Client's payment, oldest first, with each callback's result. Headers and bodies are omitted.${audited}`,
      },
      errors: ['NOT_FOUND'],
    })
    .input(paymentPath)
    .output(z.array(paymentCallbackView))
    .query(({ ctx, input }) =>
      withPayment(ctx, input, async payment =>
        (await listCallbacksOfPayment(ctx.app.db, payment.tenantId, payment.id)).map(viewPaymentCallback),
      ),
    ),

  deliveries: supporterProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tenants/{tenant_id}/payments/{payment_id}/deliveries',
        operationId: 'listTenantPaymentDeliveries',
        tags: ['Support'],
        summary: "List the webhook deliveries for a merchant's payment",
        description: `Lists the webhook events for a Client's payment, newest first by default. Each event contains up to ten of its latest delivery attempts.${audited}`,
      },
      errors: ['NOT_FOUND'],
    })
    .input(paymentPath.extend(longListInput.shape))
    .output(deliveryPage)
    .query(({ ctx, input }) =>
      withPayment(ctx, input, async payment => {
        const filter = { status: null, mode: null, type: null, payment: payment.id }
        const reader = { owner: ctx.caller.tenantId, onReceived: ctx.onReceived }
        return readDeliveryPage(
          reader,
          input,
          (start, limit) => listDeliveries(ctx.app.db, payment.tenantId, filter, start, limit),
          () => countDeliveries(ctx.app.db, payment.tenantId, filter),
        )
      }),
    ),

  refunds: supporterProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tenants/{tenant_id}/payments/{payment_id}/refunds',
        operationId: 'listTenantPaymentRefunds',
        tags: ['Support'],
        summary: "List the refunds of a merchant's payment",
        description: `Lists all refunds and chargebacks of a Client's payment, oldest first.${audited}`,
      },
      errors: ['NOT_FOUND'],
    })
    .input(paymentPath)
    .output(z.array(refundView))
    .query(({ ctx, input }) =>
      withPayment(ctx, input, async payment =>
        (
          await limitWholeList(ctx, BYTES_OF_REFUND, () =>
            listRefundsOfPayments(ctx.app.db, [{ tenantId: payment.tenantId, paymentId: payment.id }]),
          )
        ).map(viewRefund),
      ),
    ),
})

type Supporter = { app: { db: Db }; caller: UserCaller }

/** Runs a read with database access limited to a tenant the caller manages. */
async function asTenant<Result>(
  { app, caller }: Supporter,
  tenantId: string,
  read: (tenantId: string) => Promise<Result>,
): Promise<Result> {
  const { id } = await getVisibleTenant(app, caller, tenantId)
  return inScope(scopeOfTenant(id), () => read(id))
}

const withPayment = <Result>(
  ctx: Supporter,
  path: z.output<typeof paymentPath>,
  read: (payment: Payment) => Promise<Result>,
): Promise<Result> =>
  asTenant(ctx, path.tenant_id, async tenantId =>
    read(await openPayment(ctx.app, ctx.caller, tenantId, path.payment_id)),
  )
