export { ApiPromise, type Page, PagePromise, type WithResponse } from './api-promise.ts'
export type { CallOptions } from './call.ts'
export { type Credential, Gapura, type GapuraOptions } from './client.ts'
export {
  BadRequestError,
  ConflictError,
  ConnectionError,
  type ErrorCode,
  type ErrorFacts,
  ForbiddenError,
  GapuraError,
  IdempotencyConflictError,
  InternalError,
  InvalidStateTransitionError,
  MethodNotAllowedError,
  NotFoundError,
  PayloadTooLargeError,
  PaymentNotPaidError,
  ProviderError,
  RateLimitedError,
  ServiceUnavailableError,
  TimeoutError,
  UnauthorizedError,
  UnexpectedAnswerError,
  UnsupportedMediaTypeError,
  WebhookVerificationError,
} from './errors.ts'
export type {
  Account,
  ActiveMethods,
  ApiKey,
  AuditEntry,
  Balance,
  ChallengedPayment,
  Entitlement,
  EntitlementInput,
  Entitlements,
  HeardEvents,
  Item,
  ItemInput,
  KeptDifference,
  LedgerEntry,
  LedgerVerification,
  Limit,
  Login,
  NewApiKey,
  PaymentAttempt,
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
  RejectedCallback,
  ReprocessedCallback,
  RouteCandidate,
  RoutePreview,
  RoutingRule,
  RoutingRuleInput,
  RoutingRules,
  SentWebhookDelivery,
  Settlement,
  Tenant,
  TenantLimits,
  TierLimits,
  TimelineEntry,
  UnexpectedMoney,
  UnknownPayment,
  User,
  WebhookDelivery,
  WebhookEndpoint,
} from './generated/types.gen.ts'
export type { LogFields, Logger } from './logger.ts'
export type { CreatePayment, MethodType, PaidPayment, Payment } from './payment.ts'
export type { CreateOptions } from './payments.ts'
export type { ReconciliationLine } from './reconciliation.ts'
export type { Fetch } from './request.ts'
export type { SettlementOf, UploadOptions } from './settlements.ts'
export type { WaitOptions } from './wait-until-paid.ts'
export type { VerifyOptions, WebhookEvent, WebhookHeaders } from './webhooks.ts'
/**
 * Verifies incoming webhooks, and signs webhooks so that you can test a receiver.
 *
 * @example
 * const event = await webhooks.verify(rawBody, headers, 'whsec_…')
 */
export * as webhooks from './webhooks.ts'
