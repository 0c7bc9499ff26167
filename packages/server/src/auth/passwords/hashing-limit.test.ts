import { expect, test } from 'vitest'
import { limitConcurrency } from './hashing-limit.ts'

const refused = {
  code: 'SERVICE_UNAVAILABLE',
  retryAfterSeconds: 1,
  message: expect.stringContaining('two wait'),
}

test("calls above a key's concurrency limit are rejected until an earlier call ends", async () => {
  const run = limitConcurrency(2, 'two wait')
  const first = Promise.withResolvers<string>()
  const second = Promise.withResolvers<string>()
  const ends = [run(() => first.promise, 'a'), run(() => second.promise, 'a')]
  await expect(run(async () => 'third', 'a')).rejects.toMatchObject(refused)
  expect(await run(async () => 'of another', 'b')).toBe('of another')
  first.resolve('first')
  expect(await ends[0]).toBe('first')
  expect(await run(async () => 'third', 'a')).toBe('third')
  second.reject(new Error('second'))
  await expect(ends[1]).rejects.toThrow('second')
  expect(await Promise.all([1, 2].map(n => run(async () => n, 'a')))).toEqual([1, 2])
  await expect(Promise.all([1, 2, 3].map(n => run(async () => n, 'a')))).rejects.toMatchObject(refused)
})
