import { afterEach, expect, test, vi } from 'vitest'
import { queueingLimit } from './queueing-limit.ts'

const atCapacity = {
  code: 'RATE_LIMITED',
  retryAfterSeconds: 1,
  message: 'rate limited: too many changes are running or waiting; the request was not processed, retry',
}
afterEach(() => void vi.useRealTimers())

test('calls with the same key start in order, within the key’s concurrency limit', async () => {
  const inTurn = queueingLimit(2)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const run = (key: string, name: string) =>
    inTurn(key, () => {
      begun.push(name)
      return new Promise<void>(resolve => ends.push(resolve))
    })
  const all = [run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('b', 'b1')]
  await Promise.resolve()
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  ends[0]?.()
  await all[0]
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
  for (const end of ends) end()
  ends.at(-1)?.()
  await Promise.all(all)
})

test('when a call fails, the next call with the same key can start', async () => {
  const inTurn = queueingLimit(1)
  await expect(inTurn('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  await expect(inTurn('a', async () => 'next')).resolves.toBe('next')
})

test('if too many calls wait for a key, another call for this key is rejected', async () => {
  const inTurn = queueingLimit(1, { maxWaiting: 2, maxWaitMs: 60_000, what: 'changes' })
  const first = Promise.withResolvers<string>()
  const calls = [
    inTurn('a', () => first.promise),
    inTurn('a', async () => 'second'),
    inTurn('a', async () => 'third'),
  ]
  await expect(inTurn('a', async () => 'fourth')).rejects.toMatchObject(atCapacity)
  await expect(inTurn('b', async () => 'other')).resolves.toBe('other')
  first.resolve('first')
  expect(await Promise.all(calls)).toEqual(['first', 'second', 'third'])
  await expect(inTurn('a', async () => 'next')).resolves.toBe('next')
})

test('a call that has waited for the maximum time is rejected and never started', async () => {
  vi.useFakeTimers()
  const inTurn = queueingLimit(1, { maxWaiting: 2, maxWaitMs: 5_000, what: 'changes' })
  const first = Promise.withResolvers<string>()
  const running = inTurn('a', () => first.promise)
  const work = vi.fn(async () => 'second')
  const late = expect(inTurn('a', work)).rejects.toMatchObject(atCapacity)
  vi.advanceTimersByTime(4_000)
  const inTime = inTurn('a', async () => 'third')
  vi.advanceTimersByTime(1_000)
  await late
  first.resolve('first')
  expect(await Promise.all([running, inTime])).toEqual(['first', 'third'])
  expect(work).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
})

test('a waiting call whose request is aborted leaves the queue, and the next call starts in its place', async () => {
  const inTurn = queueingLimit(1, { maxWaiting: 2, maxWaitMs: 60_000, what: 'changes' })
  const first = Promise.withResolvers<string>()
  const running = inTurn('a', () => first.promise)
  const work = vi.fn(async () => 'second')
  const request = new AbortController()
  const aborted = expect(inTurn('a', work, request.signal)).rejects.toMatchObject({
    fault: 'connection_closed',
  })
  const waiting = [inTurn('a', async () => 'third')]
  request.abort()
  waiting.push(inTurn('a', async () => 'fourth'))
  first.resolve('first')
  expect(await Promise.all([running, ...waiting])).toEqual(['first', 'third', 'fourth'])
  await aborted
  expect(work).not.toHaveBeenCalled()
})
