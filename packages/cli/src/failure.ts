// Every failure: how the process exits, what is said, and what to do next.

import {
  BadRequestError,
  ConnectionError,
  ForbiddenError,
  GapuraError,
  IdempotencyConflictError,
  InvalidStateTransitionError,
  NotFoundError,
  ProviderError,
  RateLimitedError,
  ServiceUnavailableError,
  TimeoutError,
  UnauthorizedError,
  UnexpectedAnswerError,
} from '@gapura/sdk'
import { CommanderError } from 'commander'

const FAILED = 1
const USAGE = 2
const NOT_LOGGED_IN = 4

export type Failure = {
  exitCode: number
  code: string
  /** Empty: what was to be said has been said. */
  message: string
  next: string
  status?: number | undefined
  requestId?: string | undefined
  field?: string | undefined
  idempotencyKey?: string | undefined
}

export class NotLoggedInError extends Error {
  override name = 'NotLoggedInError'
}

export function failureOf(error: unknown): Failure {
  if (error instanceof CommanderError) return usageFailure(error)
  if (error instanceof NotLoggedInError)
    return {
      exitCode: NOT_LOGGED_IN,
      code: 'NOT_LOGGED_IN',
      message: error.message,
      next: "export GAPURA_API_KEY=gp_test_… with a key from the dashboard's API keys",
    }
  if (error instanceof GapuraError) {
    const { code, message, status, requestId, field, idempotencyKey } = error
    const exitCode = error instanceof UnauthorizedError ? NOT_LOGGED_IN : FAILED
    return { exitCode, code, message, next: nextAfter(error), status, requestId, field, idempotencyKey }
  }
  return {
    exitCode: FAILED,
    code: 'UNEXPECTED',
    message: String(error),
    next: 'report this as a fault of gapura',
  }
}

/** Help and version end as errors here, too. */
function usageFailure({ code, exitCode, message }: CommanderError): Failure {
  const shown = ['commander.help', 'commander.helpDisplayed', 'commander.version'].includes(code)
  return {
    exitCode: exitCode === 0 ? 0 : USAGE,
    code: 'USAGE',
    message: shown ? '' : message.replace(/^error: /, ''),
    next: 'add --help to see how',
  }
}

function nextAfter(error: GapuraError): string {
  const again =
    error.idempotencyKey === undefined
      ? 'try again'
      : `repeat the command with --idempotency-key ${error.idempotencyKey}`
  if (error instanceof UnauthorizedError) return 'set GAPURA_API_KEY to a valid key of this service'
  if (error instanceof ForbiddenError) return 'use the API key of a client that may do this'
  if (error instanceof BadRequestError) return `correct ${optionOf(error.field)}`
  if (error instanceof NotFoundError) return 'check the id, and that GAPURA_API_KEY is of the same mode'
  if (error instanceof InvalidStateTransitionError)
    return 'only a pending or challenged payment can be cancelled'
  if (error instanceof IdempotencyConflictError)
    return error.retryAfterMs === undefined ? 'take another --idempotency-key for another order' : again
  // Choosing anew while the outcome is unknown could leave two payments for one order.
  if (error instanceof ProviderError)
    return error.message.includes('repeat') ? again : `choose another --channel or --method, or ${again}`
  if (error instanceof ConnectionError || error instanceof TimeoutError)
    return `check GAPURA_BASE_URL and that the service runs, then ${again}`
  if (error instanceof UnexpectedAnswerError) return 'check GAPURA_BASE_URL'
  if (error instanceof RateLimitedError || error instanceof ServiceUnavailableError)
    return `wait a moment, then ${again}`
  return error.requestId === undefined
    ? again
    : `${again}, or ask the operator about request ${error.requestId}`
}

/** The option that sets a field. */
function optionOf(field = ''): string {
  const option: Record<string, string> = {
    amount: '--amount or --rupiah',
    method_type: '--method',
    'method_detail.bank': '--channel',
    'method_detail.wallet_type': '--channel',
    'method_detail.store': '--channel',
    customer_name: '--customer-name',
    customer_email: '--customer-email',
    customer_phone: '--customer-phone',
    expiry_minutes: '--expiry-minutes',
    'X-Idempotency-Key': '--idempotency-key',
  }
  return option[field] ?? (field || 'the command')
}
