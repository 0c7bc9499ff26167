// The error classes. Each extends GapuraError and has a stable `code`. Every service error code needs a class.

import type { Failure } from './generated/types.gen.ts'
import type { Payment } from './payment.ts'

/** The error codes returned by the service. */
export type ServiceErrorCode = Failure['error']['code']

/**
 * An error's `code`, defined by the service or this library. A newer service may return other codes.
 *
 * @example
 * const retryLater: ErrorCode[] = ['RATE_LIMITED', 'SERVICE_UNAVAILABLE']
 */
export type ErrorCode =
  | ServiceErrorCode
  | 'CONNECTION_FAILED'
  | 'TIMED_OUT'
  | 'UNEXPECTED_RESPONSE'
  | 'PAYMENT_NOT_PAID'
  | 'INVALID_WEBHOOK'
  | (string & {})

/**
 * Error details in addition to the code and message.
 *
 * @example
 * const facts: ErrorDetails = { status: 429, retryAfterMs: 2_000 }
 */
export type ErrorDetails = {
  /** The HTTP status. */
  status?: number | undefined
  /** The request's ID in the service's logs. */
  requestId?: string | undefined
  /** The number of milliseconds to wait before a retry. */
  retryAfterMs?: number | undefined
  /** The original error, if another error caused this error. */
  cause?: unknown
}

/**
 * An error as written by `JSON.stringify`. Undefined fields are omitted from the JSON.
 *
 * @example
 * const { message, requestId }: ErrorJson = error.toJSON()
 */
export type ErrorJson = Pick<
  GapuraError,
  | 'name'
  | 'message'
  | 'code'
  | 'status'
  | 'requestId'
  | 'field'
  | 'retryAfterMs'
  | 'idempotencyKey'
  | 'outcomeUnknown'
  | 'attempts'
>

/**
 * The base class for the errors thrown by this library. If the caller makes a mistake, such as passing an invalid
 * option, the library throws `TypeError` or `RangeError` instead.
 *
 * @example
 * try {
 *   await gapura.payments.get(id)
 * } catch (error) {
 *   if (error instanceof GapuraError) console.error(error.code, error.message, error.requestId)
 * }
 */
export class GapuraError extends Error {
  override name = 'GapuraError'
  /** The error's code, such as `RATE_LIMITED`. Later versions may change an error's message, but never its code. */
  readonly code: ErrorCode
  /** The response's HTTP status, or undefined if no response was received. */
  readonly status: number | undefined
  /** The request's ID in the service's logs. Include it when you ask for help. */
  readonly requestId: string | undefined
  /** How many milliseconds to wait before a retry, if the service specifies it. */
  readonly retryAfterMs: number | undefined
  /** The path of the invalid field, such as `items.0.price`, if the service names the field. */
  readonly field: string | undefined
  /** The idempotency key of the failed create call. A retry with this key cannot charge the payer twice. */
  idempotencyKey: string | undefined
  /** True if it is unknown whether a management change was made. Check the current state before you repeat the call. */
  outcomeUnknown = false
  /** The number of attempts made, including the first. */
  attempts = 1

  constructor(code: ErrorCode, message: string, facts: ErrorDetails = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.code = code
    this.status = facts.status
    this.requestId = facts.requestId
    this.retryAfterMs = facts.retryAfterMs
    this.field = /^bad request: ([^\s:]+): /.exec(message)?.[1]
  }

  /**
   * Returns the error fields that `JSON.stringify` includes. They contain no credential, request body or response body.
   *
   * @example
   * log(JSON.stringify(error))
   */
  toJSON(): ErrorJson {
    const { name, message, code, status, requestId, field, retryAfterMs, idempotencyKey } = this
    const { outcomeUnknown, attempts } = this
    return {
      ...{ name, message, code, status, requestId, field, retryAfterMs },
      ...{ idempotencyKey, outcomeUnknown, attempts },
    }
  }
}

/**
 * 400: a field is missing or invalid. `field` contains its path.
 *
 * @example
 * if (error instanceof BadRequestError) form.markInvalid(error.field, error.message)
 */
export class BadRequestError extends GapuraError {
  override name = 'BadRequestError'
  declare readonly code: 'BAD_REQUEST'
}

/**
 * 401: a second factor is required. If `auth.login` throws this error, pass its `challenge` and a code to
 * `auth.completeLogin`. If any other call throws it, call `secondFactor.confirm`, then repeat the call.
 *
 * @example
 * if (error instanceof OtpRequiredError && error.challenge) {
 *   session = await gapura.auth.completeLogin({ challenge: error.challenge, code })
 * }
 */
