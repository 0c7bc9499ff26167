import { describe, expect, test } from 'vitest'
import type { ProviderErrorKind } from '../provider.ts'
import { errorKind, saysAbsent } from './failure.ts'

describe('error messages from Tripay', () => {
  test.each<[string, ProviderErrorKind]>([
    ['Invalid API Key', 'unavailable'],
    ['Invalid signature', 'unavailable'],
    [
      'Unauthorized IP (203.0.113.7). Please add this IP to your merchant Whitelist IP (T29243)',
      'unavailable',
    ],
    [
      'You are trying to use Production API but with Sandbox credential (T25315). Please go to https://tripay.co.id/member/merchant to get your Production credentials or use Sandbox API url https://tripay.co.id/api-sandbox/...',
      'unavailable',
    ],
    ['You are trying to use Sandbox API but with Production credential (T25315).', 'unavailable'],
    ['Signature tidak valid', 'unavailable'],
    ['Too Many Attempts.', 'unavailable'],
    ['Channel BRI sedang maintenance', 'unavailable'],
    ['Payment channel is not active', 'inactive'],
    [
      'Payment channel is not enabled (BRIVA - T37673) Please enable in Merchant > Channel Pembayaran',
      'inactive',
    ],
    ['Payment method is not exists!', 'inactive'],
    ['Payment channel does not exist', 'inactive'],
    ['Channel pembayaran tidak aktif', 'inactive'],
    ['Metode pembayaran belum diaktifkan', 'inactive'],
    ['Payment method is disabled', 'inactive'],
    ['The customer_email field is required.', 'invalid'],
    ['The amount must be an integer.', 'invalid'],
    ['Nominal minimal Rp 10.000', 'invalid'],
    ['Minimum amount is Rp 10.000', 'invalid'],
    ['expired_time harus lebih dari 60 menit', 'invalid'],
    ['Transaksi ditolak', 'declined'],
    ['Transaction rejected', 'declined'],
  ])('the error message %j means that Tripay rejected the request', (message, kind) => {
    expect(errorKind(200, message, true)).toBe(kind)
    expect(errorKind(400, message, true)).toBe(kind)
  })

  test.each([
    '',
    'Internal server error',
    'Terjadi kesalahan, silakan coba lagi',
    'Invalid response from bank',
    'Failed to verify: bank sent an invalid signature',
    'cURL error 7: connection refused',
    'Transaksi sedang diproses',
    'merchant_ref already exists',
    'merchant_ref exists',
    'Payment method is not exists, merchant_ref exists',
    'Error from the bank: payment method is not exists',
    'The merchant_ref has already been taken, it must be unique',
    'Merchant ref sudah digunakan',
    'Channel pembayaran tidak aktif: transaksi sudah dibuat',
    'Duplicate transaction rejected',
  ])(
    'if Tripay responds to a request with the error message %j, the outcome of this request is unknown',
    message => {
      for (const status of [200, 400, 422, 503 - 1]) expect(errorKind(status, message, true)).toBe('unknown')
    },
  )

  test('a duplicate reference is recognized anywhere in an error message, a rejection only in its first 500 characters', () => {
    expect(errorKind(400, `amount ${'x'.repeat(400)} is required`, true)).toBe('invalid')
    expect(errorKind(400, `amount ${'x'.repeat(500)} is required`, true)).toBe('unknown')
    expect(errorKind(400, `amount is required ${'x'.repeat(500)} merchant_ref already exists`, true)).toBe(
      'unknown',
    )
  })

  test('a 503 means that Tripay rejected the request only if the response has `success: false`', () => {
    expect(errorKind(503, 'Service Unavailable', true)).toBe('unavailable')
    expect(errorKind(503, 'Service Unavailable', false)).toBe('unknown')
  })

  test('a Tripay error about an existing reference means an unknown outcome, whatever the HTTP status (except 429)', () => {
    for (const status of [200, 400, 409, 422, 500, 503])
      expect(errorKind(status, 'Invalid signature: merchant_ref already exists', true)).toBe('unknown')
  })
})

test('an order counts as absent at Tripay only if the response says that the transaction was not found', () => {
  expect(saysAbsent('Transaksi tidak ditemukan')).toBe(true)
  expect(saysAbsent('Invalid API Key')).toBe(false)
})
