import { onTestFinished } from 'vitest'
import { createDb, type Db } from '../../src/db/db.ts'
import { detectDistribution } from '../../src/db/distributed-database.ts'

/**
 * Creates a connection pool for one test. The pool makes the service treat its database as a Citus cluster. The
 * database is in fact on a single PostgreSQL server, which accepts all statements that Citus accepts.
 */
export async function clusterPool(url: string): Promise<Db> {
  const pool = createDb(url, { max: 2 })
  onTestFinished(() => pool.destroy())
  const coordinator = { raw: async () => ({ rows: [{}] }), client: { config: {} } } as unknown as Db
  await detectDistribution([coordinator, pool])
  return pool
}
