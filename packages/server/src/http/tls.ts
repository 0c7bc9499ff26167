// TLS for those who have no balancer in front of the service. It speaks HTTP/2 (RFC 9113), and HTTP/1.1 with clients that
// do not.

import { readFileSync } from 'node:fs'
import type { RequestListener, ServerOptions } from 'node:http'
import { createSecureServer, type Http2SecureServer } from 'node:http2'
import type { Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { ConfigError } from '../config.ts'

/** PEM: the certificate with its chain, and its private key. */
export type TlsFiles = { certFile: string; keyFile: string }

export type TlsServer = Http2SecureServer & { closeIdleConnections(): void; closeAllConnections(): void }

/** Requests that one connection may have under way: what a browser's page asks for at once, many times over. */
const STREAMS_OF_A_CONNECTION = 128
/** A certificate that was renewed is used from then on. */
const READ_AGAIN_MS = 60_000

/** Throws ConfigError. */
export function createTlsServer(options: ServerOptions, handle: RequestListener, files: TlsFiles): TlsServer {
  let used = readPair(files)
  const server = createSecureServer(
    {
      ...options,
      ...used,
      allowHTTP1: true,
      settings: { maxConcurrentStreams: STREAMS_OF_A_CONNECTION },
    },
    handle as never,
  )
  const reading = setInterval(() => {
    try {
      const pair = readPair(files)
      if (pair.cert.equals(used.cert)) return
      server.setSecureContext(pair)
      used = pair
    } catch {
      // Halfway through a renewal the files do not fit each other. The certificate in use stays.
    }
  }, READ_AGAIN_MS).unref()
  server.once('close', () => clearInterval(reading))
  // Node has no closeAllConnections for HTTP/2.
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return Object.assign(server as TlsServer, {
    closeAllConnections() {
      for (const socket of sockets) socket.destroy()
    },
  })
}

function readPair({ certFile, keyFile }: TlsFiles): { cert: Buffer; key: Buffer } {
  const read = (variable: string, file: string) => {
    try {
      return readFileSync(file)
    } catch (error) {
      throw new ConfigError(`${variable}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
    }
  }
  const pair = { cert: read('GAPURA_TLS_CERT', certFile), key: read('GAPURA_TLS_KEY', keyFile) }
  try {
    createSecureContext(pair)
  } catch (error) {
    throw new ConfigError(
      `GAPURA_TLS_CERT, GAPURA_TLS_KEY: not a certificate and its key in PEM (${(error as Error).message})`,
    )
  }
  return pair
}
