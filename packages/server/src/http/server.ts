// The HTTP server: the order of its middleware, its routes, and how it shuts down.

import { type IncomingMessage, STATUS_CODES } from 'node:http'
import Router from '@koa/router'
import Koa from 'koa'
import { gatewayErrorOf } from '../api/trpc.ts'
import type { App } from '../app.ts'
import { probeDatabase } from '../db/database-probe.ts'
import type { GatewayError } from '../faults/errors.ts'
import { fault } from '../faults/fault.ts'
import { currentProviderMs, withRequestId } from '../logging/log.ts'
import { isTracing } from '../tracing/span.ts'
import { newId } from '../values/id.ts'
import { admission, inSlotOfSource, rejectWhileDatabaseSilent } from './admission/admission.ts'
import { UnreadBodyError } from './admission/body-size.ts'
import { limitConnections } from './admission/connections.ts'
import { limitPipelining } from './admission/pipelining.ts'
import { mountCallbacks } from './callbacks.ts'
import { clientAddress } from './client-address.ts'
import { cors } from './cors.ts'
import { errorBody, sendError } from './envelope.ts'
import { mountHealth, type Readiness } from './health.ts'
import { countFailure, observeRequest } from './http-metrics.ts'
import { isStillSending, sendBeforeLingeringClose } from './lingering-close.ts'
import { createListener, drain, type Listener, listen } from './listener.ts'
import { mountMetrics } from './metrics.ts'
import { networkSourceOf } from './network-source.ts'
import { noteApiRequest } from './note-api-request.ts'
import { mountBrandLogo } from './pages/brand-logo.ts'
import { mountDashboard } from './pages/dashboard.ts'
import { mountDocs } from './pages/docs.ts'
import { mountLedgerStatement } from './pages/ledger-statement.ts'
import { mountQrPicture } from './pages/qr-picture.ts'
import { mountReturnPage } from './pages/return-page.ts'
import { procedureContext } from './procedure-context.ts'
import { requestIdOf } from './request-id.ts'
import { inRequestSpan } from './request-span.ts'
import { responseEnd } from './response-end.ts'
import { mountRest } from './rest.ts'
import { runningHandlers } from './running-handlers.ts'
import { securityHeaders, securityHeadersOf } from './security-headers.ts'
import type { TlsFiles } from './tls.ts'
import { mountTrpc } from './trpc-route.ts'
import { warnOfUntrustedProxy } from './untrusted-proxy.ts'

/** The limits that protect the HTTP server from clients that open too many connections or send slowly. */
const limits = {
  /** The maximum number of open connections. An idle connection takes about 20 kB of memory. */
  connections: 8_192,
  headersTimeout: 10_000,
  /**
   * The time limit for receiving a whole request. It is long enough for a settlement file of 64 MiB, which takes 107
   * seconds at five megabits per second.
   */
  requestTimeout: 120_000,
  /**
   * If no data has been sent or received on a connection for this long, the connection is closed. Its client does not
   * read the response or can no longer be reached.
   */
  inactivityTimeout: 120_000,
  connectionsCheckingInterval: 5_000,
  /** How long a stopping server still accepts requests on open connections (listener.ts). */
  stoppingIdleTimeout: 1_000,
  /**
   * If the database has not responded for this many milliseconds, requests are rejected. The limit for callbacks from
   * providers is longer, because callbacks may report received money.
   */
  databaseSilence: { callbacks: 5_000, others: 2_000 },
}

/**
 * How long a stopping server waits for handlers that are still running after all connections are closed. A charge ends
 * within 18 s (payments/create/idempotency.ts), and its result is then stored.
 */
const HANDLERS_END_WITHIN_MS = 20_000

export type HttpServer = { url: string; stop(): Promise<void> }

export type HttpOptions = {
  host: string
  openapi: string
  /**
   * The base URL of the "edit this page" links in the documentation. The path of a page's file in the
   * repository is appended to this URL.
   */
  docsEditUrl?: string | undefined
  readiness: Readiness
  metricsToken: string | undefined
  /** The IP addresses and CIDR ranges of the proxies whose X-Forwarded-For header is trusted. */
  trustedProxies?: readonly string[]
  /** The certificate and key for TLS. If undefined, the server uses HTTP/1.1 without TLS. */
  tls?: TlsFiles | undefined
  limits?: Partial<typeof limits>
}

