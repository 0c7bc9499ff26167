// Logs are kept in a partition for each month, whose bounds are ids: those begin with the time. The months follow
// one another without a gap, and the first reaches back to the beginning.

import { timeOfId } from '../id.ts'
import { after } from '../time.ts'

/** The tables that are partitioned, and what says how long they are kept. */
export const logs = {
  provider_callbacks: { kept: 'callbackDays' },
  webhook_attempts: { kept: 'attemptDays' },
} as const
export type Log = keyof typeof logs

/** It has what came before `before`, from where the one before it ends. */
export type Partition = { name: string; before: Date }

/** So far ahead, no row goes without a partition while the workers are away. */
const MONTHS_AHEAD = 3
const DAY_MS = 86_400_000

/** Whether one is missing after the last there is. */
export const isPartitionMissing = (last: Partition, now: Date): boolean =>
  last.before < startOfMonth(now, MONTHS_AHEAD + 1)

/** Those of which nothing has to be kept any longer; oldest first, as they are given. Null: everything is kept. */
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

/** Of the month so many after that of a moment; months begin in UTC. */
const startOfMonth = (at: Date, months: number): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months))
