// Logs every attempt and its result. Credentials, bodies and queries are never logged, because they may contain
// customer data.

import { GapuraError } from './errors.ts'

/**
 * The fields that are logged for one attempt to send a request.
 *
 * @example
 * const log = (message: string, { durationMs, requestId }: LogFields) => console.log(message, durationMs, requestId)
 */
export type LogFields = {
  /** The HTTP method. */
  method: string
  /** The path without its query. */
  path: string
  /** The attempt number, starting at 1. */
  attempt: number
  /** The attempt's duration in milliseconds. */
  durationMs: number
  /** The HTTP status, or undefined if no response was received. */
  status: number | undefined
  /** The request's ID in the service's logs. */
  requestId: string | undefined
  /** The error code, if the attempt failed. */
  code?: string
  /** The time in milliseconds until the next attempt, if there is one. */
  retryInMs?: number
}

type Log = (message: string, fields: LogFields) => void

/**
 * Receives one message per attempt: `debug` for a success, `info` for a rejected or aborted request, `warn` for a
 * failure that is retried, and `error` for a final failure. `console` can be used as a logger.
 *
 * @example
 * const gapura = new Gapura({ apiKey, baseUrl, logger: console })
 */
export type Logger = { debug: Log; info: Log; warn: Log; error: Log }

type Attempt = Pick<LogFields, 'method' | 'path' | 'attempt' | 'durationMs'>

export function logResponse(
  logger: Logger | undefined,
  tried: Attempt,
  { status, requestId }: Received,
): void {
  log(logger, 'debug', `${tried.method} ${tried.path}: ${status}`, { ...tried, status, requestId })
}

type Received = { status: number | undefined; requestId: string | undefined }

/** Logs a failed attempt. `retryInMs` is undefined if this was the last attempt. */
export function logFailure(
  logger: Logger | undefined,
  tried: Attempt,
  error: unknown,
  retryInMs: number | undefined,
): void {
  const known = error instanceof GapuraError
  const { status, requestId }: Received = known ? error : { status: undefined, requestId: undefined }
  // An error caused by an abort or by the caller's mistake has no error code, so the log contains the error's
  // name.
  const code = known ? error.code : ((error as Error | undefined)?.name ?? String(error))
  const fields = { ...tried, status, requestId, code }
  const message = `${tried.method} ${tried.path}: ${code}`
  if (retryInMs !== undefined) log(logger, 'warn', `${message}, retrying`, { ...fields, retryInMs })
  else if (!known || (status !== undefined && status < 500)) log(logger, 'info', message, fields)
  else log(logger, 'error', message, fields)
}

/**
 * Calls the logger. An error thrown by the logger is ignored, so that a successful payment does not look like a
 * failure.
 */
function log(logger: Logger | undefined, level: keyof Logger, message: string, fields: LogFields): void {
  try {
    logger?.[level](message, fields)
  } catch {
    // A logger's own error cannot be logged, so it is ignored.
  }
}
