// Logs one JSON line per event, or readable text on a terminal. Each line has the ID of its request or job and,
// once known, the IDs of the tenant and the payment.

import { AsyncLocalStorage } from 'node:async_hooks'
import { type Logger, type LoggerOptions, pino } from 'pino'
import { currentSpan, isTracing } from '../tracing/span.ts'
import { type LineWriter, lineWriter } from './line-writer.ts'
import { isNotable, prettyLine } from './pretty-line.ts'

export type { Logger }

export type LogFields = {
  requestId?: string
  job?: string
  jobId?: string
  provider?: string
  callbackId?: string
  tenantId?: string
  paymentId?: string
  paymentCode?: string
  refundId?: string
}

/**
 * The log context of a request or job. `providerMs` is the time, in milliseconds, that the request or job has spent
 * waiting for providers so far.
 */
type LogContext = { fields: LogFields; providerMs: number }

const contexts = new AsyncLocalStorage<LogContext>()

/**
 * Runs `handle` and adds `fields` to every line it logs. If `handle` is within another call of this function,
 * the fields of that call are added too.
 */
export const withLogFields = <T>(fields: LogFields, handle: () => T): T =>
  contexts.run({ fields: { ...contexts.getStore()?.fields, ...fields }, providerMs: 0 }, handle)

export const withRequestId = <T>(requestId: string, handle: () => T): T =>
  contexts.run({ fields: { requestId }, providerMs: 0 }, handle)

/** Adds fields to all later log lines of the current request or job. */
export function addLogFields(fields: LogFields): void {
  const current = contexts.getStore()
  if (current) Object.assign(current.fields, fields)
}

export const currentLogFields = (): Readonly<LogFields> => contexts.getStore()?.fields ?? {}

export const currentRequestId = (): string | undefined => contexts.getStore()?.fields.requestId

/** Adds `ms` to the time the current request or job has spent waiting for providers. */
export function addProviderTime(ms: number): void {
  const current = contexts.getStore()
  if (current) current.providerMs += ms
}

export const currentProviderMs = (): number => contexts.getStore()?.providerMs ?? 0

/** All loggers in a process share this writer, because a process has only one standard output. */
const output = lineWriter(process.stdout.fd)
process.once('exit', output.flush)

/**
 * Creates the logger. Buffered lines are written when the process exits, so lines are lost only if the process is
 * killed with `kill -9`.
 */
export const createLog = (level: string): Logger =>
  pino(logOptions(level), process.stdout.isTTY ? forTerminal(output, level === 'debug') : output)

const forTerminal = ({ write }: Pick<LineWriter, 'write'>, showsAll: boolean) => ({
  write: (line: string) => {
    if (showsAll || isNotable(line)) write(prettyLine(line))
  },
})

export const logOptions = (level: string): LoggerOptions => ({
  level,
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: label => ({ level: label }) },
  // Returns a copy of the log context's fields, because pino adds the fields of the log line to the returned
  // object.
  mixin: () => ({
    ...contexts.getStore()?.fields,
    ...(isTracing() && { traceId: currentSpan()?.traceId }),
  }),
  serializers: { err: (error: unknown) => describe(error) },
})

/**
 * Returns only an error's name, message, code, stack, cause and nested errors, because errors may also contain a query's
 * parameters or a request's headers.
 */
function describe(error: unknown, left = { errors: MAX_NESTED_ERRORS }): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack, cause } = error
  const code = (error as { code?: unknown }).code
  return {
    name,
    message,
    ...(code !== undefined && { code }),
    stack,
    ...(cause !== undefined && { cause: describe(cause, left) }),
    ...(error instanceof AggregateError && { errors: describeNested(error.errors, left) }),
  }
}

/**
 * The maximum number of nested errors (the errors in an AggregateError) in one log line. The limit keeps log lines
 * short, because each error is logged with its stack trace.
 */
const MAX_NESTED_ERRORS = 10

function describeNested(errors: unknown[], left: { errors: number }): object[] {
  const described: object[] = []
  for (const error of errors) {
    if (left.errors === 0) break
    left.errors--
    described.push(describe(error, left))
  }
  const omitted = errors.length - described.length
  return omitted === 0 ? described : [...described, { message: `${omitted} more` }]
}
