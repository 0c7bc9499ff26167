import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { broken, changed } from '../../test/support/broken-rules.ts'
import type { Json } from '../../test/support/merchant.ts'
import {
  askToken,
  type Caller,
  callSnap,
  getJson,
  midtransCredentials,
  newReference,
  register,
  send,
  wibNow,
} from '../../test/support/snap-merchant.ts'
import type { Rule } from '../rules.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'
import { headerRules, snapRules, tokenRules } from './rules.ts'

let sandbox: RunningSandbox
let base: string
let caller: Caller

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
  base = `${sandbox.url}/snap`
  const { client_id, client_secret: secret, partner_id: partnerId } = midtransCredentials
  await register(sandbox.url, 'snap', midtransCredentials)
  const { body } = await askToken(base, '/v1.0/access-token/b2b', client_id)
  caller = { base, token: body.accessToken, secret, partnerId }
})
afterAll(() => sandbox.close())

const idr = (value: string) => ({ value, currency: 'IDR' })
const { merchant_id: merchantId } = midtransCredentials
const account = { partnerServiceId: '   70012', customerNo: '01', virtualAccountNo: '   7001201' }
const sold = {
  customerDetails: { firstName: 'Budi', lastName: 'Santoso', email: 'b@example.com', phone: '+62811' },
  items: [
    { id: '1', name: 'Tea', brand: 'b', category: 'c', merchantName: 'm', price: idr('1.00'), quantity: 2 },
  ],
}

type Operation = { service: string; path: string; body: () => Json }

const operations: Record<keyof typeof snapRules, Operation> = {
  createVa: {
    service: '27',
    path: '/v1.0/transfer-va/create-va',
    body: () => ({
      ...account,
      virtualAccountName: 'Budi',
      virtualAccountEmail: 'b@example.com',
      virtualAccountPhone: '6281932358123',
      trxId: newReference(),
      totalAmount: idr('11500.00'),
      expiredDate: wibNow(3_600_000),
      additionalInfo: { merchantId, bank: 'bca', flags: { shouldRandomizeVaNumber: true }, ...sold },
    }),
  },
  generateQr: {
    service: '47',
    path: '/v1.0/qr/qr-mpm-generate',
    body: () => ({
      partnerReferenceNo: newReference(),
      amount: idr('11500.00'),
      merchantId,
      validityPeriod: wibNow(3_600_000),
      additionalInfo: { acquirer: 'gopay', countryCode: 'ID', locale: 'id_ID', ...sold },
    }),
  },
  payDebit: {
    service: '54',
    path: '/v1.0/debit/payment-host-to-host',
    body: () => ({
      partnerReferenceNo: newReference(),
      chargeToken: '',
      merchantId,
      validUpTo: wibNow(3_600_000),
      payOptionDetails: [{ payMethod: 'GOPAY', payOption: 'GOPAY_WALLET', transAmount: idr('11500.00') }],
      additionalInfo: sold,
    }),
  },
  statusVa: {
    service: '26',
    path: '/v1.0/transfer-va/status',
    body: () => ({ ...account, inquiryRequestId: newReference(), additionalInfo: { merchantId } }),
  },
  queryQr: {
    service: '51',
    path: '/v1.0/qr/qr-mpm-query',
    body: () => ({ originalPartnerReferenceNo: newReference(), merchantId, serviceCode: '47' }),
  },
  statusDebit: {
    service: '55',
    path: '/v1.0/debit/status',
    body: () => ({ originalExternalId: newReference(), serviceCode: '54' }),
  },
  cancelVa: {
    service: '31',
    path: '/v1.0/transfer-va/delete-va',
    body: () => ({ ...account, trxId: newReference(), additionalInfo: { merchantId } }),
  },
  cancelQr: {
    service: '77',
    path: '/v1.0/qr/qr-mpm-cancel',
    body: () => ({ originalReferenceNo: newReference(), merchantId, reason: 'cancel reason' }),
  },
  cancelDebit: {
    service: '57',
    path: '/v1.0/debit/cancel',
    body: () => ({ originalExternalId: newReference() }),
  },
  refundDebit: {
    service: '58',
    path: '/v1.0/debit/refund',
    body: () => ({
      originalPartnerReferenceNo: newReference(),
      originalExternalId: newReference(),
      partnerRefundNo: newReference(),
      refundAmount: idr('11500.00'),
      reason: 'one item',
    }),
  },
  refundQr: {
    service: '78',
    path: '/v1.0/qr/qr-mpm-refund',
    body: () => ({
      merchantId,
      originalPartnerReferenceNo: newReference(),
      originalReferenceNo: newReference(),
      partnerRefundNo: newReference(),
      refundAmount: idr('11500.00'),
      reason: 'one item',
    }),
  },
}

