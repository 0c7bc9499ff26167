// Reports whether a response has ended: the client has received it completely, or has disconnected.

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type ResponseEnd = {
  hasEnded(): boolean
  /** Resolves when the response has ended. */
  ended: Promise<void>
}

const ends = new WeakMap<ServerResponse, ResponseEnd>()

/**
 * Returns the end of the response. The first call must be made as soon as the request arrives, because `close` is
 * emitted only once. A listener added later misses a client that disconnects while the service waits for the database.
 * The property `destroyed` does not help, because responses over HTTP/2 lack it.
 */
export function responseEnd(res: ServerResponse): ResponseEnd {
  const known = ends.get(res)
  if (known) return known
  let hasEnded = false
  const ended = new Promise<void>(resolve => {
    const end = () => {
      hasEnded = true
      forget()
      resolve()
    }
    res.once('close', end)
    // If a client disconnects, Node 22 does not close the responses that wait for an earlier response of the same
    // connection.
    const forget = res.req.httpVersionMajor === 1 ? onConnectionClosed(res.req.socket, end) : () => {}
  })
  const end = { hasEnded: () => hasEnded, ended }
  ends.set(res, end)
  return end
}

/** Returns a function that registers what runs when the response has ended (`responseEnd`). */
export const onResponseEnd =
  (res: ServerResponse) =>
  (run: () => void): void =>
    void responseEnd(res).ended.then(run)

/** The functions to call when a connection closes. One listener per connection avoids a listener per request. */
const closings = new WeakMap<Socket, Set<() => void>>()

/** Calls `run` when the connection closes. Returns a function that cancels this. */
function onConnectionClosed(socket: Socket, run: () => void): () => void {
  const runs = closings.get(socket) ?? new Set()
  if (!closings.has(socket)) {
    closings.set(socket, runs)
    socket.once('close', () => {
      for (const each of runs) each()
    })
  }
  runs.add(run)
  return () => runs.delete(run)
}
