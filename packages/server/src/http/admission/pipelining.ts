// Limits pipelined requests, that is, requests a client sends before it has the responses to earlier ones. Without
// a limit, one read from a connection could start hundreds of requests.

import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { fault } from '../../faults/fault.ts'
import { newId } from '../../values/id.ts'
import { errorBody } from '../envelope.ts'
import { httpMetrics } from '../http-metrics.ts'
import { securityHeadersOf } from '../security-headers.ts'

/** The maximum number of unanswered requests per connection. Ordinary clients pipeline only a few requests. */
const MOST_UNANSWERED = 32

/**
 * Returns a request listener that calls `handle` and limits pipelined requests, which a client sends on one connection
 * without waiting for responses. After a request above the limit, the earlier requests are still answered. Then the
 * service sends a 429 response and closes the connection.
 */
export function limitPipelining(app: { publicUrl: string }, handle: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, number>()
  const countOf = (socket: Socket) => unanswered.get(socket) ?? 0
  const refused = new WeakSet<Socket>()
  return (request, response) => {
    const { socket } = request
    // This limit does not apply to HTTP/2, whose concurrent requests have their own limit (tls.ts).
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

function refuse(app: { publicUrl: string }, response: ServerResponse): void {
  const failure = fault('connection_requests_waiting', { most: MOST_UNANSWERED })
  const requestId = newId()
  const body = errorBody(failure, requestId)
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
