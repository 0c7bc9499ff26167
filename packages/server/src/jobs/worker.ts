// Runs the background jobs. Callbacks, webhooks and emails have separate job runners, so that unresponsive webhook
// receivers never delay the recording of payments.

import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type JobHelpers, Logger, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import type { App } from '../app.ts'
import { recordLoginAttack } from '../auth/log-in/record-login-attack.ts'
import { sendPasswordReset } from '../auth/passwords/send-password-reset.ts'
import { reportNewDevice } from '../auth/sessions/report-new-device.ts'
import { reportJoinedUser } from '../auth/team/report-joined-user.ts'
import { sendInvitation } from '../auth/team/send-invitation.ts'
import { reportSecurityChange } from '../auth/users/report-security-change.ts'
import { callbackApplier } from '../callbacks/apply-callbacks.ts'
import { inquireUnreadable } from '../callbacks/inquire-unreadable.ts'
import { releaseAllJobs, releaseUnreceivedJobs } from '../db/job-queue.sql.ts'
import { completeBooks } from '../ledger/complete-books.ts'
import { withLogFields } from '../logging/log.ts'
import { sendUnsentMail } from '../mail/email-users.ts'
import { backfillInquirySchedule } from '../payments/inquire/backfill-schedule.ts'
import { accountSlots } from '../provider-accounts/account-slots.ts'
import { inSpan, spanOfTraceparent } from '../tracing/span.ts'
import { newId } from '../values/id.ts'
import { endpointDelivery } from '../webhooks/additional/deliver-to-endpoints.ts'
import { webhookDelivery } from '../webhooks/delivery/deliver-webhooks.ts'
import { webhookAgent } from '../webhooks/delivery/webhook-agent.ts'
import { jobMetrics } from './job-metrics.ts'
import { JOB_POOL_SIZE, jobPool } from './job-pool.ts'
import { startNotices } from './notices.ts'
import { startPartitions } from './partitions.ts'
import { startCreditingMargins } from './partner-margins.ts'
import { startReconciliation } from './reconciliation.ts'
import { startRetention } from './retention.ts'
import { startSealing } from './sealing.ts'
import { startSweep } from './sweep.ts'
import { type Payload, payloads, type TaskName } from './tasks.ts'
import { trackUnfinishedJobs } from './unfinished-jobs.ts'
import { startVerification } from './verification.ts'
import { releaseJobs } from './worker.sql.ts'

/**
 * A job runner's limit on concurrent jobs. If `areRare` is true, the runner pauses after a query that finds no job.
 */
type Limit = { atOnce: number; areRare: boolean }

const SHARED_CALLBACK_JOBS: Limit = { atOnce: 16, areRare: false }
const SINGLE_CALLBACKS: Limit = { atOnce: 200, areRare: true }
/** A webhook job starts the delivery of many webhooks and does not wait for the receivers' responses. */
const WEBHOOK_JOBS: Limit = { atOnce: 64, areRare: false }
const MAILS: Limit = { atOnce: 8, areRare: true }
/**
 * The maximum delay between the scheduled time of a job and its start. Jobs without a scheduled time start
 * without this delay, because NOTIFY announces them to the job runners. Rare jobs can start up to 1.5 times
 * `RARE_JOBS_PAUSE_MS` later.
 */
const POLL_MS = 250
/**
 * The average pause of a runner for rare jobs after it has found no job. NOTIFY wakes every runner for every job, so
 * without the pause, these runners would send a query for each job of the other runners.
 */
const RARE_JOBS_PAUSE_MS = 100
/** A notification does not end the pause, because most notifications are about other runners' jobs. */
const pauseWithoutJobs = { durationMs: RARE_JOBS_PAUSE_MS, maxAbortThreshold: Number.POSITIVE_INFINITY }
const RESTART_PAUSE_MS = 1_000

/**
 * A process's job runners. `isRunning` returns true if every runner is running and the process sends its heartbeats
 * on time.
 */
export type Worker = { isRunning(): boolean; stop(): Promise<void> }

type Deps = Pick<
  App,
  | 'db'
  | 'clock'
  | 'log'
  | 'secrets'
  | 'accountOf'
  | 'health'
  | 'inquiryLimits'
  | 'recordInBatch'
  | 'endpointOf'
  | 'webhookAllowPrivate'
  | 'retention'
  | 'keyRing'
  | 'providers'
  | 'publicUrl'
  | 'publicIp'
  | 'sendMail'
  | 'noticeWebhook'
>

/** The kinds of jobs in the queue. Each kind has separate job runners, so that slow jobs of one kind do not delay others. */
const queuedKinds = ['callbacks', 'webhooks', 'mails'] as const
type QueuedKind = (typeof queuedKinds)[number]
/**
 * The kinds of work a worker does. `periodic` is work that is not queued as jobs, such as sealing the ledger and
 * deleting old rows.
 */
const kinds = [...queuedKinds, 'periodic'] as const
type Kind = (typeof kinds)[number]

