import { expect, test } from 'vitest'
import { queueingLimit } from './queueing-limit.ts'

test('calls for a key start in order, stay within the key’s concurrency limit, and do not wait for other keys’ calls', async () => {
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

test('when a call fails, its slot becomes free for the next call for the same key', async () => {
  const inTurn = queueingLimit(1)
  await expect(inTurn('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  await expect(inTurn('a', async () => 'next')).resolves.toBe('next')
})
