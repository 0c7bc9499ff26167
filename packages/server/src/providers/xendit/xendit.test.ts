import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  account,
  inquiry,
  keys,
  kindOf,
  order,
  reply,
  startFakeXendit,
} from '../../../test/support/fake-xendit.ts'
import { type Received, receive } from '../../../test/support/receive-callback.ts'
import type { MethodDetail } from '../../payments/method.ts'
import type { CallbackRequest, ProviderErrorKind } from '../provider.ts'
import { authorization } from './client.ts'
import { xendit } from './xendit.ts'

startFakeXendit()

type Fixture = {
  name: string
  kind: 'notification' | 'create_response' | 'action_response' | 'error_response' | 'signing'
  method?: string
  http_status: number
  http_request: { path: string; body: { channel_code: string } }
  headers: Record<string, string>
  raw_body: string
  response: Record<string, unknown>
  credentials: { callback_token: string }
  inputs: { secret_key: string }
  expected: string
  expect: Record<string, string | number | boolean | null>
}
const directory = join(import.meta.dirname, 'fixtures')
const fixtures = readdirSync(directory).map(name => ({
  name,
  ...(JSON.parse(readFileSync(join(directory, name), 'utf8')) as Omit<Fixture, 'name'>),
}))
const ofKind = (kind: Fixture['kind']): Fixture[] => fixtures.filter(fixture => fixture.kind === kind)

const callbackOf = (body: string, headers: Record<string, string>): CallbackRequest => ({
  path: '/v1/callbacks/xendit/1',
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  body: Buffer.from(body),
  receivedAt: new Date('2026-11-20T03:05:00Z'),
})
type Returned = { origin: string; provider_refund_id: string; amount_cents: number; status: string }
const onlyReport = (reading: Received) => {
  if (!reading.verified || !('updates' in reading)) throw new Error('no updates')
  expect(reading.updates).toHaveLength(1)
  return reading.updates[0] as (typeof reading.updates)[0]
}