/**
 * Starts this process's job runners for the kinds of work in `only`, or for all kinds. `alone` means that no other
 * process uses this database, so any locked job belongs to a dead process.
 */
export async function startWorker(
  app: Deps,
  databaseUrl: string,
  { alone, only = kinds }: { alone: boolean; only?: readonly Kind[] },
): Promise<Worker> {
  const agent = webhookAgent(app.webhookAllowPrivate)
  const places = accountSlots(SINGLE_CALLBACKS.atOnce)
  const limits = app.inquiryLimits
  const apply = callbackApplier(app, places, limits)
  const webhooks = webhookDelivery({ ...app, webhookAgent: agent })
  const additional = endpointDelivery({ ...app, webhookAgent: agent })

  const pool = jobPool(databaseUrl, error =>
    app.log.warn({ err: error }, 'connection of the job queue lost; reconnecting'),
  )

  // Unlocks the jobs that dead processes left locked. This must happen before this process locks any jobs
  // itself.
  if (alone) await releaseAllJobs(app.db)
  const start: Record<QueuedKind, () => ReturnType<typeof superviseRunner>[]> = {
    // Callbacks have two job runners with separate limits on concurrent jobs. Jobs that wait for a provider's response
    // therefore never delay jobs that need no provider.
    callbacks: () => [
      superviseRunner(app, pool, SHARED_CALLBACK_JOBS, {
        apply_callbacks: ({ callback_ids }) => apply.applyBatch(callback_ids),
      }),
      superviseRunner(app, pool, SINGLE_CALLBACKS, {
        apply_callback: ({ callback_id }) =>
          withLogFields({ callbackId: callback_id }, () => apply.applyOne(callback_id)),
        inquire_unreadable: ({ callback_id }) =>
          withLogFields({ callbackId: callback_id }, () =>
            inquireUnreadable(app, { places, limits }, callback_id),
          ),
      }),
    ],
    webhooks: () => [
      superviseRunner(app, pool, WEBHOOK_JOBS, {
        deliver_webhooks: ({ held_until, events }) =>
          webhooks.deliver(
            events.map(event => ({
              tenantId: event.tenant_id,
              eventId: event.event_id,
              expiresAt: held_until,
            })),
          ),
        deliver_due_webhooks: async ({ tenant_ids }) => webhooks.claimDue(tenant_ids),
        deliver_webhook: async ({ tenant_id }) => webhooks.claimDue([tenant_id]),
        deliver_to_endpoints: async ({ endpoints }) =>
          additional.claimDue(
            endpoints.map(each => ({ tenantId: each.tenant_id, endpointId: each.endpoint_id })),
          ),
      }),
    ],
    mails: () => [
      superviseRunner(app, pool, MAILS, {
        // The tasks `schedule_inquiries` and `complete_books` update rows stored by earlier versions. They run only
        // once per database, so they need no separate job runner.
        schedule_inquiries: () => backfillInquirySchedule(app),
        complete_books: () => completeBooks(app.db),
        send_password_reset: ({ tenant_id, email, requested_at }) =>
          withLogFields(tenant_id === null ? {} : { tenantId: tenant_id }, () =>
            sendPasswordReset(app, { tenantId: tenant_id, email, requestedAt: requested_at }),
          ),
        send_unsent_mail: ({ user_id, created_at, ...mail }) =>
          sendUnsentMail(app, { userId: user_id, createdAt: created_at, ...mail }),
        send_invitation: ({ user_id }) => sendInvitation(app, user_id),
        report_joined_user: ({ admin_id, user_id, at }) =>
          reportJoinedUser(app, { adminId: admin_id, userId: user_id, at }),
        report_new_device: ({ session_id, client }) => reportNewDevice(app, session_id, client),
        report_security_change: ({ user_id, client, ...change }) =>
          reportSecurityChange(app, {
            ...change,
            userId: user_id,
            client: client && { address: client.address, userAgent: client.user_agent },
          }),
        note_login_attack: attack => recordLoginAttack(app, attack),
      }),
    ],
  }
  const runners = await Promise.all(
    queuedKinds.filter(kind => only.includes(kind)).flatMap(kind => start[kind]()),
  )
  const sweep = await startSweep(
    app,
    {
      id: newId(),
      get poolIds() {
        return runners.map(runner => runner.poolId())
      },
    },
    only.includes('webhooks')
      ? { ofTenants: webhooks.claimDue, ofEndpoints: additional.claimDue }
      : { ofTenants: () => {}, ofEndpoints: () => {} },
    lockedForMs => Promise.all(runners.map(runner => runner.releaseUnreceived(lockedForMs))),
    limits,
  )
  const periodic = only.includes('periodic')
    ? [
        startPartitions(app),
        startRetention(app),
        startSealing(app),
        startCreditingMargins(app),
        startVerification(app),
        startReconciliation(app, limits),
        startNotices(app),
      ]
    : []

  return {
    isRunning: () => runners.every(runner => runner.isRunning()) && sweep.isSendingHeartbeats(),
    async stop() {
      await Promise.all([
        sweep.stop(),
        ...periodic.map(each => each.stop()),
        webhooks.stop(),
        additional.stop(),
        ...runners.map(runner => runner.stop()),
      ])
      await Promise.all([agent.destroy(), pool.end()])
    },
  }
}