export class OtpRequiredError extends GapuraError {
  override name = 'OtpRequiredError'
  declare readonly code: 'OTP_REQUIRED'
  /** The login challenge for `auth.completeLogin`. Undefined if the error does not come from a login. */
  challenge: string | undefined
  /** The second factors the user can use: `totp`, `passkey` or `recovery_code`. */
  methods: readonly string[] = []
}

/**
 * 401: the API key is missing, mistyped or revoked; the access token has expired; the password is wrong; or the
 * call requires the other type of credential (API key or access token).
 *
 * @example
 * if (error instanceof UnauthorizedError) throw new Error('check the API key', { cause: error })
 */
export class UnauthorizedError extends GapuraError {
  override name = 'UnauthorizedError'
  declare readonly code: 'UNAUTHORIZED'
}

/**
 * 403: the tenant is suspended or not allowed to make this call.
 *
 * @example
 * if (error instanceof ForbiddenError) console.error(error.message)
 */
export class ForbiddenError extends GapuraError {
  override name = 'ForbiddenError'
  declare readonly code: 'FORBIDDEN'
}

/**
 * 404: the resource does not exist, belongs to another tenant, or belongs to the other mode (test or live).
 *
 * @example
 * if (error instanceof NotFoundError) return null
 */
export class NotFoundError extends GapuraError {
  override name = 'NotFoundError'
  declare readonly code: 'NOT_FOUND'
}

/**
 * 405: the path does not support this method. Either the service is older than this library, or `baseUrl` is wrong.
 *
 * @example
 * if (error instanceof MethodNotAllowedError) console.error('check baseUrl')
 */
export class MethodNotAllowedError extends GapuraError {
  override name = 'MethodNotAllowedError'
  declare readonly code: 'METHOD_NOT_ALLOWED'
}

/**
 * 409: the idempotency key was already used for a different order, or the first request with this key is still in
 * progress. `retryAfterMs` is set only in the second case.
 *
 * @example
 * if (error instanceof IdempotencyConflictError && error.retryAfterMs === undefined) {
 *   console.error(`order ${orderId} was changed after it was sent`)
 * }
 */
export class IdempotencyConflictError extends GapuraError {
  override name = 'IdempotencyConflictError'
  declare readonly code: 'IDEMPOTENCY_CONFLICT'
}

/**
 * 409: the payment's status does not allow the change, such as cancelling a paid payment.
 *
 * @example
 * if (error instanceof InvalidStateTransitionError) payment = await gapura.payments.get(payment.id)
 */
export class InvalidStateTransitionError extends GapuraError {
  override name = 'InvalidStateTransitionError'
  declare readonly code: 'INVALID_STATE_TRANSITION'
}

/**
 * 409: the request conflicts with the current state, for example because an email address is already in use.
 *
 * @example
 * if (error instanceof ConflictError) console.error(error.message)
 */
export class ConflictError extends GapuraError {
  override name = 'ConflictError'
  declare readonly code: 'CONFLICT'
}

/**
 * 409: the merchant's balance does not cover the requested refund.
 *
 * @example
 * if (error instanceof InsufficientBalanceError) console.error((await gapura.account.getBalance()).balance)
 */
export class InsufficientBalanceError extends GapuraError {
  override name = 'InsufficientBalanceError'
  declare readonly code: 'INSUFFICIENT_BALANCE'
}

/**
 * 413: the request body is larger than 256 KiB.
 *
 * @example
 * if (error instanceof PayloadTooLargeError) await gapura.payments.create({ ...order, items: [] })
 */
export class PayloadTooLargeError extends GapuraError {
  override name = 'PayloadTooLargeError'
  declare readonly code: 'PAYLOAD_TOO_LARGE'
}

/**
 * 415: the content type was changed between the client and the service, for example by a proxy.
 *
 * @example
 * if (error instanceof UnsupportedMediaTypeError) console.error('a proxy rewrites Content-Type')
 */
export class UnsupportedMediaTypeError extends GapuraError {
  override name = 'UnsupportedMediaTypeError'
  declare readonly code: 'UNSUPPORTED_MEDIA_TYPE'
}

/**
 * 429: the tenant sent too many requests, and the SDK's retries were also rejected.
 *
 * @example
 * if (error instanceof RateLimitedError) queue.delay(order, error.retryAfterMs)
 */
export class RateLimitedError extends GapuraError {
  override name = 'RateLimitedError'
  declare readonly code: 'RATE_LIMITED'
}

/**
 * 500: an error inside the service. The service's operator can find the request by its `requestId`.
 *
 * @example
 * if (error instanceof InternalError) console.error('contact the operator', error.requestId)
 */
