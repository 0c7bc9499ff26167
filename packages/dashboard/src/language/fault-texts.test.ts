import { createPaymentInput } from '@gapura/server/create-input'
import { faults, translatedFaults } from '@gapura/server/faults'
import { furthest, ruleOf } from '@gapura/server/input-rules'
import { TRPCClientError } from '@trpc/client'
import { expect, test } from 'vitest'
import { faultOf } from '../api/fault.ts'
import { faultText } from './fault-texts.ts'
import { faultTexts as en } from './faults.en.ts'
import { faultTexts as id } from './faults.id.ts'

const languages = ['en', 'id'] as const

const failure = (message: string, data: object) =>
  faultOf(TRPCClientError.from({ error: { message, code: -32600, data } }))

test('the dashboard shows API errors with their values (such as a minimum length) in the reader’s language', () => {
  const short = failure('bad request: new_password: must be at least 8 characters', {
    ...{ errorCode: 'BAD_REQUEST', fault: 'characters_too_few', params: { min: 8 }, field: 'new_password' },
  })
  expect(faultText('id', short)).toBe('Minimal 8 karakter')
  expect(faultText('en', short)).toBe('Must be at least 8 characters')
  const used = failure('conflict: email: budi@example.com is already in use', {
    ...{
      errorCode: 'CONFLICT',
      fault: 'email_in_use',
      params: { email: 'budi@example.com' },
      field: 'email',
    },
  })
  expect(faultText('id', used)).toBe('budi@example.com sudah dipakai')
  const delayed = { id: 'login_delayed', params: { seconds: 900 }, message: '' }
  expect(faultText('id', delayed)).toMatch(/dalam 15 menit$/)
  expect(faultText('en', delayed)).toBe('Too many failed login attempts. Try again in 15 minutes')
  const large = { id: 'number_too_large', params: { max: 43_200 }, message: '' }
  expect(languages.map(each => faultText(each, large))).toEqual(['Must be at most 43,200', 'Maksimal 43.200'])
})

test('the dashboard shows amounts in error messages in rupiah', () => {
  const params = { provider: 'Midtrans', channel: 'BCA', min: 1_000_000 }
  expect(faultText('en', { id: 'channel_amount_too_small', params, message: '' })).toMatch(
    /^Midtrans accepts at least Rp\s10,000 for BCA$/,
  )
  const received = { id: 'refund_exceeds_received', params: { received: 1_000_050 }, message: '' }
  expect(faultText('id', received)).toMatch(/^Hanya Rp\s10\.000,50 yang diterima$/)
})

test('the error for a payment rejected by a provider contains the provider’s name and message', () => {
  const params = { provider: 'midtrans', reason: 'refused: Transaction is rejected by FDS' }
  const refused = { id: 'provider_refused', params, message: '' }
  expect(faultText('en', refused)).toBe('Midtrans rejected the payment: Transaction is rejected by FDS')
  expect(faultText('id', refused)).toBe('Midtrans menolak pembayaran: Transaction is rejected by FDS')
})

test("if the dashboard has no text for an error, it shows the service's English message", () => {
  for (const id of ['a_newer_fault', 'toString', undefined])
    expect(faultText('id', { id, params: {}, message: 'must rhyme' })).toBe('Must rhyme')
})

test('both dashboard languages have an error message for each validation rule that an order can violate', () => {
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
  for (const issue of issues.map(furthest)) {
    const rule = ruleOf(issue)
    expect(rule.id).not.toBe('input_invalid')
    for (const language of languages)
      expect(faultText(language, { ...rule, message: 'untranslated' })).not.toMatch(/untranslated|undefined/)
  }
})

test('each dashboard language has a text for every error in the catalog, and no texts for other errors', () => {
  const ids = Object.keys(translatedFaults).sort()
  expect(Object.keys(faults).length).toBeGreaterThan(ids.length)
  expect(Object.keys(en).sort()).toEqual(ids)
  expect(Object.keys(id).sort()).toEqual(ids)
})
