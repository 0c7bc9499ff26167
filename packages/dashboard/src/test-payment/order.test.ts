import { expect, test } from 'vitest'
import { centsOf, type Draft, draftSchema, orderOf } from './order.ts'

const draft: Draft = {
  amount: 150_000,
  method_type: 'virtual_account',
  method_detail: { type: 'virtual_account', bank: 'bca' },
  customer_name: '',
  customer_email: '',
  customer_phone: '',
  items: [],
  expiry_minutes: '',
}

test('rupiah become cents without a fraction in between', () => {
  expect(centsOf(150_000)).toBe(15_000_000)
  expect(centsOf('999999999999')).toBe(99_999_999_999_900)
  expect(centsOf('')).toBe(0)
  expect(centsOf('1.5')).toBeNaN()
})

test('what was left empty is not sent', () => {
  expect(orderOf(draft)).toEqual({
    amount: 15_000_000,
    currency: 'IDR',
    method_type: 'virtual_account',
    method_detail: { type: 'virtual_account', bank: 'bca' },
  })
})

test("what the server's schema refuses is told at the form's field", () => {
  const wrong = {
    ...draft,
    amount: '',
    customer_email: 'nobody',
    items: [{ name: 'Book', price: 1_000, quantity: 0 }],
  }
  const paths = draftSchema.safeParse(wrong).error?.issues.map(({ path }) => path.join('.'))
  expect(paths).toEqual(['amount', 'customer_email', 'items.0.quantity'])
})
