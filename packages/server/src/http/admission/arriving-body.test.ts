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
  'after %i ms with %i of %i bytes received, a request body counts as too slow: %s',
  (ms, received, expected, slow) => {
    expect(afterMs(ms, received, expected)).toBe(slow)
  },
)

test('if many request bodies exceed the time limit at the same time, only a few of these requests are ended in each turn of the event loop', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const bodies = arrivingBodies({ maxSize: 100, maxPerOwner: 100 }, () => {})
  let ended = 0
  for (let n = 0; n < 100; n++) {
    const request = Object.assign(new PassThrough(), { headers: {} }) as unknown as IncomingMessage
    bodies.read(request, 'a sender').catch(() => ended++)
  }
  vi.advanceTimersByTime(2_000)
  const endedPerTurn: number[] = []
  while (ended < 100) {
    const before = ended
    await endOfTurn()
    endedPerTurn.push(ended - before)
  }
  expect(Math.max(...endedPerTurn)).toBeLessThanOrEqual(16)
})
