// Creates one distributed database for all tests in a file, on the Citus cluster from `citus-cluster.ts`.

import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { createDb, type Db } from '../../src/db/db.ts'
import { distribute } from '../../src/db/distribute/distribute.ts'
import { detectDistribution } from '../../src/db/distributed-database.ts'
import { type CitusDatabase, citusDatabase } from './citus-cluster.ts'

/** Call this function within `describe`. The database exists while the tests in the `describe` block run. */
export function distributedDatabase(): { cluster(): CitusDatabase; servicePool(): Promise<Db> } {
  let cluster: CitusDatabase
  beforeAll(async () => {
    cluster = await citusDatabase()
    await distribute(cluster.ownerUrl, { dryRun: false, say: () => {} })
  }, 300_000)
  afterAll(() => cluster.drop())

  return {
    cluster: () => cluster,
    /** Creates a pool with the service's role. The pool is closed at the end of the test. */
    async servicePool() {
      const pool = createDb(cluster.serviceUrl, { max: 4 })
      onTestFinished(() => pool.destroy())
      await detectDistribution([pool])
      return pool
    },
  }
}
