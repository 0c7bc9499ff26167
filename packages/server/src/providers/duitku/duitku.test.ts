import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { aCharge } from '../../../test/support/charge.ts'
import { fakeServer } from '../../../test/support/fake-server.ts'
import {
  type Charge,
  type Inquiry,
  type ProviderAccount,
  ProviderError,
  RateLimitedError,
} from '../provider.ts'
import { type Credentials, credentials } from './credentials.ts'
import { duitku } from './duitku.ts'

let server: Awaited<ReturnType<typeof fakeServer>>
const started = fakeServer()
beforeAll(async () => {
  server = await started
})

const fixture = JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures/create-va.json'), 'utf8'))

const REFERENCE = 'GP261120-7Q4M2ZK8XW'
const account = (over: Partial<Credentials> = {}): ProviderAccount<Credentials> => ({
  id: '01990000-0000-7000-8000-000000000001',
  mode: 'test',
  credentials: credentials.parse({ merchant_code: 'DXXXX', api_key: 'DXXXXCX80TZJ85Q70QCI', ...over }),
  baseUrl: server.url,
})
const order = (overrides: Partial<Charge> = {}): Charge =>
  aCharge({
    amount: 4_000_000n,
    customer: { name: 'John Doe', email: 'test@example.com', phone: '08123456789' },
    expiryMinutes: 10,
    callbackUrl: 'https://pay.example.com/v1/callbacks/duitku/1',
    returnUrl: `https://pay.example.com/return/${REFERENCE}`,
    ...overrides,
  })
const inquiry: Inquiry = { ...order(), providerPaymentId: 'DXXXX1', methodData: null }
const sent = () => JSON.parse(server.received.at(-1)?.body ?? '{}')
const faultOf = async (asked: Promise<unknown>): Promise<ProviderError> => {
  const fault = await asked.then(
    () => new Error('no fault'),
    error => error,
  )
  if (!(fault instanceof ProviderError)) throw fault
  return fault
}

// The expected signatures, computed with `openssl dgst`. A charge's signature covers the merchant code, the reference
// and the amount (DXXXX{reference}40000). An inquiry's signature covers DXXXX{reference}.
const signatures = {
  hmac: {
    charge: '60cf8206a5dd6cef69937a8a3547b7a8db577159b9df8adce577776c87d99fe6',
    inquiry: 'ccba7ae72a8f7fd5cf888646ef854645c98fa752ecdaefd305131a9074b609b3',
  },
  md5: { charge: '9f63909e1b8dfc3a04294fdd6e7ea07d', inquiry: 'd4e1c3e7f7a45be23998f72061bcd592' },
}

