// Runs a service process: starts the database, the worker and the HTTP server in order, and stops them in reverse
// order.

import { realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { compose } from './compose.ts'
import { type Config, readConfig } from './config.ts'
import { type Embedded, startEmbedded } from './db/embedded/embedded.ts'
import { prepareDatabase } from './db/migrate/prepare-database.ts'
import { directVariableOf, namingUrl } from './db/url-variable.ts'
import { prepareDemo } from './demo/demo.ts'
import { type SandboxProcess, startSandboxProcess } from './demo/sandbox-process.ts'
import type { Readiness } from './http/health.ts'
import { startOperatorListener } from './http/operator-listener.ts'
import { createHttp } from './http/server.ts'
import { startCircuitReports } from './jobs/circuit-reports.ts'
import { startOutcomeCounts } from './jobs/outcome-counts.ts'
import { startSearchMerges } from './jobs/search-merges.ts'
import { startWorker, type Worker } from './jobs/worker.ts'
import { createLog } from './logging/log.ts'
import { observeProcess } from './metrics/process-metrics.ts'
import { repository } from './repository.ts'
import { masterKeysOf } from './secrets/master-key.ts'
import { explainError } from './startup/explain-error.ts'
import { namingVariables } from './startup/listen-error.ts'
import { explainOutputError } from './startup/output-error.ts'
import { publicIpOf } from './startup/public-ip.ts'
import { requireSameDatabase } from './startup/require-same-database.ts'
import { startupMessage } from './startup/startup-message.ts'
import { trimHeap } from './startup/trim-heap.ts'

const openapiFile = join(repository, 'openapi/openapi.json')

/**
 * The maximum time for shutting down. Requests need up to 35 s (http/server.ts), and jobs up to 45 s, but rarely both.
 * Work that is unfinished after this time is interrupted. As after a crash, no data is lost, and the next start
 * continues the work.
 */
const STOPPED_WITHIN_MS = 60_000

/**
 * The functions that stop the service's started parts. They run in reverse order when the service stops, even if it
 * stops during startup.
 */
const undo: (() => Promise<unknown>)[] = []
let stopping = false

/** Starts the service and returns when it is ready to work. SIGTERM and SIGINT stop the process. */
export async function run(read: () => Config): Promise<void> {
  // Only the startup code writes directly to standard output. If such a write fails, the service does not start.
  // Later log write errors are ignored, because payments are more important.
  process.stdout.on('error', error => fail(explainOutputError(error)))
  try {
    await start(read())
  } catch (error) {
    await fail(explainError(error))
  }
}

/**
 * Reports why the service cannot start or continue, and exits. Only the first error is reported, because later errors
 * are caused by stopping the service.
 */
async function fail(reason: string): Promise<void> {
  if (stopping) return
  stopping = true
  process.stderr.write(`gapura: ${reason}\n`)
  await unwind().catch(() => {})
  process.exit(1)
}

async function start(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(log, config, signal))

  if (config.tracing) {
    const { startTracing } = await import('./tracing/start-tracing.ts')
    const tracing = startTracing({ ...config.tracing, role: config.role })
    undo.push(() =>
      tracing
        .stop()
        .catch(error => log.warn({ err: error }, 'at shutdown, the last traces could not be sent')),
    )
  }
  const embedded =
    config.databaseUrl === undefined ? await startEmbedded({ dataDir: config.dataDir, log: say }) : undefined
  if (embedded) {
    undo.push(() => embedded.stop())
    void embedded.exited.then(({ asked, reason }) => asked || stopping || die(log, reason))
  }
  const databaseUrl = config.databaseUrl ?? (embedded as Embedded).url
  await requireSameDatabase(databaseUrl, config)
  const directDatabaseUrl = config.directDatabaseUrl ?? databaseUrl
  const migrateDatabaseUrl = config.migrateDatabaseUrl ?? embedded?.ownerUrl
  const [sandbox, keys] = await Promise.all([
    embedded && startSandbox(config, log),
    masterKeysOf(config),
    namingUrl(
      directVariableOf(config),
      prepareDatabase({ directDatabaseUrl, migrateDatabaseUrl }, line => log.warn(line)),
    ),
  ])

  const { app, forJobs, close } = await compose({
    ...config,
    ...keys,
    databaseUrl,
    publicIp: config.publicIp ?? (await publicIpOf(config.publicUrl)),
    log,
    sandboxUrl: config.sandboxUrl ?? sandbox?.url,
  })
  undo.push(close)
  observeProcess(app.metrics, config.role)
  let worker: Worker | undefined
  const readiness: Readiness = () => ({ worker: worker?.isRunning() ?? config.role === 'api', stopping })
  // The port with health checks and metrics opens first and closes last, so that health checks and metrics
  // also work during startup and shutdown.
  if (config.operations) {
    const operations = await startOperatorListener(app, { ...config.operations, readiness }).catch(
      namingVariables({ port: 'GAPURA_OPERATIONS_PORT', host: 'GAPURA_OPERATIONS_HOST' }),
    )
    undo.push(() => operations.stop())
  }
  const demo =
    embedded &&
    sandbox &&
    (await prepareDemo(app, { dataDir: config.dataDir, baseUrl: config.publicUrl, sandboxUrl: sandbox.url }))

  // Counts each provider account's ended payments, paid or not. All other parts of the service stop before this part,
  // because payments can still end during their shutdown. The last counts are stored afterward.
  const outcomes = startOutcomeCounts(app)
  undo.push(() => outcomes.stop())
  if (config.role !== 'api') {
    const started = await startWorker(forJobs(), directDatabaseUrl, { alone: embedded !== undefined })
    undo.push(() => started.stop())
    worker = started
  }
  const http =
    config.role === 'worker'
      ? undefined
      : createHttp(app, { ...config, openapi: await readFile(openapiFile, 'utf8'), readiness })
  // Garbage collection takes about 50 ms. It runs when everything is loaded but no requests are accepted yet,
  // so that no request has to wait for it.
  trimHeap()
  if (http) {
    for (const periodic of [startCircuitReports(app), startSearchMerges(app)])
      undo.push(() => periodic.stop())
    await listen(http, config)
  }
  say(
    config.role === 'worker'
      ? '\nThe Gapura worker is ready\n\n'
      : startupMessage(demo, {
          baseUrl: config.publicUrl,
          file: join(config.dataDir, 'demo.json'),
          isTerminal: process.stdout.isTTY,
        }),
  )
}

