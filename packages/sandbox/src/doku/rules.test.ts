import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { broken, changed } from '../../test/support/broken-rules.ts'
import { dokuPaths, idr, request } from '../../test/support/doku-merchant.ts'
import type { Json } from '../../test/support/merchant.ts'
import {
  askToken,
  type Caller,
  callSnap,
  dokuCredentials,
  getJson,
  newReference,
  register,
  wibNow,
} from '../../test/support/snap-merchant.ts'
import type { Rule } from '../rules.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'
import { dokuRules } from './rules.ts'

let sandbox: RunningSandbox
let caller: Caller

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
  const { client_id, secret_key: secret } = dokuCredentials
  await register(sandbox.url, 'doku', dokuCredentials)
  const base = `${sandbox.url}/doku`
  const { body } = await askToken(base, '/authorization/v1/access-token/b2b', client_id)
  caller = { base, token: body.accessToken, secret, partnerId: client_id }
})
afterAll(() => sandbox.close())

const VA = '/virtual-accounts/bi-snap-va/v1.1/transfer-va'
const number = { partnerServiceId: '   77777', customerNo: '01', virtualAccountNo: '   7777701' }
const bni = { channel: 'VIRTUAL_ACCOUNT_BNI', virtualAccountConfig: { reusableStatus: false } }
const dana = { channel: 'EMONEY_DANA_SNAP' }

type Operation = { service: string; method?: string; path: string; body: () => Json }

const operations: Record<keyof typeof dokuRules, Operation> = {
  createVa: {
    service: '27',
    path: dokuPaths.va,
    body: () => ({ ...request('va'), ...number, virtualAccountPhone: '081234567890' }),
  },
  updateVa: {
    service: '28',
    method: 'PUT',
    path: `${VA}/update-va`,
    body: () => ({
      ...number,
      virtualAccountName: 'Budi',
      virtualAccountEmail: 'budi@example.com',
      virtualAccountPhone: '081234567890',
      trxId: newReference(),
      totalAmount: idr('11500.00'),
      virtualAccountTrxType: 'C',
      expiredDate: wibNow(3_600_000),
      additionalInfo: bni,
    }),
  },
  deleteVa: {
    service: '31',
    method: 'DELETE',
    path: `${VA}/delete-va`,
    body: () => ({ ...number, trxId: newReference(), additionalInfo: bni }),
  },
  statusVa: {
    service: '26',
    path: '/orders/v1.0/transfer-va/status',
    body: () => ({ ...number, inquiryRequestId: 'I-1', paymentRequestId: 'P-1' }),
  },
  payWallet: { service: '54', path: dokuPaths.debit, body: () => request('debit') },
  statusWallet: {
    service: '55',
    path: '/orders/v1.0/debit/status',
    body: () => ({
      originalPartnerReferenceNo: newReference(),
      serviceCode: '55',
      additionalInfo: dana,
    }),
  },
  refundWallet: {
    service: '07',
    path: '/direct-debit/core/v1/debit/refund',
    body: () => ({
      originalPartnerReferenceNo: newReference(),
      originalExternalId: '1',
      refundAmount: idr('11500.00'),
      reason: 'one item',
      partnerRefundNo: newReference(),
      additionalInfo: dana,
    }),
  },
}

const headers = { 'x-device-id': 'device' }

const cases = Object.entries(operations).flatMap(([name, operation]) =>
  dokuRules[name as keyof typeof dokuRules].flatMap(rule =>
    broken(rule).map(({ value, reason }) => ({ name, operation, rule: rule as Rule, value, reason })),
  ),
)

describe('the sandbox rejects requests that DOKU’s libraries refuse to send', () => {
  test.each(Object.entries(operations))(
    'a valid %s request to DOKU breaks no validation rule',
    async (_, operation) => {
      const { method = 'POST', path, body } = operation
      const answer = await callSnap(caller, path, body(), { method, over: headers })
      // This test creates no orders, so valid requests that refer to an order return 404.
      expect(answer.body.responseCode).toMatch(/^(200|404)/)
    },
  )

  test.each(cases)(
    'DOKU rejects an invalid field with an error that names the field: $name, $rule.field as $value is $reason',
    async ({ operation, rule, value, reason }) => {
      const { service, method = 'POST', path, body } = operation
      const inHeader = rule.in === 'header'
      const over = inHeader ? { ...headers, [rule.field.toLowerCase()]: String(value ?? '') } : headers
      const sent = inHeader ? body() : changed(body(), rule.field, value)
      const answer = await callSnap(caller, path, sent, { method, over })
      expect(answer.body).toEqual({
        responseCode: reason === 'missing' ? `400${service}02` : `400${service}01`,
        responseMessage: expect.stringContaining(rule.field.replaceAll('[]', '.0')),
      })
    },
  )
})

test('a DOKU request that breaks a validation rule creates no order', async () => {
  const body = { ...request('va'), virtualAccountName: 'Budi\\Santoso' }
  expect((await callSnap(caller, dokuPaths.va, body)).body.responseCode).toBe('4002701')
  expect((await getJson(`${sandbox.url}/orders?payment_code=${body.trxId}`)).count).toBe(0)
})
