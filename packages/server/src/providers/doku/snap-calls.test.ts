import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  created,
  dokuWithFakeAcquirer,
  inquiry,
  order,
} from '../../../test/support/doku-with-fake-acquirer.ts'
import { type Answer, reference, type Sent } from '../../../test/support/fake-acquirer.ts'
import { type Charge, ProviderError } from '../provider.ts'
import { orderNotification } from '../snap/messages.ts'
import { orderNotified } from '../snap/order-update.ts'
import { customerNoOf } from '../snap/translate.ts'
import type { Credentials } from './credentials.ts'
import { doku } from './doku.ts'
import { profile } from './profile.ts'

const bench = dokuWithFakeAcquirer()

describe('the DOKU adapter sends charges and inquiries through the SNAP API', () => {
  const success = (sent: Sent): Answer => {
    const { partnerReferenceNo, additionalInfo: _, ...data } = sent.body
    return sent.path.endsWith('create-va')
      ? { body: { responseCode: '2002700', virtualAccountData: data } }
      : {
          body: {
            responseCode: '2004700',
            partnerReferenceNo,
            qrContent: '00020101',
            webRedirectUrl: 'https://x/pay',
          },
        }
  }

  test.each([
    ['bni', '/virtual-accounts/bi-snap-va/v1.1/transfer-va/create-va', { channel: 'VIRTUAL_ACCOUNT_BNI' }],
    ['qris', '/snap-adapter/b2b/v1.0/qr/qr-mpm-generate', { customerName: 'Budi Santoso' }],
    ['dana', '/direct-debit/core/v1/debit/payment-host-to-host', { channel: 'EMONEY_DANA_SNAP' }],
  ])(
    'a charge of a %s payment is sent to %s, with a signature that covers the path and is made with the secret key',
    async (channel, path, info) => {
      bench.acquirer.answer = success
      const taken = await doku.charge(bench.account, order(channel))
      const [{ headers, body, path: called }] = bench.acquirer.calls as [Sent]
      expect(called).toBe(`/doku${path}`)
      expect(headers).toMatchObject({
        'x-partner-id': bench.account.credentials.client_id,
        'channel-id': channel === 'dana' ? 'DH' : 'H2H',
      })
      expect(body.additionalInfo).toMatchObject(info)
      expect(taken.methodData.type).toBe(order(channel).methodDetail.type)
      expect(taken.providerPaymentId).toBe(channel === 'bni' ? `77777${customerNoOf(reference)}` : reference)
    },
  )

  const withCredentials = (own: Partial<Credentials>) => ({
    ...bench.account,
    credentials: { ...bench.account.credentials, ...own } as Credentials,
  })

  test.each([
    ['bni', '    8899'],
    ['permata', '    1899'],
    ['cimb', '   77777'],
  ])(
    'the number of a %s virtual account starts with the BIN for this bank or, without such a BIN, with the BIN for all banks: %j',
    async (bank, padded) => {
      bench.acquirer.answer = success
      const own = {
        ...{ partner_service_id: ' 77777', partner_service_id_bni: '8899' },
        partner_service_id_permata: '1899',
      }
      const methodDetail = { type: 'virtual_account', bank } as const
      await doku.charge(withCredentials(own), order('bni', { channel: bank, methodDetail }))
      const [{ body }] = bench.acquirer.calls as [Sent]
      expect(body.partnerServiceId).toBe(padded)
      expect(body.virtualAccountNo).toBe(`${padded}${body.customerNo}`)
    },
  )

  test.each([
    ['bni', { partner_service_id: undefined, partner_service_id_bni: undefined }, 'partner_service_id_bni'],
    [
      'qris',
      { qris_merchant_id: undefined, qris_terminal_id: undefined, qris_postal_code: undefined },
      'qris_merchant_id',
    ],
  ])(
    'if an account lacks the credentials for %s, the adapter sends no charge to DOKU, and another account may accept the payment',
    async (channel, own, named) => {
      const refused = await doku.charge(withCredentials(own), order(channel)).catch(error => error)
      expect(refused).toMatchObject({ kind: 'inactive', message: expect.stringContaining(named) })
      expect([...bench.acquirer.calls, ...bench.acquirer.tokens]).toEqual([])
    },
  )

  test("QRIS charges and inquiries contain the account's QRIS identifiers", async () => {
    bench.acquirer.answer = success
    const own = { qris_merchant_id: '2115', qris_terminal_id: 'K45', qris_postal_code: '60111' }
    await doku.charge(withCredentials(own), order('qris'))
    bench.acquirer.answer = () => ({ body: { responseCode: '2005100', latestTransactionStatus: '03' } })
    await doku.inquire(withCredentials(own), inquiry('qris'))
    const [charged, asked] = bench.acquirer.calls as [Sent, Sent]
    expect(charged.body).toMatchObject({
      merchantId: '2115',
      terminalId: 'K45',
      additionalInfo: { postalCode: '60111', feeType: '1' },
    })
    expect(asked.body.merchantId).toBe('2115')
  })

  test("a QRIS inquiry has the fields of DOKU's published request", async () => {
    const { http_request: published } = JSON.parse(
      readFileSync(new URL('../snap/fixtures/status-qris-query.json', import.meta.url), 'utf8'),
    )
    bench.acquirer.answer = () => ({ body: { responseCode: '2005100', latestTransactionStatus: '03' } })
    const sent = async (providerPaymentId: string | null) => {
      await doku.inquire(bench.account, inquiry('qris', { providerPaymentId }))
      return bench.acquirer.calls.at(-1)?.body
    }
    const expected = {
      ...published.body,
      ...{ originalReferenceNo: reference, originalPartnerReferenceNo: reference },
      merchantId: bench.account.credentials.qris_merchant_id,
    }
    expect(await sent(reference)).toEqual(expected)
    expect(await sent(null)).toEqual(expected)
    expect(await sent('D-1')).toEqual({ ...expected, originalReferenceNo: 'D-1' })
  })

  test.each(['09', '68'])(
    'if a DOKU inquiry or notification has the unclear status %s, the payment stays pending until it expires',
    async latestTransactionStatus => {
      bench.acquirer.answer = () => ({ body: { responseCode: '2005100', latestTransactionStatus } })
      for (const channel of ['qris', 'dana'])
        expect(await doku.inquire(bench.account, inquiry(channel))).toMatchObject({
          fact: { type: 'pending' },
        })
      const message = orderNotification.parse({
        originalPartnerReferenceNo: reference,
        latestTransactionStatus,
      })
      expect(orderNotified(profile, message)).toMatchObject({ reference, fact: { type: 'pending' } })
    },
  )

  test('if DOKU assigns virtual account numbers, a charge sends no number', async () => {
    bench.acquirer.answer = sent => {
      const { body } = success(sent) as { body: { virtualAccountData: object } }
      const data = { ...body.virtualAccountData, virtualAccountNo: '   777770000000001' }
      return { body: { ...body, virtualAccountData: data } }
    }
    const own = withCredentials({ va_numbers: 'doku' })
    const taken = await doku.charge(own, order('bni'))
    expect(taken.methodData).toMatchObject({ va_number: '777770000000001' })
    expect(bench.acquirer.calls[0]?.body).not.toHaveProperty('customerNo')
    expect(bench.acquirer.calls[0]?.body).not.toHaveProperty('virtualAccountNo')
    expect(await doku.inquire(own, inquiry('bni'))).toBe('not_reported')
    expect(bench.acquirer.calls).toHaveLength(1)
  })

  test('an Alfamart charge uses the documented path, or the older path if the account is configured for it', async () => {
    bench.acquirer.answer = created
    await doku.charge(bench.account, order('alfamart'))
    await doku.charge(withCredentials({ alfa_path: 'alfa-online-to-offline' }), order('alfamart'))
    expect(bench.acquirer.calls.map(call => call.path)).toEqual([
      '/doku/alfa-virtual-account/v2/payment-code',
      '/doku/alfa-online-to-offline/v2/payment-code',
    ])
  })

  test('an account needs all three QRIS credentials or none, and one BIN for all banks is enough', () => {
    const { private_key, provider_public_key } = bench.account.credentials
    const older = {
      ...{ client_id: 'BRN-1', secret_key: 'SK-1', partner_service_id: '77777' },
      ...{ private_key, provider_public_key },
    }
    expect(doku.credentials.safeParse(older).success).toBe(true)
    const half = doku.credentials.safeParse({ ...older, qris_merchant_id: '2115', qris_terminal_id: 'K45' })
    expect(half.error?.issues).toMatchObject([{ path: ['qris_postal_code'] }])
  })

  test('the access token is requested at its documented path, with a timestamp in UTC', async () => {
    bench.acquirer.answer = success
    await doku.charge(bench.account, order('bni'))
    const [{ path, headers }] = bench.acquirer.tokens as [Sent]
    expect(path).toBe('/doku/authorization/v1/access-token/b2b')
    expect(headers['x-timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(bench.acquirer.calls[0]?.headers['x-timestamp']).toMatch(/\+07:00$/)
  })

  test('a 404 response to a virtual account inquiry is inconclusive, because DOKU may have assigned a different number', async () => {
    bench.acquirer.answer = () => ({ status: 404, body: { responseCode: '4042612' } })
    expect(await doku.inquire(bench.account, inquiry('bni'))).toBe('not_reported')
    expect(await doku.inquire(bench.account, inquiry('qris'))).toBe('absent')
  })

  const expired = {
    virtualAccountData: { paymentFlagReason: { english: 'Expired', indonesia: 'Kadaluarsa' } },
  }
  test.each([
    [403, '4032600'],
    [404, '4042619'],
  ])(
    'an inquiry about an expired virtual account (HTTP %s, code %s) is answered, so it is not repeated; for other methods it fails',
    async (status, responseCode) => {
      bench.acquirer.answer = () => ({ status, body: { responseCode, ...expired } })
      expect(await doku.inquire(bench.account, inquiry('bni'))).toBe('not_reported')
      for (const channel of ['qris', 'dana'])
        await expect(doku.inquire(bench.account, inquiry(channel))).rejects.toThrow(ProviderError)
      await expect(doku.charge(bench.account, order('bni'))).rejects.toThrow(ProviderError)
    },
  )

  test.each([
    [403, { responseCode: '4032601' }],
    [403, { responseCode: '4032615' }],
    [403, 'Forbidden'],
    [404, { responseCode: '4042608' }],
    [500, { responseCode: '4032600' }],
  ])('an inquiry about a virtual account fails after HTTP %i with the body %j', async (status, body) => {
    bench.acquirer.answer = () => ({ status, body })
    await expect(doku.inquire(bench.account, inquiry('bni'))).rejects.toThrow(ProviderError)
  })

  test('for an account number that DOKU assigned, an inquiry response counts only with our reference', async () => {
    const methodData = { type: 'virtual_account', bank: 'BNI', va_number: '8600' } as const
    const paid = {
      virtualAccountNo: '8600',
      paymentRequestId: 'P',
      paidAmount: { value: '100000.00', currency: 'IDR' },
    }
    bench.acquirer.answer = () => ({
      body: { responseCode: '2002600', virtualAccountData: { ...paid, inquiryRequestId: reference } },
    })
    expect(await doku.inquire(bench.account, inquiry('bni', { methodData }))).toBe('not_reported')
    bench.acquirer.answer = () => ({
      body: { responseCode: '2002600', virtualAccountData: { ...paid, trxId: reference } },
    })
    expect(await doku.inquire(bench.account, inquiry('bni', { methodData }))).toMatchObject({
      fact: { type: 'paid' },
    })
    expect(bench.acquirer.calls.at(-1)?.body).toMatchObject({
      virtualAccountNo: '    8600',
      trxId: reference,
    })
  })

  // DOKU may only repeat the trxId of the inquiry, and may have assigned the number to another order since.
  test.each([
    ['without a number', { virtualAccountNo: undefined }, 'not_reported'],
    ['with another paid amount', { paidAmount: { value: '90000.00', currency: 'IDR' } }, 'not_reported'],
    ['with another number', { virtualAccountNo: '8601' }, 'a different order'],
  ])(
    'if DOKU assigned the virtual account number, our reference in a response %s is no proof of payment',
    async (_, fields, expected) => {
      const methodData = { type: 'virtual_account', bank: 'BNI', va_number: '8600' } as const
      const virtualAccountData = {
        ...{ virtualAccountNo: '8600', trxId: reference, paymentRequestId: 'P' },
        ...{ paidAmount: { value: '100000.00', currency: 'IDR' }, ...fields },
      }
      bench.acquirer.answer = () => ({ body: { responseCode: '2002600', virtualAccountData } })
      const result = await doku
        .inquire(bench.account, inquiry('bni', { methodData }))
        .catch((error: Error) => error.message)
      expect(result).toEqual(expect.stringContaining(expected))
    },
  )
})

describe("charges for e-wallet payments are sent to DOKU's SNAP API", () => {
  const addressed = async (overrides: Partial<Charge>) => {
    bench.acquirer.answer = sent => ({
      body: {
        responseCode: '2005400',
        partnerReferenceNo: sent.body.partnerReferenceNo,
        webRedirectUrl: 'https://x/pay',
      },
    })
    await doku.charge(bench.account, order('dana', overrides))
    return bench.acquirer.calls.at(-1) as Sent
  }

  test("a wallet charge sends the return URL in DOKU's field urlParam, not in urlParams", async () => {
    const { body } = await addressed({ returnUrl: 'https://shop.example.com/orders/1002' })
    expect(body.urlParam).toEqual([
      { url: 'https://shop.example.com/orders/1002', type: 'PAY_RETURN', isDeepLink: 'N' },
    ])
    expect(body).not.toHaveProperty('urlParams')
  })

  test("a wallet charge contains the payer's IP address and a device id of at most 64 letters and digits", async () => {
    const { headers } = await addressed({ customerIp: '198.51.100.27', serviceIp: '192.0.2.130' })
    expect(headers['x-ip-address']).toBe('198.51.100.27')
    expect(headers['x-device-id']).toMatch(/^[A-Za-z0-9]{1,64}$/)
  })

  test('a charge contains an order title for DANA, but none for ShopeePay', async () => {
    expect((await addressed({})).body.additionalInfo).toMatchObject({ orderTitle: `Order ${reference}` })
    const methodDetail = { type: 'e_wallet', wallet_type: 'shopeepay' } as const
    const { headers, body } = await addressed({ channel: 'shopeepay', methodDetail })
    expect(body.additionalInfo).toMatchObject({ channel: 'EMONEY_SHOPEE_PAY_SNAP' })
    expect(body.additionalInfo).not.toHaveProperty('orderTitle')
    expect(headers['channel-id']).toBe('DH')
  })

  test('a status inquiry about a wallet payment has the service code 55, which DOKU requires', async () => {
    bench.acquirer.answer = () => ({ body: { responseCode: '2005500', latestTransactionStatus: '03' } })
    await doku.inquire(bench.account, inquiry('dana'))
    expect(bench.acquirer.calls[0]?.path).toBe('/doku/orders/v1.0/debit/status')
    expect(bench.acquirer.calls[0]?.body.serviceCode).toBe('55')
  })
})
