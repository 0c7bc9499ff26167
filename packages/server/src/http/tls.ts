// Serves TLS, for operators without a load balancer in front of the service. Clients can use HTTP/2 (RFC
// 9113), or HTTP/1.1 if they do not support HTTP/2.

import { readFileSync } from 'node:fs'
import type { RequestListener, ServerOptions } from 'node:http'
import { createSecureServer, type Http2SecureServer } from 'node:http2'
import type { Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { ConfigError } from '../config.ts'

/**
 * The paths of two PEM files: one with the certificate and its chain, and one with the private key of the
 * certificate.
 */
export type TlsFiles = { certFile: string; keyFile: string }

export type TlsServer = Http2SecureServer & { closeIdleConnections(): void; closeAllConnections(): void }

/** The maximum number of concurrent requests on a connection. A browser page sends far fewer requests at once. */
const MAX_STREAMS_PER_CONNECTION = 128
/**
 * How often the certificate and key files are read again, so that a renewed certificate takes effect without a
 * restart.
 */
const RELOAD_MS = 60_000

/** Creates a TLS server. Throws ConfigError if the certificate or key file is invalid. */
export function createTlsServer(options: ServerOptions, handle: RequestListener, files: TlsFiles): TlsServer {
  let used = readPair(files)
  const server = createSecureServer(
    {
      ...options,
      ...used,
      allowHTTP1: true,
      settings: { maxConcurrentStreams: MAX_STREAMS_PER_CONNECTION },
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
      // While the files are being renewed, the certificate file and the key file may not match. In this case, the
      // server keeps its current certificate until the next check.
    }
  }, RELOAD_MS).unref()
  server.once('close', () => clearInterval(reading))
  // This module tracks the connections, because Node's HTTP/2 server has no method closeAllConnections.
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
      `GAPURA_TLS_CERT, GAPURA_TLS_KEY: must be a certificate and its key in PEM format (${(error as Error).message})`,
    )
  }
  return pair
}
