// Serves /trpc, the route for TypeScript clients such as the dashboard.

import type Router from '@koa/router'
import type { TRPCError } from '@trpc/server'
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http'
import type Koa from 'koa'
import type { Context } from '../api/context.ts'
import { currentCaller } from '../api/current-caller.ts'
import { gatewayErrorOf } from '../api/trpc.ts'
import type { App } from '../app.ts'
import { GatewayError } from '../faults/errors.ts'
import { fault } from '../faults/fault.ts'
import { appRouter, proceduresOf } from '../router.ts'
import { type Admission, inSlot } from './admission/admission.ts'
import { bytesOf } from './admission/body-size.ts'
import { readJsonText } from './body.ts'
import { deviceCookie } from './device-cookie.ts'
import { challengeTo } from './envelope.ts'
import type { ContextOf } from './procedure-context.ts'
import { responseEnd } from './response-end.ts'
import { sessionCookie } from './session-cookie.ts'

/**
 * The maximum number of calls in one tRPC request. It is small because each call could be a login, for which a costly
 * argon2id hash must be computed.
 */
const MAX_BATCH = 10

/** Adds the route for TypeScript clients. They call the same procedures as the REST API, but over tRPC's protocol. */
export function mountTrpc(
  router: Router,
  app: App,
  { contextOf, admit }: { contextOf: ContextOf; admit: Admission },
): void {
  router.all('/trpc/*path', async ctx => {
    if (!['GET', 'HEAD', 'POST'].includes(ctx.method)) {
      ctx.set('Allow', 'GET, HEAD, POST')
      throw fault('method_not_allowed', { method: ctx.method, path: ctx.path, allow: 'GET, HEAD, POST' })
    }
    const path = (ctx.params.path as string) ?? ''
    // The path has already been percent-decoded once, and tRPC's adapter would decode it again. A path that still
    // contains `%` is therefore rejected.
    if (path.includes('%')) throw fault('route_not_found', { path: ctx.path })
    const names = new URLSearchParams(ctx.querystring).get('batch') === '1' ? path.split(',') : [path]
    // Content types other than JSON are rejected to prevent CSRF. A form on another site cannot send JSON. Without
    // this check, such a form could call procedures that need no body.
    if (ctx.method === 'POST' && !/^application\/json\b/i.test(ctx.get('content-type')))
      throw fault('call_not_json')
    // A batch with more than the maximum number of calls is rejected by tRPC's adapter. For the rate limit, it
    // counts as a batch with the maximum number.
    const calls = Math.min(names.length, MAX_BATCH)
    const context = await contextOf(ctx, (name, value) => ctx.set(name, value), calls)
    const withCurrentCaller = currentCaller(context)
    const owner = admit.ownerOf(context)
    // The middleware reads the body itself, before tRPC's adapter can read it, so that the service's limits for
    // bodies apply. If the service is going to reject the caller, the body is not read.
    if (ctx.method === 'POST') {
      const isRead = !(context.caller instanceof GatewayError) || names.some(isPublic)
      Object.assign(ctx.req, { body: isRead ? await readJsonText(ctx.req, owner) : '{}' })
    }
    const answer = async () => handleTrpc(app, ctx, path, await withCurrentCaller())
    // A subscription does not count as a concurrent request, because it lasts as long as the dashboard page is open.
    // The number of subscriptions is limited in live/watch-changes.ts.
    await (isSubscription(names) ? answer() : inSlot(owner, bytesOf(ctx.req), answer))
  })
}

async function handleTrpc(app: App, ctx: Koa.Context, path: string, context: Context): Promise<void> {
  const { hasEnded, ended } = responseEnd(ctx.res)
  // The client may have disconnected while the caller was identified. Nothing would then end tRPC's subscriptions.
  if (hasEnded()) throw fault('connection_closed')
  ctx.respond = false
  // tRPC's adapter sets its own status only if the current status is 200. Koa's initial status is 404, so 200 is set
  // first.
  ctx.res.statusCode = 200
  void nodeHTTPRequestHandler({
    router: appRouter,
    req: ctx.req,
    res: ctx.res,
    path,
    maxBatchSize: MAX_BATCH,
    createContext: async () => ({
      ...context,
      session: sessionCookie(ctx, app),
      device: deviceCookie(ctx, app),
    }),
    responseMeta: ({ errors }) => ({
      headers: { ...retryAfterOf(errors), ...challengeFor(errors) },
    }),
    onError: ({ error }) => {
      if (gatewayErrorOf(error).code === 'INTERNAL_ERROR')
        app.log.error({ err: error.cause ?? error }, 'tRPC call failed')
    },
  })
  // Waiting for the promise of tRPC's adapter is not enough: if the client disconnects, this promise never settles, and
  // the request would count as in flight forever.
  await ended
}

const publicNames = new Set(
  proceduresOf(appRouter).flatMap(([name, procedure]) =>
    procedure._def.meta?.access === 'public' ? [name] : [],
  ),
)
const subscriptions = new Set(
  proceduresOf(appRouter).flatMap(([name, procedure]) =>
    procedure._def.type === 'subscription' ? [name] : [],
  ),
)
const isSubscription = ([name = '', ...others]: string[]): boolean =>
  others.length === 0 && subscriptions.has(name)
const isPublic = (name: string): boolean => publicNames.has(name)

/**
 * Returns the Retry-After header for a batch of calls. Its value is the longest time that any of the calls must wait
 * before a retry.
 */
function retryAfterOf(errors: TRPCError[]): Record<string, string> {
  const seconds = Math.max(...errors.map(error => gatewayErrorOf(error).retryAfterSeconds ?? 0))
  return seconds > 0 ? { 'Retry-After': String(seconds) } : {}
}

function challengeFor(errors: TRPCError[]): Record<string, string> {
  const unauthorized = errors.map(gatewayErrorOf).find(({ code }) => code === 'UNAUTHORIZED')
  return unauthorized ? { 'WWW-Authenticate': challengeTo(unauthorized) } : {}
}
