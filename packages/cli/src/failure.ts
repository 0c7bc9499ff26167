// Maps every failure to an exit code, a message and the next step for the user.

import {
  BadRequestError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  GapuraError,
  IdempotencyConflictError,
  InvalidStateTransitionError,
  NotFoundError,
  OtpRequiredError,
  ProviderError,
  RateLimitedError,
  ServiceUnavailableError,
  TimeoutError,
  UnauthorizedError,
  UnexpectedResponseError,
} from '@gapura/sdk'
import { CommanderError } from 'commander'

const FAILED = 1
const USAGE = 2
const NOT_LOGGED_IN = 4

export type Failure = {
  exitCode: number
  code: string
  /**
   * The message that describes the command's failure to the user. It is empty if the command has already
   * printed everything.
   */
  message: string
  next: string
  status?: number | undefined
  requestId?: string | undefined
  field?: string | undefined
  idempotencyKey?: string | undefined
}

/** The place from which the CLI read the rejected credential, such as an environment variable. */
export type Source =
  | 'GAPURA_API_KEY'
  | 'GAPURA_ACCESS_TOKEN'
  | 'profile'
  | 'profile key'
  | 'password'
  | undefined

/** An error with advice on what the user can do next. */
class AdvisedError extends Error {
  readonly next: string
  constructor(message: string, next: string) {
    super(message)
    this.next = next
  }
}
export class NotLoggedInError extends AdvisedError {
  override name = 'NotLoggedInError'
}
export class UsageError extends AdvisedError {
  override name = 'UsageError'
  constructor(message: string, next = 'run the command with --help for usage') {
    super(message, next)
  }
}
/** The error of a command that ran to its end without success, for example because the payment was not paid. */
export class FailedError extends AdvisedError {
  override name = 'FailedError'
}
export class CancelledError extends AdvisedError {
  override name = 'CancelledError'
  constructor() {
    super('cancelled, nothing was changed', 'run the command again to continue')
  }
}

export function failureOf(error: unknown, source: Source): Failure {
  if (error instanceof CommanderError) return usageFailure(error)
  if (error instanceof AdvisedError) {
    const { message, next } = error
    if (error instanceof NotLoggedInError)
      return { exitCode: NOT_LOGGED_IN, code: 'NOT_LOGGED_IN', message, next }
    if (error instanceof UsageError) return { exitCode: USAGE, code: 'USAGE', message, next }
    const code = error instanceof CancelledError ? 'CANCELLED' : 'FAILED'
    return { exitCode: FAILED, code, message, next }
  }
  if (error instanceof GapuraError) {
    const { code, message, status, requestId, field, idempotencyKey } = error
    const exitCode =
      error instanceof UnauthorizedError || error instanceof OtpRequiredError ? NOT_LOGGED_IN : FAILED
    const next = nextAfter(error, source)
    return { exitCode, code, message, next, status, requestId, field, idempotencyKey }
  }
  return {
    exitCode: FAILED,
    code: 'UNEXPECTED',
    message: String(error),
    next: 'this is a bug in gapura; please report it',
  }
}

/**
 * Converts an error of the library Commander into a failure of the CLI. Commander throws an error even after
 * `--help` and `--version`, so these failures have no message.
 */
function usageFailure({ code, exitCode, message }: CommanderError): Failure {
  const shown = ['commander.help', 'commander.helpDisplayed', 'commander.version'].includes(code)
  return {
    exitCode: exitCode === 0 ? 0 : USAGE,
    code: 'USAGE',
    message: shown ? '' : message.replace(/^error: /, ''),
    next: 'run the command with --help for usage',
  }
}

