import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type Answer,
  accountAt,
  type FakeAcquirer,
  fakeAcquirer,
  kindOf,
  reference,
  type Sent,
  inquiry as snapInquiry,
  order as snapOrder,
} from '../../../test/support/fake-acquirer.ts'
import type { MethodDetail } from '../../payments/method.ts'
import type { Charge, Inquiry, ProviderAccount } from '../provider.ts'
import { customerNoOf } from '../snap/translate.ts'
import { contractData } from './contract-data.ts'
import type { Credentials } from './credentials.ts'
import { doku } from './doku.ts'
import { componentOf } from './signature.ts'

let acquirer: FakeAcquirer
let account: ProviderAccount<Credentials>
beforeEach(async () => {
  acquirer = await fakeAcquirer()
  const { id, mode, credentials } = accountAt(acquirer.url)
  const { private_key, provider_public_key } = credentials
  account = {
    id,
    mode,
    baseUrl: `${acquirer.url}/doku`,
    credentials: {
      ...contractData.credentials(),
      partner_service_id: '77777',
      partner_service_id_bni: '77777',
      private_key,
      provider_public_key,
    } as Credentials,
  }
})
afterEach(() => acquirer.close())

const details: Record<string, MethodDetail> = {
  bca: { type: 'virtual_account', bank: 'BCA' },
  alfamart: { type: 'over_the_counter', store: 'Alfamart' },
  bni: { type: 'virtual_account', bank: 'BNI' },
  qris: { type: 'qris' },
  dana: { type: 'e_wallet', wallet_type: 'DANA' },
}
const of = (channel: string) => ({ channel, methodDetail: details[channel] as MethodDetail })
const order = (channel: string, overrides: Partial<Charge> = {}) =>
  snapOrder(channel, {
    ...of(channel),
    callbackUrl: 'https://pay.example.com/v1/callbacks/doku/1',
    ...overrides,
  })
const inquiry = (channel: string, overrides: Partial<Inquiry> = {}) =>
  snapInquiry(channel, { ...of(channel), ...overrides })

const created = ({ body, path }: Sent): Answer => ({
  body: {
    order: { invoice_number: (body.order as { invoice_number: string }).invoice_number },
    ...(/alfa|indomaret/.test(path)
      ? { online_to_offline_info: { payment_code: '6059000000000205' } }
      : { virtual_account_info: { virtual_account_number: '1900600000000046' } }),
  },
})
const signatureOf = (sent: Sent, target: string, body?: Buffer) =>
  `HMACSHA256=${createHmac('sha256', account.credentials.secret_key)
    .update(
      componentOf({
        clientId: account.credentials.client_id,
        requestId: sent.headers['request-id'] as string,
        timestamp: sent.headers['request-timestamp'] as string,
        target,
        body,
      }),
    )
    .digest('base64')}`

