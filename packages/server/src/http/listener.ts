// A server that listens: by HTTP/1.1, or by TLS with HTTP/2 as well. How it starts to listen, and how it stops.

import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createTlsServer, type TlsFiles, type TlsServer } from './tls.ts'

/** For requests under way once the service is told to stop: a provider may take 10 s, and there is what comes after. */
const DRAIN_MS = 15_000

export type Listener = Server | TlsServer

/** Throws ConfigError where the files of tls are not what they should be. */
export function createListener(
  options: ServerOptions,
  handle: RequestListener,
  tls?: TlsFiles | undefined,
): Listener {
  return tls ? createTlsServer(options, handle, tls) : createServer(options, handle)
}

/** Resolves to its URL. port 0: any free one. Throws EADDRINUSE. */
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

/** Takes no new connection, lets requests under way end, then cuts what is left. */
export async function drain(server: Listener): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  server.closeIdleConnections()
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  // A connection that becomes idle while draining is of no more use.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  await closed
  clearTimeout(cut)
  clearInterval(sweep)
}
