// Serves TLS, for operators without a load balancer in front of the service. Clients can use HTTP/2 (RFC
// 9113), or HTTP/1.1 if they do not support HTTP/2.

import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RequestListener, ServerOptions } from 'node:http'
import { createSecureServer, type Http2SecureServer } from 'node:http2'
import type { Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { ConfigError } from '../config.ts'
import type { Logger } from '../logging/log.ts'
import { httpMetrics } from './http-metrics.ts'

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

type WarningLog = Pick<Logger, 'warn'>

/** Creates a TLS server. Throws ConfigError if the certificate or key file is invalid. */
export function createTlsServer(
  options: ServerOptions,
  handle: RequestListener,
  files: TlsFiles,
  log: WarningLog,
): TlsServer {
  let used = readPair(files)
  observeExpiry(used)
  const failures = failureReporter(log)
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
      if (!pair.cert.equals(used.cert)) {
        server.setSecureContext(pair)
        used = pair
        observeExpiry(pair)
      }
      failures.end()
    } catch (error) {
      failures.report(error as Error)
    }
  }, RELOAD_MS).unref()
  server.once('close', () => clearInterval(reading))
  // Node's HTTP/2 server has no method closeAllConnections, so this module tracks the open connections
  // itself.
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

/**
 * Returns a reporter that logs why the certificate and key files cannot be loaded. The first failure in a row is not
 * logged, because the two files may not match while they are being renewed. After that, each message is logged only
 * once until the files can be loaded again.
 */
function failureReporter(log: WarningLog): { report(error: Error): void; end(): void } {
  let failuresInARow = 0
  const logged = new Set<string>()
  return {
    report(error) {
      failuresInARow += 1
      if (failuresInARow === 1 || logged.has(error.message)) return
      logged.add(error.message)
      log.warn(
        { err: error },
        'the TLS certificate and key files cannot be loaded; the service still uses the previous certificate',
      )
    },
    end() {
      failuresInARow = 0
      logged.clear()
    },
  }
}

function observeExpiry({ cert }: { cert: Buffer }): void {
  httpMetrics.certificateExpires.set(new X509Certificate(cert).validToDate.getTime() / 1_000)
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
    new X509Certificate(pair.cert)
  } catch (error) {
    throw new ConfigError(
      `GAPURA_TLS_CERT, GAPURA_TLS_KEY: must be a certificate and its key in PEM format (${(error as Error).message})`,
    )
  }
  return pair
}
