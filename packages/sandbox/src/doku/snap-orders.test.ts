import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  account,
  dokuCaller,
  dokuPaths,
  idr,
  type Kind,
  kinds,
  type Made,
  made,
  request,
} from '../../test/support/doku-merchant.ts'
import type { Json } from '../../test/support/merchant.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import {
  type Caller,
  callSnap,
  dokuCredentials,
  getJson,
  newExternalId,
  register,
  simulate,
} from '../../test/support/snap-merchant.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

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
  caller = await dokuCaller(sandbox.url, dokuCredentials)
  const other = { ...dokuCredentials, client_id: 'BRN-2', secret_key: 'SK-2' }
  await register(sandbox.url, 'doku', other)
  stranger = await dokuCaller(sandbox.url, other)
})
afterAll(async () => {
  await sandbox.close()
  await receiver.close()
})
beforeEach(() => {
  receiver.received.length = 0
})

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

describe("DOKU's SNAP API returns an order's status", () => {
  test.each([
    ['paid', '00'],
    ['failed', '06'],
    ['expired', '05'],
    ['cancelled', '05'],
    ['challenged', '03'],
  ])(
    'a status inquiry over SNAP at DOKU for an order that is %s returns the status code %s',
    async (outcome, status) => {
      for (const kind of ['qr', 'debit'] as const) {
        const order = await made(caller, kind)
        expect((await inquire(kind, order)).latestTransactionStatus).toBe('03')
        await simulate(sandbox.url, { payment_code: order.reference, outcome })
        expect((await inquire(kind, order)).latestTransactionStatus).toBe(status)
      }
    },
  )

  test('a DOKU status inquiry for a virtual account returns the amount paid', async () => {
    const order = await made(caller, 'va')
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

  test('a DOKU status inquiry for an expired virtual account gets an error code and the reason Expired', async () => {
    const order = await made(caller, 'va')
    await simulate(sandbox.url, { payment_code: order.reference, outcome: 'expired' })
    expect(await inquire('va', order)).toMatchObject({
      responseCode: '4032600',
      virtualAccountData: { trxId: order.reference, paymentFlagReason: { english: 'Expired' } },
    })
  })

  test("a DOKU status inquiry for a wallet payment is rejected if it contains Midtrans' service code 54", async () => {
    const { reference } = await made(caller, 'debit')
    const asked = { originalPartnerReferenceNo: reference, serviceCode: '54' }
    const answer = await callSnap(caller, '/orders/v1.0/debit/status', asked)
    expect(answer.body.responseCode).toBe('4005501')
  })

  test('a DOKU status inquiry for a QR code returns the amount as a number', async () => {
    const order = await made(caller, 'qr')
    await simulate(sandbox.url, { payment_code: order.reference, outcome: 'paid' })
    expect((await inquire('qr', order)).amount).toEqual({ value: 11500, currency: 'IDR' })
  })

  test("a DOKU inquiry for a virtual account does not find orders whose reference starts with the account's number", async () => {
    const order = await made(caller, 'va')
    const number = account(order).virtualAccountNo.trim()
    await callSnap(caller, dokuPaths.va, { ...request('va'), trxId: `${number}-2` })
    expect((await inquire('va', order)).virtualAccountData.trxId).toBe(order.reference)
  })

  test("DOKU's own ID of a QR code payment is the merchant's reference, and status inquiries must contain it", async () => {
    const { answer, reference } = await made(caller, 'qr')
    expect(answer.referenceNo).toBe(reference)
    const path = `${QR}/qr-mpm-query`
    const without = { originalPartnerReferenceNo: reference, serviceCode: '47' }
    expect((await callSnap(caller, path, without)).body.responseCode).toBe('4005102')
    const asked = { originalReferenceNo: answer.referenceNo, serviceCode: '47' }
    expect((await callSnap(caller, path, asked)).body).toMatchObject({
      originalPartnerReferenceNo: reference,
      latestTransactionStatus: '03',
    })
  })

  test('a DOKU status inquiry is rejected if its X-EXTERNAL-ID was already used on the same day', async () => {
    const [{ reference }, externalId] = [await made(caller, 'qr'), newExternalId()]
    const asked = { originalReferenceNo: reference, serviceCode: '47' }
    const ask = () => callSnap(caller, `${QR}/qr-mpm-query`, asked, { externalId })
    expect((await ask()).body.responseCode).toBe('2005100')
    expect((await ask()).body.responseCode).toBe('4095100')
  })

  test.each(kinds)('a DOKU status inquiry for a %s order of another merchant finds nothing', async kind => {
    expect((await inquire(kind, await made(caller, kind), stranger)).responseCode).toMatch(/^404\d\d01$/)
  })
})

describe('a DOKU virtual account can be changed and deleted until it is paid', () => {
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

  test('a DOKU virtual account can be deleted only once, and a deactivated one has the status Canceled', async () => {
    const [deleted, updated] = [await made(caller, 'va'), await made(caller, 'va')]
    expect((await change(deleted, 'DELETE')).body.responseCode).toBe('2003100')
    expect((await change(deleted, 'DELETE')).body.responseCode).toBe('4043119')
    expect((await change(updated, 'PUT', inactive)).body.responseCode).toBe('2002800')
    expect((await inquire('va', updated)).virtualAccountData.paymentFlagReason.english).toBe('Canceled')
    expect(receiver.received).toEqual([])
  })

  test('a paid DOKU virtual account cannot be deleted or changed', async () => {
    const order = await made(caller, 'va')
    await simulate(sandbox.url, { payment_code: order.reference, outcome: 'paid' })
    expect((await change(order, 'DELETE')).body.responseCode).toBe('4043114')
    expect((await change(order, 'PUT', inactive)).body.responseCode).toBe('4042814')
  })

  test('if a merchant changes the amount of a DOKU virtual account, the payer pays the new amount', async () => {
    const order = await made(caller, 'va')
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
    ['an amount of zero', { totalAmount: idr('0.00') }, '4002801'],
    ['a fraction of a rupiah', { totalAmount: idr('1.50') }, '4042813'],
    ['an expiry in the past', { expiredDate: '2020-01-01T00:00:00+07:00' }, '4002801'],
  ])('a change of a DOKU virtual account to %s is rejected', async (_name, over, code) => {
    const order = await made(caller, 'va')
    expect((await change(order, 'PUT', over)).body.responseCode).toBe(code)
    const { orders } = await getJson(`${sandbox.url}/orders?payment_code=${order.reference}`)
    expect(orders[0]).toMatchObject({ asked_cents: 1_150_000 })
  })

  test('DOKU does not find a virtual account if the request contains another account’s trxId', async () => {
    const [one, other] = [await made(caller, 'va'), await made(caller, 'va')]
    expect((await change(one, 'DELETE', { trxId: other.reference })).body.responseCode).toBe('4043101')
  })
})
