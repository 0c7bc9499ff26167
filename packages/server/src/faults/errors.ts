// The errors that are returned to callers. Each error code has an HTTP status and a message format.

/**
 * Maps each error code to its kind, HTTP status and tRPC code. The API specification defines the codes and the message
 * format `<kind>: <detail>`.
 */
const table = {
  BAD_REQUEST: { status: 400, kind: 'bad request', trpc: 'BAD_REQUEST' },
  OTP_REQUIRED: { status: 401, kind: 'second factor required', trpc: 'UNAUTHORIZED' },
  UNAUTHORIZED: { status: 401, kind: 'unauthorized', trpc: 'UNAUTHORIZED' },
  FORBIDDEN: { status: 403, kind: 'forbidden', trpc: 'FORBIDDEN' },
  NOT_FOUND: { status: 404, kind: 'not found', trpc: 'NOT_FOUND' },
  METHOD_NOT_ALLOWED: { status: 405, kind: 'method not allowed', trpc: 'METHOD_NOT_SUPPORTED' },
  IDEMPOTENCY_CONFLICT: { status: 409, kind: 'idempotency conflict', trpc: 'CONFLICT' },
  INVALID_STATE_TRANSITION: { status: 409, kind: 'invalid state transition', trpc: 'CONFLICT' },
  CONFLICT: { status: 409, kind: 'conflict', trpc: 'CONFLICT' },
  INSUFFICIENT_BALANCE: { status: 409, kind: 'insufficient balance', trpc: 'CONFLICT' },
  PAYLOAD_TOO_LARGE: { status: 413, kind: 'payload too large', trpc: 'PAYLOAD_TOO_LARGE' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, kind: 'unsupported media type', trpc: 'UNSUPPORTED_MEDIA_TYPE' },
  RATE_LIMITED: { status: 429, kind: 'rate limited', trpc: 'TOO_MANY_REQUESTS' },
  INTERNAL_ERROR: { status: 500, kind: 'internal error', trpc: 'INTERNAL_SERVER_ERROR' },
  PROVIDER_ERROR: { status: 502, kind: 'provider error', trpc: 'BAD_GATEWAY' },
  SERVICE_UNAVAILABLE: { status: 503, kind: 'service unavailable', trpc: 'SERVICE_UNAVAILABLE' },
} as const

export type ErrorCode = keyof typeof table
export const errorCodes = Object.keys(table) as ErrorCode[]
export const statusOf = (code: ErrorCode): number => table[code].status
/** Returns the tRPC code that corresponds to an error code. */
export const trpcCodeOf = (code: ErrorCode) => table[code].trpc
export const kindOf = (code: ErrorCode): string => table[code].kind

type Fault = {
  code: ErrorCode
  /** What caused the error and, where this helps, what the caller can do about it. */
  detail: string
  /** The complete message in the error response. */
  message: string
  /** The fault's ID in the catalog (faults/catalogue.ts). `params` contains the parameters for its text. */
  fault: string
  params: Record<string, unknown>
  field?: string | undefined
  /** The fields of the error response that not every error has. */
  shown?: Record<string, unknown> | undefined
  retryAfterSeconds?: number
  cause?: unknown
}

/** An error that is returned to the caller. Create it with the function `fault` (faults/fault.ts). */
export class GatewayError extends Error {
  override name = 'GatewayError'
  readonly code: ErrorCode
  readonly detail: string
  readonly fault: string
  readonly params: Record<string, unknown>
  readonly field: string | undefined
  readonly shown: Record<string, unknown> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor({ code, detail, message, fault, params, field, shown, retryAfterSeconds, cause }: Fault) {
    super(message, { cause })
    this.code = code
    this.detail = detail
    this.fault = fault
    this.params = params
    this.field = field
    this.shown = shown
    this.retryAfterSeconds = retryAfterSeconds
  }

  get status(): number {
    return statusOf(this.code)
  }
}
