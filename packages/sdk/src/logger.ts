// What a logger is told: that a try was made and how it ended. Never a credential, a body or a query, which may
// name a customer.

import { GapuraError } from './errors.ts'

/**
 * What is known of one try.
 *
 * @example
 * const log = (message: string, { ms, requestId }: LogFields) => console.log(message, ms, requestId)
 */
export type LogFields = {
  method: string
  /** Without its query. */
  path: string
  /** 1 is the first. */
  try: number
  ms: number
  /** Undefined where no answer came. */
  status: number | undefined
  requestId: string | undefined
  /** Of the error, where it failed. */
  code?: string
  /** How long is waited before it is tried again, where it is. */
  retryInMs?: number
}

type Log = (message: string, fields: LogFields) => void

/**
 * Told of each try: `debug` when it is answered, `warn` when it failed and is made again, `info` when it is refused
 * or aborted, `error` when it failed for good. `console` is one.
 *
 * @example
 * const gapura = new Gapura({ apiKey, baseUrl, logger: console })
 */
export type Logger = { debug: Log; info: Log; warn: Log; error: Log }

type Try = Pick<LogFields, 'method' | 'path' | 'try' | 'ms'>

export function logAnswer(logger: Logger | undefined, tried: Try, { status, requestId }: Told): void {
  tell(logger, 'debug', `${tried.method} ${tried.path}: ${status}`, { ...tried, status, requestId })
}

type Told = { status: number | undefined; requestId: string | undefined }

/** retryInMs: undefined where the try was the last. */
export function logFailure(
  logger: Logger | undefined,
  tried: Try,
  error: unknown,
  retryInMs: number | undefined,
): void {
  const known = error instanceof GapuraError
  const { status, requestId }: Told = known ? error : { status: undefined, requestId: undefined }
  // An abort, or a mistake in the call, has no code.
  const code = known ? error.code : ((error as Error | undefined)?.name ?? String(error))
  const fields = { ...tried, status, requestId, code }
  const message = `${tried.method} ${tried.path}: ${code}`
  if (retryInMs !== undefined) tell(logger, 'warn', `${message}, tried again`, { ...fields, retryInMs })
  else if (!known || (status !== undefined && status < 500)) tell(logger, 'info', message, fields)
  else tell(logger, 'error', message, fields)
}

/** A logger that fails must not make a payment that was created look like one that was not. */
function tell(logger: Logger | undefined, level: keyof Logger, message: string, fields: LogFields): void {
  try {
    logger?.[level](message, fields)
  } catch {
    // It is the one place where this could have been told.
  }
}
