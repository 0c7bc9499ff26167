// Once an hour each worker process sees to the partitions of the logs; they take turns.

import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../app.ts'
import { keepPartitions } from '../retention/keep-partitions.ts'

const PAUSE_MS = 3_600_000

export function startPartitions(app: Pick<App, 'db' | 'clock' | 'log' | 'logRetentionDays'>): {
  stop(): Promise<void>
} {
  const stop = new AbortController()
  const loop = async () => {
    while (!stop.signal.aborted) {
      await keepPartitions(app)
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
