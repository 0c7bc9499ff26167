import { describe, expect, test } from 'vitest'
import { clusterPool } from '../../../test/support/cluster-pool.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { newId } from '../../values/id.ts'
import { inScope, scopeOfTenant } from '../tenant-scope.ts'
import { batchedWrite } from './batched-write.ts'

const { url, db } = await testDatabase()

describe('writes of several tenants share a batch on a single PostgreSQL server, but not on Citus', () => {
  const [first, second] = [newId(), newId()]
  type Input = { tenantId: string; number: number }
  const inputs: Input[] = [first, second, first, second].map((tenantId, number) => ({ tenantId, number }))
  function noting(fails: (input: Input) => boolean = () => false) {
    const runs: number[][] = []
    const write = batchedWrite('test', {
      tenantOf: (input: Input) => input.tenantId,
      async run(_, batch: Input[]) {
        runs.push(batch.map(({ number }) => number))
        if (batch.some(fails)) throw new Error('rejected')
        return batch.map(({ number }) => 10 * number)
      },
    })
    return { runs, write }
  }

  test.each([
    ['the service’s own', (_: string, run: () => Promise<number>) => run()],
    ['its callers’', (id: string, run: () => Promise<number>) => inScope(scopeOfTenant(id), run)],
  ])(
    'on a distributed database, %s writes are batched per tenant, in the order of the calls',
    async (_, as) => {
      const { runs, write } = noting()
      const cluster = await clusterPool(url)
      const outputs = inputs.map(input => as(input.tenantId, () => write(cluster, input)))
      expect(await Promise.all(outputs)).toEqual([0, 10, 20, 30])
      expect(runs).toEqual([
        [0, 2],
        [1, 3],
      ])
    },
  )

  test("on a distributed database, a failed batch does not make another tenant's writes run again", async () => {
    const { runs, write } = noting(({ number }) => number === 3)
    const cluster = await clusterPool(url)
    const settled = await Promise.allSettled(inputs.map(input => write(cluster, input)))
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
    expect(runs.filter(run => run.includes(0))).toEqual([[0, 2]])
  })

  test('on a single PostgreSQL server, concurrent writes for several tenants share one batch', async () => {
    const { runs, write } = noting()
    await Promise.all(inputs.map(input => write(db, input)))
    expect(runs).toEqual([[0, 1, 2, 3]])
  })
})