/**
 * Creates the HTTP server, which accepts connections after `listen` has been called. With port 0, the system chooses
 * a free port. If the port is in use, `listen` rejects with EADDRINUSE.
 */
export function createHttp(app: App, options: HttpOptions): { listen(port: number): Promise<HttpServer> } {
  const koa = new Koa()
  // The middleware `handleErrorsAndLog` handles all errors of requests. The only errors that reach this handler are
  // from connections that the client has reset. By default, Koa would print them.
  koa.on('error', error => app.log.debug({ err: error }, 'connection closed early'))
  const stopping = new AbortController()
  const running = runningHandlers()
  koa.use((ctx, next) => {
    responseEnd(ctx.res)
    return running.track(next())
  })
  koa.use(announceStop(() => stopping.signal.aborted || options.readiness().stopping))
  koa.use(handleErrorsAndLog(app))
  koa.use(securityHeaders(app))
  koa.use(requireHost)
  koa.use(cors)
  const probe = probeDatabase(app.db)
  const { connections, inactivityTimeout, stoppingIdleTimeout, databaseSilence, ...times } = {
    ...limits,
    ...options.limits,
  }
  koa.use(rejectWhileDatabaseSilent(probe, databaseSilence))
  const admit = admission()
  // Paths are case-sensitive, because proxies that restrict access to some paths treat paths as case-sensitive
  // too. A router tries its paths one by one, so the payment flow has its own router, which is tried first.
  const flow = new Router({ sensitive: true })
  const router = new Router({ sensitive: true })
  const { trustedProxies = [] } = options
  const ownAddress = clientAddress(trustedProxies)
  const addressOf = trustedProxies.length > 0 ? ownAddress : warnOfUntrustedProxy(ownAddress, app.log)
  const sourceOf = (request: IncomingMessage) => networkSourceOf(addressOf(request))
  const contextOf = procedureContext(app, addressOf, { stopping: stopping.signal, running })
  mountCallbacks(flow, app, addressOf, admit)
  mountRest(path => (path.startsWith('/v1/payments') ? flow : router), contextOf, admit)
  mountHealth(router, app.db, options.readiness)
  mountMetrics(router, app, options)
  mountTrpc(router, app, { contextOf, admit })
  const pages = new Router({ sensitive: true })
  mountDocs(pages, {
    openapi: options.openapi,
    addresses: { service: app.publicUrl, sandbox: app.sandboxUrl },
    editUrl: options.docsEditUrl,
  })
  mountDashboard(pages)
  pages.get('/.well-known/jwks.json', async ctx => {
    ctx.body = { keys: (await app.keyRing()).keys.map(key => key.publicJwk) }
  })
  mountLedgerStatement(pages, app.db)
  mountQrPicture(pages, app.db)
  mountReturnPage(pages, app)
  mountBrandLogo(pages, app.db, sourceOf)
  koa.use(flow.routes())
  koa.use(router.routes())
  koa.use(inSlotOfSource(admit, sourceOf))
  koa.use(pages.routes())

  const handle = limitPipelining(app, koa.callback())
  const server = createListener(
    {
      ...times,
      keepAliveTimeout: 65_000,
      requireHostHeader: false,
    },
    handle,
    options.tls && { files: options.tls, log: app.log },
  )
  // A request with an unknown Expect header is handled like any other request. Without this handler, Node would respond
  // with an error that does not have our JSON envelope.
  server.on('checkExpectation', handle)
  limitConnections(server, connections)
  server.setTimeout(inactivityTimeout)
  rejectMalformed(server, app)
  return {
    listen: async port => ({
      url: await listen(server, { host: options.host, port }),
      async stop() {
        stopping.abort()
        app.live.stop()
        await drain(server, { idleMs: stoppingIdleTimeout })
        await running.allEnded(HANDLERS_END_WITHIN_MS)
        probe.stop()
      },
    }),
  }
}

/**
 * While the service shuts down, each response closes its connection so that the client sends no further request on
 * it.
 */
