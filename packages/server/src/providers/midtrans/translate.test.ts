import { describe, expect, test } from 'vitest'
import { aCharge } from '../../../test/support/charge.ts'
import { receive } from '../../../test/support/receive-callback.ts'
import type { MethodDetail } from '../../payments/method.ts'
import type { Charge } from '../provider.ts'
import { transaction } from './messages.ts'
import { midtrans } from './midtrans.ts'
import { signatureOf } from './signature.ts'
import { ofWib, recoverMethodData, toChargeRequest, toMethodData, toUpdate, toWib } from './translate.ts'

describe('charge requests to Midtrans', () => {
  test.each<[string, string, Charge['methodDetail'], object]>([
    [
      'a virtual account',
      'permata',
      { type: 'virtual_account', bank: 'PERMATA' },
      { payment_type: 'bank_transfer', bank_transfer: { bank: 'permata' } },
    ],
    [
      'Mandiri, which is a bill to pay',
      'mandiri',
      { type: 'virtual_account', bank: 'MANDIRI' },
      { payment_type: 'echannel', echannel: { bill_info1: 'Payment:', bill_info2: 'GP261120-7Q4M2ZK8XW' } },
    ],
    ['QRIS', 'qris', { type: 'qris' }, { payment_type: 'qris', qris: { acquirer: 'gopay' } }],
    [
      'GoPay',
      'gopay',
      { type: 'e_wallet', wallet_type: 'GOPAY' },
      {
        payment_type: 'gopay',
        gopay: { enable_callback: true, callback_url: 'https://shop.example.com/orders/1001' },
      },
    ],
    [
      'ShopeePay',
      'shopeepay',
      { type: 'e_wallet', wallet_type: 'SHOPEEPAY' },
      { payment_type: 'shopeepay', shopeepay: { callback_url: 'https://shop.example.com/orders/1001' } },
    ],
    [
      'a shop',
      'indomaret',
      { type: 'over_the_counter', store: 'INDOMARET' },
      { payment_type: 'cstore', cstore: { store: 'indomaret', message: 'GP261120-7Q4M2ZK8XW' } },
    ],
  ])("a charge request contains %s in Midtrans' format", (_, channel, methodDetail, part) => {
    const { transaction_details, customer_details, custom_expiry, ...rest } = toChargeRequest(
      aCharge({ channel, methodDetail }),
    )
    expect(rest).toEqual(part)
    expect(transaction_details).toEqual({ order_id: 'GP261120-7Q4M2ZK8XW', gross_amount: 100_000 })
  })

  test("an OVO charge request contains the payer's phone number but no expiry, because Midtrans accepts none for OVO", () => {
    const ovo = { channel: 'ovo', methodDetail: { type: 'e_wallet', wallet_type: 'OVO' } } as const
    const asked = toChargeRequest(
      aCharge({ ...ovo, customer: { name: '', email: '', phone: '+62 812-3456-7890' } }),
    )
    expect(asked).toMatchObject({ payment_type: 'ovo', ovo: { payer_phone_number: '081234567890' } })
    expect(asked).not.toHaveProperty('custom_expiry')
    const unknown = aCharge({ ...ovo, customer: { name: '', email: '', phone: '' } })
    expect(() => toChargeRequest(unknown)).toThrow('OVO needs the mobile number of the payer')
  })

  test('an amount that includes a fraction of a rupiah is rejected before a charge request is sent', () => {
    expect(() => toChargeRequest(aCharge({ amount: 10_000_050n }))).toThrow(RangeError)
  })

  test.each([{ name: 'Budi Santoso' }, { email: 'budi@example.com' }, { phone: '081234567890' }])(
    'a charge request contains only the customer data that the order has: %j',
    known => {
      const { name: first_name, ...others } = { name: undefined, ...known }
      const asked = toChargeRequest(aCharge({ customer: { name: '', email: '', phone: '', ...known } }))
      expect(asked.customer_details).toStrictEqual({ ...(first_name && { first_name }), ...others })
    },
  )

  const bni = { channel: 'bni', methodDetail: { type: 'virtual_account', bank: 'BNI' } } as const
  test.each([
    ['081234567890', '+6281234567890'],
    ['6281234567890', '+6281234567890'],
    ['+62 812-3456-7890', '+6281234567890'],
    ['(021) 765-4321', '0217654321'],
    ['81234567890', undefined],
    ['+1 202 555 0100', undefined],
    ['call me', undefined],
    ['0'.repeat(31), undefined],
  ])('a BNI charge request sends the phone number %j as %j, so that Midtrans accepts it', (phone, sent) => {
    const customer = { name: 'Budi Santoso', email: '', phone }
    expect(toChargeRequest(aCharge({ ...bni, customer })).customer_details?.phone).toBe(sent)
    expect(toChargeRequest(aCharge({ customer })).customer_details?.phone).toBe(phone)
  })

  test('a BCA charge request truncates the customer name to 30 characters, so that Midtrans accepts it', () => {
    const customer = { name: 'n'.repeat(31), email: '', phone: '' }
    expect(toChargeRequest(aCharge({ customer })).customer_details?.first_name).toBe('n'.repeat(30))
    expect(toChargeRequest(aCharge({ ...bni, customer })).customer_details?.first_name).toBe('n'.repeat(31))
  })

  test("in a charge request, the text that is printed on a store's receipt has at most 20 characters", () => {
    const shop = {
      channel: 'alfamart',
      methodDetail: { type: 'over_the_counter', store: 'ALFAMART' },
    } as const
    const second = toChargeRequest(aCharge({ ...shop, reference: 'GP261120-7Q4M2ZK8XW-2' }))
    expect(second.cstore?.message).toBe('GP261120-7Q4M2ZK8XW-')
    expect(second.transaction_details.order_id).toBe('GP261120-7Q4M2ZK8XW-2')
  })

  test('a charge request omits the customer if nothing is known about them', () => {
    expect(toChargeRequest(aCharge({ customer: { name: '', email: '', phone: '' } }))).not.toHaveProperty(
      'customer_details',
    )
  })

  const book = { id: 'sku-1', name: 'Book', price: 5_000_000, quantity: 2 }
  test('a charge request lists items that add up to the amount, and truncates their names to 50 characters', () => {
    const items = [{ ...book, id: 'i'.repeat(60), name: 'n'.repeat(60) }]
    expect(toChargeRequest(aCharge({ items })).item_details).toEqual([
      { id: 'i'.repeat(50), name: 'n'.repeat(50), price: 50_000, quantity: 2 },
    ])
  })

  test('an order item with an empty ID is sent to Midtrans without an ID', () => {
    expect(toChargeRequest(aCharge({ items: [{ ...book, id: '' }] })).item_details).toEqual([
      { name: 'Book', price: 50_000, quantity: 2 },
    ])
  })

  test('an Alfamart charge request contains no vertical line in names and IDs, so that Midtrans accepts it', () => {
    const alfamart = {
      channel: 'alfamart',
      methodDetail: { type: 'over_the_counter', store: 'ALFAMART' },
    } as const
    const order = {
      customer: { name: 'Budi|Santoso', email: '', phone: '' },
      items: [{ ...book, id: 'a|1', name: 'A|B' }],
    }
    const asked = toChargeRequest(aCharge({ ...alfamart, ...order }))
    expect(asked.customer_details).toEqual({ first_name: 'Budi Santoso' })
    expect(asked.item_details).toMatchObject([{ id: 'a 1', name: 'A B' }])
    const nameless = { items: [{ ...book, name: '|' }] }
    expect(toChargeRequest(aCharge({ ...alfamart, ...nameless }))).not.toHaveProperty('item_details')
    expect(toChargeRequest(aCharge(order)).item_details).toMatchObject([{ id: 'a|1', name: 'A|B' }])
  })

  test.each([
    ['there are none', []],
    ['they do not add up to the amount', [{ ...book, quantity: 3 }]],
    ['a price has a fraction of a rupiah', [{ ...book, price: 50, quantity: 200_000 }]],
    ['a name is empty', [{ ...book, name: '' }]],
    [
      'the request would be larger than 16,000 bytes',
      Array.from({ length: 100 }, () => ({ id: 'sku', name: '書'.repeat(50), price: 100_000, quantity: 1 })),
    ],
  ])('a charge request omits the items if %s, because Midtrans would reject them', (_, items) => {
    expect(toChargeRequest(aCharge({ items }))).not.toHaveProperty('item_details')
  })
})