type Binding<Name extends TaskName> = { [Task in Name]: (payload: Payload<Task>) => Promise<void> }

type SupervisedRunner = {
  isRunning(): boolean
  poolId(): string
  releaseUnreceived(lockedForMs: number): Promise<void>
  stop(): Promise<void>
}

/**
 * Replaces a job runner that ends. Graphile Worker ends a runner that cannot record a finished job, for example when
 * the database is unavailable. The jobs that the ended runner had locked are then released, and a new runner starts.
 */
async function superviseRunner<Name extends TaskName>(
  app: Deps,
  pgPool: pg.Pool,
  limit: Limit,
  binding: Binding<Name>,
): Promise<SupervisedRunner> {
  const start = () => startRunner(app, pgPool, limit, binding)
  const stopping = new AbortController()
  let current = await start()
  let isRunning = true

  async function supervise(): Promise<void> {
    await current.ended
    while (!stopping.signal.aborted) {
      isRunning = false
      await pause(RESTART_PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      try {
        await releaseJobs(app.db, current.poolId)
        current = await start()
      } catch (error) {
        app.log.error({ err: error }, 'could not restart a job runner; will retry')
        continue
      }
      app.log.warn('job runner ended unexpectedly and was restarted')
      isRunning = true
      if (stopping.signal.aborted) await current.runner.stop()
      await current.ended
    }
  }
  const supervision = supervise()
  return {
    isRunning: () => isRunning,
    poolId: () => current.poolId,
    releaseUnreceived: lockedForMs =>
      releaseUnreceivedJobs(app.db, current.poolId, current.unfinished, lockedForMs),
    async stop() {
      stopping.abort()
      // Errors are ignored, because stop() rejects if the runner has already ended.
      await current.runner.stop().catch(() => {})
      await supervision
    },
  }
}

async function startRunner<Name extends TaskName>(
  app: Deps,
  pgPool: pg.Pool,
  { atOnce, areRare }: Limit,
  binding: Binding<Name>,
): Promise<{ runner: Runner; poolId: string; unfinished: ReadonlySet<string>; ended: Promise<void> }> {
  const taskList: TaskList = Object.fromEntries(
    (Object.keys(binding) as Name[]).map(name => [
      name,
      (json: unknown, { job }: JobHelpers) => {
        const payload = payloads[name].parse(json) as Payload<Name>
        return withLogFields({ job: name, jobId: job.id }, () =>
          runMeasured(app, name, payload, binding[name]),
        )
      },
    ]),
  )
  const events: WorkerEvents = new EventEmitter()
  const unfinished = trackUnfinishedJobs(events)
  // The ID under which Graphile Worker locks jobs for this runner. It is the ID of the runner's worker pool, not the ID
  // of one worker.
  let poolId = ''
  events.on('pool:create', ({ workerPool }) => {
    poolId = workerPool.id
  })
  const runner = await run({
    pgPool,
    events,
    noHandleSignals: true,
    taskList,
    // Graphile Worker's warnings are not logged, because they criticize batch sizes that this service chooses on
    // purpose. Its errors are logged, because they report failed jobs and lost connections.
    logger: new Logger(() => (level, message) => {
      if (level === 'error') app.log.error({ jobs: message }, 'job queue error')
    }),
    preset: {
      worker: {
        concurrentJobs: atOnce,
        pollInterval: POLL_MS,
        maxPoolSize: JOB_POOL_SIZE,
        // Jobs are fetched and marked as completed in batches. Because the delay is 0, a batch is marked as
        // completed immediately, without waiting for more jobs.
        localQueue: { size: atOnce, ...(areRare && { refetchDelay: pauseWithoutJobs }) },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  })
  const ended = runner.promise.catch(error => app.log.error({ err: error }, 'job runner ended'))
  return { runner, poolId, unfinished, ended }
}

async function runMeasured<Name extends TaskName>(
  { log }: Deps,
  task: Name,
  payload: Payload<Name>,
  run: (payload: Payload<Name>) => Promise<void>,
): Promise<void> {
  const started = performance.now()
  let outcome = 'failed'
  const links = 'traces' in payload ? payload.traces?.map(spanOfTraceparent) : undefined
  try {
    await inSpan(`job ${task}`, { kind: 'consumer', parent: 'none', links }, () => run(payload))
    outcome = 'done'
  } catch (error) {
    log.warn({ err: error }, 'job failed; will retry')
    throw error
  } finally {
    const ms = performance.now() - started
    jobMetrics.seconds.observe({ task, outcome }, ms / 1_000)
    log.debug({ ms: Math.round(ms), outcome }, 'job')
  }
}
