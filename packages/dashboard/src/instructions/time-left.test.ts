import { expect, test } from 'vitest'
import { clockOf, timeLeft } from './time-left.ts'

const at = Date.parse('2026-11-20T03:00:00Z')
const after = (seconds: number) => new Date(at + seconds * 1_000).toISOString()

test('the time left to pay is computed in whole days, hours, minutes and seconds', () => {
  expect(timeLeft(after(2 * 86_400 + 3 * 3_600 + 4 * 60 + 5), at)).toEqual({
    days: 2,
    hours: 3,
    minutes: 4,
    seconds: 5,
  })
})

test('the countdown to a payment’s expiry shows hours only if at least an hour is left', () => {
  expect(clockOf(timeLeft(after(3_723), at) as never)).toBe('1:02:03')
  expect(clockOf(timeLeft(after(123), at) as never)).toBe('02:03')
})

test('the countdown to a payment’s expiry shows no time once the payment has expired', () => {
  expect(timeLeft(after(0), at)).toBeNull()
  expect(timeLeft(after(-5), at)).toBeNull()
})
