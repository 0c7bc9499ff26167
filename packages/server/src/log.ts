// One JSON line an event. What is logged while a request or a job is handled carries what is known of it: its id, and
// the tenant and the payment once they are known.

import { AsyncLocalStorage } from 'node:async_hooks'
import { type Logger, type LoggerOptions, pino } from 'pino'
import { lineWriter } from './line-writer.ts'
import { currentSpan, isTracing } from './tracing/span.ts'

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
}

/** providerMs: spent waiting for providers so far. */
type Scope = { fields: LogFields; providerMs: number }

const scope = new AsyncLocalStorage<Scope>()

/** Every line that is logged meanwhile carries these, and those around it. */
export const withLogFields = <T>(fields: LogFields, handle: () => T): T =>
  scope.run({ fields: { ...scope.getStore()?.fields, ...fields }, providerMs: 0 }, handle)

export const withRequestId = <T>(requestId: string, handle: () => T): T =>
  scope.run({ fields: { requestId }, providerMs: 0 }, handle)

/** From now on lines of the request, or job, being handled carry these, too. */
export function addLogFields(fields: LogFields): void {
  const current = scope.getStore()
  if (current) Object.assign(current.fields, fields)
}

export const currentLogFields = (): Readonly<LogFields> => scope.getStore()?.fields ?? {}

/** Of the request being handled, if one is. */
export const currentRequestId = (): string | undefined => scope.getStore()?.fields.requestId

/** That the request being handled waited so long for a provider. */
export function addProviderTime(ms: number): void {
  const current = scope.getStore()
  if (current) current.providerMs += ms
}

export const currentProviderMs = (): number => scope.getStore()?.providerMs ?? 0

/** Of the process, which has one standard output. */
const output = lineWriter(process.stdout.fd)
process.once('exit', output.flush)

/** What is not written yet when the process ends is written then; after `kill -9` the last lines are missing. */
export const createLog = (level: string): Logger => pino(logOptions(level), output)

export const logOptions = (level: string): LoggerOptions => ({
  level,
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: label => ({ level: label }) },
  // A copy: pino writes the fields of the line into what it gets.
  mixin: () => ({
    ...scope.getStore()?.fields,
    ...(isTracing() && { traceId: currentSpan()?.traceId }),
  }),
  serializers: { err: describe },
})

/** Name, message, code and stack; nothing an error drags along (a query's bindings, a request's headers). */
function describe(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack, cause } = error
  const code = (error as { code?: unknown }).code
  return {
    name,
    message,
    ...(code !== undefined && { code }),
    stack,
    ...(cause !== undefined && { cause: describe(cause) }),
  }
}
