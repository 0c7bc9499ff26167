import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream'
import { type Caller, type Context, identifyCaller } from '../api/context.ts'
import type { App } from '../app.ts'
import { limitKeyGuesses } from '../auth/api-keys/key-guess-limit.ts'
import { GatewayError } from '../faults/errors.ts'
import { addLogFields } from '../logging/log.ts'
import { rateLimit } from './admission/rate-limit.ts'
import type { ClientAddress } from './client-address.ts'
import { networkSourceOf } from './network-source.ts'

/**
 * The data a route passes to the request-logging middleware: the caller, if the route identified one, and the
 * client's address.
 */
export type RequestState = { caller?: Caller | GatewayError; clientAddress?: string | undefined }

/** Returns the request's context. `calls` is the number of procedure calls in the request. */
export type ContextOf = (
  exchange: { req: IncomingMessage; res: ServerResponse; state: RequestState },
  setHeader: (name: string, value: string) => void,
  calls: number,
) => Promise<Context>

/**
 * Returns a function that builds a procedure call's context from its request, over REST or tRPC. It throws
 * RATE_LIMITED if the caller exceeds its rate limit.
 */
export function procedureContext(app: App, addressOf: ClientAddress): ContextOf {
  const limit = rateLimit()
  const findKey = limitKeyGuesses(app.credentialOf)
  return async ({ req, res, state }, setHeader, calls) => {
    const { headers } = req
    const source = () => networkSourceOf(addressOf(req))
    const address = addressOf(req)
    const caller = await identifyCaller(app, headers.authorization, address, hash => findKey(hash, source()))
    Object.assign(state, { caller, clientAddress: address } satisfies RequestState)
    if (!(caller instanceof GatewayError)) addLogFields({ tenantId: caller.tenantId })
    limit(caller, calls, setHeader)
    return {
      app,
      caller,
      idempotencyKey: headers['x-idempotency-key']?.toString(),
      source,
      client: { address, userAgent: headers['user-agent'] },
      setHeader,
      onReceived: run => void finished(res, () => run()),
    }
  }
}
