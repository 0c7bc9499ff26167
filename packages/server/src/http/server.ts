// The HTTP server: the order of its middleware, what is mounted where, and how it stops.

import { randomUUIDv7 } from 'node:crypto'
import { createServer, type Server, STATUS_CODES } from 'node:http'
import Router from '@koa/router'
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http'
import Koa from 'koa'
import { appRouter } from '../api/router.ts'
import { gatewayErrorOf } from '../api/trpc.ts'
import type { App } from '../app.ts'
import { GatewayError } from '../errors.ts'
import { withRequestId } from '../log.ts'
import { mountCallbacks } from './callbacks.ts'
import { cors } from './cors.ts'
import { mountDocs } from './docs.ts'
import { fail, failureBody, requestIdOf } from './envelope.ts'
import { mountHealth, type Readiness } from './health.ts'
import { mountMetrics } from './metrics.ts'
import { type ContextOf, procedureContext } from './procedure-context.ts'
import { mountRest } from './rest.ts'

/** How long requests under way may take to end once the service is told to stop. */
const DRAIN_MS = 10_000
/** For the whole of a request: a settlement of 64 MiB over five megabits a second takes 107 seconds. */
const REQUEST_TIMEOUT_MS = 120_000

export type HttpServer = { url: string; stop(): Promise<void> }

export type HttpOptions = {
  host: string
  port: number
  openapi: string
  readiness: Readiness
  metricsToken: string | undefined
}

/** Throws EADDRINUSE. port 0: any free one. */
export async function startHttp(app: App, options: HttpOptions): Promise<HttpServer> {
  const koa = new Koa()
  koa.use(answer(app))
  koa.use(cors)
  const router = new Router()
  const contextOf = procedureContext(app)
  mountRest(router, contextOf)
  mountCallbacks(router, app)
  mountHealth(router, app.db, options.readiness)
  mountMetrics(router, app, options)
  mountTrpc(router, app, contextOf)
  mountDocs(router, options.openapi)
  router.get('/.well-known/jwks.json', async ctx => {
    ctx.body = { keys: (await app.keyRing()).keys.map(key => key.publicJwk) }
  })
  koa.use(router.routes())

  const server = createServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: 10_000,
      keepAliveTimeout: 65_000,
      requireHostHeader: false,
    },
    koa.callback(),
  )
  // An expectation that nobody has heard of is ignored; Node's own answer would not be in the envelope.
  server.on('checkExpectation', koa.callback())
  refuseMalformed(server)
  await listen(server, options)
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : options.port
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    stop: () => drain(server),
  }
}

/** Outermost: the request's id, the envelope for whatever goes wrong, one line of log. */
function answer(app: App): Koa.Middleware {
  return (ctx, next) => {
    const requestId = requestIdOf(ctx.get('x-request-id'), randomUUIDv7)
    ctx.set('X-Request-Id', requestId)
    return withRequestId(requestId, async () => {
      const startedAt = performance.now()
      try {
        await next()
        if (ctx.status === 404 && ctx.body === undefined && ctx.respond !== false)
          throw new GatewayError('NOT_FOUND', `route ${ctx.path} not found`)
      } catch (error) {
        const fault = gatewayErrorOf(error)
        if (fault.code === 'INTERNAL_ERROR') app.log.error({ err: error }, 'request failed')
        // Nobody waits for the end of a body that is too large. Of an upload the rest is read and thrown away, for as
        // long as a request may take: who is cut off while sending never sees the answer.
        if (fault.code === 'PAYLOAD_TOO_LARGE' && !ctx.state.isUpload) ctx.set('Connection', 'close')
        fail(ctx, fault, requestId)
      }
      const route = ctx._matchedRoute ?? ''
      app.log.info(
        { method: ctx.method, route, status: ctx.status, ms: Math.round(performance.now() - startedAt) },
        'request',
      )
    })
  }
}

/** The same procedures for TypeScript callers, in tRPC's own protocol. */
function mountTrpc(router: Router, app: App, contextOf: ContextOf): void {
  router.all('/trpc/*path', async ctx => {
    ctx.respond = false
    // Koa begins with 404, and the adapter keeps what is not 200.
    ctx.res.statusCode = 200
    await nodeHTTPRequestHandler({
      router: appRouter,
      req: ctx.req,
      res: ctx.res,
      path: (ctx.params.path as string) ?? '',
      maxBodySize: 256 * 1024,
      // A batch is one token of the rate limit, and its log-ins are an argon2id each.
      maxBatchSize: 10,
      createContext: ({ req, res }) => contextOf(req, (name, value) => void res.setHeader(name, value)),
      onError: ({ error }) => {
        if (gatewayErrorOf(error).code === 'INTERNAL_ERROR')
          app.log.error({ err: error.cause ?? error }, 'tRPC call failed')
      },
    })
  })
}

/** What is no HTTP, or does not come to its end, never reaches Koa; it is answered all the same. */
function refuseMalformed(server: Server): void {
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy()
    const fault = malformed(error.code)
    const body = failureBody(fault, '')
    const head = [
      `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}`,
      'Content-Type: application/json',
      `X-Request-Id: ${randomUUIDv7()}`,
      'Connection: close',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  })
}

function malformed(code: string | undefined): GatewayError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new GatewayError('PAYLOAD_TOO_LARGE', 'the headers are too large')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new GatewayError('BAD_REQUEST', 'the request did not come to its end in time')
    default:
      return new GatewayError('BAD_REQUEST', 'this is not HTTP')
  }
}

function listen(server: Server, { host, port }: HttpOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Takes no new connection, lets requests under way end, then cuts what is left. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  server.closeIdleConnections()
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  // A connection that becomes idle while draining is of no more use.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  await closed
  clearTimeout(cut)
  clearInterval(sweep)
}
