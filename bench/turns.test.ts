import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { takingTurns } from './turns.ts'

test('takingTurns gives each participant one turn per round, even if one works longer between turns', async () => {
  const order: string[] = []
  await takingTurns(['small', 'large'], async (name, turn) => {
    for (let round = 1; round <= 3; round += 1) {
      for (let n = 0; n < (name === 'large' ? 20 : 1); n += 1) await nextTurn()
      await turn(async () => void order.push(`${name} ${round}`))
    }
  })
  expect(order.map(each => each.at(-1))).toEqual(['1', '1', '2', '2', '3', '3'])
  for (const round of [0, 2, 4]) expect(new Set(order.slice(round, round + 2)).size).toBe(2)
})

test('while takingTurns runs the turn of one participant, such as a benchmark, no code of another participant runs', async () => {
  let busy = 0
  const seen: number[] = []
  const work = async () => {
    busy += 1
    for (let n = 0; n < 5; n += 1) await nextTurn()
    busy -= 1
  }
  await takingTurns(['small', 'large'], async (_, turn) => {
    for (let round = 0; round < 3; round += 1) {
      await work()
      await turn(async () => {
        for (let n = 0; n < 10; n += 1) {
          seen.push(busy)
          await nextTurn()
        }
      })
    }
    await work()
  })
  expect(new Set(seen)).toEqual(new Set([0]))
})

test("takingTurns returns the participants' results in the order in which the participants were passed to it", async () => {
  const told = await takingTurns([3, 1], async (n, turn) => {
    for (let round = 0; round < n; round += 1) await turn(nextTurn)
    return n
  })
  expect(told).toEqual([3, 1])
})

test('if one participant of takingTurns fails, the other participants can still run their cleanup code', async () => {
  const cleaned: string[] = []
  let turns = 0
  const run = takingTurns(['small', 'large'], async (name, turn) => {
    try {
      for (;;) {
        await turn(async () => {
          turns += 1
          if (turns === 4) throw new Error(`${name} met a 500`)
        })
      }
    } finally {
      await nextTurn()
      cleaned.push(name)
    }
  })
  await expect(run).rejects.toThrow('met a 500')
  expect(turns).toBe(4)
  expect(cleaned.toSorted()).toEqual(['large', 'small'])
})
