import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { dokuPaths, idr, type Kind, kinds, referenceOf, request } from '../../test/support/doku-merchant.ts'
import type { Json } from '../../test/support/merchant.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import {
  askToken,
  type Caller,
  callSnap,
  dokuCredentials,
  getJson,
  newExternalId,
  register,
  simulate,
} from '../../test/support/snap-merchant.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

const TOKEN_PATH = '/authorization/v1/access-token/b2b'
const VA = '/virtual-accounts/bi-snap-va/v1.1/transfer-va'
const QR = '/snap-adapter/b2b/v1.0/qr'

let sandbox: RunningSandbox
let receiver: Awaited<ReturnType<typeof startReceiver>>
let caller: Caller
let stranger: Caller

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, scanMs: 10, retryScale: 0.0000001 })
  receiver = await startReceiver(() => ({ status: 200, body: '{"accessToken":"ours"}' }))
  await register(sandbox.url, 'doku', dokuCredentials, receiver.url)
  caller = await callerOf(dokuCredentials)
  const other = { ...dokuCredentials, client_id: 'BRN-2', secret_key: 'SK-2' }
  await register(sandbox.url, 'doku', other)
  stranger = await callerOf(other)
})
afterAll(async () => {
  await sandbox.close()
  await receiver.close()
})
beforeEach(() => {
  receiver.received.length = 0
})

async function callerOf({ client_id, secret_key }: typeof dokuCredentials): Promise<Caller> {
  const base = `${sandbox.url}/doku`
  const { body } = await askToken(base, TOKEN_PATH, client_id)
  return { base, token: body.accessToken, secret: secret_key, partnerId: client_id }
}

const paths = dokuPaths

type Made = { reference: string; answer: Json }

async function made(kind: Kind): Promise<Made> {
  const body = request(kind)
  const answer = await callSnap(caller, paths[kind], body)
  expect(answer.status).toBe(200)
  return { reference: referenceOf(body), answer: answer.body }
}

function account({ answer }: Made): Json {
  const { partnerServiceId, customerNo, virtualAccountNo } = answer.virtualAccountData ?? {}
  return { partnerServiceId, customerNo, virtualAccountNo }
}

async function inquire(kind: Kind, order: Made, by = caller): Promise<Json> {
  const statusPaths = {
    va: '/orders/v1.0/transfer-va/status',
    qr: `${QR}/qr-mpm-query`,
    debit: '/orders/v1.0/debit/status',
  }
  const asked = {
    va: account(order),
    qr: {
      originalReferenceNo: order.reference,
      originalPartnerReferenceNo: order.reference,
      merchantId: '2115',
      serviceCode: '47',
    },
    debit: {
      originalPartnerReferenceNo: order.reference,
      serviceCode: '55',
      additionalInfo: { channel: 'EMONEY_DANA_SNAP' },
    },
  }
  return (await callSnap(by, statusPaths[kind], asked[kind])).body
}

async function orderCount(reference: string): Promise<number> {
  return (await getJson(`${sandbox.url}/orders?payment_code=${reference}`)).count
}

describe('a token', () => {
  test('is given for fifteen minutes to who holds the registered key', async () => {
    const { body } = await askToken(`${sandbox.url}/doku`, TOKEN_PATH, 'BRN-0210-1')
    expect(body).toMatchObject({ responseCode: '2007300', tokenType: 'Bearer', expiresIn: 900 })
  })

  test('of somebody else’s making is none', async () => {
    const { body } = await callSnap({ ...caller, token: 'a.b.c' }, paths.va, request('va'))
    expect(body.responseCode).toBe('4012701')
  })
})

test('a token ends after fifteen minutes, and a used X-EXTERNAL-ID with the day', async () => {
  const externalId = newExternalId()
  await callSnap(caller, dokuPaths.qr, request('qr'), { externalId })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 901_000 })
  expect((await callSnap(caller, dokuPaths.qr, request('qr'))).body.responseCode).toBe('4014701')
  vi.setSystemTime(Date.now() + 86_400_000)
  const tomorrow = await callerOf(dokuCredentials)
  expect((await callSnap(tomorrow, dokuPaths.qr, request('qr'), { externalId })).status).toBe(200)
  vi.useRealTimers()
})

const midtransReturn = { url: 'https://shop.example/done', type: 'PAY_RETURN', isDeeplink: 'N' }
const longReturn = {
  url: `https://shop.example/${'x'.repeat(235)}`,
  type: 'PAY_RETURN',
  isDeepLink: 'N',
}

