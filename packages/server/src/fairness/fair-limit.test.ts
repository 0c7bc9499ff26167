import { expect, test } from 'vitest'
import { fairLimit } from './fair-limit.ts'

test("a call above its owner's limit gets 429, and a call above the total limit gets 503", async () => {
  const run = fairLimit({ all: 4, own: 2, what: 'exports' })
  const first = Promise.withResolvers<string>()
  const second = Promise.withResolvers<string>()
  const held = [run('a', () => first.promise), run('a', () => second.promise)]
  const again = (owner: string) => run(owner, async () => 'done')
  await expect(again('a')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    retryAfterSeconds: 1,
    message: 'rate limited: you can run at most 2 exports at a time; retry once one has completed',
  })
  const others = Promise.withResolvers<string>()
  held.push(run('b', () => others.promise))
  await expect(again('b')).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    retryAfterSeconds: 1,
    message: 'service unavailable: too many exports are running; retry',
  })
  expect(await again('c')).toBe('done')
  first.resolve('first')
  expect(await held[0]).toBe('first')
  second.reject(new Error('second'))
  await expect(held[1]).rejects.toThrow('second')
  others.resolve('other')
  expect(await held[2]).toBe('other')
  expect(await again('a')).toBe('done')
})
