// Once an hour, each worker process maintains the partitions of the logs and deletes data past its retention period.

import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../db/db.ts'
import type { Logger } from '../logging/log.ts'
import { dropOutdated } from '../retention/drop-outdated.ts'
import { keepPartitions } from '../retention/keep-partitions.ts'
import type { Retention } from '../retention/retention.ts'
import type { Clock } from '../values/time.ts'
import { jobMetrics } from './job-metrics.ts'

const PAUSE_MS = 3_600_000

export function startRetention(app: { db: Db; clock: Clock; log: Logger; retention: Retention }): {
  stop(): Promise<void>
} {
  const stop = new AbortController()
  const loop = async () => {
    while (!stop.signal.aborted) {
      if (await keepPartitions(app, stop.signal)) jobMetrics.partitionsKept.setToCurrentTime()
      await dropOutdated(app, stop.signal)
      await pause(PAUSE_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  }
  const ended = loop()
  return {
    async stop() {
      stop.abort()
      await ended
    },
  }
}