const known = {
  transaction_id: 't-1',
  order_id: 'GP261120-7Q4M2ZK8XW',
  gross_amount: '100000.00',
  payment_type: 'bank_transfer',
}

describe('notifications from Midtrans', () => {
  const server_key = 'SB-Mid-server-test'
  const account = { id: 'a', mode: 'test', credentials: { server_key }, baseUrl: null } as const
  const notified = (fields: object) => {
    const message = { ...known, status_code: '200', transaction_status: 'settlement', ...fields }
    const body = JSON.stringify({ signature_key: signatureOf(message, server_key), ...message })
    return receive(midtrans, account, {
      path: '/',
      headers: {},
      body: Buffer.from(body),
      receivedAt: new Date(),
    })
  }

  test.each([
    ['a settlement under the code of a pending order', { status_code: '201' }],
    ['a settlement that fraud detection has not accepted', { fraud_status: 'challenge' }],
    ['a cancellation under the code of a success', { transaction_status: 'cancel' }],
    ['an expiry under the code of a success', { transaction_status: 'expire' }],
    ['a refusal under the code of a success', { transaction_status: 'deny' }],
  ])(
    'a notification with %s contradicts itself or needs review, so a status inquiry must confirm the status',
    (_, fields) => {
      expect(notified(fields)).toMatchObject({ verified: true, updates: [{ fact: { type: 'unproven' } }] })
    },
  )

  test("a test notification from Midtrans' dashboard is acknowledged but reports no money", () => {
    const order_id = 'payment_notif_test_G141532850_34cafed4-f5e9-45a1-9324-7e1636a57eec'
    const reading = notified({ order_id, fraud_status: 'accept', currency: 'IDR' })
    expect(reading).toMatchObject({
      verified: true,
      irrelevant: "a test notification from Midtrans' dashboard",
    })
    expect(reading).not.toHaveProperty('updates')
  })

  test.each([{ status_code: '2000' }, { status_code: '20' }, { status_code: '2oo' }, { status_code: '' }])(
    'a notification is rejected if its status code does not have three digits, because digits could otherwise move between signed fields unnoticed: %j',
    fields => {
      expect(notified(fields)).toMatchObject({ verified: false })
    },
  )

  test.each([{ signature_key: '' }, { signature_key: 7 }, { gross_amount: null }, { order_id: null }])(
    'a notification is rejected if its signature or a signed field is empty or has the wrong type: %j',
    fields => {
      expect(notified(fields)).toMatchObject({ verified: false })
    },
  )

  test('a notification whose reference the database cannot store is unreadable', () => {
    for (const order_id of ['a\0b', '', 'ab\ud83d', 'é'])
      expect(notified({ order_id })).toMatchObject({
        verified: true,
        unreadable: { candidates: ['t-1'], refusal: { status: 422 } },
      })
  })

  test('a notification with an uppercase signature is rejected, because Midtrans uses lowercase', () => {
    const signature_key = signatureOf({ ...known, status_code: '200' }, server_key).toUpperCase()
    expect(notified({ signature_key })).toMatchObject({ verified: false })
  })
})

