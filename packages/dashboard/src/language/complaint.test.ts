import { createPaymentInput } from '@gapura/server/create-input'
import { expect, test } from 'vitest'
import { complaintIn } from './complaint.ts'

test('a known error message is translated, with its numbers and names', () => {
  expect(complaintIn('id', 'must be at least 8 characters')).toBe('Minimal 8 karakter')
  expect(complaintIn('id', 'budi@example.com is already in use')).toBe('budi@example.com sudah dipakai')
  expect(complaintIn('id', 'must be at most 43200')).toBe('Maksimal 43.200')
  expect(complaintIn('en', 'must be at most 43200')).toBe('Must be at most 43,200')
})

test('cents in an error message are shown as rupiah', () => {
  expect(complaintIn('en', 'Midtrans takes at least 1000000 cents for BCA')).toMatch(
    /^Midtrans takes at least Rp\s10,000 for BCA$/,
  )
  expect(complaintIn('id', 'is more than the 1000050 cents that arrived')).toMatch(
    /^Hanya Rp\s10\.000,50 yang masuk$/,
  )
})

test('an error message about no field is translated, too', () => {
  expect(complaintIn('id', 'e-mail address or password is wrong')).toBe('Alamat email atau kata sandi salah')
  expect(complaintIn('en', 'e-mail address or password is wrong')).toBe('E-mail address or password is wrong')
  expect(complaintIn('id', 'too many failed log-ins; try again in 840 seconds')).toBe(
    'Terlalu banyak percobaan masuk yang gagal; coba lagi dalam 840 detik',
  )
  expect(complaintIn('id', 'too many failed log-ins; try again in 1 second')).toMatch(/dalam 1 detik$/)
  expect(complaintIn('id', 'too many failed log-ins; try again in 15 minutes')).toMatch(/dalam 15 menit$/)
  expect(complaintIn('en', 'too many failed log-ins; try again in 15 minutes')).toBe(
    'Too many failed log-ins; try again in 15 minutes',
  )
  expect(complaintIn('id', 'webhook event 019 not found')).toBe('Tidak ditemukan')
})

test('an error by a provider names the provider and quotes its message', () => {
  const said = 'provider error [midtrans]: refused: Transaction is rejected by FDS'
  expect(complaintIn('en', said)).toBe('Midtrans refused it: Transaction is rejected by FDS')
  expect(complaintIn('id', said)).toBe('Midtrans menolaknya: Transaction is rejected by FDS')
})

test('zod’s default messages for an order are never shown, in either language', () => {
  const wrong = {
    amount: 1e15,
    currency: 'IDR',
    method_type: 'cash',
    method_detail: { type: 'qris' },
    customer_name: 'x'.repeat(256),
    items: [{ id: '1', name: null, price: Number.NaN, quantity: 0.5 }],
    expiry_minutes: 1,
  }
  const issues = createPaymentInput.safeParse(wrong).error?.issues ?? []
  expect(issues.length).toBeGreaterThan(5)
  for (const { message } of issues)
    for (const language of ['en', 'id'] as const)
      expect(complaintIn(language, message)).not.toMatch(/expected|received|Invalid|Too /)
})

test('an unknown error message is shown unchanged, with a capital first letter', () => {
  expect(complaintIn('id', 'must rhyme')).toBe('Must rhyme')
  expect(complaintIn('en', 'must not be empty')).toBe('Must not be empty')
})
