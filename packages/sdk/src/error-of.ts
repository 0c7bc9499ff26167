// Creates the error for a failure response from the service.

import {
  BadRequestError,
  ConflictError,
  type ErrorDetails,
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
  ProviderError,
  RateLimitedError,
  type ServiceErrorCode,
  ServiceUnavailableError,
  UnauthorizedError,
  UnsupportedMediaTypeError,
} from './errors.ts'
import type { Failure } from './generated/types.gen.ts'

/**
 * The error class for each error code. The compiler rejects an entry whose class does not declare its error code.
 */
const classOf: { [Code in ServiceErrorCode]: typeof GapuraError & { prototype: { code: Code } } } = {
  BAD_REQUEST: BadRequestError,
  OTP_REQUIRED: OtpRequiredError,
  UNAUTHORIZED: UnauthorizedError,
  FORBIDDEN: ForbiddenError,
  NOT_FOUND: NotFoundError,
  METHOD_NOT_ALLOWED: MethodNotAllowedError,
  IDEMPOTENCY_CONFLICT: IdempotencyConflictError,
  INVALID_STATE_TRANSITION: InvalidStateTransitionError,
  CONFLICT: ConflictError,
  INSUFFICIENT_BALANCE: InsufficientBalanceError,
  PAYLOAD_TOO_LARGE: PayloadTooLargeError,
  UNSUPPORTED_MEDIA_TYPE: UnsupportedMediaTypeError,
  RATE_LIMITED: RateLimitedError,
  INTERNAL_ERROR: InternalError,
  PROVIDER_ERROR: ProviderError,
  SERVICE_UNAVAILABLE: ServiceUnavailableError,
}

/** Creates the error for a failure response from the service. */
export function errorOf(
  { code, message, challenge, methods = [] }: Failure['error'],
  facts: ErrorDetails,
): GapuraError {
  const Class = Object.hasOwn(classOf, code) ? classOf[code] : GapuraError
  const error = new Class(code, message, facts)
  if (error instanceof OtpRequiredError) Object.assign(error, { challenge, methods })
  return error
}
