import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import type { Db } from './db.ts'
import { joined } from './joined.ts'

const { db } = await testDatabase()

/** Keeps which inputs went together, and to which database. */
function noting() {
  const runs: { db: Db; inputs: number[] }[] = []
  const double = joined(async (on, inputs: number[]) => {
    runs.push({ db: on, inputs })
    await on.raw('select 1')
    return inputs.map(input => 2 * input)
  })
  return { runs, double }
}

describe('calls that are joined', () => {
  test('go out at once while there is room, then together, and each has its own answer', async () => {
    const { runs, double } = noting()
    const answers: Promise<number>[] = []
    for (const input of [1, 2, 3, 4, 5, 6, 7, 8]) {
      answers.push(double(db, input))
      // Those of one breath would go together.
      await Promise.resolve()
    }
    expect(await Promise.all(answers)).toEqual([2, 4, 6, 8, 10, 12, 14, 16])
    expect(runs.map(run => run.inputs)).toEqual([[1], [2], [3], [4], [5, 6, 7, 8]])
  })

  test('within a transaction are joined with nothing outside it', async () => {
    const { runs, double } = noting()
    await db.transaction(async tx => {
      await Promise.all([double(tx, 1), double(db, 2)])
      expect(runs).toEqual([
        { db: tx, inputs: [1] },
        { db, inputs: [2] },
      ])
    })
  })
})
