import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  accepted,
  accountAt,
  asked,
  type FakeAcquirer,
  fakeAcquirer,
  idr,
  inquiry,
  kindOf,
  order,
  reference,
  type Sent,
  sentReference,
} from '../../../test/support/fake-acquirer.ts'
import type { ProviderAccount } from '../provider.ts'
import type { Credentials } from './credentials.ts'
import { snap } from './snap.ts'
import { customerNoOf, vaName } from './translate.ts'

let acquirer: FakeAcquirer
let account: ProviderAccount<Credentials>
beforeEach(async () => {
  acquirer = await fakeAcquirer()
  account = accountAt(acquirer.url)
})
afterEach(() => acquirer.close())

describe('charges by SNAP', () => {
  test("a charge's signature covers the body's exact bytes and the SNAP path without the base URL's path", async () => {
    acquirer.answer = accepted
    await snap.charge(account, order())
    const [{ path, headers, text }] = acquirer.calls as [Sent]
    const token = 'token-1'
    const hash = createHash('sha256').update(text).digest('hex')
    const signed = `POST:/v1.0/transfer-va/create-va:${token}:${hash}:${headers['x-timestamp']}`
    expect(path).toBe('/snap/v1.0/transfer-va/create-va')
    expect(headers).toMatchObject({
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-partner-id': account.credentials.partner_id,
      'channel-id': '12345',
      'x-signature': createHmac('sha512', account.credentials.client_secret).update(signed).digest('base64'),
    })
    expect(headers['x-timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+07:00$/)
  })

  test('a virtual account charge contains our amount, our reference and an account number we chose', async () => {
    acquirer.answer = accepted
    const taken = await snap.charge(account, order())
    expect(acquirer.calls[0]?.body).toEqual({
      partnerServiceId: '   70012',
      customerNo: customerNoOf(reference),
      virtualAccountNo: `   ${asked}`,
      virtualAccountName: 'Budi Santoso',
      virtualAccountEmail: 'budi@example.com',
      virtualAccountPhone: '081234567890',
      trxId: sentReference,
      totalAmount: idr('100000.00'),
      virtualAccountTrxType: 'C',
      expiredDate: '2026-11-20T11:04:05+07:00',
      additionalInfo: { merchantId: account.credentials.merchant_id, bank: 'bca' },
    })
    expect(taken).toEqual({
      providerPaymentId: asked,
      methodData: { type: 'virtual_account', bank: 'BCA', va_number: asked },
    })
  })

  test('a charge returns the account number the acquirer assigned, even if it differs from the requested number', async () => {
    acquirer.answer = sent => {
      const told = accepted(sent) as { body: { virtualAccountData: object } }
      return {
        body: {
          ...told.body,
          virtualAccountData: { ...told.body.virtualAccountData, virtualAccountNo: '  98870012' },
        },
      }
    }
    const taken = await snap.charge(account, order())
    expect(taken.methodData).toMatchObject({ va_number: '98870012' })
  })

  test('a charge ignores spaces around the configured BIN (the first digits of account numbers)', async () => {
    acquirer.answer = accepted
    const partner_service_id = ' 70012 '
    await snap.charge({ ...account, credentials: { ...account.credentials, partner_service_id } }, order())
    const [{ body }] = acquirer.calls as [Sent]
    expect(body).toMatchObject({ partnerServiceId: '   70012', virtualAccountNo: `   ${asked}` })
  })

  test('a Mandiri charge contains the bill fields Mandiri requires', async () => {
    acquirer.answer = accepted
    await snap.charge(account, order('mandiri'))
    expect(acquirer.calls[0]?.body.additionalInfo).toMatchObject({
      bank: 'mandiri',
      mandiri: { billInfo1: 'Payment:', billInfo2: reference },
    })
  })

  test('a QRIS charge returns the QR string', async () => {
    acquirer.answer = accepted
    expect(await snap.charge(account, order('qris'))).toEqual({
      providerPaymentId: 'A1',
      methodData: { type: 'qris', qr_string: '00020101', qr_image_url: 'https://x/qr' },
    })
    expect(acquirer.calls[0]?.body).toMatchObject({
      partnerReferenceNo: sentReference,
      amount: idr('100000.00'),
      merchantId: account.credentials.merchant_id,
      validityPeriod: '2026-11-20T11:04:05+07:00',
      additionalInfo: { customerName: 'Budi Santoso' },
    })
  })

  test("an e-wallet charge sends the token and the return URL, and returns the payer's redirect URL", async () => {
    acquirer.answer = accepted
    expect(await snap.charge(account, order('gopay'))).toEqual({
      providerPaymentId: 'A2',
      methodData: { type: 'e_wallet', wallet_type: 'GoPay', redirect_url: 'https://x/pay', deeplink: '' },
    })
    expect(acquirer.calls[0]?.body).toMatchObject({
      partnerReferenceNo: sentReference,
      chargeToken: 'token-1',
      validUpTo: '2026-11-20T11:04:05+07:00',
      urlParams: [{ url: 'https://shop.example.com/orders/1001', type: 'PAY_RETURN', isDeeplink: 'N' }],
      payOptionDetails: [{ payMethod: 'GOPAY', payOption: 'GOPAY', transAmount: idr('100000.00') }],
    })
  })

  test.each(['bca', 'qris', 'gopay'])(
    'each charge attempt by %s uses its own value of at most 36 letters and digits, both as its reference and as its X-EXTERNAL-ID',
    async channel => {
      acquirer.answer = accepted
      const sent = []
      for (const attempt of ['', '-2', '-10']) {
        await snap.charge(account, order(channel, { reference: `${reference}${attempt}` }))
        const { body, headers } = acquirer.calls.at(-1) as Sent
        const named = body.trxId ?? body.partnerReferenceNo
        expect(named).toMatch(/^[A-Za-z0-9]{1,36}$/)
        expect(headers['x-external-id']).toBe(named)
        sent.push(named)
      }
      expect(sent).toEqual([sentReference, `${sentReference}T2`, `${sentReference}T10`])
    },
  )

  test.each([
    ['another reference', { trxId: 'GP261120-OTHER' }],
    ['another amount', { totalAmount: idr('99999.00') }],
    ['another currency', { totalAmount: { value: '100000.00', currency: 'USD' } }],
    ['no account number', { virtualAccountNo: '' }],
  ])('the outcome of a charge is unknown if the response contains %s', async (_, wrong) => {
    acquirer.answer = sent => {
      const told = accepted(sent) as { body: { virtualAccountData: object } }
      return { body: { ...told.body, virtualAccountData: { ...told.body.virtualAccountData, ...wrong } } }
    }
    expect(await kindOf(snap.charge(account, order()))).toBe('unknown')
  })

  test.each(['qris', 'gopay'])(
    'a charge of %s whose response is for a different order has an unknown outcome',
    async channel => {
      acquirer.answer = sent => accepted({ ...sent, body: { partnerReferenceNo: 'other' } })
      expect(await kindOf(snap.charge(account, order(channel)))).toBe('unknown')
    },
  )

  test.each<[string, object]>([
    ['qris', {}],
    ['qris', { qrContent: '' }],
    ['qris', { qrContent: 7 }],
    ['gopay', {}],
    ['gopay', { webRedirectUrl: '' }],
    ['gopay', { webRedirectUrl: ['https://x/pay'] }],
  ])(
    'the outcome of a %s charge is unknown if the response contains no usable payment instructions: %j',
    async (channel, fields) => {
      const responseCode = channel === 'qris' ? '2004700' : '2005400'
      acquirer.answer = () => ({ body: { responseCode, ...fields } })
      expect(await kindOf(snap.charge(account, order(channel)))).toBe('unknown')
    },
  )

  test.each([
    [400, '4002702', 'invalid'],
    [401, '4012700', 'unavailable'],
    [403, '4032714', 'declined'],
    [403, '4032715', 'inactive'],
    [403, '4032701', 'inactive'],
    [403, '4032706', 'unavailable'],
    [404, '4042708', 'inactive'],
    [404, '4042713', 'declined'],
    [404, '4042714', 'unknown'],
    [404, '4042718', 'unknown'],
    [405, '4052700', 'inactive'],
    [409, '4092700', 'unknown'],
    [409, '4092701', 'unknown'],
    [429, '4292700', 'unavailable'],
    [500, '5002701', 'unknown'],
    [503, '5032700', 'unavailable'],
    [504, '5042700', 'unknown'],
    [200, '4032715', 'inactive'],
    [502, '4002702', 'unknown'],
    [200, '2002701', 'unknown'],
    // The following codes are not in SNAP's format, so a proxy may have sent these error responses. The
    // charge's outcome is therefore unknown.
    [400, '400', 'unknown'],
    [403, '403270115', 'unknown'],
  ])('a charge that gets HTTP %i with the code %s is reported as %s', async (status, responseCode, kind) => {
    acquirer.answer = () => ({ status, body: { responseCode, responseMessage: 'said so' } })
    expect(await kindOf(snap.charge(account, order()))).toBe(kind)
    expect(acquirer.calls).toHaveLength(1)
  })

  test.each([
    ['a page of a proxy', { status: 502, body: '<html></html>' }, 'unknown'],
    ['a page of a proxy that is out of service', { status: 503, body: '<html></html>' }, 'unknown'],
    ['a rate limit of the gateway', { status: 429, body: '<html></html>' }, 'unavailable'],
    ['rejected credentials at the gateway', { status: 401, body: '' }, 'unavailable'],
    ['a gateway that does not know the path', { status: 404, body: '{}' }, 'unknown'],
    ['OK', { body: 'OK' }, 'unknown'],
    ['an empty body', { body: '' }, 'unknown'],
    ['null', { body: 'null' }, 'unknown'],
    ['a broken connection', 'hang up', 'unknown'],
  ] as const)('if the response to a charge is %s, the outcome of the charge is %s', async (_, told, kind) => {
    acquirer.answer = () => told
    expect(await kindOf(snap.charge(account, order()))).toBe(kind)
  })

  test('a charge through an unsupported method, such as a store payment, is rejected', async () => {
    const methodDetail = { type: 'over_the_counter', store: 'Alfamart' } as const
    expect(await kindOf(snap.charge(account, order('bca', { methodDetail })))).toBe('invalid')
    expect(await kindOf(snap.inquire(account, inquiry('bca', { methodDetail })))).toBe('invalid')
    expect(acquirer.calls).toHaveLength(0)
  })
})

// Only references in this service's format are generated, because references in other formats can result in the same
// account number.
test('a reference always results in the same 12-digit account number, which practically no other reference has', () => {
  const references = fc.stringMatching(/^GP\d{6}-[0-9A-Z]{10}(-[2-9])?$/)
  fc.assert(
    fc.property(references, references, (one, other) => {
      expect(customerNoOf(one)).toMatch(/^\d{12}$/)
      expect(customerNoOf(one)).toBe(customerNoOf(one))
      if (one !== other) expect(customerNoOf(one)).not.toBe(customerNoOf(other))
    }),
  )
})

test('the customer name in a SNAP charge has 1 to 30 characters, all of which Midtrans and DOKU allow', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), name => {
      expect(vaName(name)).toMatch(/^[a-zA-Z0-9.\-/+,=_:'@% ]{1,30}$/)
    }),
  )
  expect(vaName('')).toBe('Customer')
  expect(vaName('José Ñandú')).toBe('Jose Nandu')
  expect(vaName('SANDBOX RATE LIMIT')).toBe('SANDBOX RATE LIMIT')
})
