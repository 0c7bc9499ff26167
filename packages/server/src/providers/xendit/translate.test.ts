import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aCharge } from '../../../test/support/charge.ts'
import type { MethodDetail } from '../../payments/method.ts'
import { centsOf } from '../../values/money.ts'
import { ProviderError } from '../provider.ts'
import * as messages from './messages.ts'
import { arrival, paidBy, timeOf, toCreateRequest } from './translate.ts'

const called = (name: string, phone = '081234567890') => ({ name, email: '', phone })

describe('create requests to Xendit', () => {
  const expires_at = '2026-11-20T04:04:05.678Z'
  const urls = {
    success_return_url: 'https://shop.example.com/orders/1001',
    failure_return_url: 'https://shop.example.com/orders/1001',
    cancel_return_url: 'https://shop.example.com/orders/1001',
  }
  test.each<[string, string, MethodDetail, object]>([
    [
      'a virtual account, always with an expiry',
      'bri',
      { type: 'virtual_account', bank: 'BRI' },
      {
        channel_code: 'BRI_VIRTUAL_ACCOUNT',
        channel_properties: { display_name: 'Budi Santoso', expires_at },
      },
    ],
    [
      'a store, always with an expiry',
      'alfamart',
      { type: 'over_the_counter', store: 'ALFAMART' },
      {
        type: 'REUSABLE_PAYMENT_CODE',
        channel_code: 'ALFAMART',
        channel_properties: { payer_name: 'Budi Santoso', expires_at },
      },
    ],
    [
      'QRIS, whose expiry cannot be set',
      'qris',
      { type: 'qris' },
      { channel_code: 'QRIS', channel_properties: {} },
    ],
    [
      'a wallet, with the return URL for each result',
      'dana',
      { type: 'e_wallet', wallet_type: 'DANA' },
      { channel_code: 'DANA', channel_properties: urls },
    ],
    [
      'GoPay, for one payment and not as GOPAY_RECURRING',
      'gopay',
      { type: 'e_wallet', wallet_type: 'GOPAY' },
      { channel_code: 'GOPAY', channel_properties: urls },
    ],
    [
      "OVO, with the payer's phone number and without a return URL",
      'ovo',
      { type: 'e_wallet', wallet_type: 'OVO' },
      { channel_code: 'OVO', channel_properties: { account_mobile_number: '+6281234567890' } },
    ],
  ])('a create request contains the channel and its properties for %s', (_, channel, methodDetail, part) => {
    expect(toCreateRequest(aCharge({ channel, methodDetail }))).toEqual({
      reference_id: 'GP261120-7Q4M2ZK8XW',
      type: 'PAY',
      country: 'ID',
      currency: 'IDR',
      request_amount: 100_000,
      capture_method: 'AUTOMATIC',
      metadata: { customer_name: 'Budi Santoso' },
      ...part,
    })
  })

  test('an amount that includes a fraction of a rupiah is rejected before a create request is sent', () => {
    expect(() => toCreateRequest(aCharge({ amount: 10_000_050n }))).toThrow(RangeError)
  })

  test.each([
    ['Renée Ångström', 'Renee Angstrom'],
    ["  Siti  O'Brien, S.E. ", 'Siti O Brien S E'],
    ['', 'Customer'],
    ['王小明', 'Customer'],
    ['n'.repeat(60), 'n'.repeat(50)],
    ['SANDBOX NOT JSON', 'SANDBOX NOT JSON'],
  ])(
    'the customer name %j is sent to Xendit as %j, because banks and stores accept only letters, digits and spaces',
    (name, shown) => {
      expect(toCreateRequest(aCharge({ customer: called(name) })).channel_properties.display_name).toBe(shown)
      const store = { channel: 'alfamart', methodDetail: { type: 'over_the_counter', store: 'X' } } as const
      const { payer_name } = toCreateRequest(aCharge({ ...store, customer: called(name) })).channel_properties
      expect(payer_name).toBe(shown)
    },
  )

  test("a create request's metadata contains the unchanged customer name, up to the maximum length", () => {
    const name = `${"O'".repeat(249)}n😀`
    expect(toCreateRequest(aCharge({ customer: called(name) })).metadata?.customer_name).toBe(
      `${"O'".repeat(249)}n�`,
    )
    expect(toCreateRequest(aCharge({ customer: called('') }))).not.toHaveProperty('metadata')
  })

  const ovo = { channel: 'ovo', methodDetail: { type: 'e_wallet', wallet_type: 'OVO' } } as const
  test.each(['081234567890', '6281234567890', '+6281234567890', '+62 812-3456-7890', '(0812) 3456.7890'])(
    "a charge by OVO sends the phone number %j in OVO's format",
    phone => {
      const { channel_properties } = toCreateRequest(aCharge({ ...ovo, customer: called('', phone) }))
      expect(channel_properties.account_mobile_number).toBe('+6281234567890')
    },
  )

  test.each(['', '0217654321', '+1 202 555 0100', '0812', '08123456789012345', 'call me'])(
    'a charge by OVO with the phone number %j is rejected with an error that names the phone number field',
    phone => {
      const asked = () => toCreateRequest(aCharge({ ...ovo, customer: called('', phone) }))
      expect(asked).toThrow(ProviderError)
      expect(asked).toThrow(/^customer_phone/)
    },
  )
})