export class InternalError extends GapuraError {
  override name = 'InternalError'
  declare readonly code: 'INTERNAL_ERROR'
}

/**
 * 502: the payment provider rejected the request or did not respond. The SDK does not retry the request. The
 * message says whether you can retry with the same idempotency key.
 *
 * @example
 * if (error instanceof ProviderError) offerAnotherMethod(error.message)
 */
export class ProviderError extends GapuraError {
  override name = 'ProviderError'
  declare readonly code: 'PROVIDER_ERROR'
}

/**
 * 503: the service is starting, stopping or at capacity, or cannot reach its database. The SDK throws this error only
 * after all its retries have also failed.
 *
 * @example
 * if (error instanceof ServiceUnavailableError) queue.delay(order, error.retryAfterMs)
 */
export class ServiceUnavailableError extends GapuraError {
  override name = 'ServiceUnavailableError'
  declare readonly code: 'SERVICE_UNAVAILABLE'
}

/**
 * No complete response was received, because the connection failed. The outcome is unknown. `cause` contains the
 * reason. Repeat a create call with its `idempotencyKey`. Before you repeat another change, check its outcome.
 *
 * @example
 * if (error instanceof ConnectionError) queue.retry(order, { idempotencyKey: error.idempotencyKey })
 */
export class ConnectionError extends GapuraError {
  override name = 'ConnectionError'
  declare readonly code: 'CONNECTION_FAILED'

  constructor(origin: string, cause: unknown) {
    super('CONNECTION_FAILED', `no response from ${origin}: ${reasonOf(cause)}`, { cause })
  }
}

/**
 * No complete response was received within `timeoutMs`. As with `ConnectionError`, the outcome is unknown. If
 * `waitUntilPaid` throws this error, the payment was still open and may still be paid.
 *
 * @example
 * if (error instanceof TimeoutError) queue.retry(order, { idempotencyKey: error.idempotencyKey })
 */
export class TimeoutError extends GapuraError {
  override name = 'TimeoutError'
  declare readonly code: 'TIMED_OUT'

  constructor(message: string, cause?: unknown) {
    super('TIMED_OUT', message, { cause })
  }
}

/**
 * The response is not from this service. It may be a proxy's error page, a redirect (redirects are not followed),
 * or the result of a wrong `baseUrl`.
 *
 * @example
 * if (error instanceof UnexpectedResponseError) console.error(`check baseUrl: HTTP ${error.status}`)
 */
export class UnexpectedResponseError extends GapuraError {
  override name = 'UnexpectedResponseError'
  declare readonly code: 'UNEXPECTED_RESPONSE'

  constructor(origin: string, facts: ErrorDetails) {
    // Browsers hide the status of a redirect: they report the status 0 instead.
    const redirects = /^(0|3..)$/.test(`${facts.status}`)
    const what = redirects
      ? 'returned a redirect, which is not followed; check baseUrl'
      : `returned ${facts.status}, but the response is not from Gapura`
    super('UNEXPECTED_RESPONSE', `${origin} ${what}`, facts)
  }
}

/**
 * The payment failed, expired or was cancelled while `waitUntilPaid` was waiting. `payment` contains its last
 * state.
 *
 * @example
 * if (error instanceof PaymentNotPaidError) console.error(error.payment.status, error.payment.failure_reason)
 */
export class PaymentNotPaidError extends GapuraError {
  override name = 'PaymentNotPaidError'
  declare readonly code: 'PAYMENT_NOT_PAID'
  /** The payment as returned by the last poll. */
  readonly payment: Payment

  constructor(payment: Payment) {
    const reason = payment.failure_reason === null ? '' : `: ${payment.failure_reason}`
    super('PAYMENT_NOT_PAID', `payment ${payment.payment_code} is ${payment.status}${reason}`)
    this.payment = payment
  }
}

/**
 * The webhook was not sent by the service, or was changed in transit. Respond with 400 and do not process it.
 *
 * @example
 * if (error instanceof WebhookVerificationError) return new Response(error.message, { status: 400 })
 */
export class WebhookVerificationError extends GapuraError {
  override name = 'WebhookVerificationError'
  declare readonly code: 'INVALID_WEBHOOK'

  constructor(message: string) {
    super('INVALID_WEBHOOK', `webhook rejected: ${message}`)
  }
}

/** Returns the reason fetch failed, which is in the error's cause. The error's own message is only "fetch failed". */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: Partial<Error & { code: string }> }
  return `${cause?.message || cause?.code || message || error}`.trim()
}