describe('an order', () => {
  test('over a virtual account has a number below the company code', async () => {
    const { answer, reference } = await made('va')
    expect(answer).toMatchObject({
      responseCode: '2002700',
      virtualAccountData: {
        partnerServiceId: '   77777',
        trxId: reference,
        totalAmount: idr('11500.00'),
        additionalInfo: { channel: 'VIRTUAL_ACCOUNT_BNI', howToPayPage: expect.stringContaining('/pay/') },
      },
    })
    expect(answer.virtualAccountData.virtualAccountNo).toMatch(/^ {3}77777\d{10}$/)
  })

  test('over a virtual account keeps a number of the merchant’s, and is refused one in use', async () => {
    const own = { customerNo: '0000000000001', virtualAccountNo: '   777770000000000001' }
    const first = await callSnap(caller, paths.va, { ...request('va'), ...own })
    expect(first.body.virtualAccountData).toMatchObject(own)
    expect((await callSnap(caller, paths.va, { ...request('va'), ...own })).body.responseCode).toBe('4092701')
  })

  const account = (channel: string) => ({
    ...request('va'),
    additionalInfo: { channel, virtualAccountConfig: { reusableStatus: false } },
  })

  test.each(['VIRTUAL_ACCOUNT_BANK_PERMATA', 'VIRTUAL_ACCOUNT_BANK_CIMB', 'VIRTUAL_ACCOUNT_BSI'])(
    'over a virtual account of %s is taken',
    async channel => {
      expect((await callSnap(caller, paths.va, account(channel))).status).toBe(200)
    },
  )

  test('over a virtual account is refused with the channel as the Node client lists it, which three others refuse', async () => {
    const { body } = await callSnap(caller, paths.va, account('VIRTUAL_ACCOUNT_PERMATA'))
    expect(body.responseCode).toBe('4002701')
  })

  test.each([
    ['a channel that is none', 'va', { additionalInfo: { channel: 'VIRTUAL_ACCOUNT_MEGA' } }, '4002701'],
    ['no channel', 'va', { additionalInfo: {} }, '4002702'],
    ['an open amount', 'va', { virtualAccountTrxType: 'O' }, '4002701'],
    ['somebody else’s company code', 'va', { partnerServiceId: '   77778' }, '4002701'],
    ['no terminal', 'qr', { terminalId: undefined }, '4004702'],
    ['a terminal of two characters', 'qr', { terminalId: 'k4' }, '4004701'],
    ['no merchant', 'qr', { merchantId: undefined }, '4004702'],
    ['no postal code', 'qr', { additionalInfo: { feeType: '1' } }, '4004702'],
    ['more than the law allows', 'qr', { amount: idr('10000001.00') }, '4034702'],
    ['half a rupiah', 'qr', { amount: idr('11500.50') }, '4044713'],
    ['nowhere to return to', 'debit', { urlParam: undefined }, '4005402'],
    ['the return address as Midtrans spells it', 'debit', { urlParam: [midtransReturn] }, '4005402'],
    ['a return address of 256 characters', 'debit', { urlParam: [longReturn] }, '4005401'],
    ['a wallet that is none', 'debit', { additionalInfo: { channel: 'EMONEY_GOPAY_SNAP' } }, '4005401'],
    ['a time that has passed', 'debit', { validUpTo: '2024-01-27T14:04:54+07:00' }, '4005401'],
  ] as const)('is refused with %s', async (_, kind, over, code) => {
    expect((await callSnap(caller, paths[kind], { ...request(kind), ...over })).body.responseCode).toBe(code)
  })

  test.each([
    ['no X-IP-ADDRESS', { 'x-ip-address': '' }, '4005402'],
    ['an X-IP-ADDRESS of 9 characters', { 'x-ip-address': '127.0.0.1' }, '4005401'],
    ['an X-IP-ADDRESS of 16 characters', { 'x-ip-address': '2001:db8::1:2:34' }, '4005401'],
    ['an X-DEVICE-ID of 65 characters', { 'x-device-id': 'd'.repeat(65) }, '4005401'],
  ])('of a wallet is refused with %s, as DOKU’s clients refuse it', async (_, over, code) => {
    const body = request('debit')
    expect((await callSnap(caller, paths.debit, body, { over })).body.responseCode).toBe(code)
    expect(await orderCount(referenceOf(body))).toBe(0)
  })

  test('over a virtual account begins with the BIN of its bank, and over a QR code names its merchant', async () => {
    const own = { partner_service_id_permata: '1899', qris_merchant_id: '2115', qris_terminal_id: 'K45' }
    const credentials = { ...dokuCredentials, ...own, client_id: 'BRN-0210-9' }
    await register(sandbox.url, 'doku', credentials)
    const other = await callerOf(credentials)
    const code = async (kind: 'va' | 'qr', over: object) =>
      (await callSnap(other, paths[kind], { ...request(kind), ...over })).body.responseCode
    const { additionalInfo } = account('VIRTUAL_ACCOUNT_BANK_PERMATA')
    const permata = { additionalInfo }
    expect(await code('va', {})).toBe('2002700')
    expect(await code('va', permata)).toBe('4002701')
    expect(await code('va', { ...permata, partnerServiceId: '    1899' })).toBe('2002700')
    expect(await code('qr', { terminalId: 'K45' })).toBe('2004700')
    expect(await code('qr', { terminalId: 'A01' })).toBe('4004701')
    expect(await code('qr', { terminalId: 'K45', merchantId: '47435' })).toBe('4044708')
  })

  test('over a QR code is one of DOKU’s, over a wallet leads to a page', async () => {
    expect((await made('qr')).answer.qrContent).toContain('ID.CO.DOKU.WWW')
    const { answer } = await made('debit')
    expect((await fetch(answer.webRedirectUrl)).status).toBe(200)
  })

  test.each(kinds)('over %s with a reference that was used is refused', async kind => {
    const body = request(kind)
    await callSnap(caller, paths[kind], body)
    expect((await callSnap(caller, paths[kind], body)).body.responseCode).toMatch(/^409\d\d01$/)
    expect(await orderCount(referenceOf(body))).toBe(1)
  })

  test.each(kinds)(
    'over %s with an X-EXTERNAL-ID of the same day is refused, whatever it was used for',
    async kind => {
      const externalId = newExternalId()
      await callSnap(
        caller,
        `${QR}/qr-mpm-query`,
        { originalPartnerReferenceNo: 'none', serviceCode: '47' },
        { externalId },
      )
      const body = request(kind)
      expect((await callSnap(caller, paths[kind], body, { externalId })).body.responseCode).toMatch(
        /^409\d\d00$/,
      )
      expect(await orderCount(referenceOf(body))).toBe(0)
    },
  )

  test.each([
    ['SANDBOX REJECT', '403', '03'],
    ['SANDBOX INACTIVE', '403', '01'],
    ['SANDBOX RATE LIMIT', '429', '00'],
    ['SANDBOX OUTAGE', '503', '00'],
  ])('of %s is refused and not created', async (name, status, code) => {
    for (const kind of kinds) {
      const body = request(kind, name)
      const answer = await callSnap(caller, paths[kind], body)
      expect(answer.body.responseCode).toMatch(new RegExp(`^${status}\\d\\d${code}$`))
      expect(await orderCount(referenceOf(body))).toBe(0)
    }
  })

  test('of SANDBOX HTML is created', async () => {
    const body = request('qr', 'SANDBOX HTML')
    expect((await callSnap(caller, paths.qr, body)).status).toBe(502)
    expect(await orderCount(referenceOf(body))).toBe(1)
  })
})

