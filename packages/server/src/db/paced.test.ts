import { expect, test } from 'vitest'
import { paced } from './paced.ts'

const never = new AbortController().signal

test.each([
  { stepMs: 0, pauseMs: 0 },
  { stepMs: 10, pauseMs: 40 },
  { stepMs: 250, pauseMs: 1_000 },
  { stepMs: 30_000, pauseMs: 1_000 },
])(
  'after a step that takes $stepMs ms, background work pauses for $pauseMs ms, so that it does not slow down payments',
  async ({ stepMs, pauseMs }) => {
    let now = 5_000
    const pauses: number[] = []
    const step = async () => {
      now += stepMs
      return 'done'
    }
    const pause = async (ms: number) => void pauses.push(ms)
    expect(await paced(never, step, { nowMs: () => now, pause })).toBe('done')
    expect(pauses).toEqual([pauseMs])
  },
)

test('if a step of background work fails, its error is thrown immediately, without a pause', async () => {
  const pause = () => Promise.reject(new Error('paused'))
  const step = () => Promise.reject(new Error('no connection'))
  await expect(paced(never, step, { nowMs: () => 0, pause })).rejects.toThrow('no connection')
})

test('stopping background work does not throw an error', async () => {
  const stop = new AbortController()
  const step = async () => {
    stop.abort()
    return 'done'
  }
  expect(await paced(stop.signal, step)).toBe('done')
})
