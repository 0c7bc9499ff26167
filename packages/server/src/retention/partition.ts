// Logs have one partition per month, bounded by ids, which start with the time. There are no gaps between months, and
// the first partition has no lower bound.

import { timeOfId } from '../id.ts'
import { after } from '../time.ts'

/** The partitioned tables, and the setting that determines how long each is kept. */
export const logs = {
  provider_callbacks: { kept: 'callbackDays' },
  webhook_attempts: { kept: 'attemptDays' },
} as const
export type Log = keyof typeof logs

/** Contains rows from the end of the previous partition until `before`. */
export type Partition = { name: string; before: Date }

/** Partitions are created this far ahead, so that rows have a partition even if no worker runs for a while. */
const MONTHS_AHEAD = 3
const DAY_MS = 86_400_000

/** True if a month is missing after the last partition. */
export const isPartitionMissing = (last: Partition, now: Date): boolean =>
  last.before < startOfMonth(now, MONTHS_AHEAD + 1)

/**
 * The partitions that are entirely past the retention period, in the given order (oldest first). Null keeps
 * everything.
 */
export function partitionsOver(
  partitions: Partition[],
  retentionDays: number | null,
  now: Date,
): Partition[] {
  if (retentionDays === null) return []
  const keptFrom = after(now, -retentionDays * DAY_MS)
  return partitions.filter(({ before }) => before <= keptFrom)
}

export const partitionBefore = ({ name, beforeId }: { name: string; beforeId: string }): Partition => ({
  name,
  before: timeOfId(beforeId),
})

/** The start of the month that is `months` after that of `at`, in UTC. */
const startOfMonth = (at: Date, months: number): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months))
