// Each log (callbacks, webhook attempts and API requests) has one partition per month. The bounds of a partition
// are ids, which works because an id starts with its creation time. There are no gaps between months, and the
// first partition has no lower bound.

import { timeOfId } from '../values/id.ts'
import { after } from '../values/time.ts'

/** The partitioned tables, each with the setting that determines how long its rows are retained. */
export const logs = {
  provider_callbacks: { retention: 'callbackDays' },
  webhook_attempts: { retention: 'attemptDays' },
  api_requests: { retention: 'requestDays' },
} as const
export type Log = keyof typeof logs

/** A log partition. It contains the rows between the end of the previous partition and the time `before`. */
export type Partition = { name: string; before: Date }

/**
 * Partitions are created this many months ahead, so that new rows have a partition even if no worker runs for a while.
 */
const MONTHS_AHEAD = 3
const DAY_MS = 86_400_000

/** Returns true if the existing partitions do not yet cover the next MONTHS_AHEAD months. */
export const isPartitionMissing = (last: Partition, now: Date): boolean =>
  last.before < startOfMonth(now, MONTHS_AHEAD + 1)

/**
 * Returns the partitions whose rows are all past the retention period, oldest first. If there is no retention period
 * (null), the result is empty.
 */
export function expiredPartitions(
  partitions: Partition[],
  retentionDays: number | null,
  now: Date,
): Partition[] {
  if (retentionDays === null) return []
  const retainedFrom = after(now, -retentionDays * DAY_MS)
  return partitions.filter(({ before }) => before <= retainedFrom)
}

export const partitionBefore = ({ name, beforeId }: { name: string; beforeId: string }): Partition => ({
  name,
  before: timeOfId(beforeId),
})

/** Returns the start of the month that is `months` months after the month of `at`, in UTC. */
const startOfMonth = (at: Date, months: number): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months))
