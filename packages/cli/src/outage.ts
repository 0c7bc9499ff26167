// Decides which errors end a command that keeps reading from the service, such as `webhooks listen`. Such a command
// only reads, so it can repeat each call safely.

import { setTimeout as pause } from 'node:timers/promises'
import { ConnectionError, GapuraError, TimeoutError } from '@gapura/sdk'
import type { Cli } from './cli.ts'
import { note } from './output.ts'

const PAUSE_MS = 2_000
/** The longest delay that setTimeout supports. A timer with a longer delay fires immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Returns whether the error may be temporary, so that a later attempt to read can succeed:
 * - The service could not be reached, did not respond in time, was at capacity or failed.
 * - The caller exceeded a rate limit.
 */
export function isOutage(error: unknown): error is GapuraError {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true
  if (!(error instanceof GapuraError) || error.status === undefined) return false
  return error.status === 408 || error.status === 429 || error.status >= 500
}

/**
 * Returns how long to wait before the next read: `shortestMs` or the time that the service requests, whichever is
 * longer.
 */
export const pauseAfterOutageMs = ({ retryAfterMs = 0 }: GapuraError, shortestMs: number): number =>
  Math.min(Math.max(shortestMs, retryAfterMs), LONGEST_TIMER_MS)

/**
 * Calls `read` until it succeeds. After an outage, prints the error and the text in the parameter `still`, waits, and
 * calls `read` again. Throws any other error.
 */
export async function readThroughOutages<T>(
  cli: Cli,
  still: string,
  read: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (!isOutage(error) || signal?.aborted) throw error
      note(cli, `${error.message}; ${still}`)
      await pause(pauseAfterOutageMs(error, PAUSE_MS), undefined, signal && { signal })
    }
  }
}
