import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { callbackPriorities } from './callback-priority.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const [account, other] = ['account', 'other']

/** What waits in the database, as the test says; counted: for which accounts it was asked. */
function priorities() {
  const waiting = new Map<string, number>()
  const counted: string[] = []
  const priorityOf = callbackPriorities(async accountId => {
    counted.push(accountId)
    return waiting.get(accountId) ?? 0
  })
  const add = (count: number, accountId = account) =>
    Array.from({ length: count }, () => priorityOf(accountId))
  return { waiting, counted, add, settled: () => vi.advanceTimersByTimeAsync(0) }
}

test('each further hundred of an account comes after the one before, and those of other accounts first', async () => {
  const { waiting, add, settled } = priorities()
  waiting.set(account, 20_000)
  add(50)
  await settled()
  expect(new Set(add(100))).toEqual(new Set([200]))
  expect(new Set(add(100))).toEqual(new Set([201]))
  expect(add(1, other)).toEqual([0])
})

test('callbacks that arrive during a count are added to it', async () => {
  const { waiting, add, settled } = priorities()
  waiting.set(account, 1_000)
  add(50)
  add(200)
  await settled()
  expect(add(1)).toEqual([12])
})

test('an account is counted at most once in half a second, and only if it may have many', async () => {
  const { counted, add, settled } = priorities()
  add(49)
  expect(counted).toEqual([])
  add(500)
  await settled()
  expect(counted).toEqual([account])
  await vi.advanceTimersByTimeAsync(500)
  add(1)
  expect(counted).toEqual([account, account])
})

test('an account whose callbacks are applied as they come stays at the front', async () => {
  const { add } = priorities()
  for (let second = 0; second < 60; second++) {
    expect(new Set(add(40))).toEqual(new Set([0]))
    await vi.advanceTimersByTimeAsync(1_000)
  }
})

test('a count that fails leaves the estimate as it is', async () => {
  vi.useRealTimers()
  const priorityOf = callbackPriorities(() => Promise.reject(new Error('the database is away')))
  for (let n = 0; n < 250; n++) priorityOf(account)
  await new Promise(resolve => setImmediate(resolve))
  expect(priorityOf(account)).toBe(2)
})
