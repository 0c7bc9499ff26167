import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { arrivingBodies, isTooSlow } from './arriving-body.ts'

const afterMs = (ms: number, received: number, expected: number) =>
  isTooSlow({ received, expected, ticks: ms / 250 })

test.each([
  [1_750, 0, 100, false],
  [2_000, 0, 100, true],
  [2_000, 1, 100, false],
  [4_000, 24, 100, true],
  [4_000, 25, 100, false],
  [9_750, 99, 100, false],
  [10_000, 100, 100, true],
])(
  'if after %i ms the service has received %i of %i bytes of a request body, the check whether the body arrives too slowly returns %s',
  (ms, received, expected, slow) => {
    expect(afterMs(ms, received, expected)).toBe(slow)
  },
)

/** Returns a request whose body never arrives. */
const unfinished = () => Object.assign(new PassThrough(), { headers: {} }) as unknown as IncomingMessage

test('a sender gets 429 if it has more unfinished request bodies than the limit for one sender allows', async () => {
  const displaced = vi.fn()
  const bodies = arrivingBodies({ maxSize: 9, maxPerOwner: 1 }, displaced)
  const request = unfinished()
  const first = bodies.read(unfinished(), 'a')
  const second = bodies.read(request, 'a')
  await expect(first).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    fault: 'own_bodies_waiting',
    retryAfterSeconds: 1,
  })
  expect(displaced).toHaveBeenCalledOnce()
  request.destroy()
  await expect(second).rejects.toThrow()
})

test('if too many bodies are unfinished in total, the sender with the most gets 503', async () => {
  const bodies = arrivingBodies({ maxSize: 3, maxPerOwner: 2 }, () => {})
  const requests = Array.from({ length: 3 }, unfinished)
  const first = bodies.read(unfinished(), 'a')
  const others = ['a', 'b', 'c'].map((sender, n) => bodies.read(requests[n] as IncomingMessage, sender))
  await expect(first).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    fault: 'server_at_capacity',
    retryAfterSeconds: 1,
  })
  for (const request of requests) request.destroy()
  for (const other of others) await expect(other).rejects.toThrow()
})

test('if many request bodies time out together, each event loop turn ends only a few requests', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const bodies = arrivingBodies({ maxSize: 100, maxPerOwner: 100 }, () => {})
  let ended = 0
  for (let n = 0; n < 100; n++) bodies.read(unfinished(), 'a sender').catch(() => ended++)
  vi.advanceTimersByTime(2_000)
  const endedPerTurn: number[] = []
  while (ended < 100) {
    const before = ended
    await endOfTurn()
    endedPerTurn.push(ended - before)
  }
  expect(Math.max(...endedPerTurn)).toBeLessThanOrEqual(16)
})