async function startSandbox(config: Config, log: Logger): Promise<SandboxProcess> {
  const sandbox = await startSandboxProcess({
    host: config.host,
    port: config.sandboxPort,
    dataDir: config.dataDir,
  })
  undo.push(() => sandbox.stop())
  void sandbox.exited.then(
    ({ message }) =>
      stopping ||
      log.error(
        { reason: message },
        'the provider sandbox exited; payments to it fail until the service is restarted',
      ),
  )
  return sandbox
}

async function listen(
  http: ReturnType<typeof createHttp>,
  { port, shutdownDelaySeconds }: Config,
): Promise<void> {
  const listening = await http.listen(port).catch(namingVariables({ port: 'PORT', host: 'HOST' }))
  undo.push(async () => {
    // During the shutdown delay, the service still accepts requests. /readyz reports that the service is
    // stopping, and responses close their connections, so that load balancers and clients move to another
    // process.
    await pause(shutdownDelaySeconds * 1_000)
    await listening.stop()
  })
}

function stop(log: Logger, { shutdownDelaySeconds }: Config, signal: string): void {
  if (stopping) return
  stopping = true
  log.info({ signal }, 'shutting down; requests and jobs in flight finish first')
  setTimeout(
    () => die(log, 'shutdown timed out; unfinished work will be resumed at the next start'),
    shutdownDelaySeconds * 1_000 + STOPPED_WITHIN_MS,
  ).unref()
  unwind().then(
    () => process.exit(0),
    error => {
      log.error({ err: error }, 'shutdown failed')
      process.exit(1)
    },
  )
}

function die(log: Logger, reason: string): void {
  log.fatal({ reason }, 'fatal error, exiting')
  process.exit(1)
}

async function unwind(): Promise<void> {
  while (undo.length > 0) await undo.pop()?.()
}

function say(line: string): void {
  process.stdout.write(line.endsWith('\n') ? line : `${line}\n`)
}

// If this file is run directly, it starts the service. `gapura-server start` only imports the file.
if (process.argv[1] && realpathSync(process.argv[1]) === import.meta.filename) await run(readConfig)
