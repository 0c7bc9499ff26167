import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fakeServer } from '../../../test/support/fake-server.ts'
import { accountAt, inquiry, kindOf, order } from '../../../test/support/midtrans.ts'
import { receive, updatesIn } from '../../../test/support/receive-callback.ts'
import type { MethodDetail } from '../../payments/method.ts'
import { centsOfDecimal } from '../../values/money.ts'
import type { ProviderErrorKind, ProviderUpdate } from '../provider.ts'
import { authorization } from './client.ts'
import type { Credentials } from './credentials.ts'
import { type ChargeRequest, transaction } from './messages.ts'
import { midtrans } from './midtrans.ts'
import { signatureOf } from './signature.ts'
import { instructionsOf, toUpdate } from './translate.ts'

const { url, replies: reply } = await fakeServer()
const account = (credentials?: Credentials) => accountAt(url, credentials)

type Fixture = {
  name: string
  kind:
    | 'notification'
    | 'create_response'
    | 'action_response'
    | 'error_response'
    | 'status_response'
    | 'signing'
  method?: string
  http_status: number
  http_request: { method: string; path: string; body: ChargeRequest }
  headers: Record<string, string>
  raw_body: string
  response: Record<string, unknown>
  credentials: Credentials
  inputs: { server_key: string; order_id: string; status_code: string; gross_amount: string }
  expected: string
  expect: Record<string, string | number | boolean | null>
}
type ExpectedRefund = {
  origin: string
  amount_cents: number | null
  total_refunded_cents: number | null
  provider_refund_id: string | null
  status: string
}
const refundOf = ({ expect: want }: Fixture) => want?.refund as unknown as ExpectedRefund | undefined
const directory = join(import.meta.dirname, 'fixtures')
const fixtures = readdirSync(directory).map(name => ({
  name,
  ...(JSON.parse(readFileSync(join(directory, name), 'utf8')) as Omit<Fixture, 'name'>),
}))
const ofKind = (kind: Fixture['kind']): Fixture[] => fixtures.filter(fixture => fixture.kind === kind)