describe('every message published by Xendit is read with its documented meaning:', () => {
  test('every recorded or published Xendit message is read by a test', () => {
    expect(fixtures).toHaveLength(27)
    for (const { kind } of fixtures)
      expect(['notification', 'create_response', 'action_response', 'error_response', 'signing']).toContain(
        kind,
      )
  })

  test.each(ofKind('notification'))(
    'reading the Xendit notification in the fixture $name gives the signature check result, the payment status and the refund that the fixture expects',
    ({ raw_body, headers, credentials, expect: want }) => {
      const mine = account({ credentials: { ...keys, ...credentials } })
      const reading = receive(xendit, mine, callbackOf(raw_body, headers))
      expect(reading.verified).toBe(want.signature_valid)
      if (!reading.verified) return
      const { reference, providerPaymentId, returns, fact } = onlyReport(reading)
      expect(reference).toBe(want.order_id)
      if (want.provider_payment_id !== null) expect(providerPaymentId).toBe(want.provider_payment_id)
      expect(fact.type).toBe(want.status ?? 'nothing')
      const returned = want.refund as unknown as Returned | undefined
      expect(returns).toEqual(
        returned && [
          {
            kind: returned.origin === 'chargeback' ? 'chargeback' : 'refund',
            id: returned.provider_refund_id,
            ...(returned.origin === 'merchant' && { reference: expect.stringMatching(/-R\d$/) }),
            amount: BigInt(returned.amount_cents),
            status: returned.status,
          },
        ],
      )
      if (fact.type === 'paid') expect(fact.amountPaid).toBe(BigInt(want.amount_paid_cents as number))
      else expect(want.amount_paid_cents ?? 0).toBe(0)
    },
  )

  const isV3 = ({ http_request }: Fixture) => http_request.path.startsWith('/v3/')
  test.each(ofKind('create_response').filter(isV3))(
    'the Xendit adapter reads the charge response in the fixture $name as the fixture expects',
    async ({ http_status, response, method, expect: want }) => {
      reply(http_status, response)
      const methodDetail: MethodDetail =
        method === 'e_wallet'
          ? { type: 'e_wallet', wallet_type: 'DANA' }
          : { type: 'virtual_account', bank: want.bank as string }
      const [reference, amount] = [want.order_id as string, BigInt(want.amount_cents as number)]
      const taken = await xendit.charge(account(), order({ methodDetail, reference, amount }))
      expect(taken.providerPaymentId).toBe(want.provider_payment_id)
      for (const field of ['bank', 'va_number', 'redirect_url', 'deeplink'] as const)
        expect((taken.methodData as Record<string, unknown>)[field]).toBe(want[field])
      if (want.expires_at) expect(response.channel_properties).toMatchObject({ expires_at: want.expires_at })
      const asked = inquiry({ methodDetail, reference, providerPaymentId: taken.providerPaymentId })
      expect(await xendit.inquire(account(), asked)).toMatchObject({
        fact: { type: want.status, methodData: taken.methodData },
      })
    },
  )

  // The adapter creates no orders for Xendit's older products, but accepts payments for such orders. It finds an order
  // by the IDs in the response to the order's create request.
  test.each<[string, (made: Record<string, unknown>) => object]>([
    [
      'create-fva-bni.json',
      made => ({
        callback_virtual_account_id: made.id,
        payment_id: 'p-1',
        external_id: made.external_id,
        amount: made.expected_amount,
        bank_code: made.bank_code,
        account_number: made.account_number,
        expiration_date: made.expiration_date,
      }),
    ],
    [
      'create-qr-codes.json',
      ({ id, external_id, amount, qr_string }) => ({
        event: 'qr.payment',
        id: 'qrpy_1',
        qr_code: { id, external_id, qr_string },
        amount,
        status: 'COMPLETED',
      }),
    ],
  ])(
    "after the charge response %s from an older Xendit product, the charge's outcome is unknown, but a webhook about its payment can be read",
    async (name, webhookOf) => {
      const { response, expect: want, http_status } = fixtures.find(each => each.name === name) as Fixture
      expect(isV3(fixtures.find(each => each.name === name) as Fixture)).toBe(false)
      reply(http_status, response)
      expect(await kindOf(xendit.charge(account(), order()))).toBe('unknown')
      const body = webhookOf(response)
      const reading = receive(
        xendit,
        account(),
        callbackOf(JSON.stringify(body), { 'x-callback-token': keys.callback_token }),
      )
      expect(onlyReport(reading)).toMatchObject({
        reference: want.order_id,
        providerPaymentId: want.provider_payment_id,
        fact: { type: 'paid', amountPaid: BigInt(want.amount_cents as number) },
      })
      for (const [field, key] of [
        ['va_number', 'account_number'],
        ['expires_at', 'expiration_date'],
      ] as const)
        if (want[field]) expect(body).toMatchObject({ [key]: want[field] })
      if (want.qr_string) expect(body).toMatchObject({ qr_code: { qr_string: want.qr_string } })
    },
  )

  test.each(ofKind('action_response'))(
    'a status inquiry with Xendit’s response in the fixture $name reports the documented status',
    async fixture => {
      reply(fixture.http_status, fixture.response)
      const { reference_id, payment_request_id } = fixture.response as Record<string, string>
      const asked = inquiry({
        reference: reference_id as string,
        providerPaymentId: payment_request_id ?? '',
      })
      expect(await xendit.inquire(account(), asked)).toMatchObject({ fact: { type: fixture.expect.status } })
    },
  )

  const kinds: Record<string, ProviderErrorKind> = {
    validation: 'invalid',
    unsupported_channel: 'inactive',
    // The existing order may come from an earlier request sent by this service, so only a status inquiry can
    // determine the outcome.
    duplicate_order: 'unknown',
    not_found: 'unknown',
    provider_unavailable: 'unavailable',
  }
  // Errors in responses to refund requests are tested in refund.test.ts instead.
  const errors = ofKind('error_response').filter(({ expect: want }) => !('refund' in want))
  test.each(errors)(
    'if Xendit responds to a charge with the error in the fixture $name, the charge fails with the kind of error that the fixture lists',
    async ({ http_status, response, expect: want }) => {
      reply(http_status, response)
      expect(await kindOf(xendit.charge(account(), order()))).toBe(kinds[want.error_class as string])
      const asked = xendit.inquire(account(), inquiry())
      if (want.error_class === 'not_found') expect(await asked).toBe('not_reported')
      else expect(await kindOf(asked)).not.toBe('no error')
    },
  )

  test.each(ofKind('signing'))(
    'for the Xendit signing example in the fixture $name, this service builds the expected Authorization header',
    ({ inputs, expected }) => {
      expect(authorization(inputs)).toBe(expected)
    },
  )
})

test('a channel whose expiry Xendit fixes has this expiry as its maximum, except for OVO', () => {
  const longest = xendit.methods.flatMap(({ channels }) =>
    channels.map(({ code, limits }) => [code, limits.maxExpiryMinutes] as const),
  )
  expect(Object.fromEntries(longest)).toMatchObject({
    qris: 48 * 60,
    dana: 24 * 60,
    ovo: 2,
    linkaja: 30,
    shopeepay: 30,
    astrapay: 15,
    alfamart: 48 * 60,
  })
})