describe('a charge by the non-SNAP interface', () => {
  test('is signed over the path below the host and over the bytes sent, with our reference as Request-Id', async () => {
    acquirer.answer = created
    await doku.charge(account, order('bca'))
    const [sent] = acquirer.calls as [Sent]
    expect(sent.path).toBe('/doku/bca-virtual-account/v2/payment-code')
    expect(sent.headers['client-id']).toBe(account.credentials.client_id)
    expect(sent.headers['request-id']).toBe(reference)
    expect(sent.headers['request-timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(sent.headers.signature).toBe(
      signatureOf(sent, '/bca-virtual-account/v2/payment-code', Buffer.from(sent.text)),
    )
    expect(acquirer.tokens).toHaveLength(0)
  })

  test('asks for whole rupiah, a life in minutes, once, and callbacks at our address', async () => {
    acquirer.answer = created
    expect(await doku.charge(account, order('bca'))).toEqual({
      providerPaymentId: reference,
      methodData: { type: 'virtual_account', bank: 'BCA', va_number: '1900600000000046' },
    })
    expect(acquirer.calls[0]?.body).toEqual({
      order: { invoice_number: reference, amount: 100_000 },
      virtual_account_info: { expired_time: 60, reusable_status: false, info1: reference },
      customer: { name: 'Budi Santoso', email: 'budi@example.com' },
      additional_info: { override_notification_url: 'https://pay.example.com/v1/callbacks/doku/1' },
    })
  })

  test('over the counter tells the code for the till', async () => {
    acquirer.answer = created
    const customer = { name: '', email: '', phone: '' }
    expect(await doku.charge(account, order('alfamart', { customer }))).toEqual({
      providerPaymentId: reference,
      methodData: { type: 'over_the_counter', store_name: 'Alfamart', payment_code: '6059000000000205' },
    })
    const [{ path, body }] = acquirer.calls as [Sent]
    expect(path).toBe('/doku/alfa-virtual-account/v2/payment-code')
    expect(body.online_to_offline_info).toMatchObject({ expired_time: 60, reusable_status: false })
    expect(body.customer).toEqual({ name: 'Customer' })
  })

  test.each([
    [
      'another order',
      { order: { invoice_number: 'other' }, virtual_account_info: { virtual_account_number: '1' } },
    ],
    ['no order', { virtual_account_info: { virtual_account_number: '1' } }],
    ['no number', { order: { invoice_number: reference } }],
    [
      'a code for a till',
      { order: { invoice_number: reference }, online_to_offline_info: { payment_code: '1' } },
    ],
  ])('whose answer has %s is of unknown outcome', async (_, body) => {
    acquirer.answer = () => ({ body })
    expect(await kindOf(doku.charge(account, order('bca')))).toBe('unknown')
  })

  const error = (code: string, message = 'said so') => ({ error: { code, message, type: 'error' } })
  test.each([
    [400, error('invalid_parameter'), 'invalid'],
    [422, error('validation_error'), 'invalid'],
    [400, error('transaction_rejected'), 'declined'],
    [400, error('channel', 'CHANNEL IS NOT ACTIVE'), 'inactive'],
    [403, error('merchant'), 'inactive'],
    [400, error('x', 'INVOICE NUMBER ALREADY USED'), 'unknown'],
    [400, error('x', 'INVOICE NUMBER HAS BEEN USED'), 'unknown'],
    [403, error('duplicate_transaction'), 'unknown'],
    [409, error('x'), 'unknown'],
    [401, error('x'), 'unavailable'],
    [429, error('x'), 'unavailable'],
    [503, error('maintenance_mode'), 'unavailable'],
    [500, error('x'), 'unknown'],
    [404, error('x'), 'unknown'],
    [201, error('x'), 'unknown'],
    [400, { message: ['order.amount is mandatory'] }, 'invalid'],
    [400, '<html></html>', 'unknown'],
    [403, '<html></html>', 'unknown'],
    [502, '<html></html>', 'unknown'],
    [503, '<html></html>', 'unknown'],
    [401, '', 'unavailable'],
    [429, '', 'unavailable'],
    [200, 'OK', 'unknown'],
    [200, 'null', 'unknown'],
  ])('answered HTTP %i with %j is %s', async (status, body, kind) => {
    acquirer.answer = () => ({ status, body })
    expect(await kindOf(doku.charge(account, order('bca')))).toBe(kind)
  })

  test('whose connection breaks is of unknown outcome', async () => {
    acquirer.answer = () => 'hang up'
    expect(await kindOf(doku.charge(account, order('bca')))).toBe('unknown')
  })

  test('that is refused repeats what DOKU said, and no secret', async () => {
    acquirer.answer = () => ({ status: 400, body: error('invalid_parameter', 'AMOUNT') })
    const fault = await doku.charge(account, order('bca')).catch(error => error)
    expect(fault.message).toBe('invalid_parameter; AMOUNT')
  })
})

describe('an inquiry by the non-SNAP interface', () => {
  const told = (status: string, more: object = {}): Answer => ({
    body: { order: { invoice_number: reference, amount: 100_000 }, transaction: { status }, ...more },
  })

  test('asks by our invoice number, and signs without a digest', async () => {
    acquirer.answer = () => told('PENDING')
    await doku.inquire(account, inquiry('bca'))
    const [sent] = acquirer.calls as [Sent]
    expect(sent.path).toBe(`/doku/orders/v1/status/${reference}`)
    expect(sent.headers.signature).toBe(signatureOf(sent, `/orders/v1/status/${reference}`))
    expect(sent.headers['request-id']).not.toBe(reference)
  })

  test('brings back how to pay, where the charge was never answered', async () => {
    acquirer.answer = () => told('PENDING', { virtual_account_info: { virtual_account_number: '1900' } })
    expect(await doku.inquire(account, inquiry('bca'))).toEqual({
      reference,
      providerPaymentId: reference,
      fact: { type: 'pending', methodData: { type: 'virtual_account', bank: 'BCA', va_number: '1900' } },
    })
    acquirer.answer = () => told('PENDING', { online_to_offline_info: { payment_code: '6059' } })
    expect(await doku.inquire(account, inquiry('alfamart'))).toMatchObject({
      fact: { methodData: { store_name: 'Alfamart', payment_code: '6059' } },
    })
  })

  test.each([
    ['SUCCESS', 'paid'],
    ['FAILED', 'pending'],
    ['REFUNDED', 'paid'],
    ['EXPIRED', 'expired'],
  ])('told %s is %s', async (status, type) => {
    acquirer.answer = () => told(status)
    expect(await doku.inquire(account, inquiry('bca'))).toMatchObject({ reference, fact: { type } })
  })

  test("is absent by DOKU's own 404 only", async () => {
    acquirer.answer = () => ({ status: 404, body: { error: { code: 'data_not_found' } } })
    expect(await doku.inquire(account, inquiry('bca'))).toBe('absent')
    for (const body of ['<html></html>', '', '{}', { message: 'no Route matched with those values' }]) {
      acquirer.answer = () => ({ status: 404, body })
      expect(await kindOf(doku.inquire(account, inquiry('bca')))).toBe('unknown')
    }
  })

  test('about another order, or unreadable, is no answer', async () => {
    for (const body of [
      { order: { invoice_number: 'other' }, transaction: { status: 'SUCCESS' } },
      {},
      'null',
    ]) {
      acquirer.answer = () => ({ body })
      expect(await kindOf(doku.inquire(account, inquiry('bca')))).toBe('unknown')
    }
  })
})

describe('by SNAP', () => {
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
  ])('a charge of %s goes to %s, signed over it with the secret key', async (channel, path, info) => {
    acquirer.answer = success
    const taken = await doku.charge(account, order(channel))
    const [{ headers, body, path: called }] = acquirer.calls as [Sent]
    expect(called).toBe(`/doku${path}`)
    expect(headers).toMatchObject({ 'x-partner-id': account.credentials.client_id, 'channel-id': 'H2H' })
    expect(body.additionalInfo).toMatchObject(info)
    expect(taken.methodData.type).toBe(order(channel).methodDetail.type)
    expect(taken.providerPaymentId).toBe(channel === 'bni' ? `77777${customerNoOf(reference)}` : reference)
  })

  const withCredentials = (own: Partial<Credentials>) => ({
    ...account,
    credentials: { ...account.credentials, ...own } as Credentials,
  })

  test.each([
    ['bni', '    8899'],
    ['permata', '    1899'],
    ['cimb', '   77777'],
  ])(
    'a virtual account of %s begins with the BIN of that bank, else with that of all banks: %j',
    async (bank, padded) => {
      acquirer.answer = success
      const own = { partner_service_id_bni: '8899', partner_service_id_permata: '1899' }
      const methodDetail = { type: 'virtual_account', bank } as const
      await doku.charge(withCredentials(own), order('bni', { channel: bank, methodDetail }))
      const [{ body }] = acquirer.calls as [Sent]
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
    'an account without credentials for %s does not offer it: nothing is sent, and another account may take it',
    async (channel, own, named) => {
      const refused = await doku.charge(withCredentials(own), order(channel)).catch(error => error)
      expect(refused).toMatchObject({ kind: 'inactive', message: expect.stringContaining(named) })
      expect([...acquirer.calls, ...acquirer.tokens]).toEqual([])
    },
  )

  test('QRIS is charged and asked about with the identifiers of the account', async () => {
    acquirer.answer = success
    const own = { qris_merchant_id: '2115', qris_terminal_id: 'K45', qris_postal_code: '60111' }
    await doku.charge(withCredentials(own), order('qris'))
    acquirer.answer = () => ({ body: { responseCode: '2005100', latestTransactionStatus: '03' } })
    await doku.inquire(withCredentials(own), inquiry('qris'))
    const [charged, asked] = acquirer.calls as [Sent, Sent]
    expect(charged.body).toMatchObject({
      merchantId: '2115',
      terminalId: 'K45',
      additionalInfo: { postalCode: '60111', feeType: '1' },
    })
    expect(asked.body.merchantId).toBe('2115')
  })

  test("numbers of DOKU's own making are not asked for, and a lost one cannot be asked about", async () => {
    acquirer.answer = sent => {
      const { body } = success(sent) as { body: { virtualAccountData: object } }
      const data = { ...body.virtualAccountData, virtualAccountNo: '   777770000000001' }
      return { body: { ...body, virtualAccountData: data } }
    }
    const own = withCredentials({ va_numbers: 'doku' })
    const taken = await doku.charge(own, order('bni'))
    expect(taken.methodData).toMatchObject({ va_number: '777770000000001' })
    expect(acquirer.calls[0]?.body).not.toHaveProperty('customerNo')
    expect(acquirer.calls[0]?.body).not.toHaveProperty('virtualAccountNo')
    expect(await doku.inquire(own, inquiry('bni'))).toBe('untold')
    expect(acquirer.calls).toHaveLength(1)
  })

  test('Alfamart has the path of the page, or the older one where the account says so', async () => {
    acquirer.answer = created
    await doku.charge(account, order('alfamart'))
    await doku.charge(withCredentials({ alfa_path: 'alfa-online-to-offline' }), order('alfamart'))
    expect(acquirer.calls.map(call => call.path)).toEqual([
      '/doku/alfa-virtual-account/v2/payment-code',
      '/doku/alfa-online-to-offline/v2/payment-code',
    ])
  })

  test('an account with one BIN for all banks and nothing for QRIS is still valid; half of QRIS is not', () => {
    const { private_key, provider_public_key } = account.credentials
    const older = {
      ...{ client_id: 'BRN-1', secret_key: 'SK-1', partner_service_id: '77777' },
      ...{ private_key, provider_public_key },
    }
    expect(doku.credentials.safeParse(older).success).toBe(true)
    const half = doku.credentials.safeParse({ ...older, qris_merchant_id: '2115', qris_terminal_id: 'K45' })
    expect(half.error?.issues).toMatchObject([{ path: ['qris_postal_code'] }])
  })

  test('the token is asked for at its path, at a time in UTC', async () => {
    acquirer.answer = success
    await doku.charge(account, order('bni'))
    const [{ path, headers }] = acquirer.tokens as [Sent]
    expect(path).toBe('/doku/authorization/v1/access-token/b2b')
    expect(headers['x-timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(acquirer.calls[0]?.headers['x-timestamp']).toMatch(/\+07:00$/)
  })

  test('a number that DOKU does not know proves nothing, since it may have given another', async () => {
    acquirer.answer = () => ({ status: 404, body: { responseCode: '4042612' } })
    expect(await doku.inquire(account, inquiry('bni'))).toBe('untold')
    expect(await doku.inquire(account, inquiry('qris'))).toBe('absent')
  })

  test("a number of DOKU's own choice is not believed to be this order, unless the answer says so", async () => {
    const methodData = { type: 'virtual_account', bank: 'BNI', va_number: '8600' } as const
    const paid = {
      virtualAccountNo: '8600',
      paymentRequestId: 'P',
      paidAmount: { value: '100000.00', currency: 'IDR' },
    }
    acquirer.answer = () => ({
      body: { responseCode: '2002600', virtualAccountData: { ...paid, inquiryRequestId: reference } },
    })
    expect(await doku.inquire(account, inquiry('bni', { methodData }))).toBe('untold')
    acquirer.answer = () => ({
      body: { responseCode: '2002600', virtualAccountData: { ...paid, trxId: reference } },
    })
    expect(await doku.inquire(account, inquiry('bni', { methodData }))).toMatchObject({
      fact: { type: 'paid' },
    })
  })
})

describe('a payment by wallet', () => {
  const addressed = async (overrides: Partial<Charge>) => {
    acquirer.answer = sent => ({
      body: {
        responseCode: '2005400',
        partnerReferenceNo: sent.body.partnerReferenceNo,
        webRedirectUrl: 'https://x/pay',
      },
    })
    await doku.charge(account, order('dana', overrides))
    return acquirer.calls.at(-1) as Sent
  }

  test('names where the payer returns to in urlParam, with the capital L of DOKU', async () => {
    const { body } = await addressed({ returnUrl: 'https://shop.example.com/orders/1002' })
    expect(body.urlParam).toEqual([
      { url: 'https://shop.example.com/orders/1002', type: 'PAY_RETURN', isDeepLink: 'N' },
    ])
    expect(body).not.toHaveProperty('urlParams')
  })

  test('carries the address of the payer, and an id of at most 64 characters for the device', async () => {
    const { headers } = await addressed({ customerIp: '198.51.100.27', serviceIp: '192.0.2.130' })
    expect(headers['x-ip-address']).toBe('198.51.100.27')
    expect(headers['x-device-id']).toMatch(/^.{1,64}$/)
  })

  test('is asked about with the service code 55, which DOKU alone wants', async () => {
    acquirer.answer = () => ({ body: { responseCode: '2005500', latestTransactionStatus: '03' } })
    await doku.inquire(account, inquiry('dana'))
    expect(acquirer.calls[0]?.path).toBe('/doku/orders/v1.0/debit/status')
    expect(acquirer.calls[0]?.body.serviceCode).toBe('55')
  })
})

test('every channel that can be created has one interface, and every bank by SNAP its name at DOKU', async () => {
  acquirer.answer = sent => (sent.path.includes('/v2/payment-code') ? created(sent) : 'hang up')
  for (const { type, channels } of doku.methods) {
    for (const { code } of channels) {
      if (type === 'cardless_credit') continue
      acquirer.calls.length = 0
      const detail = {
        virtual_account: { type, bank: code },
        qris: { type },
        e_wallet: { type, wallet_type: code },
        over_the_counter: { type, store: code },
      }[type] as MethodDetail
      await doku.charge(account, order('bca', { channel: code, methodDetail: detail })).catch(() => undefined)
      const [{ path, body }] = acquirer.calls as [Sent]
      if (path.endsWith('create-va') || path.endsWith('host-to-host'))
        expect((body.additionalInfo as { channel?: string }).channel).toMatch(/^(VIRTUAL_ACCOUNT|EMONEY)_/)
    }
  }
})
