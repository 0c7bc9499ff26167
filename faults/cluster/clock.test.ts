import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'

const HOUR_MS = 3_600_000

const child = fork(join(import.meta.dirname, 'clock.fixture.ts'), {
  execArgv: ['--import', join(import.meta.dirname, 'clock.ts')],
})
afterEach(() => child.kill())

test('in a process with a moved clock, Date.now(), new Date() and Date() return the moved time', async () => {
  await once(child, 'message')
  child.send({ aheadMs: HOUR_MS })
  child.send('tell')
  const [told] = await once(child, 'message')
  const before = Date.now() + HOUR_MS - 60_000
  expect([told.now, told.made, told.written].filter(at => at < before || at > before + 120_000)).toEqual([])
  expect(told).toMatchObject({ given: 0, isDate: true, parsed: 1_000, utc: 86_400_000 })
})
