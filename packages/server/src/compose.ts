// Builds the `App`, the object with all dependencies of the operations, from the `Config`. No other file creates these
// dependencies.

import type { Logger } from 'pino'
import type { App } from './app.ts'
import { writeKeyUses } from './auth/api-keys/key.sql.ts'
import { keyUses } from './auth/api-keys/key-use.ts'
import { storeUncompressed } from './compression/compression-setting.ts'
import { cacheConfiguration } from './configuration/cached-configuration.ts'
import { batchedWrite } from './db/batch/batched-write.ts'
import { registerPoolMetrics } from './db/database-metrics.ts'
import { createDb, type Db } from './db/db.ts'
import { detectDistribution } from './db/distributed-database.ts'
import { headProver } from './ledger/prove-head.ts'
import { watchChanges } from './live/watch-changes.ts'
import { type MailConfig, mailSender } from './mail/send-mail.ts'
import { observeBacklog } from './metrics/backlog-metrics.ts'
import { newRegistry } from './metrics/registry.ts'
import type { NoticeWebhook } from './notices/post-notices.ts'
import { earlyChecks } from './payments/inquire/early-checks.ts'
import { bringChecksForward } from './payments/inquire/next-check.sql.ts'
import type { EventToRecord, RecordInBatch } from './payments/record/event-batch.ts'
import { recordEventsOfKnown } from './payments/record/record-known.ts'
import { inquiryLimits } from './provider-accounts/inquiry-limits.ts'
import { providerHealth } from './provider-accounts/provider-health.ts'
import { providers } from './providers/registry.ts'
import { insertApiRequests } from './request-log/api-request.sql.ts'
import { requestLog } from './request-log/request-log.ts'
import { defaultRetention, type Retention } from './retention/retention.ts'
import { loadSecrets, type MasterKeys } from './secrets/secrets.ts'

/** Re-exports the provider adapters for commands that need no other part of the service. */
export { providers }

/**
 * One process's database connections. Requests and jobs have separate pools, so that slow requests cannot block
 * callbacks.
 */
const CONNECTIONS = { all: { requests: 18, jobs: 8 }, api: { requests: 18 }, worker: { jobs: 18 } } as const
/**
 * The number of connections reserved for reading configuration, such as API keys and limits. Every request
 * needs this data and must not wait for a busy connection. Because the reads are fast, two connections are
 * enough.
 */
const CONFIGURATION_CONNECTIONS = 2
const EVENTS_PER_BATCH = 200

/**
 * The `App` of a process, the object with all dependencies of the operations. `forJobs` returns the same
 * `App`, but with the connection pool for background jobs.
 */
export type Composed = { app: App; forJobs(): App; close(): Promise<void> }

export async function compose(
  config: MasterKeys &
    MailConfig & {
      role?: keyof typeof CONNECTIONS
      databaseUrl: string
      directDatabaseUrl?: string | undefined
      publicUrl: string
      publicIp?: string | undefined
      sandboxUrl?: string | undefined
      webhookAllowPrivate: boolean
      compressMessages?: boolean
      retention?: Retention
      noticeWebhook?: NoticeWebhook | undefined
      /** The connection pools. If omitted, the process gets the usual pools for its role. */
      connections?: Connections
      log: Logger
    },
  overrides: Partial<App> = {},
): Promise<Composed> {
  const { db, jobDb, configurationDb, closeAll } = overrides.db
    ? ofOne(overrides.db)
    : connect(config.databaseUrl, config.connections ?? CONNECTIONS[config.role ?? 'all'])
  await detectDistribution([db, jobDb, configurationDb])
  if (config.compressMessages === false) storeUncompressed([db, jobDb])
  const secrets = overrides.secrets ?? (await loadSecrets(db, config))
  const clock = overrides.clock ?? (() => new Date())
  const registry = overrides.providers ?? providers
  const metrics = newRegistry()
  registerPoolMetrics(db, metrics)
  observeBacklog({ db, log: config.log }, metrics)
  const { configuration, stop } = cacheConfiguration(
    {
      ...{ db: configurationDb, secrets, clock, providers: registry },
      ...{ log: config.log, publicUrl: config.publicUrl },
    },
    config.directDatabaseUrl ?? config.databaseUrl,
  )
  const accountOf = overrides.accountOf ?? configuration.accountOf
  const health = overrides.health ?? providerHealth({ accountOf, clock, log: config.log, registry: metrics })

  const uses = keyUses((noted, resolutionMs) => writeKeyUses(db, noted, resolutionMs), {
    clock,
    failed: error => config.log.warn({ err: error }, 'could not store when API keys were last used'),
  })

  const requests = requestLog(rows => insertApiRequests(db, rows), {
    failed: (error, rows) =>
      config.log.warn(
        { err: error, rows },
        'requests could not be written to the request log and are missing from it',
      ),
  })

  const early = earlyChecks((checks, now) => bringChecksForward(db, checks, now), {
    clock,
    failed: error =>
      config.log.warn({ err: error }, 'status inquiries could not be rescheduled to an earlier time'),
  })

  const live = overrides.live ?? watchChanges({ db, log: config.log })

  const recordEvent = batchedWrite('record_events', {
    run: (on, events: EventToRecord[]) => recordEventsOfKnown(on, events, clock(), config.log),
    tenantOf: event => event.tenantId,
    tenantOfOutput: recorded => recorded.payment.tenantId,
    batchSize: EVENTS_PER_BATCH,
    maxInFlight: 1,
  })
  const recorder =
    (on: Db): RecordInBatch =>
    event =>
      recordEvent(on, event)

  const app: App = {
    db,
    secrets,
    clock,
    providers: registry,
    log: config.log,
    publicUrl: config.publicUrl,
    publicIp: config.publicIp,
    webhookAllowPrivate: config.webhookAllowPrivate,
    sandboxUrl: config.sandboxUrl,
    retention: config.retention ?? defaultRetention,
    sendMail: mailSender(config),
    noticeWebhook: config.noticeWebhook,
    recordInBatch: recorder(db),
    earlyChecks: early,
    proveHead: headProver(db),
    live,
    noteKeyUse: uses.note,
    noteApiRequest: requests.note,
    ...configuration,
    health,
    inquiryLimits: inquiryLimits(clock),
    metrics,
    ...overrides,
  }
  return {
    app,
    forJobs: () => (jobDb === db ? app : { ...app, db: jobDb, recordInBatch: recorder(jobDb), ...overrides }),
    async close() {
      live.stop()
      health.stop()
      early.stop()
      await stop()
      await uses.stop()
      await requests.stop()
      await closeAll()
    },
  }
}

/**
 * The sizes of the connection pools for requests and jobs, and the timeout for opening a connection or getting one
 * from a pool.
 */
type Connections = { requests?: number; jobs?: number; waitMs?: number }
type Databases = { db: Db; jobDb: Db; configurationDb: Db; closeAll(): Promise<unknown> }

/** Creates the connection pools. A pool opens connections only when needed. */
function connect(url: string, { requests, jobs, waitMs }: Connections): Databases {
  const configurationDb = createDb(url, { max: CONFIGURATION_CONNECTIONS, waitMs })
  const db = createDb(url, { max: requests ?? jobs ?? 0, waitMs })
  const jobDb = requests && jobs ? createDb(url, { max: jobs, waitMs }) : db
  const all = new Set([configurationDb, db, jobDb])
  return { db, jobDb, configurationDb, closeAll: () => Promise.all([...all].map(each => each.destroy())) }
}

const ofOne = (db: Db): Databases => ({
  ...{ db, jobDb: db, configurationDb: db },
  closeAll: () => db.destroy(),
})