function announceStop(isStopping: () => boolean): Koa.Middleware {
  return async (ctx, next) => {
    const tell = () => {
      if (isStopping() && !ctx.headerSent) endConnection(ctx)
    }
    // The header `Connection` is set both before and after the handler runs. Some handlers send the response
    // before they return, and the service may begin to shut down while a handler runs.
    tell()
    await next()
    tell()
  }
}

/**
 * Notifies the client that the connection will be closed. With HTTP/2, the server closes the connection after
 * it has responded to all requests in flight (RFC 9113, 6.8).
 */
function endConnection(ctx: Koa.Context): void {
  if (ctx.req.httpVersionMajor < 2) ctx.set('Connection', 'close')
}

/** Sets the request ID, converts errors to responses with the JSON envelope, and logs one line per request. */
function handleErrorsAndLog(app: App): Koa.Middleware {
  return (ctx, next) => {
    const requestId = requestIdOf(ctx.get('x-request-id'))
    ctx.set('X-Request-Id', requestId)
    const handle = async () => {
      const startedAt = performance.now()
      let failure: GatewayError | undefined
      try {
        await next()
        if (ctx.status === 404 && ctx.body === undefined && ctx.respond !== false) throw unroutedError(ctx)
      } catch (error) {
        failure = gatewayErrorOf(error)
        countFailure(ctx._matchedRoute, failure.code)
        if (failure.code === 'INTERNAL_ERROR') app.log.error({ err: error }, 'request failed')
        if (failure instanceof UnreadBodyError) endConnection(ctx)
        sendError(ctx, failure, requestId)
      }
      const ms = performance.now() - startedAt
      logRequest(app, ctx, ms)
      noteApiRequest(app, ctx, { requestId, failure, ms })
      if (failure && !(failure instanceof UnreadBodyError) && isStillSending(ctx))
        await sendBeforeLingeringClose(ctx)
    }
    return withRequestId(requestId, () => (isTracing() ? inRequestSpan(ctx, requestId, handle) : handle()))
  }
}

/**
 * HTTP/1.1 requires exactly one Host header (RFC 9112, 3.2). The service checks this itself, because the response that
 * Node would send by default does not have our API's error format.
 */
const requireHost: Koa.Middleware = (ctx, next) => {
  const { httpVersion, rawHeaders } = ctx.req
  const count = rawHeaders.filter(
    (name, i) => i % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host',
  ).length
  if (count > 1 || (count === 0 && httpVersion === '1.1'))
    throw fault('host_not_single', {}, { field: 'Host' })
  return next()
}

/**
 * Returns the error for a request that no route handled, because the path is unknown or does not support the
 * request's method.
 */
function unroutedError(ctx: Koa.Context): GatewayError {
  const layers = (ctx.matched ?? []) as { methods: string[] }[]
  const methods = new Set(layers.flatMap(layer => layer.methods))
  if (methods.size === 0 || methods.has(ctx.method)) return fault('route_not_found', { path: ctx.path })
  const allow = [...methods].sort().join(', ')
  ctx.set('Allow', allow)
  return fault('method_not_allowed', { method: ctx.method, path: ctx.path, allow })
}

function logRequest(app: App, ctx: Koa.Context, ms: number): void {
  const { method, status } = ctx
  const providerMs = currentProviderMs()
  // Subscriptions are not measured, because a subscription lasts as long as its dashboard page is open. Its
  // duration would therefore distort the metric.
  const isListening = String(ctx.res.getHeader('content-type')).startsWith('text/event-stream')
  if (!isListening) observeRequest({ method, route: ctx._matchedRoute, status }, ms, providerMs)
  app.log.info(
    {
      method,
      route: ctx._matchedRoute ?? '',
      status,
      ms: Math.round(ms),
      ...(providerMs > 0 && { providerMs: Math.round(providerMs) }),
    },
    'request',
  )
}

/** Responds to requests that never reach Koa because they are incomplete or not valid HTTP. */
function rejectMalformed(server: Listener, app: App): void {
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy()
    const failure = malformed(error.code)
    const body = errorBody(failure, '')
    const head = [
      `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
      'Content-Type: application/json',
      `X-Request-Id: ${newId()}`,
      ...securityHeadersOf(app).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  })
}

function malformed(code: string | undefined): GatewayError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return fault('headers_too_large')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return fault('request_unfinished')
    default:
      return fault('not_http')
  }
}
