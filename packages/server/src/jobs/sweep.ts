// Each worker process runs the sweep, which looks for work that is due or that a crash left behind:
//
// - Every second: due status inquiries.
// - Every five seconds: dead workers' locked jobs, callbacks without a job, and overdue webhooks.
//
// Any number of processes may run the sweep at the same time. Each row is either claimed by only one process or can
// safely be handled twice.

import { requeueUnappliedCallbacks } from '../callbacks/callback.sql.ts'
import { requeueUnreadableInquiries } from '../callbacks/unreadable-callback.sql.ts'
import type { Db } from '../db/db.ts'
import { releaseJobsOfDeadWorkers } from '../db/job-queue.sql.ts'
import type { Logger } from '../logging/log.ts'
import { duePaymentSweep } from '../payments/inquire/sweep-due-payments.ts'
import type { RecordInBatch } from '../payments/record/event-batch.ts'
import { dueRefundSweep } from '../payments/refund/sweep-due-refunds.ts'
import { type InquiryLimits, inquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import type { LoadAccount } from '../provider-accounts/load-account.ts'
import type { ProviderHealth } from '../provider-accounts/provider-health.ts'
import type { Clock } from '../values/time.ts'
import { type EndpointKey, listOverdueEndpoints } from '../webhooks/additional/claim-deliveries.sql.ts'
import { listOverdueTenants } from '../webhooks/delivery/lease.sql.ts'
import { jobMetrics } from './job-metrics.ts'
import { type Periodic, runPeriodically } from './periodic.ts'
import { countWorkers, deleteWorker, sendHeartbeat, type WorkerRow } from './worker.sql.ts'

const SWEEP_PAUSE_MS = 1_000
const HEARTBEAT_EVERY_MS = 5_000
/** A worker counts as dead after three missed heartbeats, so its jobs run again within 20 s. */
const DEAD_AFTER_MS = 15_000
/**
 * A job can be locked for this process although the response with the job was lost. After this time, such a
 * job is released. If the process receives it after all, the job may run twice, which is harmless.
 */
const UNRECEIVED_AFTER_MS = 20_000
/**
 * If a job has not processed its row, such as a callback, within this time, the job is considered lost. A new job is
 * then enqueued. Jobs normally run much sooner.
 */
const LOST_AFTER_MS = 20_000
const REQUEUED_AT_ONCE = 500
/**
 * The sweep, the periodic search for work, delivers webhooks that are overdue by at least this time. If another process
 * tries to deliver the same webhook at the same time, only one of the two processes gets the webhook's lease.
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
  publicIp: string | undefined
}

/**
 * Starts the sweep, which periodically looks for due work. Passes tenants and additional endpoints with overdue
 * webhooks to `lookForWebhooks`. Also calls `releaseUnreceived` to release jobs that the database locked for this
 * process long ago, but that never reached the process.
 */
export async function startSweep(
  app: Deps,
  self: WorkerRow,
  lookForWebhooks: {
    ofTenants: (tenantIds: string[]) => void
    ofEndpoints: (endpoints: EndpointKey[]) => void
  },
  releaseUnreceived: (lockedForMs: number) => Promise<unknown>,
  limits: InquiryLimits = inquiryLimits(app.clock),
): Promise<{ isSendingHeartbeats(): boolean; stop(): Promise<void> }> {
  await sendHeartbeat(app.db, self)
  let lastHeartbeatAtMs = performance.now()

  const [duePayments, dueRefunds] = [duePaymentSweep(app, limits), dueRefundSweep(app, limits)]
  // Each kind of work, such as refunds, has its own loop. A slow or failed query for one kind therefore delays neither
  // the other kinds nor the heartbeat.
  const parts = [
    runPart('checks', SWEEP_PAUSE_MS, async stop => {
      while (!stop.aborted && (await duePayments.begin()));
    }),
    runPart('refunds', SWEEP_PAUSE_MS, async stop => {
      while (!stop.aborted && (await dueRefunds.begin()));
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
      lookForWebhooks.ofTenants(await listOverdueTenants(app.db, dueSince))
    }),
    runPart('additional_webhooks', HEARTBEAT_EVERY_MS, async () => {
      const dueSince = new Date(app.clock().getTime() - OVERDUE_AFTER_MS)
      lookForWebhooks.ofEndpoints(await listOverdueEndpoints(app.db, dueSince))
    }),
  ]

  function runPart(part: string, pauseMs: number, run: (stop: AbortSignal) => Promise<unknown>): Periodic {
    return runPeriodically(pauseMs, run, error => {
      jobMetrics.upkeepFailures.inc({ part })
      app.log.error({ err: error, part }, 'sweep failed; will retry')
    })
  }

  return {
    /** Returns whether this process sends its heartbeats on time. If not, other processes take over its jobs. */
    isSendingHeartbeats: () => performance.now() - lastHeartbeatAtMs < DEAD_AFTER_MS,
    async stop() {
      await Promise.all(parts.map(part => part.stop()))
      await Promise.all([duePayments.ended(), dueRefunds.ended()])
      await deleteWorker(app.db, self.id).catch(error =>
        app.log.warn(
          { err: error },
          'at shutdown, the worker could not remove its own row from the table of workers',
        ),
      )
    },
  }
}
