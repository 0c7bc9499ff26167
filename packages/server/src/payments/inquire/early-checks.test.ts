import { expect, onTestFinished, test, vi } from 'vitest'
import { later, now } from '../../../test/support/make.ts'
import { earlyChecks } from './early-checks.ts'
import type { EarlyCheck } from './next-check.sql.ts'

function early(bringForward = vi.fn(async (_: EarlyCheck[], __: Date) => {})) {
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
    bringForward,
    written: () => bringForward.mock.calls.flatMap(([each]) => each.map(({ paymentId }) => paymentId)),
  }
}
const keyOf = (paymentId: string) => ({ tenantId: 'tenant', paymentId })

test('a payment is checked early if a merchant requests it twice within 15 minutes, but not after a single request', async () => {
  const checks = early()
  checks.noteMerchantRequest(keyOf('once'))
  for (const _ of 'abc') checks.noteMerchantRequest(keyOf('often'))
  await checks.write()
  await checks.write()
  expect(checks.written()).toEqual(['often'])
  checks.at(15 * 60_000)
  checks.noteMerchantRequest(keyOf('once'))
  await checks.write()
  expect(checks.written()).toEqual(['often'])
  checks.at(30 * 60_000 - 1)
  checks.noteMerchantRequest(keyOf('once'))
  await checks.write()
  expect(checks.written()).toEqual(['often', 'once'])
})

test('an early check records its cause (the merchant polled, or the payer was seen) and the time of this cause', async () => {
  const checks = early()
  checks.notePayerWaiting(keyOf('seen'))
  for (const _ of 'ab') checks.noteMerchantRequest(keyOf('polled'))
  checks.at(1_000)
  await checks.write()
  expect(checks.bringForward).toHaveBeenCalledExactlyOnceWith(
    [
      { ...keyOf('seen'), isPolled: false },
      { ...keyOf('polled'), isPolled: true },
    ],
    later(1_000),
  )
})

test('requests for early checks are written every two seconds until shutdown, and nothing is written if there are no requests', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const checks = early()
  await vi.advanceTimersByTimeAsync(4_000)
  expect(checks.bringForward).not.toHaveBeenCalled()
  checks.notePayerWaiting(keyOf('first'))
  await vi.advanceTimersByTimeAsync(2_000)
  expect(checks.written()).toEqual(['first'])
  checks.stop()
  checks.notePayerWaiting(keyOf('second'))
  await vi.advanceTimersByTimeAsync(4_000)
  expect(checks.written()).toEqual(['first'])
})

test('if a payer is seen, an early check is written at once; further checks of the payment are written only after 45 seconds', async () => {
  const checks = early()
  for (const ms of [0, 10_000, 44_999, 45_000]) {
    checks.at(ms)
    checks.notePayerWaiting(keyOf('seen'))
    await checks.write()
  }
  expect(checks.written()).toEqual(['seen', 'seen'])
})

test('at most 1,000 early checks are written at a time; payments beyond that number keep their schedule', async () => {
  const checks = early()
  for (let n = 0; n < 5_000; n += 1) checks.notePayerWaiting(keyOf(`payment-${n}`))
  await checks.write()
  expect(checks.written()).toHaveLength(1_000)
})

test('an early-check write that fails is logged, and the next write still happens', async () => {
  const failure = new Error('the database is away')
  const bringForward = vi.fn(async (_: EarlyCheck[], __: Date) => {}).mockRejectedValueOnce(failure)
  const checks = early(bringForward)
  checks.notePayerWaiting(keyOf('first'))
  await checks.write()
  expect(checks.failed).toHaveBeenCalledWith(failure)
  checks.notePayerWaiting(keyOf('second'))
  await checks.write()
  expect(checks.written()).toEqual(['first', 'second'])
})
