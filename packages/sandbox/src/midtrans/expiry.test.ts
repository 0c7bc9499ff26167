import { expect, test } from 'vitest'
import { expiryOf } from './expiry.ts'

const NOW = Date.UTC(2026, 10, 20, 3, 0, 0)

test.each([
  ['bank_transfer', 24 * 60],
  ['cstore', 24 * 60],
  ['gopay', 15],
] as const)(
  'a Midtrans payment by %s without a custom expiry expires after the default time for its payment type',
  (type, minutes) => {
    expect(expiryOf(type, undefined, undefined, NOW)).toEqual({ expiresAt: NOW + minutes * 60_000 })
  },
)

test.each([
  ['second', 90, 90_000],
  ['minute', 90, 90 * 60_000],
  ['hour', 2, 2 * 3_600_000],
  ['day', 3, 3 * 86_400_000],
  [undefined, 90, 90 * 60_000],
] as const)(
  'the expiry duration of a Midtrans charge is in the unit of the request (%s), or in minutes if the request has no unit',
  (unit, duration, expectedMs) => {
    expect(expiryOf('bank_transfer', undefined, { expiry_duration: duration, unit }, NOW)).toEqual({
      expiresAt: NOW + expectedMs,
    })
  },
)

test('the expiry period of a Midtrans charge starts at its order_time', () => {
  const custom = { order_time: '2026-11-20 09:55:00 +0700', expiry_duration: 60 }
  expect(expiryOf('bank_transfer', undefined, custom, NOW)).toEqual({ expiresAt: NOW + 55 * 60_000 })
})

test.each([
  [
    'an order_time in another format',
    'bank_transfer',
    undefined,
    { order_time: '2026-11-20T09:55:00Z', expiry_duration: 60 },
  ],
  [
    'an expiry in the past',
    'bank_transfer',
    undefined,
    { order_time: '2026-11-19 09:55:00 +0700', expiry_duration: 60 },
  ],
  ['ShopeePay after six days', 'shopeepay', undefined, { expiry_duration: 6, unit: 'day' }],
  ['Shopee QRIS after six days', 'qris', 'airpay shopee', { expiry_duration: 6, unit: 'day' }],
  ['GoPay after eight days', 'gopay', undefined, { expiry_duration: 8, unit: 'day' }],
] as const)('Midtrans rejects an invalid custom_expiry: %s', (_, type, acquirer, custom) => {
  expect(expiryOf(type, acquirer, custom, NOW)).toHaveProperty('message')
})

test('a Midtrans card payment does not expire', () => {
  expect(expiryOf('credit_card', undefined, undefined, NOW)).toEqual({ expiresAt: null })
})