describe('times in Midtrans messages', () => {
  test("a time in a Midtrans message is parsed as Western Indonesia Time, regardless of this process's time zone", () => {
    expect(toWib(new Date('2026-12-31T17:00:00Z'))).toBe('2027-01-01 00:00:00 +0700')
    expect(ofWib('2027-01-01 00:00:00')).toEqual(new Date('2026-12-31T17:00:00Z'))
  })

  test.each([
    undefined,
    '',
    '2026-11-20',
    '2026-13-20 00:00:00',
    '2026-11-20T00:00:00',
    '2026-11-20 00:00:00 +0700',
  ])('a time in a Midtrans message counts as absent if it is %j', text => {
    expect(ofWib(text)).toBeUndefined()
  })
})

describe('the Midtrans adapter reads the status, the refunds and the payment instructions from inquiry responses', () => {
  const answer = (fields: object) =>
    transaction.parse({
      transaction_id: 't-1',
      order_id: 'GP261120-7Q4M2ZK8XW',
      gross_amount: '100000.00',
      currency: 'IDR',
      status_code: '200',
      fraud_status: 'accept',
      payment_type: 'qris',
      ...fields,
    })
  const returnsOf = (fields: object) => toUpdate(answer(fields), 'answer').returns
  const refund = { refund_key: 'k-1', refund_amount: '30000.00', bank_confirmed_at: '2026-11-20 10:04:05' }
  const listed = { kind: 'refund', id: 'k-1', reference: 'k-1', amount: 3_000_000n, status: 'succeeded' }
  const chargeback = { kind: 'chargeback', id: null, status: 'succeeded' }

  test.each<[string, object, object[] | undefined]>([
    ['settlement', {}, undefined],
    ['settlement', { refunds: [refund] }, [listed]],
    ['refund', {}, [{ kind: 'refund', id: null, amount: null, status: 'pending' }]],
    ['partial_refund', {}, [{ kind: 'refund', id: null, amount: null, status: 'pending' }]],
    ['partial_refund', { refunds: [refund] }, [listed]],
    [
      'partial_refund',
      { refunds: [{ refund_amount: '1.00' }] },
      [{ kind: 'refund', id: null, amount: 100n, status: 'pending' }],
    ],
    [
      'partial_refund',
      { refunds: [refund, { refund_amount: '1.00' }] },
      [listed, { kind: 'refund', id: 't-1-2', amount: 100n, status: 'pending' }],
    ],
    ...[null, '', {}].map((bank_confirmed_at): [string, object, object[]] => [
      'refund',
      { refunds: [{ ...refund, bank_confirmed_at }] },
      [{ ...listed, status: 'pending' }],
    ]),
    ['chargeback', {}, [{ ...chargeback, amount: 10_000_000n }]],
    ['chargeback', { refunds: [refund] }, [listed, { ...chargeback, amount: null }]],
    ['partial_chargeback', {}, [{ ...chargeback, amount: null }]],
  ])(
    "a status inquiry about a transaction with the status %s and the fields %j returns the transaction's refunds and chargebacks",
    (transaction_status, fields, expected) => {
      expect(returnsOf({ transaction_status, ...fields })).toEqual(expected)
    },
  )

  test.each([
    ['200', 'challenged'],
    ['201', 'challenged'],
    ['202', 'nothing'],
  ])('a payment that fraud detection holds with status code %s is read as %s', (status_code, type) => {
    const held = answer({ transaction_status: 'capture', fraud_status: 'challenge', status_code })
    expect(toUpdate(held, 'answer').fact.type).toBe(type)
  })

  test('an inquiry response with contradictory status fields changes nothing, and the reason lists these fields', () => {
    const reasonOf = (fields: object) =>
      toUpdate(answer({ transaction_status: 'capture', ...fields }), 'answer')
    for (const [fraud_status, named] of [
      [undefined, 'absent'],
      ['deny', 'deny'],
    ])
      expect(reasonOf({ status_code: '202', fraud_status }).fact).toEqual({
        type: 'nothing',
        reason: `capture with status_code 202 and fraud_status ${named}`,
      })
  })

  const qr = { name: 'generate-qr-code', url: 'https://x/qr' }
  const deeplink = (url: string) => ({ name: 'deeplink-redirect', url })
  const gopay = { type: 'e_wallet', wallet_type: 'GOPAY' } as const
  test.each<[object, MethodDetail, object | undefined]>([
    [{ actions: [qr], qr_string: '000201' }, { type: 'qris' }, { qr_string: '000201', qr_image_url: qr.url }],
    [{ actions: [qr] }, { type: 'qris' }, { qr_string: '', qr_image_url: qr.url }],
    [{ qr_string: '000201' }, { type: 'qris' }, undefined],
    [{ actions: [{ ...qr, url: {} }], qr_string: '000201' }, { type: 'qris' }, undefined],
    [
      { va_numbers: [{ va_number: {} }, { va_number: 812 }] },
      { type: 'virtual_account', bank: 'BCA' },
      { bank: 'BCA', va_number: '812' },
    ],
    [
      { actions: [qr, deeplink('https://x/pay')] },
      gopay,
      { wallet_type: 'GOPAY', redirect_url: 'https://x/pay', deeplink: 'https://x/pay' },
    ],
    [
      { actions: [qr, deeplink('gojek://pay')] },
      gopay,
      { wallet_type: 'GOPAY', redirect_url: qr.url, deeplink: 'gojek://pay' },
    ],
    [
      { actions: [deeplink('gojek://pay')] },
      gopay,
      { wallet_type: 'GOPAY', redirect_url: 'gojek://pay', deeplink: 'gojek://pay' },
    ],
    [{ actions: [qr] }, gopay, undefined],
    [{}, { type: 'e_wallet', wallet_type: 'OVO' }, { wallet_type: 'OVO', redirect_url: '', deeplink: '' }],
  ])(
    'from a response with the fields %j, the adapter reads for the payment method %j the payment instructions %j',
    (fields, detail, instructions) => {
      expect(toMethodData(answer({ transaction_status: 'pending', ...fields }), detail)).toEqual(
        instructions && { type: detail.type, ...instructions },
      )
    },
  )

  test('a store payment without a payment code has no payment instructions', () => {
    const detail = { type: 'over_the_counter', store: 'ALFAMART' } as const
    const message = answer({ transaction_status: 'pending' })
    expect(toMethodData(message, detail)).toBeUndefined()
    expect(toMethodData({ ...message, payment_code: '123' }, detail)).toStrictEqual({
      type: 'over_the_counter',
      store_name: 'Alfamart',
      payment_code: '123',
    })
  })

  test('a GoPay response contains no virtual account instructions', () => {
    const message = answer({ transaction_status: 'pending', payment_type: 'gopay', biller_code: '70012' })
    const detail = { type: 'virtual_account', bank: 'BCA' } as const
    expect(recoverMethodData(message, detail, 'https://api.midtrans.com')).toBeUndefined()
  })
})

test('a charge request omits the items if a price includes a fraction of a rupiah', () => {
  const item = { id: '1', name: 'Kopi', quantity: 1 }
  const items = [
    { ...item, price: 9_999_950 },
    { ...item, price: 50 },
  ]
  expect(toChargeRequest(aCharge({ items }))).not.toHaveProperty('item_details')
  const whole = [{ ...item, price: 10_000_000 }]
  expect(toChargeRequest(aCharge({ items: whole }))).toHaveProperty('item_details')
  const mixed = [
    { ...item, price: 9_999_900 },
    { ...item, price: 50, quantity: 2 },
  ]
  expect(toChargeRequest(aCharge({ items: mixed }))).not.toHaveProperty('item_details')
})
