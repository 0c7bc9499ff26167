// Limits pipelined requests: those sent on a connection before earlier ones have a response. One read of a connection
// could otherwise start hundreds of them in one turn of the event loop.

import { randomUUIDv7 } from 'node:crypto'
import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { App } from '../app.ts'
import { fault } from '../faults/fault.ts'
import { failureBody } from './envelope.ts'
import { httpMetrics } from './http-metrics.ts'
import { securityHeadersOf } from './security-headers.ts'

/** The limit per connection. Clients that pipeline send only a few. */
const MOST_UNANSWERED = 32

/** The first request over the limit gets 429 in its turn and ends the connection; later ones are ignored. */
export function boundPipelining(app: Pick<App, 'publicUrl'>, handle: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, number>()
  const countOf = (socket: Socket) => unanswered.get(socket) ?? 0
  const refused = new WeakSet<Socket>()
  return (request, response) => {
    const { socket } = request
    // HTTP/2 has its own limit (tls.ts).
    if (request.httpVersionMajor >= 2) return handle(request, response)
    if (refused.has(socket)) return
    if (countOf(socket) >= MOST_UNANSWERED) {
      refused.add(socket)
      httpMetrics.refused.inc({ from: 'strangers', why: 'pipelined' })
      refuse(app, response)
      return
    }
    unanswered.set(socket, countOf(socket) + 1)
    response.once('close', () => unanswered.set(socket, countOf(socket) - 1))
    handle(request, response)
  }
}

function refuse(app: Pick<App, 'publicUrl'>, response: ServerResponse): void {
  const failure = fault('connection_requests_waiting', { most: MOST_UNANSWERED })
  const requestId = randomUUIDv7()
  const body = failureBody(failure, requestId)
  for (const [name, value] of securityHeadersOf(app)) response.setHeader(name, value)
  response
    .writeHead(failure.status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'X-Request-Id': requestId,
      'Retry-After': '1',
      Connection: 'close',
    })
    .end(body)
}