describe("charges are sent in Duitku's documented format, and Duitku's documented responses are read correctly", () => {
  test('a charge is accepted if Duitku returns its documented response', async () => {
    server.replies(200, fixture.response)
    expect(await duitku.charge(account(), order())).toEqual({
      providerPaymentId: fixture.expect.provider_payment_id,
      methodData: { type: 'virtual_account', bank: 'BCA', va_number: fixture.expect.va_number },
    })
    expect(server.received.at(-1)?.url).toBe(fixture.http_request.path)
    // The request has the fields in Duitku's sample and the payer's phone number.
    expect(Object.keys(sent()).sort()).toEqual(
      [...Object.keys(fixture.http_request.body), 'phoneNumber'].sort(),
    )
    expect(sent()).toMatchObject({ paymentAmount: 40_000, paymentMethod: 'BC', expiryPeriod: 10 })
  })

  test.each(['hmac', 'md5'] as const)(
    'a charge is signed with %s if the account is configured for this algorithm',
    async signature => {
      server.replies(200, fixture.response)
      await duitku.charge(account({ signature }), order())
      expect(sent().signature).toBe(signatures[signature].charge)
    },
  )

  test.each([
    ['e_wallet', 'shopeepay', 'SA', { redirect_url: fixture.response.paymentUrl, deeplink: 'shopee://pay' }],
    ['over_the_counter', 'alfamart', 'FT', { store_name: 'Alfamart', payment_code: '7007014001444348' }],
    ['qris', 'qris', 'SP', { qr_string: fixture.response.qrString, qr_image_url: '' }],
  ] as const)(
    "a charge with the method %s and the channel %s uses Duitku's channel code %s",
    async (type, channel, paymentMethod, data) => {
      server.replies(200, { ...fixture.response, AppUrl: 'shopee://pay' })
      const methodDetail = { type, wallet_type: 'SHOPEEPAY', store: 'ALFAMART' } as Charge['methodDetail']
      const { methodData } = await duitku.charge(account(), order({ channel, methodDetail }))
      expect(methodData).toMatchObject({ type, ...data })
      expect(sent().paymentMethod).toBe(paymentMethod)
    },
  )

  test.each([
    [{ AppUrl: ' shopee://pay ' }, 'shopee://pay'],
    [{ appUrl: 'shopee://pay' }, 'shopee://pay'],
    [{ AppUrl: {}, appUrl: ' ' }, ''],
    [{ AppUrl: null }, ''],
  ])(
    "if Duitku's response to a wallet charge contains %j, the charge returns the wallet app link %j",
    async (fields, deeplink) => {
      server.replies(200, { ...fixture.response, ...fields })
      const methodDetail = { type: 'e_wallet', wallet_type: 'SHOPEEPAY' } as const
      const { methodData } = await duitku.charge(account(), order({ channel: 'shopeepay', methodDetail }))
      expect(methodData).toMatchObject({ redirect_url: fixture.response.paymentUrl, deeplink })
    },
  )

  const item = { id: '1', name: 'Kopi', price: 1_000_000, quantity: 2 }
  test.each([
    [[item, { ...item, name: 'Teh' }], 'Kopi, Teh'],
    [[], `Order ${REFERENCE}`],
    [
      [
        { ...item, name: 'n'.repeat(200) },
        { ...item, name: 'm'.repeat(200) },
      ],
      `${'n'.repeat(200)}, ${'m'.repeat(53)}`,
    ],
  ])('a charge for the items %j has the description %s', async (items, productDetails) => {
    server.replies(200, fixture.response)
    await duitku.charge(account(), order({ items }))
    expect(sent().productDetails).toBe(productDetails)
  })

  test.each([
    ['test@example.com', 'test@example.com'],
    [`${'x'.repeat(38)}@example.com`, `${'x'.repeat(38)}@example.com`],
    [`${'x'.repeat(39)}@example.com`, 'customer@example.com'],
    ['', 'customer@example.com'],
  ])(
    'a charge for a payer with the email address %s sends Duitku the address %s',
    async (email, sentEmail) => {
      server.replies(200, fixture.response)
      await duitku.charge(account(), order({ customer: { name: 'John', email, phone: '0'.repeat(60) } }))
      expect(sent()).toMatchObject({ email: sentEmail, phoneNumber: '0'.repeat(50) })
    },
  )

  test('a charge shortens an overlong customer name and replaces an overlong email address', async () => {
    server.replies(200, fixture.response)
    const customer = {
      name: 'Raden Ajeng Kartini Djojoadhiningrat',
      email: `${'x'.repeat(50)}@example.com`,
      phone: '',
    }
    await duitku.charge(account(), order({ customer }))
    expect(sent()).toMatchObject({ customerVaName: 'Raden Ajeng Kartini', email: 'customer@example.com' })
    expect(sent()).not.toHaveProperty('phoneNumber')
  })

  test.each([{ statusMessage: null }, { paymentUrl: {} }, { amount: ' 40000 ', merchantCode: ' DXXXX ' }])(
    'a charge is accepted even if its response has unusual values: %j',
    async fields => {
      server.replies(200, { ...fixture.response, ...fields })
      expect((await duitku.charge(account(), order())).methodData).toMatchObject({ bank: 'BCA' })
    },
  )

  test.each([undefined, null, '', 'a\0b'])(
    'a charge whose response has the invalid reference %j has an unknown outcome',
    async id => {
      server.replies(200, { ...fixture.response, reference: id })
      expect((await faultOf(duitku.charge(account(), order()))).kind).toBe('unknown')
    },
  )

  test.each([
    [400, { Message: 'Minimum Payment 10000 IDR' }, 'invalid'],
    [400, { Message: 'Maximum Payment exceeded' }, 'declined'],
    [400, { Message: 'paymentMethod is mandatory' }, 'invalid'],
    [400, { Message: "length of merchantOrderId can't > 50" }, 'invalid'],
    [400, { Message: 'Invalid Email Address' }, 'invalid'],
    [401, { Message: 'Wrong signature' }, 'unavailable'],
    [404, { Message: 'Merchant not found' }, 'unavailable'],
    [404, { Message: 'Payment channel not available' }, 'inactive'],
    [409, { Message: 'Payment amount must be equal to all item price' }, 'invalid'],
    [429, 'Too many requests', 'unavailable'],
    [503, { Message: 'Service Unavailable' }, 'unavailable'],
    [400, '"Minimum Payment 10000 IDR"', 'invalid'],
    [404, '"Payment channel not available"', 'inactive'],
    [500, { Message: 'Failed to generate payment number Retail' }, 'unavailable'],
    [500, '"Failed to generate QR String LinkAja"', 'unavailable'],
    // If the order already exists, an earlier request from this service may have created it, so the charge's outcome is
    // unknown.
    [400, { Message: 'merchantOrderId telah digunakan sebelumnya' }, 'unknown'],
    [409, { Message: 'Transaction already exists' }, 'unknown'],
    [400, { Message: 'An error has occurred.' }, 'unknown'],
    [400, { Message: ['Invalid Email Address'] }, 'unknown'],
    [404, '<html>', 'unknown'],
    [500, { Message: 'Wrong signature' }, 'unknown'],
    [500, '"An error has occurred."', 'unknown'],
    [503, '<html>', 'unknown'],
    [503, '"Service Unavailable"', 'unknown'],
    [200, '', 'unknown'],
    [200, { ...fixture.response, statusCode: '01' }, 'unknown'],
    [200, { ...fixture.response, amount: '40001' }, 'unknown'],
    [200, { ...fixture.response, merchantCode: 'DYYYY' }, 'unknown'],
    [200, { ...fixture.response, vaNumber: '' }, 'unknown'],
    [201, fixture.response, 'unknown'],
  ])('a charge that gets the response HTTP %i %j is reported as %s', async (status, body, kind) => {
    server.replies(status, body)
    expect((await faultOf(duitku.charge(account(), order()))).kind).toBe(kind)
  })
})