describe('the adapter reads every message published by Midtrans as Midtrans documents it', () => {
  test('every recorded or published Midtrans message has a kind that a test reads', () => {
    expect(fixtures.length).toBeGreaterThan(0)
    for (const { kind } of fixtures)
      expect([
        ...['notification', 'create_response', 'action_response', 'error_response'],
        ...['status_response', 'signing'],
      ]).toContain(kind)
  })

  test.each(ofKind('notification'))(
    'the Midtrans notification in the fixture $name passes signature verification and is read as the fixture expects',
    ({ raw_body, headers, credentials, expect: want }) => {
      const called = { path: '/', headers, body: Buffer.from(raw_body), receivedAt: new Date() }
      const reading = receive(midtrans, account(credentials), called)
      expect(reading.verified).toBe(want.signature_valid)
      if (!('updates' in reading)) return
      expect(reading.updates).toHaveLength(1)
      const { reference, providerPaymentId, fact } = reading.updates[0] as ProviderUpdate
      expect([reference, providerPaymentId]).toEqual([want.order_id, want.provider_payment_id])
      expect(['nothing', 'unproven'].includes(fact.type) ? null : fact.type).toBe(want.status)
      expect(fact.type).not.toBe(want.must_not_be)
      if (fact.type === 'paid') expect(fact.amountPaid).toBe(BigInt(want.amount_paid_cents as number))
    },
  )

  // refund.test.ts tests the responses to refund requests.
  const returned = fixtures.filter(each => refundOf(each) && each.kind !== 'error_response')

  test.each(returned)(
    'the fixture $name, read as a Midtrans status response, reports a paid order and the money returned',
    async fixture => {
      const { raw_body, response = JSON.parse(raw_body), expect: want } = fixture
      reply(200, response)
      const reference = want.order_id as string
      const update = (await midtrans.inquire(account(), { ...inquiry, reference })) as ProviderUpdate
      const amountPaid = centsOfDecimal(response.gross_amount as string)
      expect(update).toMatchObject({ reference, fact: { type: 'paid', amountPaid } })
      const { origin, amount_cents, total_refunded_cents, provider_refund_id, status } = refundOf(
        fixture,
      ) as ExpectedRefund
      expect(update.returns?.at(-1)).toMatchObject({
        kind: origin === 'chargeback' ? 'chargeback' : 'refund',
        id: provider_refund_id,
        amount: BigInt(amount_cents as number),
        status,
      })
      if (total_refunded_cents !== null) {
        const total = update.returns?.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)
        expect(total).toBe(BigInt(total_refunded_cents))
      }
    },
  )

  test.each(returned.filter(({ kind }) => kind === 'notification'))(
    'the Midtrans notification in the fixture $name does not prove a refund or chargeback, because Midtrans does not sign the status',
    ({ raw_body, headers, credentials }) => {
      const called = { path: '/', headers, body: Buffer.from(raw_body), receivedAt: new Date() }
      const [update] = updatesIn(receive(midtrans, account(credentials), called))
      expect(update?.fact.type).toBe('unproven')
      expect(update?.returns).toBeUndefined()
    },
  )

  const details: Record<string, (body: ChargeRequest) => MethodDetail> = {
    virtual_account: body => ({ type: 'virtual_account', bank: body.bank_transfer?.bank ?? 'mandiri' }),
    qris: () => ({ type: 'qris' }),
    e_wallet: body => ({ type: 'e_wallet', wallet_type: body.payment_type }),
    over_the_counter: body => ({ type: 'over_the_counter', store: body.cstore?.store ?? '' }),
  }
  test.each(ofKind('create_response').filter(each => each.method !== 'cardless_credit'))(
    'for the Midtrans charge response in the fixture $name, the values read match the fixture',
    async ({ http_status, http_request, response, method, expect: want }) => {
      reply(http_status, response)
      const methodDetail = (details[method as string] as (typeof details)[string])(http_request.body)
      // For some responses, Midtrans published the request for a different order. The test therefore builds the
      // order from the response.
      const { order_id, gross_amount } = response as { order_id: string; gross_amount: string }
      const amount = centsOfDecimal(gross_amount) as bigint
      const asked = order({ methodDetail, reference: order_id, amount })
      const taken = await midtrans.charge(account(), asked)
      expect(taken.providerPaymentId).toBe(want.provider_payment_id)
      const told: Record<string, unknown> = taken.methodData
      for (const field of ['bank', 'va_number', 'qr_image_url', 'deeplink', 'payment_code'] as const) {
        if (field in want && field in told) expect(told[field]).toBe(want[field])
      }
      if (want.biller_code) expect(told.va_number).toBe(`${want.biller_code}${want.bill_key}`)
      if (want.store_name) expect(String(told.store_name).toLowerCase()).toBe(want.store_name)
    },
  )

  test.each(ofKind('create_response').filter(each => each.method === 'cardless_credit'))(
    'the service reads the Midtrans response in the fixture $name correctly, although it cannot charge this payment method yet',
    ({ response, expect: want }) => {
      const read = transaction.parse(response)
      expect(toUpdate(read, 'answer')).toMatchObject({
        reference: want.order_id,
        providerPaymentId: want.provider_payment_id,
        fact: { type: want.status },
      })
      expect(instructionsOf(read).redirectUrl).toBe(want.redirect_url)
    },
  )

  test.each(ofKind('action_response'))(
    'a status inquiry reads the response in the fixture $name as a cancelled or expired order, even if the response code looks like an error',
    async fixture => {
      reply(fixture.http_status, fixture.response)
      const reference = fixture.response.order_id as string
      expect(await midtrans.inquire(account(), { ...inquiry, reference })).toMatchObject({
        reference,
        fact: { type: fixture.expect.status },
      })
    },
  )

  const kinds: Record<string, ProviderErrorKind> = {
    validation: 'invalid',
    authentication: 'unavailable',
    channel_not_activated: 'inactive',
    // If the order already exists, an earlier request of this service may have created it, so the outcome is
    // known only after a status inquiry.
    duplicate_order: 'unknown',
    provider_unavailable: 'unavailable',
    payer_unknown: 'declined',
  }
  test.each(ofKind('error_response').filter(each => !refundOf(each)))(
    'if Midtrans responds to a charge with the error in the fixture $name, the charge fails with the kind of error that the fixture lists',
    async ({ http_status, http_request, response, expect: want }) => {
      reply(http_status, response)
      const { payment_type: channel } = http_request.body ?? {}
      const asked = order(channel === 'ovo' ? { channel } : {})
      expect(await kindOf(midtrans.charge(account(), asked))).toBe(kinds[want.error_class as string])
    },
  )

  test.each(ofKind('signing'))(
    "from the inputs in Midtrans' signing example $name, the service computes the same signature or authorization as Midtrans",
    ({ inputs, expected }) => {
      const { server_key } = inputs
      expect('order_id' in inputs ? signatureOf(inputs, server_key) : authorization({ server_key })).toBe(
        expected,
      )
    },
  )
})
