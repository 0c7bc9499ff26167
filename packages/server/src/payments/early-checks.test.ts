import { expect, onTestFinished, test, vi } from 'vitest'
import { later, now } from '../../test/support/make.ts'
import type { EarlyCheck } from './check.sql.ts'
import { earlyChecks } from './early-checks.ts'

function early(bringForward = vi.fn(async (_: EarlyCheck[]) => {})) {
  let clock = now
  const failed = vi.fn()
  const checks = earlyChecks(bringForward, { clock: () => clock, failed })
  onTestFinished(checks.stop)
  return {
    ...checks,
    failed,
    at: (ms: number) => {
      clock = later(ms)
    },
    written: () => bringForward.mock.calls.flatMap(([each]) => each.map(({ paymentId }) => paymentId)),
  }
}
const keyOf = (paymentId: string) => ({ tenantId: 'tenant', paymentId })

test('a payment that is requested once is left alone; requested again within 15 minutes it is written once', async () => {
  const checks = early()
  checks.noteRequest(keyOf('once'))
  for (const _ of 'abc') checks.noteRequest(keyOf('often'))
  await checks.write()
  await checks.write()
  expect(checks.written()).toEqual(['often'])
  checks.at(16 * 60_000)
  checks.noteRequest(keyOf('once'))
  await checks.write()
  expect(checks.written()).toEqual(['often'])
})

test('a payment whose payer is seen is written at once, and again after 45 seconds', async () => {
  const checks = early()
  for (const ms of [0, 10_000, 44_000, 46_000]) {
    checks.at(ms)
    checks.notePayer(keyOf('seen'))
    await checks.write()
  }
  expect(checks.written()).toEqual(['seen', 'seen'])
})

test('a flood of payments is written a thousand at a time, and the rest keeps its schedule', async () => {
  const checks = early()
  for (let n = 0; n < 5_000; n += 1) checks.notePayer(keyOf(`payment-${n}`))
  await checks.write()
  expect(checks.written()).toHaveLength(1_000)
})

test('a write that fails is reported, and the next goes on', async () => {
  const failure = new Error('the database is away')
  const bringForward = vi.fn(async (_: EarlyCheck[]) => {}).mockRejectedValueOnce(failure)
  const checks = early(bringForward)
  checks.notePayer(keyOf('first'))
  await checks.write()
  expect(checks.failed).toHaveBeenCalledWith(failure)
  checks.notePayer(keyOf('second'))
  await checks.write()
  expect(checks.written()).toEqual(['first', 'second'])
})
