import pg from 'pg'
import { connectionTimeouts } from '../db/db.ts'
import { hasNoPendingQuery } from '../db/pg-internals.ts'

export const JOB_POOL_SIZE = 8

/** The connection pool of the job queue. `lost` is called when a connection breaks, whether idle or in use. */
export function jobPool(url: string, lost: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: JOB_POOL_SIZE,
    application_name: 'gapura-jobs',
    ...connectionTimeouts,
  })
  pool.on('error', lost)
  pool.on('connect', client => client.on('error', lost))
  // Graphile Worker releases a connection without reporting an error. If a statement timed out, the next statement on
  // the connection would have to wait for it. Such a connection is closed instead; the pool removes closed connections.
  pool.on('release', (_, client) => {
    if (!hasNoPendingQuery(client)) void client.end()
  })
  return pool
}
