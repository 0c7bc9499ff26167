import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import type { Db } from '../db.ts'
import { batchedWrite } from './batched-write.ts'

const { db } = await testDatabase()

/**
 * Returns a batched write for tests. It records the inputs of each batch, and whether the batch ran on the
 * pool or in a transaction.
 */
function noting() {
  const runs: { db: Db; inputs: number[] }[] = []
  const double = batchedWrite('test', {
    tenantOf: () => 'nobody',
    async run(on, inputs: number[]) {
      runs.push({ db: on, inputs })
      await on.raw('select 1')
      return inputs.map(input => 2 * input)
    },
  })
  return { runs, double }
}

describe('batched writes that are called at the same time share one SQL statement', () => {
  test('concurrent batched writes share a statement, and each write gets the result for its own input', async () => {
    const { runs, double } = noting()
    expect(await Promise.all([1, 2, 3].map(input => double(db, input)))).toEqual([2, 4, 6])
    expect(runs).toEqual([{ db, inputs: [1, 2, 3] }])
  })

  test('batched writes within a transaction do not share a statement with batched writes outside the transaction', async () => {
    const { runs, double } = noting()
    await db.transaction(async tx => {
      await Promise.all([double(tx, 1), double(db, 2), double(tx, 3)])
      expect(runs).toEqual([
        { db: tx, inputs: [1, 3] },
        { db, inputs: [2] },
      ])
    })
  })

  test('if an error ends a transaction, all batched writes within the transaction fail with this error', async () => {
    const divide = batchedWrite('test', {
      tenantOf: () => 'nobody',
      async run(on, by: number[]) {
        await on.raw('select 1 / unnest(?::int[])', [by])
        return by
      },
    })
    const answers: Promise<number>[] = []
    await db.transaction(async tx => {
      answers.push(divide(tx, 1), divide(tx, 0))
      await Promise.allSettled(answers)
    })
    for (const answer of answers) await expect(answer).rejects.toThrow('division by zero')
    // If the calls do not run in a transaction, an invalid input makes only its own call fail. The other calls in the
    // batch succeed.
    expect(await Promise.allSettled([divide(db, 1), divide(db, 0)])).toMatchObject([
      { value: 1 },
      { reason: { message: expect.stringContaining('division by zero') } },
    ])
  })
})