describe('status inquiries at Duitku are signed, and their responses are read as documented', () => {
  const answer = {
    merchantOrderId: REFERENCE,
    reference: 'DXXXXCX80TZJ85Q70QCI',
    amount: '100000',
    fee: '0.00',
    statusCode: '00',
    statusMessage: 'SUCCESS',
  }

  test.each([
    ['00', { type: 'paid', amountPaid: 10_000_000n, receipt: answer.reference }],
    ['01', { type: 'pending' }],
    ['02', { type: 'closed' }],
  ])(
    'a status inquiry that returns the statusCode %s results in the status that Duitku documents for this code',
    async (statusCode, fact) => {
      server.replies(200, { ...answer, statusCode })
      expect(await duitku.inquire(account(), inquiry)).toEqual({
        reference: REFERENCE,
        providerPaymentId: answer.reference,
        fact,
      })
    },
  )

  test.each([
    [100_000, 10_000_000n],
    [' 100000 ', 10_000_000n],
    ['100000.00', 10_000_000n],
  ])(
    'if the response to a status inquiry contains the amount %j in rupiah, the inquiry reports %i cents as paid',
    async (amount, amountPaid) => {
      server.replies(200, { ...answer, amount })
      expect(await duitku.inquire(account(), inquiry)).toMatchObject({ fact: { type: 'paid', amountPaid } })
    },
  )

  test.each([null, undefined, '', '1.000', '-1', 1.5, {}])(
    "a status inquiry fails if the paid amount in Duitku's response is invalid: %j",
    async amount => {
      server.replies(200, { ...answer, amount })
      expect((await faultOf(duitku.inquire(account(), inquiry))).kind).toBe('unknown')
    },
  )

  test.each(['03', '', null, 0, {}])(
    'a status inquiry fails if its response has the undocumented statusCode %j',
    async statusCode => {
      server.replies(200, { ...answer, statusCode })
      expect((await faultOf(duitku.inquire(account(), inquiry))).kind).toBe('unknown')
    },
  )

  test('the response to a status inquiry may contain a numeric id and spaces around our reference', async () => {
    server.replies(200, { ...answer, merchantOrderId: ` ${REFERENCE} `, reference: 42 })
    expect(await duitku.inquire(account(), inquiry)).toMatchObject({
      reference: REFERENCE,
      providerPaymentId: '42',
      fact: { type: 'paid', receipt: '42' },
    })
  })

  test.each([undefined, null, '', 'a\0b'])(
    'a status inquiry fails if its response has the invalid payment reference %j',
    async id => {
      server.replies(200, { ...answer, reference: id })
      expect((await faultOf(duitku.inquire(account(), inquiry))).kind).toBe('unknown')
    },
  )

  test('if the amount in the response to a status inquiry is zero, the inquiry reports no payment', async () => {
    server.replies(200, { ...answer, amount: '0' })
    expect(await duitku.inquire(account(), inquiry)).toMatchObject({ fact: { type: 'nothing' } })
  })

  test.each(['hmac', 'md5'] as const)(
    'the service signs a status inquiry with the algorithm %s, over the project code and the order id',
    async signature => {
      server.replies(200, answer)
      await duitku.inquire(account({ signature }), inquiry)
      expect(sent()).toEqual({
        merchantCode: 'DXXXX',
        merchantOrderId: REFERENCE,
        signature: signatures[signature].inquiry,
      })
      expect(server.received.at(-1)?.url).toBe('/webapi/api/merchant/transactionStatus')
    },
  )

  test.each([
    [404, { Message: 'Transaction not found' }],
    [400, '"Transaction not found"'],
  ])(
    'if Duitku does not know an order and responds HTTP %i %j, the status inquiry does not prove that the order is absent',
    async (status, body) => {
      server.replies(status, body)
      expect(await duitku.inquire(account(), inquiry)).toBe('not_reported')
    },
  )

  test.each([
    [403, '<html>'],
    [403, { Message: 'Forbidden' }],
    [400, { Message: 'Your IP has been blocked' }],
    [200, { statusCode: '-1', statusMessage: 'Too many requests' }],
    [503, { Message: 'Maximum hit rate reached' }],
  ])(
    'if Duitku blocks the project with the response HTTP %i %j, inquiries for the account pause for 15 minutes',
    async (status, body) => {
      server.replies(status, body)
      const fault = await faultOf(duitku.inquire(account(), inquiry))
      expect(fault).toBeInstanceOf(RateLimitedError)
      expect(fault).toMatchObject({ retryAfterMs: 15 * 60_000 })
    },
  )

  test.each([
    [404, { Message: 'Merchant not found' }],
    [401, { Message: 'Wrong signature' }],
    [500, { Message: 'An error has occurred.' }],
    [200, {}],
    [502, '<html>'],
  ])(
    'the error response HTTP %i %j to a status inquiry does not count as a sign that Duitku blocks the project',
    async (status, body) => {
      server.replies(status, body)
      expect(await faultOf(duitku.inquire(account(), inquiry))).not.toBeInstanceOf(RateLimitedError)
    },
  )

  test('if Duitku rejects a charge because it blocks the project, the outcome of the charge is unknown', async () => {
    server.replies(403, '<html>')
    expect((await faultOf(duitku.charge(account(), order()))).kind).toBe('unknown')
  })

  test.each([
    [404, { Message: 'Merchant not found' }],
    [404, '<html>'],
    [401, { Message: 'Wrong signature' }],
    [200, { ...answer, merchantOrderId: 'GP261120-0000000000' }],
    [200, {}],
    [500, answer],
  ])('a status inquiry fails if Duitku responds with HTTP %i and the body %j', async (status, body) => {
    server.replies(status, body)
    await expect(duitku.inquire(account(), inquiry)).rejects.toThrow(ProviderError)
  })
})

test('a Duitku account without a configured signature algorithm uses HMAC', () => {
  expect(credentials.parse({ merchant_code: 'D1', api_key: 'k' }).signature).toBe('hmac')
})
