// Starts and stops a listening server: HTTP/1.1, or TLS with HTTP/2.

import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../logging/log.ts'
import { createTlsServer, type TlsFiles, type TlsServer } from './tls.ts'

/**
 * How long a stopping server waits for requests in flight before it closes their connections. A request may wait up to
 * 10 s for a provider before the service records the result.
 */
const DRAIN_MS = 15_000

export type Listener = Server | TlsServer

/** Creates a server that does not listen yet. Throws ConfigError if the files in `tls` are invalid. */
export function createListener(
  options: ServerOptions,
  handle: RequestListener,
  tls?: { files: TlsFiles; log: Pick<Logger, 'warn'> } | undefined,
): Listener {
  return tls ? createTlsServer(options, handle, tls.files, tls.log) : createServer(options, handle)
}

/**
 * Starts listening and returns the server's URL. With port 0, the system chooses a free port. Rejects with EADDRINUSE
 * if the port is in use.
 */
export async function listen(
  server: Listener,
  { host, port }: { host: string; port: number },
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address()
  const given = typeof address === 'object' && address ? address.port : port
  const scheme = 'updateSettings' in server ? 'https' : 'http'
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${given}`
}

/**
 * Stops a server: accepts no new connections, waits for requests in flight, and then closes the remaining connections.
 * Idle connections stay open for `idleMs` milliseconds, because a client may be sending its next request before it
 * notices the stop. If the connection closed at that moment, the client would not know whether the service has
 * processed the request.
 */
export async function drain(server: Listener, { idleMs = 0 } = {}): Promise<void> {
  const closed = new Promise<void>(resolve => server.once('close', () => resolve()))
  // This method of the base class closes only the port. The HTTP server's own method `close` would also close idle
  // connections.
  NetServer.prototype.close.call(server)
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await Promise.race([closed, pause(idleMs, undefined, { ref: false })])
  server.close()
  // From now on, client connections are closed at most 50 ms after they become idle.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  await closed
  clearTimeout(cut)
  clearInterval(sweep)
}
