// Failed log-ins are counted for each address and for each source. Counters are in the database, so all
// processes share them. Right passwords cost nothing, however often they come.

import { RateLimiterPostgres } from 'rate-limiter-flexible'
import type { Db } from '../db/db.ts'
import { GatewayError } from '../errors.ts'

/**
 * Ten guesses in a quarter of an hour are a thousand a day: enough for whoever forgot which password it was,
 * nothing against one that is not among the most common.
 */
const FAILURES_PER_ADDRESS = 10
/** An office behind one address has several people who mistype; a list of leaked passwords has millions. */
const FAILURES_PER_SOURCE = 100
const WINDOW_SECONDS = 15 * 60

/** address: a hash of it, which is of one length and tells nobody who reads the table. */
export type Attempt = { address: string; source: string }

export type LoginLimit = {
  /** Throws RATE_LIMITED where either has failed too often. */
  check(attempt: Attempt): Promise<void>
  countFailure(attempt: Attempt): Promise<void>
  /** Its owner has shown up. */
  forget(address: string): Promise<void>
}

export function loginLimit(db: Db): LoginLimit {
  const counter = (keyPrefix: string, points: number, clearExpiredByTimeout: boolean) =>
    new RateLimiterPostgres({
      storeClient: db,
      storeType: 'knex',
      tableName: 'login_limits',
      tableCreated: true,
      keyPrefix,
      points,
      duration: WINDOW_SECONDS,
      clearExpiredByTimeout,
    })
  // They share the table, so one of them clears what has expired.
  const addresses = counter('address', FAILURES_PER_ADDRESS, true)
  const sources = counter('source', FAILURES_PER_SOURCE, false)

  return {
    async check({ address, source }) {
      const counts = await Promise.all([addresses.get(address), sources.get(source)])
      const full = counts.filter(count => count !== null && count.remainingPoints === 0)
      if (full.length === 0) return
      const seconds = Math.ceil(Math.max(...full.map(count => count?.msBeforeNext ?? 0)) / 1_000)
      throw new GatewayError('RATE_LIMITED', `too many failed log-ins; try again in ${seconds} seconds`, {
        retryAfterSeconds: seconds,
      })
    },
    async countFailure({ address, source }) {
      await Promise.all([addresses.penalty(address), sources.penalty(source)])
    },
    async forget(address) {
      await addresses.delete(address)
    },
  }
}
