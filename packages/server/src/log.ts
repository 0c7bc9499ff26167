// One JSON line an event. What is logged while a request is handled carries the request's id.

import { AsyncLocalStorage } from 'node:async_hooks'
import { type Logger, pino } from 'pino'

const request = new AsyncLocalStorage<{ requestId: string }>()

export const withRequestId = <T>(requestId: string, handle: () => T): T => request.run({ requestId }, handle)

/** Of the request being handled, if one is. */
export const currentRequestId = (): string | undefined => request.getStore()?.requestId

export function createLog(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: label => ({ level: label }) },
    // A copy: pino writes the fields of the line into what it gets.
    mixin: () => ({ ...request.getStore() }),
    serializers: { err: describe },
  })
}

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
