// Each worker process finds work that is due or was left behind by a crash. Once a second: payments whose check is due.
// Every five seconds: locked jobs of dead workers, jobs whose runner never received them, callbacks whose job was lost,
// and tenants with overdue webhooks. Any number of processes may sweep at once: either the process that finds a row
// claims it, or finding the row twice is harmless.

import { setTimeout as pause } from 'node:timers/promises'
import { requeueUnappliedCallbacks } from '../callbacks/callback.sql.ts'
import { requeueUnreadableInquiries } from '../callbacks/unreadable-callback.sql.ts'
import type { Db } from '../db/db.ts'
import { releaseJobsOfTheDead } from '../db/job-queue.sql.ts'
import type { Logger } from '../logging/log.ts'
import { duePaymentSweep } from '../payments/inquire/sweep-due-payments.ts'
import type { RecordInBatch } from '../payments/record/event-batch.ts'
import { type InquiryLimits, inquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import type { LoadAccount } from '../provider-accounts/load-account.ts'
import type { ProviderHealth } from '../provider-accounts/provider-health.ts'
import type { Clock } from '../values/time.ts'
import { listOverdueTenants } from '../webhooks/delivery/lease.sql.ts'
import { jobMetrics } from './job-metrics.ts'
import { beat, countWorkers, deleteWorker, type WorkerRow } from './worker.sql.ts'

const SWEEP_PAUSE_MS = 1_000
const BEAT_EVERY_MS = 5_000
/** A worker counts as dead after three missed heartbeats. So the jobs of a dead worker run again within 20 s. */
const DEAD_AFTER_MS = 15_000
/**
 * Jobs that have been locked for this long, without this process having them, are released. If the response to the
 * fetch arrives even later, other processes may already have run the jobs. Running a job twice is harmless.
 */
const UNHELD_AFTER_MS = 20_000
/**
 * If a row has waited this long for its job, the job counts as lost, because the queue should never be this far behind.
 */
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
 * Starts the sweep. `lookForWebhooks` is called with the tenants that have due events in the table. `releaseUnheld`
 * releases jobs that have been locked for this process for that long, but that it never received.
 */
export async function startSweep(
  app: Deps,
  self: WorkerRow,
  lookForWebhooks: (tenantIds: string[]) => void,
  releaseUnheld: (lockedForMs: number) => Promise<unknown>,
  limits: InquiryLimits = inquiryLimits(app.clock),
): Promise<{ isBeating(): boolean; stop(): Promise<void> }> {
  await beat(app.db, self)
  let beatenAtMs = performance.now()

  const stop = new AbortController()
  const due = duePaymentSweep(app, limits)
  const parts = [
    loop('checks', SWEEP_PAUSE_MS, async () => {
      while (!stop.signal.aborted && (await due.begin()));
    }),
    // The loops are independent: a loop that is slow or fails delays neither the heartbeat nor the other loops.
    loop('beat', BEAT_EVERY_MS, async () => {
      await beat(app.db, self)
      beatenAtMs = performance.now()
      await releaseJobsOfTheDead(app.db, DEAD_AFTER_MS)
      limits.setWorkers(await countWorkers(app.db, DEAD_AFTER_MS))
    }),
    loop('unheld_jobs', BEAT_EVERY_MS, () => releaseUnheld(UNHELD_AFTER_MS)),
    loop('callbacks', BEAT_EVERY_MS, () => {
      const since = new Date(app.clock().getTime() - LOST_AFTER_MS)
      return requeueUnappliedCallbacks(app.db, since, REQUEUED_AT_ONCE)
    }),
    loop('unreadable_callbacks', BEAT_EVERY_MS, () => {
      const since = new Date(app.clock().getTime() - LOST_AFTER_MS)
      return requeueUnreadableInquiries(app.db, since, REQUEUED_AT_ONCE)
    }),
    loop('webhooks', BEAT_EVERY_MS, async () => {
      const dueSince = new Date(app.clock().getTime() - OVERDUE_AFTER_MS)
      lookForWebhooks(await listOverdueTenants(app.db, dueSince))
    }),
  ]

  async function loop(part: string, pauseMs: number, step: () => Promise<unknown>): Promise<void> {
    while (!stop.signal.aborted) {
      await step().catch(error => {
        jobMetrics.upkeepFailures.inc({ part })
        app.log.error({ err: error, part }, 'sweep failed; it will be retried')
      })
      await pause(pauseMs, undefined, { signal: stop.signal }).catch(() => {})
    }
  }

  return {
    /** Returns whether this process sends heartbeats. If not, other processes take its jobs. */
    isBeating: () => performance.now() - beatenAtMs < DEAD_AFTER_MS,
    async stop() {
      stop.abort()
      await Promise.all(parts)
      await due.ended()
      await deleteWorker(app.db, self.id).catch(error =>
        app.log.warn({ err: error }, 'worker could not remove its own row from the database'),
      )
    },
  }
}
