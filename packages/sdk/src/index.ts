export { type CreateOptions, Gapura, type GapuraOptions } from './client.ts'
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
  ActiveMethods,
  Balance,
  CreatePayment,
  Item,
  ItemInput,
  LedgerEntry,
  Payment,
} from './generated/index.ts'
export type { VerifyOptions, WebhookEvent, WebhookHeaders } from './webhooks.ts'
/**
 * Verify webhooks where they arrive; sign some to test that.
 *
 * @example
 * const event = await webhooks.verify(rawBody, headers, 'whsec_…')
 */
export * as webhooks from './webhooks.ts'
