import type { Db } from '../db/db.ts'
import type { Logger } from '../logging/log.ts'
import type { InquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import type { LoadAccount } from '../provider-accounts/load-account.ts'
import type { ProviderHealth } from '../provider-accounts/provider-health.ts'
import { dayOf, daysBefore } from '../values/day.ts'
import { after, type Clock } from '../values/time.ts'
import { deleteOldChecks } from './check.sql.ts'
import { compareDay } from './compare-day.ts'
import { pollAccounts } from './poll-accounts.ts'
import {
  type ClaimedRun,
  claimDueRun,
  DAYS_BACK,
  endPass,
  extendClaim,
  releaseClaim,
  storeComparison,
} from './run.sql.ts'

/** A day's reconciliation starts at 06:00 on the next day in Jakarta, when late callbacks have arrived. */
const DUE_AFTER_MS = 6 * 3_600_000
/** How many seconds pass before a failed run is retried. During this time, other days' runs can start. */
const LEFT_FOR_SECONDS = 600
/**
 * How often a process extends its claim (the exclusive right to continue a reconciliation run). This is much
 * shorter than a claim's lifetime.
 */
const EXTEND_EVERY_MS = 15_000

export type ReconciliationDeps = {
  db: Db
  clock: Clock
  log: Logger
  accountOf: LoadAccount
  health: ProviderHealth
}
export type PassResult = { day: string; mode: ClaimedRun['mode']; left: bigint; differences: bigint }

/** Returns the latest day whose reconciliation should have started by now. */
export const latestDueDay = (now: Date): string => daysBefore(dayOf(after(now, -DUE_AFTER_MS)), 1)

/**
 * Runs one pass (a round of comparisons and status inquiries) of a due reconciliation run that no other process has
 * claimed. Returns undefined if there is no such run. Throws an error if the signal aborts the pass or another process
 * takes over the run. Results are stored immediately, so that the next pass continues with the remaining work.
 */
export async function reconcileDueDay(
  app: ReconciliationDeps,
  limits: InquiryLimits,
  signal: AbortSignal,
): Promise<PassResult | undefined> {
  const run = await claimDueRun(app.db, latestDueDay(app.clock()))
  if (!run) return
  const checkpoint = claimExtender(app, run, signal)
  try {
    if (!run.isCompared) {
      await deleteOldChecks(app.db, run, DAYS_BACK)
      await storeComparison(app.db, run, await compareDay(app, run, checkpoint))
    }
    await pollAccounts(app, { limits, run, checkpoint })
  } catch (error) {
    await releaseClaim(app.db, run, signal.aborted ? 0 : LEFT_FOR_SECONDS).catch(() => {})
    throw error
  }
  const ended = await endPass(app.db, run)
  if (!ended) throw claimLost(run)
  const { day, mode } = run
  const { left, differences } = ended
  app.log.info({ day, mode, left, differences }, 'day reconciled')
  return { day, mode, left, differences }
}

const claimLost = ({ day, mode }: ClaimedRun) =>
  new Error(`another process took over the reconciliation of ${day} (${mode})`)

/**
 * Returns a function that extends this process's claim to a reconciliation run, so that no other process takes
 * over the run. Call the function regularly. If another process has taken over the run, the function throws an
 * error.
 */
function claimExtender(
  { db }: ReconciliationDeps,
  run: ClaimedRun,
  signal: AbortSignal,
): () => Promise<void> {
  let extendedAtMs = performance.now()
  return async () => {
    signal.throwIfAborted()
    if (performance.now() - extendedAtMs < EXTEND_EVERY_MS) return
    extendedAtMs = performance.now()
    if (!(await extendClaim(db, run))) throw claimLost(run)
  }
}
