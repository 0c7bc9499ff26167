export type { AccountResource } from './account.ts'
export { ApiPromise, type Page, PagePromise, type WithResponse } from './api-promise.ts'
export type { AuditResource } from './audit.ts'
export type { AuthResource } from './auth.ts'
export type { BrandingResource } from './branding.ts'
export type { CallOptions } from './call.ts'
export { type Credential, Gapura, type GapuraOptions } from './client.ts'
export {
  BadRequestError,
  ConflictError,
  ConnectionError,
  type ErrorCode,
  type ErrorDetails,
  type ErrorJson,
  ForbiddenError,
  GapuraError,
  IdempotencyConflictError,
  InsufficientBalanceError,
  InternalError,
  InvalidStateTransitionError,
  MethodNotAllowedError,
  NotFoundError,
  OtpRequiredError,
  PayloadTooLargeError,
  PaymentNotPaidError,
  ProviderError,
  RateLimitedError,
  ServiceUnavailableError,
  TimeoutError,
  UnauthorizedError,
  UnexpectedResponseError,
  UnsupportedMediaTypeError,
  WebhookVerificationError,
} from './errors.ts'
export type { FeesResource, FileFormat } from './fees.ts'
export type {
  Account,
  AccountLedgerEntry,
  ActiveMethods,
  AdditionalWebhookEndpoint,
  ApiKey,
  ApiRequest,
  AuditEntry,
  Balance,
  BookTotals,
  Branding,
  ChallengedPayment,
  EnrolledFactor,
  Entitlement,
  EntitlementInput,
  Entitlements,
  FeePreview,
  FeeReport,
  FeeRule,
  FeeRuleInput,
  FeeSchedule,
  FeeStatement,
  HeardEvents,
  Item,
  ItemInput,
  KeptDifference,
  LedgerEntry,
  LedgerVerification,
  Limit,
  ListedWebhookEndpoint,
  Login,
  NewApiKey,
  Notifications,
  PaymentAttempt,
  PaymentCallback,
  PaymentOutcome,
  PaymentReport,
  Provider,
  ProviderAccount,
  ProviderCallback,
  ProviderHealth,
  ProviderHealthList,
  ProviderList,
  Reconciliation,
  ReconciliationDifference,
  ReconciliationRun,
  RecoveryCodes,
  Refund,
  RejectedCallback,
  ReprocessedCallback,
  RouteCandidate,
  RoutePreview,
  RoutingRule,
  RoutingRuleInput,
  RoutingRules,
  SecondFactor,
  SecuritySettings,
  SentWebhookDelivery,
  Session,
  Settlement,
  SettlementLine,
  Tenant,
  TenantFeePreview,
  TenantLimits,
  TierLimits,
  TimelineEntry,
  TotpSecret,
  UnexpectedMoney,
  UnknownPayment,
  User,
  WebhookDelivery,
  WebhookEndpoint,
} from './generated/types.gen.ts'
export type { ChallengedPaymentsResource, UnexpectedMoneyResource, UnknownPaymentsResource } from './inbox.ts'
export type { LedgerResource } from './ledger.ts'
export type { LimitsResource } from './limits.ts'
export type { LogFields, Logger } from './logger.ts'
export type { CreatePayment, MethodType, PaidPayment, Payment } from './payment.ts'
export type { CreatePaymentOptions, PaymentsResource } from './payments.ts'
export type { ProviderCallbacksResource } from './provider-callbacks.ts'
export type { ProvidersResource } from './providers.ts'
export type { Method, RequestOptions } from './raw-request.ts'
export type { ReconciliationResource } from './reconciliation.ts'
export type { CreateRefundOptions, RefundsResource } from './refunds.ts'
export type { ReconciliationLine, ReportsResource } from './reports.ts'
export type { Fetch } from './request.ts'
export type { RequestsResource } from './requests.ts'
export { formatRupiah, rupiah } from './rupiah.ts'
export type { SecondFactorResource } from './second-factor.ts'
export type { SettlementKey, SettlementsResource, UploadOptions } from './settlements.ts'
export type { TenantPaymentsResource } from './tenant-payments.ts'
export type {
  ApiKeysResource,
  EntitlementsResource,
  RoutingRulesResource,
  TenantsResource,
  UsersResource,
} from './tenants.ts'
export type { WaitUntilPaidOptions } from './wait-until-paid.ts'
export type { WebhookDeliveriesResource } from './webhook-deliveries.ts'
export type { WebhookEndpointResource } from './webhook-endpoint.ts'
export type { WebhookEndpointsResource } from './webhook-endpoints.ts'
export type { VerifyOptions, WebhookEvent, WebhookHeaders } from './webhooks.ts'
/**
 * Verifies incoming webhooks, and signs webhooks for testing a receiver.
 *
 * @example
 * const event = await webhooks.verify(rawBody, headers, 'whsec_…')
 */
export * as webhooks from './webhooks.ts'
