import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eventLoopLimit } from './event-loop-limit.ts'

test('each turn of the event loop starts only a few requests per owner (such as a tenant)', async () => {
  const turns = eventLoopLimit(2)
  const begun: string[] = []
  const begin = (owner: string, name: string) => {
    const turn = turns.next(owner)
    if (turn) void turn.then(() => begun.push(name))
    else begun.push(name)
  }
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) begin('a', name)
  begin('b', 'b1')
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  await endOfTurn()
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4'])
  // The new work `a6` waits behind the waiting work `a5` of the same owner (for example a tenant). The work `b2` of
  // another owner starts at once.
  begin('a', 'a6')
  begin('b', 'b2')
  expect(begun.at(-1)).toBe('b2')
  await endOfTurn()
  expect(begun.slice(-2)).toEqual(['a5', 'a6'])
  await endOfTurn()
  begin('a', 'a7')
  expect(begun.at(-1)).toBe('a7')
})
