// Reports whether a response has ended: the client has received it completely, or has disconnected.

import type { ServerResponse } from 'node:http'

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
  const ended = new Promise<void>(resolve =>
    res.once('close', () => {
      hasEnded = true
      resolve()
    }),
  )
  const end = { hasEnded: () => hasEnded, ended }
  ends.set(res, end)
  return end
}