describe('an inquiry', () => {
  test.each([
    ['paid', '00'],
    ['failed', '06'],
    ['expired', '05'],
    ['cancelled', '05'],
    ['challenged', '03'],
  ])('about an order that is %s answers %s', async (outcome, status) => {
    for (const kind of ['qr', 'debit'] as const) {
      const order = await made(kind)
      expect((await inquire(kind, order)).latestTransactionStatus).toBe('03')
      await simulate(sandbox.url, { payment_code: order.reference, outcome })
      expect((await inquire(kind, order)).latestTransactionStatus).toBe(status)
    }
  })

  test('about a virtual account tells what was paid, and that nothing was', async () => {
    const order = await made('va')
    const { virtualAccountData: open } = await inquire('va', order)
    expect(open).toMatchObject({ paymentFlagReason: { english: 'Pending' }, paymentRequestId: null })
    expect(open).not.toHaveProperty('paidAmount')
    await simulate(sandbox.url, { payment_code: order.reference, outcome: 'paid', amount: 1_000_050 })
    const { virtualAccountData: paid } = await inquire('va', order)
    expect(paid).toMatchObject({
      trxId: order.reference,
      paymentFlagReason: { english: 'Success', indonesia: 'Sukses' },
      paidAmount: idr('10000.50'),
      billDetails: [{ billAmount: idr('11500.00') }],
    })
  })

  test('about a wallet payment is refused with the service code of the payment, which Midtrans wants', async () => {
    const { reference } = await made('debit')
    const asked = { originalPartnerReferenceNo: reference, serviceCode: '54' }
    const answer = await callSnap(caller, '/orders/v1.0/debit/status', asked)
    expect(answer.body.responseCode).toBe('4005501')
  })

  test('about a QR code has a number for an amount', async () => {
    const order = await made('qr')
    await simulate(sandbox.url, { payment_code: order.reference, outcome: 'paid' })
    expect((await inquire('qr', order)).amount).toEqual({ value: 11500, currency: 'IDR' })
  })

  test('about a virtual account takes no other order for it, whatever that is called', async () => {
    const order = await made('va')
    const number = account(order).virtualAccountNo.trim()
    await callSnap(caller, paths.va, { ...request('va'), trxId: `${number}-2` })
    expect((await inquire('va', order)).virtualAccountData.trxId).toBe(order.reference)
  })

  test('finds a QR code by its referenceNo', async () => {
    const { answer, reference } = await made('qr')
    const asked = { originalReferenceNo: answer.referenceNo, serviceCode: '47' }
    expect((await callSnap(caller, `${QR}/qr-mpm-query`, asked)).body).toMatchObject({
      originalPartnerReferenceNo: reference,
      latestTransactionStatus: '03',
    })
  })

  test('with an X-EXTERNAL-ID of the same day is refused', async () => {
    const [{ reference }, externalId] = [await made('qr'), newExternalId()]
    const asked = { originalPartnerReferenceNo: reference, serviceCode: '47' }
    const ask = () => callSnap(caller, `${QR}/qr-mpm-query`, asked, { externalId })
    expect((await ask()).body.responseCode).toBe('2005100')
    expect((await ask()).body.responseCode).toBe('4095100')
  })

  test.each(kinds)('about a stranger’s %s order finds nothing', async kind => {
    expect((await inquire(kind, await made(kind), stranger)).responseCode).toMatch(/^404\d\d01$/)
  })
})

