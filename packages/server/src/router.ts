import type { AnyTRPCProcedure, inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import { type Meta, router } from './api/trpc.ts'
import { auditRouter } from './audit/audit.router.ts'
import { keyRouter } from './auth/api-keys/key.router.ts'
import { authRouter } from './auth/auth.router.ts'
import { sessionRouter } from './auth/log-in/session.router.ts'
import { secondFactorRouter } from './auth/second-factor/second-factor.router.ts'
import { sessionListRouter } from './auth/sessions/session-list.router.ts'
import { userRouter } from './auth/users/user.router.ts'
import { brandingRouter } from './branding/branding.router.ts'
import { callbackRouter } from './callbacks/callback.router.ts'
import { customerRouter } from './customers/customer.router.ts'
import { reconciliationRouter } from './daily-reconciliation/reconciliation.router.ts'
import { feeRouter } from './fees/fee.router.ts'
import { feeReportRouter } from './fees/fee-report.router.ts'
import { challengedPaymentRouter } from './inbox/challenged-payment.router.ts'
import { unexpectedMoneyRouter } from './inbox/unexpected-money.router.ts'
import { unknownPaymentRouter } from './inbox/unknown-payment.router.ts'
import { ledgerRouter } from './ledger/ledger.router.ts'
import { limitsRouter } from './limits/limits.router.ts'
import { liveRouter } from './live/live.router.ts'
import { noticeRouter } from './notices/notice.router.ts'
import { paymentRouter } from './payments/payment.router.ts'
import { refundRouter } from './payments/refund/refund.router.ts'
import { providerAccountRouter } from './provider-accounts/provider-account.router.ts'
import { reportRouter } from './reports/report.router.ts'
import { requestLogRouter } from './request-log/request-log.router.ts'
import { routeRouter } from './routing/route.router.ts'
import { tenantRouteRouter } from './routing/tenant-route.router.ts'
import { settlementRouter } from './settlements/settlement.router.ts'
import { supportRouter } from './support/support.router.ts'
import { tenantRouter } from './tenants/tenant.router.ts'
import { verificationRouter } from './verification/verification.router.ts'
import { additionalEndpointRouter } from './webhooks/additional/additional-endpoint.router.ts'
import { listenRouter } from './webhooks/listen/listen.router.ts'
import { webhookRouter } from './webhooks/webhook.router.ts'

export const appRouter = router({
  payments: paymentRouter,
  refunds: refundRouter,
  methods: routeRouter,
  auth: authRouter,
  session: sessionRouter,
  sessions: sessionListRouter,
  notifications: noticeRouter,
  branding: brandingRouter,
  secondFactor: secondFactorRouter,
  account: ledgerRouter,
  webhooks: webhookRouter,
  webhookEndpoints: additionalEndpointRouter,
  listen: listenRouter,
  live: liveRouter,
  audit: auditRouter,
  callbacks: callbackRouter,
  customers: customerRouter,
  challengedPayments: challengedPaymentRouter,
  unexpectedMoney: unexpectedMoneyRouter,
  unknownPayments: unknownPaymentRouter,
  ledgerVerification: verificationRouter,
  reconciliation: reconciliationRouter,
  reports: reportRouter,
  requests: requestLogRouter,
  tenants: tenantRouter,
  limits: limitsRouter,
  fees: feeRouter,
  feeReports: feeReportRouter,
  keys: keyRouter,
  users: userRouter,
  routes: tenantRouteRouter,
  providers: providerAccountRouter,
  settlements: settlementRouter,
  support: supportRouter,
})

export type { LiveChange } from './live/live-change.ts'
export type { SentReconciliationLine } from './reports/reconciliation-report.ts'
export type AppRouter = typeof appRouter
export type Inputs = inferRouterInputs<AppRouter>
export type Outputs = inferRouterOutputs<AppRouter>

type Procedure = AnyTRPCProcedure & { _def: { meta?: Meta } }

/**
 * Returns each procedure with its dotted path. At run time, tRPC stores all procedures in one flat record, although the
 * router's type is nested.
 */
export const proceduresOf = (router: AppRouter): [string, Procedure][] =>
  Object.entries(router._def.procedures as unknown as Record<string, Procedure>)
