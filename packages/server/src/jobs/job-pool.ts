import pg from 'pg'
import { connectionTimeouts } from '../db/db.ts'
import { isReusable } from '../db/pg-internals.ts'
import { DatabaseClient } from '../db/primary/database-client.ts'

export const JOB_POOL_SIZE = 8

/**
 * Creates the job queue's connection pool. `lost` is called when a connection breaks, whether it is idle or in use.
 */
export function jobPool(url: string, lost: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    Client: DatabaseClient,
    connectionString: url,
    max: JOB_POOL_SIZE,
    application_name: 'gapura-jobs',
    ...connectionTimeouts,
  })
  pool.on('error', lost)
  pool.on('connect', client => client.on('error', lost))
  // Graphile Worker releases a connection after a failed statement without passing the error to the pool. This handler
  // therefore closes connections that cannot be reused. Otherwise, after a client-side timeout, the next statement
  // would wait for the response to the previous statement.
  pool.on('release', (_, client) => {
    if (!isReusable(client)) void client.end()
  })
  return pool
}
