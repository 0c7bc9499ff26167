import pg from 'pg'
import { isAnswered, limits } from '../db/db.ts'

export const JOB_POOL_SIZE = 8

/** The connections of the job queue. lost: told of one that broke while nobody used it, or under somebody's hands. */
export function jobPool(url: string, lost: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: JOB_POOL_SIZE,
    application_name: 'gapura-jobs',
    ...limits,
  })
  pool.on('error', lost)
  pool.on('connect', client => client.on('error', lost))
  // Graphile Worker gives a connection back without a word of how it went. Of one that did not answer in time the next
  // one would wait behind the statement that nobody waits for any more; one that has been told to end is not kept.
  pool.on('release', (_, client) => {
    if (!isAnswered(client)) void client.end()
  })
  return pool
}
