import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  dokuCaller,
  dokuPaths,
  idr,
  kinds,
  made,
  referenceOf,
  request,
  TOKEN_PATH,
} from '../../test/support/doku-merchant.ts'
import {
  askToken,
  type Caller,
  callSnap,
  dokuCredentials,
  getJson,
  newExternalId,
  register,
} from '../../test/support/snap-merchant.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

const QR = '/snap-adapter/b2b/v1.0/qr'

let sandbox: RunningSandbox
let caller: Caller

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, scanMs: 10 })
  await register(sandbox.url, 'doku', dokuCredentials)
  caller = await dokuCaller(sandbox.url, dokuCredentials)
})
afterAll(() => sandbox.close())

async function orderCount(reference: string): Promise<number> {
  return (await getJson(`${sandbox.url}/orders?payment_code=${reference}`)).count
}

describe('a DOKU call needs a valid access token', () => {
  test('a signed DOKU token request gets an access token that is valid for fifteen minutes', async () => {
    const { body } = await askToken(`${sandbox.url}/doku`, TOKEN_PATH, 'BRN-0210-1')
    expect(body).toMatchObject({ responseCode: '2007300', tokenType: 'Bearer', expiresIn: 900 })
  })

  test('a DOKU call with an access token that the sandbox did not issue is rejected', async () => {
    const { body } = await callSnap({ ...caller, token: 'a.b.c' }, dokuPaths.va, request('va'))
    expect(body.responseCode).toBe('4012701')
  })
})

test('a DOKU access token expires after fifteen minutes, and an X-EXTERNAL-ID can be used again the next day', async () => {
  const externalId = newExternalId()
  await callSnap(caller, dokuPaths.qr, request('qr'), { externalId })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 901_000 })
  expect((await callSnap(caller, dokuPaths.qr, request('qr'))).body.responseCode).toBe('4014701')
  vi.setSystemTime(Date.now() + 86_400_000)
  const tomorrow = await dokuCaller(sandbox.url, dokuCredentials)
  expect((await callSnap(tomorrow, dokuPaths.qr, request('qr'), { externalId })).status).toBe(200)
  vi.useRealTimers()
})

const midtransReturn = { url: 'https://shop.example/done', type: 'PAY_RETURN', isDeeplink: 'N' }
const longReturn = {
  url: `https://shop.example/${'x'.repeat(235)}`,
  type: 'PAY_RETURN',
  isDeepLink: 'N',
}

