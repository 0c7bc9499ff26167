import { expect, test } from 'vitest'
import { newPaymentCode } from './payment-code.ts'

const at = new Date('2026-01-31T23:59:59.999Z')

test('a code is GP, the day in UTC and ten characters without I, L, O and U', () => {
  for (let i = 0; i < 200; i++) expect(newPaymentCode(at)).toMatch(/^GP260131-[0-9A-HJKMNP-TV-Z]{10}$/)
})

test('codes of one moment differ', () => {
  expect(new Set(Array.from({ length: 2_000 }, () => newPaymentCode(at))).size).toBe(2_000)
})

test('every character of the alphabet is used at every place', () => {
  const codes = Array.from({ length: 4_000 }, () => newPaymentCode(at).slice(-10))
  for (let place = 0; place < 10; place++) expect(new Set(codes.map(code => code[place])).size).toBe(32)
})
