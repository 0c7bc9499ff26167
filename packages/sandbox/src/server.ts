import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { controlRoutes } from './control.ts'
import { expireOrders } from './expire-orders.ts'
import { openNotifier } from './notify.ts'
import { pageRoutes } from './page.ts'
import type { Sandbox } from './provider.ts'
import { providers } from './providers.ts'
import { makeNotification } from './report.ts'
import { resumeReturns } from './return-money.ts'
import { defaultSettings, type Settings } from './settings.ts'
import { openStore } from './store.ts'

// The server keeps idle connections open longer than common clients do. Otherwise, a request could arrive while the
// server is closing the connection.
const KEEP_ALIVE_MS = 75_000

export type RunningSandbox = { url: string; close: () => Promise<void> }

/** Starts the sandbox's HTTP server and returns its URL. With `port: 0`, a free port is used. */
export async function startSandbox(options: Partial<Settings> = {}): Promise<RunningSandbox> {
  const settings: Settings = { ...defaultSettings, ...options }
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS })
  // The server listens before it opens the data file, so that nothing is written if the port is in use. Also, the
  // payer URLs need the server's address.
  const url = await listen(server, settings.host, settings.port)
  try {
    return run(server, url, settings)
  } catch (error) {
    server.close()
    throw error
  }
}

function run(server: Server, url: string, settings: Settings): RunningSandbox {
  const store = openStore(settings.dataFile)
  const notifier = openNotifier(store, {
    senders: providers,
    make: (...asked) => makeNotification(sandbox, ...asked),
    retryScale: settings.retryScale,
  })
  const { merchants, keyPairOf } = store
  const publicUrl = settings.publicUrl ?? url
  const { chaos } = settings
  const sandbox: Sandbox = { settings, publicUrl, store, chaos, merchants, keyPairOf, notifier, providers }
  server.on('request', appOf(sandbox).callback())
  resumeReturns(sandbox)
  const scan = setInterval(() => {
    const now = Date.now()
    expireOrders(sandbox, now)
    notifier.sendDueRetries(now)
  }, settings.scanMs)

  let closing: Promise<void> | undefined
  async function close(): Promise<void> {
    clearInterval(scan)
    const closed = new Promise(resolve => server.close(resolve))
    // Requests for the customer `SANDBOX TIMEOUT` never get a response. Their open connections would prevent the server
    // from closing, so all connections are closed first.
    server.closeAllConnections()
    await closed
    await notifier.close()
    store.close()
  }
  return { url, close: () => (closing ??= close()) }
}

function appOf(sandbox: Sandbox): Koa {
  const app = new Koa()
  app.on('error', error => {
    // If a client disconnects or a body is rejected, nothing is logged, because this is not a sandbox error.
    if (error?.expose || error?.code === 'ECONNRESET' || error?.code === 'EPIPE') return
    process.stderr.write(`${error?.stack ?? error}\n`)
  })
  const control = controlRoutes(sandbox)
  for (const provider of sandbox.providers) {
    control.use(`/${provider.code}`, provider.routes(sandbox).routes())
  }
  app.use(control.routes())
  app.use(pageRoutes(sandbox).routes())
  return app
}

async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const bound = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}`
}