describe('DOKU’s SNAP API creates virtual accounts, QR codes and wallet payments', () => {
  test('a new DOKU virtual account number starts with the company code', async () => {
    const { answer, reference } = await made(caller, 'va')
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

  test('a DOKU virtual account gets the number chosen by the merchant unless this number is in use', async () => {
    const own = { customerNo: '0000000000001', virtualAccountNo: '   777770000000000001' }
    const first = await callSnap(caller, dokuPaths.va, { ...request('va'), ...own })
    expect(first.body.virtualAccountData).toMatchObject(own)
    expect((await callSnap(caller, dokuPaths.va, { ...request('va'), ...own })).body.responseCode).toBe(
      '4092701',
    )
  })

  const account = (channel: string) => ({
    ...request('va'),
    additionalInfo: { channel, virtualAccountConfig: { reusableStatus: false } },
  })

  test.each(['VIRTUAL_ACCOUNT_BANK_PERMATA', 'VIRTUAL_ACCOUNT_BANK_CIMB', 'VIRTUAL_ACCOUNT_BSI'])(
    'a request for a DOKU virtual account with the channel %s is accepted',
    async channel => {
      expect((await callSnap(caller, dokuPaths.va, account(channel))).status).toBe(200)
    },
  )

  test("a DOKU request is rejected if its channel name is one that only DOKU's Node library uses", async () => {
    const { body } = await callSnap(caller, dokuPaths.va, account('VIRTUAL_ACCOUNT_PERMATA'))
    expect(body.responseCode).toBe('4002701')
  })

  test.each([
    ['an unknown channel', 'va', { additionalInfo: { channel: 'VIRTUAL_ACCOUNT_MEGA' } }, '4002701'],
    ['no channel', 'va', { additionalInfo: {} }, '4002702'],
    ['an open amount', 'va', { virtualAccountTrxType: 'O' }, '4002701'],
    ['another merchant’s company code', 'va', { partnerServiceId: '   77778' }, '4002701'],
    ['no terminal', 'qr', { terminalId: undefined }, '4004702'],
    ['a terminal of two characters', 'qr', { terminalId: 'k4' }, '4004701'],
    ['no merchant id', 'qr', { merchantId: undefined }, '4004702'],
    ['no postal code', 'qr', { additionalInfo: { feeType: '1' } }, '4004702'],
    ['more than the legal limit', 'qr', { amount: idr('10000001.00') }, '4034702'],
    ['half a rupiah', 'qr', { amount: idr('11500.50') }, '4044713'],
    ['no return URL', 'debit', { urlParam: undefined }, '4005402'],
    ['the return URL in Midtrans’ field', 'debit', { urlParam: [midtransReturn] }, '4005402'],
    ['a return URL of 256 characters', 'debit', { urlParam: [longReturn] }, '4005401'],
    ['an unknown wallet', 'debit', { additionalInfo: { channel: 'EMONEY_GOPAY_SNAP' } }, '4005401'],
    ['an expiry in the past', 'debit', { validUpTo: '2024-01-27T14:04:54+07:00' }, '4005401'],
  ] as const)('a DOKU create request with %s is rejected', async (_, kind, over, code) => {
    expect((await callSnap(caller, dokuPaths[kind], { ...request(kind), ...over })).body.responseCode).toBe(
      code,
    )
  })

  test.each([
    ['no X-IP-ADDRESS', { 'x-ip-address': '' }, '4005402'],
    ['an X-IP-ADDRESS of 9 characters', { 'x-ip-address': '127.0.0.1' }, '4005401'],
    ['an X-IP-ADDRESS of 16 characters', { 'x-ip-address': '2001:db8::1:2:34' }, '4005401'],
    ['an X-DEVICE-ID of 65 characters', { 'x-device-id': 'd'.repeat(65) }, '4005401'],
    ['an X-DEVICE-ID with a symbol', { 'x-device-id': 'GP261120-0000000000' }, '4005401'],
  ])(
    'the sandbox rejects a DOKU wallet payment request with %s, because DOKU’s own clients never send such a request',
    async (_, over, code) => {
      const body = request('debit')
      expect((await callSnap(caller, dokuPaths.debit, body, { over })).body.responseCode).toBe(code)
      expect(await orderCount(referenceOf(body))).toBe(0)
    },
  )

  test('a DOKU request must contain the merchant’s BIN or QRIS IDs if they were registered', async () => {
    const own = { partner_service_id_permata: '1899', qris_merchant_id: '2115', qris_terminal_id: 'K45' }
    const credentials = { ...dokuCredentials, ...own, client_id: 'BRN-0210-9' }
    await register(sandbox.url, 'doku', credentials)
    const other = await dokuCaller(sandbox.url, credentials)
    const code = async (kind: 'va' | 'qr', over: object) =>
      (await callSnap(other, dokuPaths[kind], { ...request(kind), ...over })).body.responseCode
    const { additionalInfo } = account('VIRTUAL_ACCOUNT_BANK_PERMATA')
    const permata = { additionalInfo }
    expect(await code('va', {})).toBe('2002700')
    expect(await code('va', permata)).toBe('4002701')
    expect(await code('va', { ...permata, partnerServiceId: '    1899' })).toBe('2002700')
    expect(await code('qr', { terminalId: 'K45' })).toBe('2004700')
    expect(await code('qr', { terminalId: 'A01' })).toBe('4004701')
    expect(await code('qr', { terminalId: 'K45', merchantId: '47435' })).toBe('4044708')
  })

  test('DOKU returns a QR string for a QR code, and a payment page link for a wallet', async () => {
    expect((await made(caller, 'qr')).answer.qrContent).toContain('ID.CO.DOKU.WWW')
    const { answer } = await made(caller, 'debit')
    expect((await fetch(answer.webRedirectUrl)).status).toBe(200)
  })

  test.each(kinds)('a DOKU create request for %s with an already used reference is rejected', async kind => {
    const body = request(kind)
    await callSnap(caller, dokuPaths[kind], body)
    expect((await callSnap(caller, dokuPaths[kind], body)).body.responseCode).toMatch(/^409\d\d01$/)
    expect(await orderCount(referenceOf(body))).toBe(1)
  })

  test.each(kinds)(
    'a DOKU create request for %s is rejected if its X-EXTERNAL-ID was used by any request on the same day',
    async kind => {
      const externalId = newExternalId()
      await callSnap(
        caller,
        `${QR}/qr-mpm-query`,
        { originalPartnerReferenceNo: 'none', serviceCode: '47' },
        { externalId },
      )
      const body = request(kind)
      expect((await callSnap(caller, dokuPaths[kind], body, { externalId })).body.responseCode).toMatch(
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
  ])(
    'a DOKU create request for the customer %s, a name that selects a simulated error, gets this error and creates nothing',
    async (name, status, code) => {
      for (const kind of kinds) {
        const body = request(kind, name)
        const answer = await callSnap(caller, dokuPaths[kind], body)
        expect(answer.body.responseCode).toMatch(new RegExp(`^${status}\\d\\d${code}$`))
        expect(await orderCount(referenceOf(body))).toBe(0)
      }
    },
  )

  test('for the customer SANDBOX HTML, DOKU creates the order but returns an HTML page with status 502', async () => {
    const body = request('qr', 'SANDBOX HTML')
    expect((await callSnap(caller, dokuPaths.qr, body)).status).toBe(502)
    expect(await orderCount(referenceOf(body))).toBe(1)
  })
})
