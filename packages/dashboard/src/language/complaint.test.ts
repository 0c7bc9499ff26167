import { expect, test } from 'vitest'
import { complaintIn } from './complaint.ts'

test('a complaint that is known is said in the language, with its numbers and names', () => {
  expect(complaintIn('id', 'must be at least 8 characters')).toBe('minimal 8 karakter')
  expect(complaintIn('id', 'budi@example.com is already in use')).toBe('budi@example.com sudah dipakai')
})

test('what is said of no field is said in the language, too', () => {
  expect(complaintIn('id', 'e-mail address or password is wrong')).toBe('Alamat email atau kata sandi salah')
  expect(complaintIn('id', 'too many failed log-ins; try again in 840 seconds')).toBe(
    'Terlalu banyak percobaan masuk yang gagal; coba lagi dalam 840 detik',
  )
  expect(complaintIn('id', 'webhook event 019 not found')).toBe('Tidak ditemukan')
})

test('one that is not known is shown as it was said', () => {
  expect(complaintIn('id', 'must rhyme')).toBe('must rhyme')
  expect(complaintIn('en', 'must not be empty')).toBe('must not be empty')
})
