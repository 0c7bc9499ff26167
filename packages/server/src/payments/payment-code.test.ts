import { expect, test } from 'vitest'
import {
  isOrderReference,
  newPaymentCode,
  paymentCodeOfRefund,
  withDashes,
  withoutDashes,
} from './payment-code.ts'
import { refundReferenceOf } from './record/refund.ts'

const at = new Date('2026-01-31T23:59:59.999Z')

test('a payment code consists of GP, the UTC date and ten random characters without I, L, O and U', () => {
  for (let i = 0; i < 200; i++) expect(newPaymentCode(at)).toMatch(/^GP260131-[0-9A-HJKMNP-TV-Z]{10}$/)
})

test('2,000 payment codes created at the same moment are all different', () => {
  expect(new Set(Array.from({ length: 2_000 }, () => newPaymentCode(at))).size).toBe(2_000)
})

test("each random character of a payment code can be any character of the code's alphabet", () => {
  const codes = Array.from({ length: 4_000 }, () => newPaymentCode(at).slice(-10))
  for (let place = 0; place < 10; place++) expect(new Set(codes.map(code => code[place])).size).toBe(32)
})

test("a charge attempt's reference without dashes has at most 36 characters and can be restored", () => {
  for (const attempt of ['', '-2', '-10', '-123']) {
    const reference = `${newPaymentCode(at)}${attempt}`
    expect(withoutDashes(reference)).toMatch(/^[A-Za-z0-9]{18,36}$/)
    expect(withDashes(withoutDashes(reference))).toBe(reference)
    expect(withDashes(reference)).toBe(reference)
    expect(isOrderReference(reference)).toBe(true)
  }
})

test.each([
  '',
  'ORDER-1',
  'GP260131',
  'GP260131-7Q4M2ZK8XW-',
  'GP2601317Q4M2ZK8XW-2',
  'GP2601317Q4M2ZK8XW2',
  'gp2601317Q4M2ZK8XW',
  'GP24043015193402809',
])(
  'the text %j is not an order reference, so the functions that remove or add dashes leave it unchanged',
  text => {
    expect([withDashes(text), withoutDashes(text)]).toEqual([text, text])
  },
)

test("a payment code is read from a refund's reference only if this service created the reference", () => {
  const code = newPaymentCode(at)
  for (const number of [1, 2, 10]) expect(paymentCodeOfRefund(refundReferenceOf(code, number))).toBe(code)
  for (const other of ['', 'R', code, `${code}-2`, `${code}-R`, `${code}-R0`, `${code}-R1x`, `x${code}-R1`])
    expect(paymentCodeOfRefund(other)).toBeUndefined()
})
