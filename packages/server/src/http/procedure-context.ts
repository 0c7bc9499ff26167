import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Caller, type Context, identifyCaller, identifyUserAgain } from '../api/context.ts'
import type { App } from '../app.ts'
import { limitKeyGuesses } from '../auth/api-keys/key-guess-limit.ts'
import { GatewayError } from '../faults/errors.ts'
import { addLogFields } from '../logging/log.ts'
import { rateLimit } from './admission/rate-limit.ts'
import type { ClientAddress } from './client-address.ts'
import { networkSourceOf } from './network-source.ts'
import { onResponseEnd } from './response-end.ts'
import type { RunningHandlers } from './running-handlers.ts'

/**
 * The data that a route passes to the middleware that logs requests: the caller, if the route has identified
 * one, and the address of the client.
 */
export type RequestState = { caller?: Caller | GatewayError; clientAddress?: string | undefined }

/** Returns the request's context. `calls` is the number of procedure calls in the request. */
export type ContextOf = (
  exchange: { req: IncomingMessage; res: ServerResponse; state: RequestState },
  setHeader: (name: string, value: string) => void,
  calls: number,
) => Promise<Context>

/**
 * Returns a function that creates the context of a procedure call from its HTTP request, for REST and for tRPC. The
 * function throws RATE_LIMITED if the caller exceeds its rate limit. The signal `stopping` is aborted when the server
 * stops.
 */
export function procedureContext(
  app: App,
  addressOf: ClientAddress,
  { stopping, running }: { stopping: AbortSignal; running: RunningHandlers },
): ContextOf {
  const limit = rateLimit()
  const findKey = limitKeyGuesses(app.credentialOf)
  return async ({ req, res, state }, setHeader, calls) => {
    const arrivedAt = app.clock()
    const { headers } = req
    const source = () => networkSourceOf(addressOf(req))
    const address = addressOf(req)
    const identify = () =>
      identifyCaller(app, headers.authorization, address, hash => findKey(hash, source()))
    const caller = await identify()
    Object.assign(state, { caller, clientAddress: address } satisfies RequestState)
    if (!(caller instanceof GatewayError)) addLogFields({ tenantId: caller.tenantId })
    limit(caller, calls, setHeader)
    return {
      app,
      arrivedAt,
      caller,
      identifyAgain: () =>
        'kind' in caller && caller.kind === 'user' ? identifyUserAgain(app, caller) : identify(),
      idempotencyKey: headers['x-idempotency-key']?.toString(),
      source,
      client: { address, userAgent: headers['user-agent'] },
      stopping,
      track: running.track,
      setHeader,
      onReceived: onResponseEnd(res),
    }
  }
}
