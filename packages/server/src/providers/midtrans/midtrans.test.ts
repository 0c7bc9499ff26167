import { describe, expect, test } from 'vitest'
import { fakeServer, type Request } from '../../../test/support/fake-server.ts'
import { accountAt, inquiry, kindOf, order } from '../../../test/support/midtrans.ts'
import type { MethodData, MethodDetail } from '../../payments/method.ts'
import type { ProviderErrorKind, ProviderUpdate } from '../provider.ts'
import { errorKind } from './client.ts'
import { midtrans } from './midtrans.ts'

const { url, received, answers, replies: reply } = await fakeServer()
const account = () => accountAt(url)
/** A Midtrans response that reports the test order from `inquiry` as pending. */
const known = {
  status_code: '201',
  transaction_id: 't-1',
  order_id: inquiry.reference,
  gross_amount: '100000.00',
  payment_type: 'bank_transfer',
  transaction_status: 'pending',
}
const payable = { ...known, va_numbers: [{ bank: 'bca', va_number: '1' }] }

describe('charges at Midtrans', () => {
  test('a charge is sent as a single POST request with the server key, our reference and the callback URL', async () => {
    reply(200, payable)
    await midtrans.charge(account(), order())
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({
      method: 'POST',
      url: '/v2/charge',
      headers: {
        authorization: 'Basic U0ItTWlkLXNlcnZlci10ZXN0Og==',
        'content-type': 'application/json',
        accept: 'application/json',
        'idempotency-key': 'GP261120-7Q4M2ZK8XW',
        'x-override-notification': 'https://pay.example.com/v1/callbacks/midtrans/1',
      },
    })
    expect(JSON.parse((received[0] as Request).body)).toEqual({
      payment_type: 'bank_transfer',
      bank_transfer: { bank: 'bca' },
      transaction_details: { order_id: 'GP261120-7Q4M2ZK8XW', gross_amount: 100_000 },
      customer_details: { first_name: 'Budi Santoso', email: 'budi@example.com', phone: '081234567890' },
      custom_expiry: { order_time: '2026-11-20 10:04:05 +0700', expiry_duration: 60, unit: 'minute' },
    })
  })

  test('a charge that Midtrans denies immediately is reported as declined', async () => {
    const denial = { status_code: '202', transaction_status: 'deny', fraud_status: 'deny' }
    reply(200, { ...payable, ...denial })
    expect(await kindOf(midtrans.charge(account(), order()))).toBe('declined')
  })

  test.each([{ order_id: 'GP261120-0000000000' }, { gross_amount: '100001.00' }])(
    'a charge whose response is for a different order has an unknown outcome: %j',
    async other => {
      for (const transaction_status of ['pending', 'deny']) {
        reply(200, { ...payable, ...other, transaction_status })
        expect(await kindOf(midtrans.charge(account(), order()))).toBe('unknown')
      }
    },
  )

  test.each([null, 'a\0b', {}])(
    'a charge accepted with the invalid transaction_id %j has an unknown outcome',
    async transaction_id => {
      reply(200, { ...payable, transaction_id })
      expect(await kindOf(midtrans.charge(account(), order()))).toBe('unknown')
      expect(await kindOf(midtrans.inquire(account(), inquiry))).toBe('unknown')
    },
  )

  test('if Midtrans accepts a charge but returns no payment instructions, the outcome of the charge is unknown', async () => {
    reply(200, known)
    expect(await kindOf(midtrans.charge(account(), order()))).toBe('unknown')
  })

  test.each([undefined, null, 'bad', [7]])(
    'if a refused charge has no usable validation_messages (%j), the status_code in the response body determines the kind of error',
    async validation_messages => {
      reply(200, { status_code: '400', status_message: 'no', validation_messages })
      await expect(midtrans.charge(account(), order())).rejects.toMatchObject({
        kind: 'invalid',
        message: 'no',
      })
    },
  )

  test("a rejected charge's error contains Midtrans' reason on one line, without control characters", async () => {
    reply(200, { status_code: '400', validation_messages: ['amount\nis\0bad', 'x'.repeat(400)] })
    await expect(midtrans.charge(account(), order())).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringMatching(/^amount is bad; x{1,300}$/),
    })
  })
})

