// Each worker process looks for work that is due or was left behind by a crash. Every second: payments whose check is
// due. Every five seconds: locked jobs of dead workers, callbacks without a job, and tenants with overdue webhooks. Any
// number of processes may sweep at once, because a row is claimed by one process or can be handled twice without harm.

import { requeueUnappliedCallbacks } from '../callbacks/callback.sql.ts'
import { requeueUnreadableInquiries } from '../callbacks/unreadable-callback.sql.ts'
import type { Db } from '../db/db.ts'
import { releaseJobsOfDeadWorkers } from '../db/job-queue.sql.ts'
import type { Logger } from '../logging/log.ts'
import { duePaymentSweep } from '../payments/inquire/sweep-due-payments.ts'
import type { RecordInBatch } from '../payments/record/event-batch.ts'
import { type InquiryLimits, inquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import type { LoadAccount } from '../provider-accounts/load-account.ts'
import type { ProviderHealth } from '../provider-accounts/provider-health.ts'
import type { Clock } from '../values/time.ts'
import { listOverdueTenants } from '../webhooks/delivery/lease.sql.ts'
import { jobMetrics } from './job-metrics.ts'
import { type Periodic, runPeriodically } from './periodic.ts'
import { countWorkers, deleteWorker, sendHeartbeat, type WorkerRow } from './worker.sql.ts'

const SWEEP_PAUSE_MS = 1_000
const HEARTBEAT_EVERY_MS = 5_000
/** A worker counts as dead after three missed heartbeats, so its jobs run again within 20 s. */
const DEAD_AFTER_MS = 15_000
/**
 * Jobs that have been locked for this long, without this process having them, are released. If the response to the
 * fetch arrives even later, other processes may already have run the jobs. Running a job twice is harmless.
 */
const UNRECEIVED_AFTER_MS = 20_000
/** A row that has waited this long counts as having lost its job, because the queue is normally much faster. */
const LOST_AFTER_MS = 20_000
const REQUEUED_AT_ONCE = 500
/**
 * Webhooks that are overdue by this time are searched for here. The regular delivery normally finds them sooner;
 * searching twice is harmless.
 */
const OVERDUE_AFTER_MS = 2_000

type Deps = {
  db: Db
  clock: Clock
  log: Logger
  accountOf: LoadAccount
  health: ProviderHealth
  recordInBatch: RecordInBatch
  publicUrl: string
}

/**
 * Starts the sweep. `lookForWebhooks` is called with the tenants that have due events in the table. `releaseUnreceived`
 * releases jobs that have been locked for this process for that long, but that it never received.
 */
export async function startSweep(
  app: Deps,
  self: WorkerRow,
  lookForWebhooks: (tenantIds: string[]) => void,
  releaseUnreceived: (lockedForMs: number) => Promise<unknown>,
  limits: InquiryLimits = inquiryLimits(app.clock),
): Promise<{ isSendingHeartbeats(): boolean; stop(): Promise<void> }> {
  await sendHeartbeat(app.db, self)
  let lastHeartbeatAtMs = performance.now()

  const due = duePaymentSweep(app, limits)
  // The parts are independent: a part that is slow or fails delays neither the heartbeat nor the other parts.
  const parts = [
    runPart('checks', SWEEP_PAUSE_MS, async stop => {
      while (!stop.aborted && (await due.begin()));
    }),
    runPart('beat', HEARTBEAT_EVERY_MS, async () => {
      await sendHeartbeat(app.db, self)
      lastHeartbeatAtMs = performance.now()
      await releaseJobsOfDeadWorkers(app.db, DEAD_AFTER_MS)
      limits.setWorkers(await countWorkers(app.db, DEAD_AFTER_MS))
    }),
    runPart('unheld_jobs', HEARTBEAT_EVERY_MS, () => releaseUnreceived(UNRECEIVED_AFTER_MS)),
    runPart('callbacks', HEARTBEAT_EVERY_MS, () => {
      const since = new Date(app.clock().getTime() - LOST_AFTER_MS)
      return requeueUnappliedCallbacks(app.db, since, REQUEUED_AT_ONCE)
    }),
    runPart('unreadable_callbacks', HEARTBEAT_EVERY_MS, () => {
      const since = new Date(app.clock().getTime() - LOST_AFTER_MS)
      return requeueUnreadableInquiries(app.db, since, REQUEUED_AT_ONCE)
    }),
    runPart('webhooks', HEARTBEAT_EVERY_MS, async () => {
      const dueSince = new Date(app.clock().getTime() - OVERDUE_AFTER_MS)
      lookForWebhooks(await listOverdueTenants(app.db, dueSince))
    }),
  ]

  function runPart(part: string, pauseMs: number, run: (stop: AbortSignal) => Promise<unknown>): Periodic {
    return runPeriodically(pauseMs, run, error => {
      jobMetrics.upkeepFailures.inc({ part })
      app.log.error({ err: error, part }, 'sweep failed; it will be retried')
    })
  }

  return {
    /** Returns whether this process sends heartbeats. If not, other processes take its jobs. */
    isSendingHeartbeats: () => performance.now() - lastHeartbeatAtMs < DEAD_AFTER_MS,
    async stop() {
      await Promise.all(parts.map(part => part.stop()))
      await due.ended()
      await deleteWorker(app.db, self.id).catch(error =>
        app.log.warn({ err: error }, 'worker could not remove its own row from the database'),
      )
    },
  }
}
