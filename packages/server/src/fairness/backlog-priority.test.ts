import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { backlogPriorities } from './backlog-priority.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const [owner, other] = ['owner', 'other']

/**
 * Creates the function under test with a stub for the database: `waiting` contains the number of each owner's waiting
 * jobs, and `counted` lists the owners whose jobs were counted.
 */
function priorities() {
  const waiting = new Map<string, number>()
  const counted: string[] = []
  const priorityOf = backlogPriorities(
    async of => {
      counted.push(of)
      return waiting.get(of) ?? 0
    },
    { step: 100 },
  )
  const add = (count: number, of = owner) => Array.from({ length: count }, () => priorityOf(of))
  return { waiting, counted, add, settled: () => vi.advanceTimersByTimeAsync(0) }
}

test("an owner's next jobs have one priority step less per 100 waiting jobs", async () => {
  const { waiting, add, settled } = priorities()
  waiting.set(owner, 20_000)
  add(50)
  await settled()
  expect(new Set(add(100))).toEqual(new Set([200]))
  expect(new Set(add(100))).toEqual(new Set([201]))
  expect(add(1, other)).toEqual([0])
})

test("jobs that are added during a count of the owner's waiting jobs are added to its result", async () => {
  const { waiting, add, settled } = priorities()
  waiting.set(owner, 1_000)
  add(50)
  add(200)
  await settled()
  expect(add(1)).toEqual([12])
})

test("an owner's waiting jobs are counted at most twice per second, however many jobs are added", async () => {
  const { counted, add, settled } = priorities()
  add(49)
  expect(counted).toEqual([])
  add(500)
  await settled()
  expect(counted).toEqual([owner])
  await vi.advanceTimersByTimeAsync(500)
  add(1)
  expect(counted).toEqual([owner, owner])
})

test('waiting jobs of an owner (such as a tenant) are counted less often if counting takes long', async () => {
  let counts = 0
  const priorityOf = backlogPriorities(
    async () => {
      counts += 1
      await new Promise(resolve => setTimeout(resolve, 20))
      return 1_000
    },
    { step: 2 },
  )
  for (let ms = 0; ms < 2_000; ms += 10) {
    priorityOf(owner)
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(counts).toBe(1)
  await vi.advanceTimersByTimeAsync(50)
  priorityOf(owner)
  expect(counts).toBe(2)
})

test("an owner's jobs keep the highest priority while jobs end as fast as new ones arrive", async () => {
  const { add } = priorities()
  for (let second = 0; second < 60; second++) {
    expect(new Set(add(40))).toEqual(new Set([0]))
    await vi.advanceTimersByTimeAsync(1_000)
  }
})

test("if an owner's waiting jobs cannot be counted, the last estimate is kept", async () => {
  vi.useRealTimers()
  const priorityOf = backlogPriorities(() => Promise.reject(new Error('the database is away')), { step: 100 })
  for (let n = 0; n < 250; n++) priorityOf(owner)
  await new Promise(resolve => setImmediate(resolve))
  expect(priorityOf(owner)).toBe(2)
})
