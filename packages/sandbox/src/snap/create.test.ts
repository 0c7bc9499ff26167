import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../../test/support/merchant.ts'
import { type Caller, callSnap, getJson, newExternalId } from '../../test/support/snap-merchant.ts'
import { DEBIT, debit, idr, midtransCaller, QR, qr, VA, va } from '../../test/support/snap-requests.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

let sandbox: RunningSandbox
let caller: Caller

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, scanMs: 10 })
  caller = await midtransCaller(sandbox.url)
})
afterAll(() => sandbox.close())

async function listed(reference: string): Promise<Json> {
  return await getJson(`${sandbox.url}/orders?payment_code=${reference}`)
}

describe('SNAP virtual accounts', () => {
  test('a SNAP virtual account number starts with the company code', async () => {
    const body = va()
    const answer = await callSnap(caller, VA, body)
    const { virtualAccountData } = answer.body
    expect(answer.body).toMatchObject({ responseCode: '2002700', responseMessage: 'Successful' })
    expect(virtualAccountData).toMatchObject({
      partnerServiceId: '   70012',
      trxId: body.trxId,
      totalAmount: idr('10000.00'),
      virtualAccountName: 'Jokul Doe',
    })
    expect(virtualAccountData.virtualAccountNo).toBe(`   70012${virtualAccountData.customerNo}`)
    expect(virtualAccountData.customerNo).toMatch(/^\d{10}$/)
    expect(virtualAccountData.expiredDate).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+07:00$/)
    const { orders } = await listed(body.trxId)
    expect(orders[0]).toMatchObject({ asked_cents: 1_000_000, status: 'pending', provider: 'snap' })
    const life = Date.parse(orders[0].expires_at) - Date.parse(orders[0].created_at)
    expect(life).toBe(86_400_000)
  })

  test('a SNAP virtual account gets the number chosen by the merchant unless a pending payment uses it', async () => {
    const wanted = { customerNo: '6280123456', virtualAccountNo: '   700126280123456' }
    const own = () => callSnap(caller, VA, va(wanted, { flags: { shouldRandomizeVaNumber: false } }))
    expect((await own()).body.virtualAccountData.customerNo).toBe('6280123456')
    expect((await own()).body.virtualAccountData.customerNo).not.toBe('6280123456')
  })

  test.each([
    ['a company code without padding', { partnerServiceId: '70012' }, '4002701'],
    [
      'another merchant’s company code',
      { partnerServiceId: '   70013', virtualAccountNo: '   700130000000000' },
      '4002701',
    ],
    ['a number that does not match its parts', { virtualAccountNo: '   700120000000001' }, '4002701'],
    ['no name', { virtualAccountName: undefined }, '4002702'],
    ['no trxId', { trxId: undefined }, '4002702'],
    ['an amount without decimals', { totalAmount: idr('10000') }, '4002701'],
    ['an amount as a number', { totalAmount: { value: 10000, currency: 'IDR' } }, '4002701'],
    ['another currency', { totalAmount: { value: '10000.00', currency: 'USD' } }, '4002701'],
    ['an amount of zero', { totalAmount: idr('0.00') }, '4042713'],
    ['half a rupiah', { totalAmount: idr('10000.50') }, '4042713'],
    ['an expiry in the past', { expiredDate: '2024-01-27T14:04:54+07:00' }, '4002701'],
    ['an invalid expiry', { expiredDate: '27-01-2030' }, '4002701'],
  ])('a request for a SNAP virtual account with %s is rejected', async (_, over, code) => {
    expect((await callSnap(caller, VA, va(over))).body.responseCode).toBe(code)
  })

  test.each([
    ['another merchant id', { merchantId: 'G000000000' }, '4042708'],
    ['no merchant id', { merchantId: undefined }, '4002702'],
    ['an unknown bank', { bank: 'mega' }, '4002701'],
  ])(
    'a request for a SNAP virtual account with %s in additionalInfo is rejected',
    async (_, additional, code) => {
      expect((await callSnap(caller, VA, va({}, additional))).body.responseCode).toBe(code)
    },
  )
})

describe('SNAP QR codes', () => {
  test('a SNAP QR code contains the amount and expires after fifteen minutes', async () => {
    const body = qr({ additionalInfo: { acquirer: 'AIRPAY SHOPEE' } })
    const answer = await callSnap(caller, QR, body)
    expect(answer.body).toMatchObject({
      responseCode: '2004700',
      partnerReferenceNo: body.partnerReferenceNo,
    })
    expect(answer.body.qrContent).toContain('540825000.00')
    expect(answer.body.qrContent).toContain('ID.CO.SHOPEE.WWW')
    expect((await fetch(answer.body.qrUrl)).headers.get('content-type')).toBe('image/png')
    const { orders } = await listed(body.partnerReferenceNo)
    expect(orders[0].id).toBe(answer.body.referenceNo)
    expect(Date.parse(orders[0].expires_at) - Date.parse(orders[0].created_at)).toBe(900_000)
  })
})

