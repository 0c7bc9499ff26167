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

test("a merchant's second request for a payment within 15 minutes, not its first, brings the inquiry forward", async () => {
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

test("early status inquiries are stored with their time and cause, such as a merchant's request", async () => {
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

test('requests for early status inquiries are collected and written every two seconds', async () => {
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

test("opening a payment's page requests an early inquiry, at most once per payment every 45 seconds", async () => {
  const checks = early()
  for (const ms of [0, 10_000, 44_999, 45_000]) {
    checks.at(ms)
    checks.notePayerWaiting(keyOf('seen'))
    await checks.write()
  }
  expect(checks.written()).toEqual(['seen', 'seen'])
})

test('one write to the database contains at most 1,000 requests for early status inquiries', async () => {
  const checks = early()
  for (let n = 0; n < 5_000; n += 1) checks.notePayerWaiting(keyOf(`payment-${n}`))
  await checks.write()
  expect(checks.written()).toHaveLength(1_000)
})

test('a failed write of early status inquiries is logged and does not prevent later writes', async () => {
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