function nextAfter(error: GapuraError, source: Source): string {
  const again = againOf(error)
  if (error instanceof UnauthorizedError) return nextAfterUnauthorized(source)
  if (error instanceof OtpRequiredError) return 'run gapura second-factor confirm, then repeat the command'
  if (error instanceof ForbiddenError)
    return 'use an API key or a user that has this permission (gapura whoami shows who you are)'
  if (error instanceof BadRequestError) return `correct ${optionOf(error.field)}`
  if (error instanceof NotFoundError)
    return error.message.includes(' yet;')
      ? 'try again later'
      : 'check the id, and whether you use the right tenant and mode (gapura whoami)'
  if (error instanceof InvalidStateTransitionError)
    return 'check the status of the payment with gapura payments get or gapura payments timeline'
  if (error instanceof ConflictError) return 'check the current state before you continue'
  if (error instanceof IdempotencyConflictError)
    return error.retryAfterMs === undefined
      ? 'use a different --idempotency-key for a different order'
      : again
  // An error with Retry-After can mean that the outcome of the charge is unknown. The user is then never advised to pay
  // by another channel, because the payer could be charged twice for one order.
  if (
    error instanceof ProviderError &&
    error.idempotencyKey !== undefined &&
    error.retryAfterMs === undefined
  )
    return 'choose another --channel or --method, with a new --idempotency-key'
  if (error instanceof ConnectionError || error instanceof TimeoutError)
    return `check GAPURA_BASE_URL, and check with gapura doctor that the service is running; then ${again}`
  if (error instanceof UnexpectedResponseError)
    return error.idempotencyKey !== undefined || error.outcomeUnknown
      ? `check GAPURA_BASE_URL and the proxy in front of the service; then ${again}`
      : 'check GAPURA_BASE_URL'
  if (
    error instanceof ProviderError ||
    error instanceof RateLimitedError ||
    error instanceof ServiceUnavailableError
  )
    return `wait ${waitOf(error)}, then ${again}`
  return error.requestId === undefined
    ? again
    : `${again}, or send the request id ${error.requestId} to the operator`
}

function waitOf({ retryAfterMs = 0 }: GapuraError): string {
  const seconds = Math.ceil(retryAfterMs / 1_000)
  if (seconds <= 1) return 'a moment'
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}

function againOf({ idempotencyKey, outcomeUnknown }: GapuraError): string {
  if (idempotencyKey !== undefined) return `repeat the command with --idempotency-key ${idempotencyKey}`
  return outcomeUnknown ? 'check whether the command took effect before you retry' : 'try again'
}

function nextAfterUnauthorized(source: Source): string {
  switch (source) {
    case 'GAPURA_API_KEY':
      return 'set GAPURA_API_KEY to a valid API key of this service'
    case 'GAPURA_ACCESS_TOKEN':
      return 'set GAPURA_ACCESS_TOKEN to a token that has not expired, or unset the variable and run gapura login'
    case 'profile key':
      return 'create and save a new API key: gapura keys create --mode test --save'
    case 'password':
      return 'check the email address, the password and the URL of the service'
    default:
      return 'run gapura login'
  }
}

/** Returns the command-line option that sets the given API field. */
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
    customer_ip: '--customer-ip',
    items: '--items',
    expiry_minutes: '--expiry-minutes',
    return_url: '--return-url',
    'X-Idempotency-Key': '--idempotency-key',
    grace_minutes: '--grace-minutes',
    group_by: '--by',
    q: '--query',
    parent_id: '--parent',
    base_url: '--base-url',
    callback_url: 'the URL',
    since: '--failed-since',
    display_name: '--display-name',
    color: '--color',
    logo: '--logo',
    payment_id: '--payment',
    email: 'the email address',
    password: 'the password',
    current_password: 'the current password',
    new_password: 'the new password',
    token: 'the token',
    code: 'the code',
  }
  if (
    [
      'name',
      'role',
      'tier',
      'mode',
      'status',
      'provider',
      'from',
      'to',
      'date',
      'reason',
      'limit',
      'cursor',
    ].includes(field)
  )
    return `--${field}`
  // An error in a list's item names the option that sets the list. For example, an error in the field
  // items.0.price names --items.
  return option[field] ?? option[field.split('.')[0] ?? ''] ?? (field || 'the command')
}