describe('SNAP wallet payments', () => {
  test.each(['GOPAY', 'SHOPEEPAY', 'DANA'])(
    'a SNAP wallet payment of %s returns a link to the payment page',
    async wallet => {
      const answer = await callSnap(caller, DEBIT, debit({}, wallet))
      expect(answer.body).toMatchObject({
        responseCode: '2005400',
        webRedirectUrl: `${sandbox.url}/pay/${answer.body.referenceNo}`,
        additionalInfo: { paymentType: wallet, grossAmount: idr('102800.00') },
      })
    },
  )

  test('a SNAP wallet payment expires no later than its wallet allows', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const code = async (wallet: string, days: number) =>
      (await callSnap(caller, DEBIT, debit({ validUpTo: inDays(days) }, wallet))).body.responseCode
    expect(await code('DANA', 0.9)).toBe('2005400')
    expect(await code('DANA', 1.1)).toBe('4005401')
    expect(await code('SHOPEEPAY', 4.9)).toBe('2005400')
    expect(await code('SHOPEEPAY', 5.1)).toBe('4005401')
    expect(await code('GOPAY', 179)).toBe('2005400')
    expect(await code('GOPAY', 0.0001)).toBe('4005401')
  })
})

describe('a SNAP create request whose X-EXTERNAL-ID was already used is treated as a repetition of the first request', () => {
  test.each([
    ['virtual account', VA, va, 'trxId'],
    ['wallet payment', DEBIT, debit, 'partnerReferenceNo'],
  ])(
    'a SNAP create request that is repeated with the same X-EXTERNAL-ID creates no second %s, and returns the first response again',
    async (_, path, make, field) => {
      const body = make()
      const externalId = body[field]
      const first = await callSnap(caller, path, body, { externalId })
      const second = await callSnap(caller, path, body, { externalId })
      expect(second.text).toBe(first.text)
      expect((await listed(body[field])).count).toBe(1)
    },
  )

  test('a SNAP QR code request is rejected if its X-EXTERNAL-ID was used before', async () => {
    const body = qr()
    await callSnap(caller, QR, body)
    const second = await callSnap(caller, QR, body)
    expect(second.body.responseCode).toBe('4094700')
    expect((await listed(body.partnerReferenceNo)).count).toBe(1)
  })

  test('if a SNAP create request was rejected, a corrected request with the same reference is accepted', async () => {
    const body = va()
    expect((await callSnap(caller, VA, { ...body, totalAmount: idr('0.00') })).status).toBe(404)
    expect((await callSnap(caller, VA, body)).status).toBe(200)
  })

  test.each([
    ['trxId', VA, va, '4002701'],
    ['partnerReferenceNo of a QR code', QR, qr, '4004701'],
  ])(
    'a SNAP create request is rejected if its X-EXTERNAL-ID differs from its %s',
    async (field, path, make, code) => {
      const body = make()
      const other = await callSnap(caller, path, body, { externalId: newExternalId() })
      expect(other.body).toEqual({
        responseCode: code,
        responseMessage: 'Invalid Field Format X-EXTERNAL-ID',
      })
      expect((await listed(field === 'trxId' ? body.trxId : body.partnerReferenceNo)).count).toBe(0)
    },
  )

  test('a SNAP wallet request with a new X-EXTERNAL-ID creates another payment, even with a used reference', async () => {
    const body = debit()
    const first = await callSnap(caller, DEBIT, body)
    const second = await callSnap(caller, DEBIT, body)
    expect(second.body.referenceNo).not.toBe(first.body.referenceNo)
    expect((await listed(body.partnerReferenceNo)).count).toBe(2)
  })
})

describe("the amount of a SNAP request must be within the channel's limits", () => {
  const limit = async (path: string, make: (amount: Json) => Json, rupiah: number) =>
    (await callSnap(caller, path, make(idr(`${rupiah}.00`)))).body.responseCode

  test.each([
    ['bca', 10_000, 20_000_000_000],
    ['permata', 1, 9_999_999_999],
    ['cimb', 1, 250_000_000],
  ])('the amount of a SNAP virtual account at %s must be from %i to %i rupiah', async (bank, min, max) => {
    const make = (totalAmount: Json) =>
      va({ totalAmount, additionalInfo: { merchantId: 'G059876677', bank } })
    expect([await limit(VA, make, min), await limit(VA, make, max)]).toEqual(['2002700', '2002700'])
    expect(await limit(VA, make, min - 1)).toBe('4042713')
    expect(await limit(VA, make, max + 1)).toBe('4032702')
  })

  test('the amount of a SNAP QR code must not exceed ten million rupiah, the legal maximum', async () => {
    const make = (amount: Json) => qr({ amount })
    expect(await limit(QR, make, 10_000_000)).toBe('2004700')
    expect(await limit(QR, make, 10_000_001)).toBe('4034702')
  })

  test('the amount of a SNAP wallet payment must not exceed twenty million rupiah', async () => {
    const make = (amount: Json) => debit({}, 'DANA', amount)
    expect(await limit(DEBIT, make, 20_000_000)).toBe('2005400')
    expect(await limit(DEBIT, make, 20_000_001)).toBe('4035402')
  })
})

test('a SNAP order can be found by its payment code without dashes', async () => {
  const [code, other] = ['GP261120-7Q4M2ZK8XW', 'GP261120-7Q4M2ZK8X']
  for (const reference of ['GP2611207Q4M2ZK8XW', 'GP2611207Q4M2ZK8XWT2'])
    await callSnap(caller, VA, va({ trxId: reference }))
  const { orders } = await listed(code as string)
  expect(orders.map((order: Json) => order.reference)).toEqual(['GP2611207Q4M2ZK8XWT2', 'GP2611207Q4M2ZK8XW'])
  expect((await listed(other as string)).count).toBe(0)
  const asked = await getJson(`${sandbox.url}/requests?payment_code=${code}`)
  expect(asked.count).toBe(2)
})
