// Starts and stops a listening server: HTTP/1.1, or TLS with HTTP/2.

import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createTlsServer, type TlsFiles, type TlsServer } from './tls.ts'

/** Time for requests in flight when the service stops: a provider call may take 10 s, and some work follows it. */
const DRAIN_MS = 15_000

export type Listener = Server | TlsServer

/** Throws ConfigError if the files of `tls` are invalid. */
export function createListener(
  options: ServerOptions,
  handle: RequestListener,
  tls?: TlsFiles | undefined,
): Listener {
  return tls ? createTlsServer(options, handle, tls) : createServer(options, handle)
}

/** Resolves to the server's URL. port 0: any free port. Rejects with EADDRINUSE. */
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

/** Accepts no new connections, waits for requests in flight, then closes the remaining connections. */
export async function drain(server: Listener): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  server.closeIdleConnections()
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  // A connection that becomes idle while draining is closed at once.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  await closed
  clearTimeout(cut)
  clearInterval(sweep)
}
