import { describe, expect, test } from 'vitest'
import { receive } from '../../../test/support/receive-callback.ts'
import type { CallbackRequest, ProviderAccount } from '../provider.ts'
import { contractData } from './contract-data.ts'
import type { Credentials } from './credentials.ts'
import { doku } from './doku.ts'

const id = '01990000-0000-7000-8000-000000000001'
const address = `/v1/callbacks/doku/${id}`
const own = contractData.credentials() as Credentials
const account = (credentials: Credentials = own): ProviderAccount<Credentials> => ({
  ...{ id, mode: 'test', baseUrl: null },
  credentials,
})
// The fields in DOKU's sample (developers.doku.com non-snap/qris/notify-qris), with our reference as TRANSACTIONID.
const sample = {
  WORDS: 'fce4964b179b0d4ee1393613d0e1017860831fef',
  ACQUIRER: 'DOKU',
  INVOICE: '10093868',
  TRANSACTIONID: 'GP261120-7Q4M2ZK8XW',
  AMOUNT: '2000.00',
  TXNDATE: '20241107195933',
  REFERENCEID: '17etne368279',
  TXNSTATUS: 'S',
}
const form = (
  fields: object = {},
  { at = address, inBody = false, headers = {} }: { at?: string; inBody?: boolean; headers?: object } = {},
): CallbackRequest => {
  const text = new URLSearchParams({ ...sample, ...fields }).toString()
  return {
    path: inBody ? at : `${at}?${text}`,
    headers: { ...headers },
    body: Buffer.from(inBody ? text : '{"transactionId":"DK0018353","activityCode":"200"}'),
    receivedAt: new Date('2026-11-20T03:04:05Z'),
  }
}
const updatesOf = (request: CallbackRequest, of = account()) => {
  const reading = receive(doku, of, request)
  return reading.verified && 'updates' in reading ? reading.updates : 'rejected'
}

describe("DOKU's unsigned QRIS form only causes a status inquiry", () => {
  const claim = {
    ...{ reference: 'GP261120-7Q4M2ZK8XW', providerPaymentId: 'GP261120-7Q4M2ZK8XW' },
    fact: { type: 'unproven', reason: 'TXNSTATUS S is unsigned', claimsPayment: true },
  }

  test.each([
    ['in the query', form()],
    ['in the body', form({}, { inBody: true })],
    ['at the address for SNAP notifications', form({}, { at: `${address}/v1.0/qr/qr-mpm-notify` })],
    ['with our reference as INVOICE', form({ TRANSACTIONID: 'x', INVOICE: 'GP261120-7Q4M2ZK8XW' })],
    ['with our reference without dashes', form({ TRANSACTIONID: 'GP2611207Q4M2ZK8XW' })],
  ])('a form %s claims a payment and proves nothing', (_, request) => {
    expect(updatesOf(request)).toEqual([claim])
  })

  test('a form with another status claims no payment', () => {
    expect(updatesOf(form({ TXNSTATUS: 'F' }))).toEqual([
      { ...claim, fact: { type: 'unproven', reason: 'TXNSTATUS F is unsigned' } },
    ])
  })
})

test.each([
  ['a form about an order that is not ours', form({ TRANSACTIONID: 'INVtestaccount07' })],
  ['a form with a wrong signature', form({}, { headers: { signature: 'HMACSHA256=x' } })],
  ['a form with a wrong SNAP signature', form({}, { headers: { 'x-signature': 'x' } })],
  ['a form at another address', form({}, { at: `${address}/v1/transfer-va/payment` })],
])('%s is rejected', (_, request) => {
  expect(updatesOf(request)).toBe('rejected')
})

test('a form is rejected if the account does not offer QRIS', () => {
  const { qris_merchant_id: _, ...withoutQris } = own
  expect(updatesOf(form(), account(withoutQris as Credentials))).toBe('rejected')
})
