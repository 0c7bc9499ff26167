// Runs the jobs: each task's name bound to its verb, a name without one does not compile. Callbacks, webhooks
// and mails have a runner each, so that receivers that hang never keep money from being recorded.

import { EventEmitter } from 'node:events'
import { Logger, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import type { App } from '../app.ts'
import { sendPasswordReset } from '../auth/send-password-reset.ts'
import { callbackApplication } from '../callbacks/apply-callback.ts'
import { newId } from '../id.ts'
import { webhookDelivery } from '../webhooks/deliver-webhook.ts'
import { webhookAgent } from '../webhooks/public-address.ts'
import { startSweep } from './sweep.ts'
import { type Payload, payloads, type TaskName } from './tasks.ts'
import { releaseAllJobs } from './worker.sql.ts'

const CALLBACKS_AT_ONCE = 200
const WEBHOOKS_AT_ONCE = 512
const MAILS_AT_ONCE = 8
/** How late a job that is due at a time may start; new ones are announced by NOTIFY. */
const POLL_MS = 250
const POOL_SIZE = 8

export type Worker = { isRunning(): boolean; stop(): Promise<void> }

type Deps = Pick<
  App,
  | 'db'
  | 'clock'
  | 'log'
  | 'secrets'
  | 'accountOf'
  | 'health'
  | 'record'
  | 'webhookAllowPrivate'
  | 'publicUrl'
  | 'sendMail'
>

/** alone: no other process works on this database, so whatever is locked belongs to the dead. */
export async function startWorker(
  app: Deps,
  databaseUrl: string,
  { alone }: { alone: boolean },
): Promise<Worker> {
  const agent = webhookAgent(app.webhookAllowPrivate)
  const apply = callbackApplication(app)
  const deliver = webhookDelivery({ ...app, webhookAgent: agent })

  const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL_SIZE, application_name: 'gapura-jobs' })
  const onError = (error: Error) => app.log.warn({ err: error }, 'connection of the job queue lost')
  pool.on('error', onError)
  pool.on('connect', client => client.on('error', onError))

  // Before our own runners lock any.
  if (alone) await releaseAllJobs(app.db)
  const runners = await Promise.all([
    startRunner(app, pool, CALLBACKS_AT_ONCE, {
      apply_callback: ({ callback_id }) => apply(callback_id),
    }),
    startRunner(app, pool, WEBHOOKS_AT_ONCE, {
      deliver_webhook: ({ tenant_id, event_id }) => deliver({ tenantId: tenant_id, eventId: event_id }),
    }),
    startRunner(app, pool, MAILS_AT_ONCE, {
      send_password_reset: ({ tenant_id, email, requested_at }) =>
        sendPasswordReset(app, { tenantId: tenant_id, email, requestedAt: requested_at }),
    }),
  ])
  const sweep = await startSweep(app, { id: newId(), poolIds: runners.map(({ poolId }) => poolId) })

  let running = true
  for (const { runner } of runners) {
    runner.promise.finally(() => {
      running = false
    })
  }
  return {
    isRunning: () => running,
    async stop() {
      await Promise.all([sweep.stop(), ...runners.map(({ runner }) => runner.stop())])
      await Promise.all([agent.destroy(), pool.end()])
    },
  }
}

type Binding<Name extends TaskName> = { [Task in Name]: (payload: Payload<Task>) => Promise<void> }

async function startRunner<Name extends TaskName>(
  app: Deps,
  pgPool: pg.Pool,
  concurrentJobs: number,
  binding: Binding<Name>,
): Promise<{ runner: Runner; poolId: string }> {
  const taskList: TaskList = Object.fromEntries(
    (Object.keys(binding) as Name[]).map(name => [
      name,
      async (payload: unknown) => binding[name](payloads[name].parse(payload) as Payload<Name>),
    ]),
  )
  const events: WorkerEvents = new EventEmitter()
  // Jobs are locked under the name of the runner's pool, not of one of its workers.
  let poolId = ''
  events.on('pool:create', ({ workerPool }) => {
    poolId = workerPool.id
  })
  const runner = await run({
    pgPool,
    events,
    noHandleSignals: true,
    taskList,
    // Its warnings are about sizes chosen here on purpose; its errors are failed jobs and lost connections.
    logger: new Logger(() => (level, message) => {
      if (level === 'error') app.log.error({ jobs: message }, 'job queue')
    }),
    preset: {
      worker: {
        concurrentJobs,
        pollInterval: POLL_MS,
        maxPoolSize: POOL_SIZE,
        // Jobs are fetched and completed many at a time; a delay of 0 waits for nobody.
        localQueue: { size: concurrentJobs },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  })
  runner.promise.catch(error => app.log.error({ err: error }, 'job runner ended'))
  return { runner, poolId }
}