test('an amount stays the same when it is sent to Xendit and read back', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 1_000_000_000_000n }), units => {
      const { request_amount } = toCreateRequest(aCharge({ amount: units * 100n }))
      const back = JSON.parse(JSON.stringify({ request_amount })).request_amount
      expect(centsOf(back)).toBe(units * 100n)
    }),
  )
})

test.each([
  [10_000, 1_000_000n],
  ['10000', 1_000_000n],
  ['10000.01', 1_000_001n],
  [10_000.01, 1_000_001n],
  [1.005, undefined],
  [-1, undefined],
  [1e21, undefined],
  [Number.NaN, undefined],
  [' 1', undefined],
  [null, undefined],
  [[1], undefined],
])('the adapter reads the amount %j in a Xendit message as %s cents', (amount, cents) => {
  expect(centsOf(amount)).toBe(cents)
})

describe('the sender check in a Xendit message determines whether a successful payment becomes paid or challenged', () => {
  const payment = {
    ...{ payment_id: 'py-1', payment_request_id: 'pr-1', reference_id: 'GP261120-7Q4M2ZK8XW' },
    ...{ status: 'SUCCEEDED', currency: 'IDR', request_amount: 100_000 },
  }
  const factOf = (payment_details: unknown) => paidBy(messages.payment.parse({ ...payment, payment_details }))
  const verification = (verification_result: unknown) => ({ verification_result })
  const sender = (sender_verification: unknown) => verification({ sender_verification })

  test.each([
    ...[undefined, null, 7, {}, verification(null), verification(undefined), verification('')],
    ...[verification({}), sender(null), sender(''), sender({ result: 'SENDER_MATCHED' })],
    verification({ is_eligible: true, sender_verification: { result: ' SENDER_MATCHED ' } }),
    verification({ is_eligible: false }),
  ])(
    'a payment counts as paid if Xendit verified its sender, or did not check the sender, as in the details %j',
    details => {
      expect(factOf(details)).toMatchObject({ type: 'paid', amountPaid: 10_000_000n, receipt: 'py-1' })
    },
  )

  test.each([
    ...[verification('UNKNOWN'), verification(7), sender('UNKNOWN'), sender({})],
    ...['UNKNOWN', ' UNKNOWN ', '', null, 7, {}].map(result => sender({ result })),
    ...['unknown', 'SENDER_NOT_MATCHED', 'sender_matched'].map(result => sender({ result })),
  ])('a payment is read as challenged if the check of its sender did not succeed: %j', details => {
    expect(factOf(details)).toMatchObject({ type: 'challenged' })
  })
})

test('a payment that Xendit reports as paid without a payment id gets no receipt id', () => {
  expect(arrival(100n, 'IDR', { receipt: null })).toStrictEqual({ type: 'paid', amountPaid: 100n })
  expect(arrival(100n, 'IDR', { receipt: 'py-1' })).toHaveProperty('receipt', 'py-1')
})

describe('times in Xendit messages', () => {
  test('a time in a Xendit message is parsed with its time zone offset', () => {
    expect(timeOf('2022-10-22T06:30:05.86474Z')).toEqual(new Date('2022-10-22T06:30:05.864Z'))
    expect(timeOf('2022-10-22T13:30:05+07:00')).toEqual(new Date('2022-10-22T06:30:05Z'))
  })

  test.each([undefined, '', '2022-10-22', '2022-10-22T06:30:05', '2022-13-22T06:30:05Z', '1666420205'])(
    'a time in a Xendit message counts as missing if it is %j',
    text => {
      expect(timeOf(text)).toBeUndefined()
    },
  )
})
