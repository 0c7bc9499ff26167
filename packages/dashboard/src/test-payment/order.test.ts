import { expect, test } from 'vitest'
import { type Draft, draftSchema, orderOf } from './order.ts'

const draft: Draft = {
  amount: 15_000_000,
  method_type: 'virtual_account',
  method_detail: { type: 'virtual_account', bank: 'bca' },
  customer_name: '',
  customer_email: '',
  customer_phone: '',
  items: [],
  expiry_minutes: '',
}

test('the test payment form does not send empty fields to the API', () => {
  expect(orderOf(draft)).toEqual({
    amount: 15_000_000,
    currency: 'IDR',
    method_type: 'virtual_account',
    method_detail: { type: 'virtual_account', bank: 'bca' },
  })
  expect(draftSchema.safeParse(draft).error).toBeUndefined()
})

test('the test payment form shows a validation error from the API at the field that caused it', () => {
  const wrong = {
    ...draft,
    amount: null,
    customer_email: 'nobody',
    items: [
      { name: 'Book', price: 100_000, quantity: 0 },
      { name: '', price: null, quantity: 1 },
    ],
  }
  const paths = draftSchema.safeParse(wrong).error?.issues.map(({ path }) => path.join('.'))
  expect(paths).toEqual(['amount', 'customer_email', 'items.0.quantity', 'items.1.name', 'items.1.price'])
})