describe("the Midtrans adapter derives a charge's outcome from Midtrans' error response", () => {
  const gateway = '<html><body>Bad gateway</body></html>'
  test.each<[string, number, unknown, ProviderErrorKind]>([
    ['a page of a proxy', 502, gateway, 'unknown'],
    ['a page that is not JSON, with status 200', 200, gateway, 'unknown'],
    ['an HTML page with 503, although the order may exist', 503, gateway, 'unknown'],
    ['an HTML page of a rate limiter', 429, gateway, 'unavailable'],
    ['an HTML page with 404', 404, gateway, 'unknown'],
    [
      'a wrong key',
      401,
      { status_code: '401', status_message: 'Unknown Merchant server_key' },
      'unavailable',
    ],
    ['a wrong key within HTTP 200', 200, { status_code: '401' }, 'unavailable'],
    ['a channel that is not activated', 402, { status_code: '402' }, 'inactive'],
    ['an order that exists', 406, { status_code: '406' }, 'unknown'],
    ['too many requests', 429, { status_code: '429' }, 'unavailable'],
    ['an error of the provider', 500, { status_code: '500' }, 'unknown'],
    ['no connection to the bank', 503, { status_code: '503' }, 'unavailable'],
    ['an unknown code', 200, { status_code: '299' }, 'unknown'],
    ['success without an order', 200, { status_code: '201', status_message: 'Success' }, 'unknown'],
    ['a valid order longer than 1 MiB', 200, { ...payable, note: 'x'.repeat(1024 * 1024) }, 'unknown'],
  ])(
    "if Midtrans's response to a charge or an inquiry is $0 (HTTP $1), the request fails with an error of the kind $3",
    async (_, status, body, kind) => {
      reply(status, body)
      expect(await kindOf(midtrans.charge(account(), order()))).toBe(kind)
      expect(await kindOf(midtrans.inquire(account(), inquiry))).toBe(kind)
    },
  )

  test.each([200, 503])(
    "if Midtrans responds to an OVO charge with code 503 and HTTP %i, the charge's outcome is unknown, because OVO may have notified the payer's phone",
    async status => {
      const ovo = {
        channel: 'ovo',
        methodDetail: { type: 'e_wallet', wallet_type: 'OVO' },
        customer: { name: 'Budi', email: '', phone: '081234567890' },
      } as const
      reply(status, { status_code: '503', status_message: 'Bank is\nunavailable' })
      await expect(midtrans.charge(account(), order(ovo))).rejects.toMatchObject({
        kind: 'unknown',
        message: 'Bank is unavailable',
      })
      reply(status, { status_code: '429' })
      expect(await kindOf(midtrans.charge(account(), order(ovo)))).toBe('unavailable')
    },
  )

  test("after a truncated error response, a charge's outcome is unknown", async () => {
    answers(response => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"status_code":"201",')
      setImmediate(() => response.destroy())
    })
    expect(await kindOf(midtrans.charge(account(), order()))).toBe('unknown')
  })

  test('a redirect in response to a charge is not followed', async () => {
    answers(response => response.writeHead(307, { location: '/elsewhere' }).end())
    expect(await kindOf(midtrans.charge(account(), order()))).toBe('unknown')
    expect(received).toHaveLength(1)
  })

  test('an error code counts as a rejection only if Midtrans certainly rejected the order', () => {
    const refusing = Array.from({ length: 500 }, (_, i) => String(i + 100)).filter(code =>
      ['declined', 'invalid'].includes(errorKind(code)),
    )
    expect(refusing).toEqual(['202', '400', '403', '410', '411', '413'])
  })
})

