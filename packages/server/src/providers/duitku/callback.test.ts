import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { receive, updatesIn } from '../../../test/support/receive-callback.ts'
import type { CallbackRequest, ProviderAccount } from '../provider.ts'
import type { Credentials } from './credentials.ts'
import { duitku } from './duitku.ts'
import { signatureOf } from './signature.ts'

type Fixture = {
  name: string
  raw_body: string
  credentials: { merchant_code: string; api_key: string; signature: string }
  expect: { signature_valid: boolean; order_id: string; provider_payment_id: string }
}
const directory = join(import.meta.dirname, 'fixtures')
const callbacks = readdirSync(directory)
  .filter(name => name !== 'create-va.json')
  .map(name => ({
    name,
    ...(JSON.parse(readFileSync(join(directory, name), 'utf8')) as Omit<Fixture, 'name'>),
  }))
const keys = { merchant_code: 'DXXXX', api_key: 'DXXXXCX80TZJ85Q70QCI' }
const account = (signature: 'hmac' | 'md5' = 'hmac'): ProviderAccount<Credentials> => ({
  id: '01990000-0000-7000-8000-000000000001',
  mode: 'test',
  credentials: { ...keys, signature },
  baseUrl: null,
})
const requestOf = (body: string): CallbackRequest => ({
  path: '/v1/callbacks/duitku/1',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: Buffer.from(body),
  receivedAt: new Date('2026-11-20T03:05:00Z'),
})
const REFERENCE = 'GP261120-7Q4M2ZK8XW'
const signed = { merchantCode: 'DXXXX', amount: '150000', merchantOrderId: REFERENCE }
const signature = signatureOf({ ...keys, signature: 'hmac' }, Object.values(signed))
const formOf = (over: Record<string, string> = {}) =>
  new URLSearchParams({ ...signed, resultCode: '00', reference: 'DXXXX1', signature, ...over }).toString()

describe("the adapter reads every example callback in Duitku's documentation with its documented meaning", () => {
  test.each(callbacks)(
    'the adapter reads the Duitku callback in the fixture $name and checks its signature with the results that the fixture lists',
    ({ raw_body, credentials, expect: want }) => {
      const reading = receive(
        duitku,
        account(credentials.signature === 'md5' ? 'md5' : 'hmac'),
        requestOf(raw_body),
      )
      expect(reading.verified).toBe(want.signature_valid)
      if (!want.signature_valid) return
      expect(reading).toMatchObject({ acknowledgement: { contentType: 'text/plain', body: 'OK' } })
      expect(updatesIn(reading)).toEqual([
        {
          reference: want.order_id,
          providerPaymentId: want.provider_payment_id,
          fact: { type: 'unproven', reason: 'resultCode 00 is unsigned', claimsPayment: true },
        },
      ])
    },
  )

  test('a Duitku callback signed with either algorithm is accepted, whichever one the account uses for requests', () => {
    for (const { raw_body, credentials, expect: want } of callbacks) {
      const other = credentials.signature === 'md5' ? 'hmac' : 'md5'
      expect(receive(duitku, account(other), requestOf(raw_body)).verified).toBe(want.signature_valid)
    }
  })
})

describe('the unsigned fields of a Duitku callback never prove a payment', () => {
  test('a Duitku callback is never proof of payment, even if its unsigned fields report one', () => {
    const claims = fc.record({
      resultCode: fc.oneof(fc.constantFrom('00', '01', '02', ''), fc.string()),
      reference: fc.string(),
      settlementDate: fc.string(),
      transactionState: fc.string(),
    })
    fc.assert(
      fc.property(claims, over => {
        const updates = updatesIn(receive(duitku, account(), requestOf(formOf(over))))
        expect(updates).toMatchObject([{ reference: REFERENCE, fact: { type: 'unproven' } }])
      }),
    )
  })

  test('a Duitku callback counts as a report of a received payment only if its resultCode is 00', () => {
    for (const resultCode of ['01', '02', '', '000']) {
      const [update] = updatesIn(receive(duitku, account(), requestOf(formOf({ resultCode })))) ?? []
      expect(update?.fact).not.toHaveProperty('claimsPayment')
    }
  })

  test.each(['resultCode', 'reference', 'paymentCode'])(
    'a Duitku callback without the unsigned field %s is still read',
    name => {
      const form = new URLSearchParams(formOf())
      form.delete(name)
      expect(updatesIn(receive(duitku, account(), requestOf(form.toString())))).toMatchObject([
        { reference: REFERENCE, fact: { type: 'unproven' } },
      ])
    },
  )
})

describe('a Duitku callback is accepted only if its signature is valid and each signed field occurs once', () => {
  test.each([
    ['another amount', { amount: '1500000' }, 'signature is wrong'],
    ['the amount in another spelling', { amount: '150000.00' }, 'signature is wrong'],
    ['another order', { merchantOrderId: 'GP261120-0000000000' }, 'signature is wrong'],
    ['the signature in capitals', { signature: signature.toUpperCase() }, 'signature is wrong'],
    ['no signature', { signature: '' }, 'signature is wrong'],
    // Duitku joins the signed values without a separator, so moving a digit from one field to another does
    // not change the signature. The check of merchantCode must reject such a callback.
    [
      'a digit moved to merchantCode',
      { merchantCode: 'DXXXX1', amount: '50000' },
      'merchantCode is not ours',
    ],
  ])('a callback with %s is rejected', (_, over, reason) => {
    expect(receive(duitku, account(), requestOf(formOf(over)))).toEqual({ verified: false, reason })
  })

  test.each(['merchantCode', 'amount', 'merchantOrderId', 'signature'])(
    'a Duitku callback that contains the field %s twice is rejected, because two parsers may read different values',
    name => {
      const reading = receive(duitku, account(), requestOf(`${formOf()}&${name}=1`))
      expect(reading).toEqual({ verified: false, reason: `${name} is missing or repeated` })
    },
  )

  test('a Duitku callback with a JSON body is rejected', () => {
    const body = JSON.stringify({ ...signed, resultCode: '00', signature })
    expect(receive(duitku, account(), requestOf(body)).verified).toBe(false)
  })
})

test("a payment reference in a Duitku callback's invalid merchantOrderId may still be used for an inquiry", () => {
  const merchantOrderId = `${REFERENCE} ñ`
  const over = {
    merchantOrderId,
    signature: signatureOf({ ...keys, signature: 'hmac' }, ['DXXXX', '150000', merchantOrderId]),
  }
  expect(receive(duitku, account(), requestOf(formOf(over)))).toEqual({
    verified: true,
    unreadable: {
      reason: expect.stringContaining('merchantOrderId cannot be read'),
      candidates: [REFERENCE, 'DXXXX1'],
      refusal: { status: 500, contentType: 'text/plain', body: 'FAILED' },
    },
  })
})
