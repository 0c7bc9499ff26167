import { describe, expect, test } from 'vitest'
import { rule } from '../../faults/rule.ts'
import '../../values/input-rules.ts'
import { text } from '../../values/text.ts'
import { createPaymentBody, createPaymentInput, idempotencyKey } from './create-input.ts'

const order = {
  amount: 10_000_000,
  currency: 'IDR',
  method_type: 'virtual_account',
  method_detail: { type: 'virtual_account', bank: 'BCA' },
}
const line = { id: 'sku-1', name: 'Book', price: 5_000_000, quantity: 2 }

/** Returns the path of the request body's first invalid field, or undefined if the body is valid. */
const refusedBy = (body: unknown): string | undefined =>
  createPaymentInput.safeParse(body).error?.issues[0]?.path.join('.')

test('an order with only the required fields gets default values for the other fields', () => {
  expect(createPaymentInput.parse(order)).toEqual({
    ...order,
    customer_name: '',
    customer_email: '',
    customer_phone: '',
    items: [],
  })
})

test('an order with all fields set keeps every value as the merchant sent it', () => {
  const full = {
    ...order,
    customer_name: 'Budi 😀',
    customer_email: 'budi@example.com',
    customer_phone: '+62 812',
    items: [line],
    expiry_minutes: 43_200,
    return_url: 'https://shop.example.com/orders/1001?from=wallet',
    customer_ip: '2001:db8::1',
  }
  expect(createPaymentInput.parse(full)).toEqual(full)
})

test('unknown fields in a request that creates a payment are ignored', () => {
  const extra = { ...order, callback_url: 'x', items: [{ ...line, color: 'red' }] }
  expect(createPaymentInput.parse(extra)).toEqual(createPaymentInput.parse({ ...order, items: [line] }))
})

test("leading and trailing white space is removed from an order's text fields", () => {
  const read = createPaymentInput.parse({
    ...order,
    method_detail: { type: 'virtual_account', bank: ' BCA ' },
    customer_name: '  Budi\t',
    customer_email: ' budi@example.com\n',
  })
  expect(read).toMatchObject({
    method_detail: { bank: 'BCA' },
    customer_name: 'Budi',
    customer_email: 'budi@example.com',
  })
})

describe('an order field can have a value exactly at its limit', () => {
  test.each([
    ['amount', 1],
    ['amount', 100_000_000_000_000],
    ['expiry_minutes', 2],
    ['expiry_minutes', 43_200],
    ['items', Array(100).fill({ ...line, price: 0, quantity: 1 })],
    ['customer_name', 'n'.repeat(255)],
    ['customer_name', `  ${'n'.repeat(255)}  `],
    ['customer_email', ''],
    ['return_url', ' https://shop.example.com/done\n'],
    ['return_url', `https://shop.example.com/${'x'.repeat(230)}`],
    ['return_url', 'http://localhost:3000/done'],
    ['customer_ip', '198.51.100.27'],
    ['customer_ip', '::ffff:198.51.100.27'],
  ])('an order field whose value is exactly at its limit is accepted: %s %j', (field, value) => {
    expect(refusedBy({ ...order, [field]: value })).toBeUndefined()
  })
})