const refusalOf = (service: string, reason: string, { field, in: place }: Rule) => ({
  responseCode: reason === 'missing' ? `400${service}02` : `400${service}01`,
  responseMessage: expect.stringContaining(place ? field : `{${field.replaceAll('[]', '.0')}}`),
})

const casesOf = (rules: readonly Rule[]) => rules.flatMap(rule => broken(rule).map(how => ({ rule, ...how })))

describe('SNAP requests must satisfy the validation rules taken from Midtrans’ tables and client libraries', () => {
  test.each(Object.entries(operations))(
    'a valid %s request over SNAP passes all validation rules',
    async (_, { path, body }) => {
      const sent = body()
      const answer = await callSnap(caller, path, sent, { externalId: externalIdOf(sent) })
      // Requests that need an existing order return 404, because this test creates no orders.
      expect(answer.body.responseCode).toMatch(/^(200|404)/)
    },
  )

  const cases = Object.entries(operations).flatMap(([name, operation]) =>
    casesOf(snapRules[name as keyof typeof snapRules]).map(each => ({ name, operation, ...each })),
  )
  test.each(cases)(
    'a SNAP call with an invalid field is rejected with an error that names the field (call: $name, field: $rule.field, value: $value, reason: $reason)',
    async ({ operation, rule, value, reason }) => {
      const { service, path, body } = operation
      const sent = changed(body(), rule.field, value)
      const answer = await callSnap(caller, path, sent, { externalId: newReference() })
      expect(answer.body).toEqual(refusalOf(service, reason, rule))
    },
  )

  const { path, body, service } = operations.statusDebit
  test.each(casesOf(headerRules))(
    'a SNAP call with an invalid header gets an error that names the header: for example, $rule.field with the value $value is $reason',
    async each => {
      const over = { [each.rule.field]: String(each.value ?? '') }
      const answer = await callSnap(caller, path, body(), { over: lowered(over) })
      // An X-PARTNER-ID with invalid characters never equals the token's client ID. The sandbox reports only that the
      // two IDs differ, and not the invalid characters.
      const isStranger = each.rule.field === 'X-PARTNER-ID'
      expect(answer.body).toEqual(
        isStranger
          ? { responseCode: '4015500', responseMessage: 'Unauthorized. Unknown partner' }
          : refusalOf(service, each.reason, each.rule),
      )
    },
  )

  test.each(casesOf(tokenRules))(
    'if a header of a SNAP token request is invalid, the error names the header: $rule.field as $value is $reason',
    async each => {
      const headers = {
        'x-client-key': midtransCredentials.client_id,
        'x-timestamp': wibNow(),
        ...lowered({ [each.rule.field]: String(each.value ?? '') }),
      }
      const answer = await send(`${base}/v1.0/access-token/b2b`, 'POST', headers, '{}')
      expect(answer.body).toEqual(refusalOf('73', each.reason, each.rule))
    },
  )
})

test.each(['grantType', 'grant_type'])(
  'a SNAP token request may contain the grant type in the field %s, because Midtrans’ page or one of its libraries uses this name',
  async name => {
    const body = { [name]: 'client_credentials' }
    const { body: answer } = await askToken(base, '/v1.0/access-token/b2b', midtransCredentials.client_id, {
      body,
    })
    expect(answer.responseCode).toBe('2007300')
  },
)

test('a SNAP request that violates a validation rule creates nothing', async () => {
  const body = changed(operations.createVa.body(), 'additionalInfo.items[].quantity', '2')
  expect((await callSnap(caller, operations.createVa.path, body)).body.responseCode).toBe('4002701')
  expect((await getJson(`${sandbox.url}/orders?payment_code=${body.trxId}`)).count).toBe(0)
})

function externalIdOf({ trxId, partnerReferenceNo, partnerRefundNo }: Json): string {
  return partnerRefundNo ?? trxId ?? partnerReferenceNo ?? newReference()
}

function lowered(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
