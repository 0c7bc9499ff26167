// One JSON line an event. What is logged while a request is handled carries the request's id.

import { AsyncLocalStorage } from 'node:async_hooks'
import { type Logger, type LoggerOptions, pino } from 'pino'
import { lineWriter } from './line-writer.ts'

const request = new AsyncLocalStorage<{ requestId: string }>()

export const withRequestId = <T>(requestId: string, handle: () => T): T => request.run({ requestId }, handle)

/** Of the request being handled, if one is. */
export const currentRequestId = (): string | undefined => request.getStore()?.requestId

/** Of the process, which has one standard output. */
const output = lineWriter(process.stdout.fd)
process.once('exit', output.flush)

/** What is not written yet when the process ends is written then; after `kill -9` the last lines are missing. */
export function createLog(level: string): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: label => ({ level: label }) },
    // A copy: pino writes the fields of the line into what it gets.
    mixin: () => ({ ...request.getStore() }),
    serializers: { err: describe },
  }
  return pino(options, output)
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
