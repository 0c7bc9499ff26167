import type { IncomingMessage } from 'node:http'
import { type Context, identify } from '../api/context.ts'
import type { App } from '../app.ts'
import { sourceOf } from '../auth/source.ts'
import { type RateLimit, rateLimit } from './rate-limit.ts'

export type ContextOf = (
  request: IncomingMessage,
  setHeader: (name: string, value: string) => void,
) => Promise<Context>

/** What a procedure learns of the request that calls it, over REST or tRPC. Throws RATE_LIMITED. */
export function procedureContext(app: App, limit: RateLimit = rateLimit()): ContextOf {
  return async ({ headers, socket }, setHeader) => {
    const caller = await identify(app, headers.authorization)
    limit(caller)
    return {
      app,
      caller,
      idempotencyKey: headers['x-idempotency-key']?.toString(),
      source: sourceOf(socket.remoteAddress),
      setHeader,
    }
  }
}