describe('inquiries at Midtrans', () => {
  test('special characters in an order reference are escaped in the inquiry URL', async () => {
    reply(200, { ...known, order_id: 'a/b?c' })
    await midtrans.inquire(account(), { ...inquiry, reference: 'a/b?c' })
    expect(received[0]).toMatchObject({ method: 'GET', url: '/v2/a%2Fb%3Fc/status' })
  })

  test('if Midtrans responds about another order, the status inquiry is inconclusive', async () => {
    reply(200, {
      ...known,
      status_code: '200',
      transaction_status: 'settlement',
      order_id: 'GP261120-0000000000',
    })
    expect(await kindOf(midtrans.inquire(account(), inquiry))).toBe('unknown')
  })

  test.each([404, 200])(
    'a status inquiry about an order that Midtrans reports as unknown (HTTP %i) has the result `absent`',
    async status => {
      reply(status, { status_code: '404', status_message: "Transaction doesn't exist." })
      expect(await midtrans.inquire(account(), inquiry)).toBe('absent')
    },
  )

  test('if a proxy responds with 404, a status inquiry does not report the order as absent', async () => {
    reply(404, { message: 'no Route matched with those values' })
    expect(await kindOf(midtrans.inquire(account(), inquiry))).toBe('unknown')
  })

  test("a status inquiry accepts the order's status in uppercase or lowercase", async () => {
    reply(200, { ...known, transaction_status: 'PENDING' })
    expect(await midtrans.inquire(account(), inquiry)).toMatchObject({ fact: { type: 'pending' } })
  })

  const transactionUrl = (path: string) => `${account().baseUrl}/v2/${path}/t-1/qr-code`
  test.each<[string, object, MethodDetail, () => MethodData | undefined]>([
    [
      'a virtual account',
      { va_numbers: [{ bank: 'bca', va_number: '1' }] },
      { type: 'virtual_account', bank: 'BCA' },
      () => ({ type: 'virtual_account', bank: 'BCA', va_number: '1' }),
    ],
    [
      'QRIS',
      { payment_type: 'qris' },
      { type: 'qris' },
      () => ({ type: 'qris', qr_string: '', qr_image_url: transactionUrl('qris') }),
    ],
    [
      'GoPay',
      { payment_type: 'gopay' },
      { type: 'e_wallet', wallet_type: 'GOPAY' },
      () => ({ type: 'e_wallet', wallet_type: 'GOPAY', redirect_url: transactionUrl('gopay'), deeplink: '' }),
    ],
    [
      'ShopeePay',
      {
        payment_type: 'shopeepay',
        actions: [{ name: 'deeplink-redirect', method: 'GET', url: 'https://wsa.example/pay' }],
      },
      { type: 'e_wallet', wallet_type: 'SHOPEEPAY' },
      () => ({
        type: 'e_wallet',
        wallet_type: 'SHOPEEPAY',
        redirect_url: 'https://wsa.example/pay',
        deeplink: 'https://wsa.example/pay',
      }),
    ],
    [
      'ShopeePay without a link',
      { payment_type: 'shopeepay' },
      { type: 'e_wallet', wallet_type: 'SHOPEEPAY' },
      () => undefined,
    ],
  ])(
    'an inquiry returns the documented payment instructions for %s',
    async (_, fields, methodDetail, expected) => {
      reply(200, { ...known, ...fields })
      const update = await midtrans.inquire(account(), { ...inquiry, methodDetail })
      const methodData = expected()
      expect(update).toMatchObject({ fact: { type: 'pending' } })
      expect((update as { fact: { methodData?: MethodData } }).fact.methodData).toEqual(methodData)
    },
  )

  test.each([
    [
      'settlement',
      { status_code: '200', settlement_time: '2026-11-20 10:05:00' },
      { type: 'paid', amountPaid: 10_000_000n, paidAt: new Date('2026-11-20T03:05:00Z') },
    ],
    [
      'settlement without a time',
      { status_code: '200', transaction_status: 'settlement' },
      { type: 'paid', amountPaid: 10_000_000n },
    ],
    [
      'settlement that fraud detection denied',
      { status_code: '200', transaction_status: 'settlement', fraud_status: 'deny' },
      { type: 'nothing' },
    ],
    [
      'settlement in another currency',
      { status_code: '200', transaction_status: 'settlement', currency: 'USD' },
      { type: 'nothing' },
    ],
    [
      'settlement of zero',
      { status_code: '200', transaction_status: 'settlement', gross_amount: '0.00' },
      { type: 'nothing' },
    ],
    [
      'deny, though fraud detection is in doubt',
      { transaction_status: 'deny', fraud_status: 'challenge' },
      { type: 'failed' },
    ],
  ])(
    'the status %s in the response to an inquiry is read with the meaning that Midtrans documents for it',
    async (status, fields, fact) => {
      reply(200, { ...known, transaction_status: status, ...fields })
      expect(await midtrans.inquire(account(), inquiry)).toMatchObject({ fact })
    },
  )

  const noon = new Date('2026-11-20T05:00:00Z')
  test.each<[object, Date | undefined]>([
    [{ settlement_time: ' 2026-11-20 12:00:00 ', transaction_time: '2026-11-20 11:00:00' }, noon],
    [{ settlement_time: ['2026-11-20 11:00:00'], transaction_time: ' 2026-11-20 12:00:00' }, noon],
    [{ settlement_time: 1_795_150_800, transaction_time: {} }, undefined],
  ])(
    'a status inquiry reports a payment time only if the time in the response is valid; fields in the response: %j',
    async (times, paidAt) => {
      reply(200, { ...known, status_code: '200', transaction_status: 'settlement', ...times })
      const { fact } = (await midtrans.inquire(account(), inquiry)) as ProviderUpdate
      expect(fact).toEqual({
        type: 'paid',
        amountPaid: 10_000_000n,
        receipt: 't-1',
        ...(paidAt && { paidAt }),
      })
    },
  )

  test.each<[string, object, string]>([
    [
      'an unknown status',
      { transaction_status: 'melted' },
      'transaction_status has the unknown value melted',
    ],
    [
      'an ambiguous amount',
      { status_code: '200', transaction_status: 'settlement', gross_amount: '100,000' },
      'gross_amount cannot be read: it is "100,000"',
    ],
  ])('a status inquiry whose response has %s fails', async (_, fields, message) => {
    reply(200, { ...known, ...fields })
    await expect(midtrans.inquire(account(), inquiry)).rejects.toMatchObject({ kind: 'unknown', message })
  })

  // Fields that do not affect the payment's status, such as `va_numbers`, may also be null or numbers
  // (docs.midtrans.com get-transaction-status).
  test.each([
    { va_numbers: [{ bank: null, va_number: null }] },
    { va_numbers: [{}] },
    { va_numbers: null },
    { bill_key: 990000000123, biller_code: 70012, payment_type: null },
    { payment_code: 990000000123, transaction_time: 7, settlement_time: null },
    { gross_amount: 100_000, currency: ' IDR ', transaction_status: ' settlement ' },
    { actions: [{ name: 1, url: null }, 'generate-qr-code'], fraud_status: '' },
  ])(
    'a status inquiry reports a paid order even if fields of the response have unusual values: %j',
    async fields => {
      reply(200, { ...known, status_code: '200', transaction_status: 'settlement', ...fields })
      expect(await midtrans.inquire(account(), inquiry)).toMatchObject({
        fact: { type: 'paid', amountPaid: 10_000_000n, receipt: 't-1' },
      })
    },
  )
})