describe('an order is rejected if a field is invalid, such as an amount of 0', () => {
  test.each([
    ['amount', 0],
    ['amount', -1],
    ['amount', 1.5],
    ['amount', 100_000_000_000_001],
    ['amount', '10'],
    ['amount', true],
    ['amount', null],
    ['amount', [10]],
    ['amount', Number.NaN],
    ['amount', undefined],
    ['currency', 'USD'],
    ['currency', 'idr'],
    ['currency', undefined],
    ['method_type', 'credit_card'],
    ['method_type', 'cardless_credit'],
    ['method_type', undefined],
    ['method_detail', undefined],
    ['method_detail', 'BCA'],
    ['method_detail', null],
    ['customer_name', 7],
    ['customer_name', null],
    ['customer_name', 'n'.repeat(256)],
    ['customer_email', 'budi'],
    ['customer_email', 'budi..s@example.com'],
    ['customer_email', '.budi@example.com'],
    ['customer_email', 'budi@localhost'],
    ['customer_email', 'bu di@example.com'],
    ['customer_email', 'budi@'],
    ['customer_email', `${'b'.repeat(250)}@example.com`],
    ['customer_phone', 81234567890],
    ['items', {}],
    ['items', Array(101).fill(line)],
    ['expiry_minutes', 1],
    ['expiry_minutes', 43_201],
    ['expiry_minutes', 2.5],
    ['expiry_minutes', '60'],
    ['expiry_minutes', null],
    ['return_url', 'http://shop.example.com/'],
    ['return_url', `https://shop.example.com/${'x'.repeat(231)}`],
    ['return_url', null],
    ['customer_ip', '198.51.100'],
    ['customer_ip', null],
  ])(
    'an order with an invalid field value is rejected instead of the value being converted, and the error names the field: %s %j',
    (field, value) => {
      expect(refusedBy({ ...order, [field]: value })).toBe(field)
    },
  )

  test.each(['amount', 'currency', 'method_type', 'method_detail'])(
    'the error for an order without its required field %s says that the field is required',
    field => {
      const { error } = createPaymentInput.safeParse({ ...order, [field]: undefined })
      expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
        [field, rule('required')],
      ])
    },
  )

  test.each([
    ['price', -1],
    ['price', 0.5],
    ['price', '1'],
    ['quantity', 0],
    ['quantity', undefined],
    ['id', undefined],
    ['name', 'n'.repeat(256)],
  ])(
    'an invalid field of an order item is rejected, and the error names the field: items.1.%s %j',
    (field, value) => {
      expect(refusedBy({ ...order, items: [line, { ...line, [field]: value }] })).toBe(`items.1.${field}`)
    },
  )

  test.each([
    ['method_detail.type', {}],
    ['method_detail.type', { type: 'qris' }],
    ['method_detail.type', { type: 'VIRTUAL_ACCOUNT', bank: 'BCA' }],
    ['method_detail.bank', { type: 'virtual_account' }],
    ['method_detail.bank', { type: 'virtual_account', bank: '' }],
    ['method_detail.bank', { type: 'virtual_account', bank: 'b'.repeat(256) }],
  ])(
    'an invalid method_detail is rejected with an error that names the invalid field: field %s of %j',
    (field, method_detail) => {
      expect(refusedBy({ ...order, method_detail })).toBe(field)
    },
  )
})

describe("an order's text fields are limited in length and in the characters they may contain", () => {
  test("the length of an order's text field is measured in characters, not in UTF-16 code units", () => {
    expect(text().safeParse('😀'.repeat(255)).success).toBe(true)
    expect(text().safeParse('😀'.repeat(256)).success).toBe(false)
  })

  test.each([
    ['NUL', 'a\0b'],
    ['the first half of a surrogate pair', 'a\ud83d'],
    ['the second half of a surrogate pair', '\ude00a'],
    ['the halves of a surrogate pair swapped', '\ude00\ud83d'],
  ])("an order's text field with %s is rejected, because the database cannot store it", (_, value) => {
    expect(text().safeParse(value).success).toBe(false)
    expect(refusedBy({ ...order, customer_phone: value })).toBe('customer_phone')
    expect(refusedBy({ ...order, items: [{ ...line, name: value }] })).toBe('items.0.name')
  })
})

test('the published request schema for creating a payment accepts the same orders as the endpoint', () => {
  const bodies = [
    order,
    { ...order, method_type: 'qris', method_detail: { type: 'qris' } },
    { ...order, method_type: 'e_wallet', method_detail: { type: 'e_wallet', wallet_type: 'GOPAY' } },
    {
      ...order,
      method_type: 'over_the_counter',
      method_detail: { type: 'over_the_counter', store: 'ALFAMART' },
    },
    { ...order, method_detail: { type: 'qris' } },
    { ...order, method_type: 'cardless_credit', method_detail: { type: 'cardless_credit' } },
  ]
  const accepts = (schema: { safeParse(body: unknown): { success: boolean } }) =>
    bodies.map(body => schema.safeParse(body).success)
  expect(accepts(createPaymentBody)).toEqual([true, true, true, true, false, false])
  expect(accepts(createPaymentInput)).toEqual(accepts(createPaymentBody))
})

test('an idempotency key must have 1 to 255 visible ASCII characters', () => {
  const accepted = ['a', '!', '~', 'order-1001', 'k'.repeat(255)]
  const refused = ['', ' ', 'a b', 'a\n', 'é', 'a\x7f', 'k'.repeat(256), undefined, 7]
  expect(accepted.map(key => idempotencyKey.safeParse(key).success)).toEqual(accepted.map(() => true))
  expect(refused.map(key => idempotencyKey.safeParse(key).success)).toEqual(refused.map(() => false))
})