describe('a virtual account', () => {
  const change = (order: Made, method: 'PUT' | 'DELETE', over: Json = {}) =>
    callSnap(
      caller,
      `${VA}/${method === 'PUT' ? 'update' : 'delete'}-va`,
      {
        ...account(order),
        trxId: order.reference,
        totalAmount: idr('11500.00'),
        virtualAccountTrxType: 'C',
        additionalInfo: { channel: 'VIRTUAL_ACCOUNT_BNI' },
        ...over,
      },
      { method },
    )
  const inactive = {
    additionalInfo: { channel: 'VIRTUAL_ACCOUNT_BNI', virtualAccountConfig: { status: 'INACTIVE' } },
  }

  test('is deleted once, or made inactive, and nobody is told', async () => {
    const [deleted, updated] = [await made('va'), await made('va')]
    expect((await change(deleted, 'DELETE')).body.responseCode).toBe('2003100')
    expect((await change(deleted, 'DELETE')).body.responseCode).toBe('4043119')
    expect((await change(updated, 'PUT', inactive)).body.responseCode).toBe('2002800')
    expect((await inquire('va', updated)).virtualAccountData.paymentFlagReason.english).toBe('Canceled')
    expect(receiver.received).toEqual([])
  })

  test('that is paid stays paid', async () => {
    const order = await made('va')
    await simulate(sandbox.url, { payment_code: order.reference, outcome: 'paid' })
    expect((await change(order, 'DELETE')).body.responseCode).toBe('4043114')
    expect((await change(order, 'PUT', inactive)).body.responseCode).toBe('4042814')
  })

  test('takes another amount, name and expiry, and is then paid with that amount', async () => {
    const order = await made('va')
    const updated = await change(order, 'PUT', {
      totalAmount: idr('20000.00'),
      virtualAccountName: 'Budi',
      expiredDate: '2099-01-01T00:00:00+07:00',
    })
    expect(updated.body).toMatchObject({
      responseCode: '2002800',
      virtualAccountData: {
        totalAmount: idr('20000.00'),
        virtualAccountName: 'Budi',
        expiredDate: '2099-01-01T00:00:00+07:00',
      },
    })
    await simulate(sandbox.url, { payment_code: order.reference, outcome: 'paid' })
    expect((await inquire('va', order)).virtualAccountData).toMatchObject({ paidAmount: idr('20000.00') })
    const { orders } = await getJson(`${sandbox.url}/orders?payment_code=${order.reference}`)
    expect(orders[0]).toMatchObject({ asked_cents: 2_000_000, held_cents: 2_000_000 })
  })

  test.each([
    ['nothing', { totalAmount: idr('0.00') }, '4002801'],
    ['part of a rupiah', { totalAmount: idr('1.50') }, '4042813'],
    ['a time that is past', { expiredDate: '2020-01-01T00:00:00+07:00' }, '4002801'],
  ])('does not take %s', async (_name, over, code) => {
    const order = await made('va')
    expect((await change(order, 'PUT', over)).body.responseCode).toBe(code)
    const { orders } = await getJson(`${sandbox.url}/orders?payment_code=${order.reference}`)
    expect(orders[0]).toMatchObject({ asked_cents: 1_150_000 })
  })

  test('of another trxId is not found', async () => {
    const [one, other] = [await made('va'), await made('va')]
    expect((await change(one, 'DELETE', { trxId: other.reference })).body.responseCode).toBe('4043101')
  })
})
