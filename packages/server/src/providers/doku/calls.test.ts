import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  created,
  dokuWithFakeAcquirer,
  inquiry,
  order,
} from '../../../test/support/doku-with-fake-acquirer.ts'
import { type Answer, kindOf, reference, type Sent } from '../../../test/support/fake-acquirer.ts'
import type { MethodDetail } from '../../payments/method.ts'
import { doku } from './doku.ts'
import { componentOf } from './signature.ts'

const bench = dokuWithFakeAcquirer()

const signatureOf = (sent: Sent, target: string, body?: Buffer) =>
  `HMACSHA256=${createHmac('sha256', bench.account.credentials.secret_key)
    .update(
      componentOf({
        clientId: bench.account.credentials.client_id,
        requestId: sent.headers['request-id'] as string,
        timestamp: sent.headers['request-timestamp'] as string,
        target,
        body,
      }),
    )
    .digest('base64')}`

describe("the DOKU adapter sends charges over DOKU's older interface (non-SNAP)", () => {
  test("a charge's signature covers the path without the host and the exact bytes of the body", async () => {
    bench.acquirer.answer = created
    await doku.charge(bench.account, order('bca'))
    const [sent] = bench.acquirer.calls as [Sent]
    expect(sent.path).toBe('/doku/bca-virtual-account/v2/payment-code')
    expect(sent.headers['client-id']).toBe(bench.account.credentials.client_id)
    expect(sent.headers['request-id']).toBe(reference)
    expect(sent.headers['request-timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(sent.headers.signature).toBe(
      signatureOf(sent, '/bca-virtual-account/v2/payment-code', Buffer.from(sent.text)),
    )
    expect(bench.acquirer.tokens).toHaveLength(0)
  })

  test('a DOKU charge contains the amount in rupiah, the expiry in minutes and our callback URL', async () => {
    bench.acquirer.answer = created
    expect(await doku.charge(bench.account, order('bca'))).toEqual({
      providerPaymentId: reference,
      methodData: { type: 'virtual_account', bank: 'BCA', va_number: '1900600000000046' },
    })
    expect(bench.acquirer.calls[0]?.body).toEqual({
      order: { invoice_number: reference, amount: 100_000 },
      virtual_account_info: { expired_time: 60, reusable_status: false, info1: reference },
      customer: { name: 'Budi Santoso', email: 'budi@example.com' },
      additional_info: { override_notification_url: 'https://pay.example.com/v1/callbacks/doku/1' },
    })
  })

  test('a charge for a store payment returns the code the payer shows to the cashier', async () => {
    bench.acquirer.answer = created
    const customer = { name: '', email: '', phone: '' }
    expect(await doku.charge(bench.account, order('alfamart', { customer }))).toEqual({
      providerPaymentId: reference,
      methodData: { type: 'over_the_counter', store_name: 'Alfamart', payment_code: '6059000000000205' },
    })
    const [{ path, body }] = bench.acquirer.calls as [Sent]
    expect(path).toBe('/doku/alfa-virtual-account/v2/payment-code')
    expect(body.online_to_offline_info).toMatchObject({ expired_time: 60, reusable_status: false })
    expect(body.customer).toEqual({ name: 'Customer' })
  })

  test.each([
    [
      'another order',
      { order: { invoice_number: 'other' }, virtual_account_info: { virtual_account_number: '1' } },
    ],
    ['no order', { virtual_account_info: { virtual_account_number: '1' } }],
    ['no account number', { order: { invoice_number: reference } }],
    [
      'an invalid account number',
      { order: { invoice_number: reference }, virtual_account_info: { virtual_account_number: '19A' } },
    ],
    [
      'a store payment code instead of an account number',
      { order: { invoice_number: reference }, online_to_offline_info: { payment_code: '1' } },
    ],
  ])('the outcome of a charge is unknown if the response contains %s', async (_, body) => {
    bench.acquirer.answer = () => ({ body })
    expect(await kindOf(doku.charge(bench.account, order('bca')))).toBe('unknown')
  })

  test('a charge succeeds even if DOKU returns a numeric account number or spaces around our reference', async () => {
    const virtual_account_info = { virtual_account_number: 1900600000000046 }
    bench.acquirer.answer = () => ({
      body: { order: { invoice_number: ` ${reference} ` }, virtual_account_info },
    })
    expect(await doku.charge(bench.account, order('bca'))).toMatchObject({
      methodData: { va_number: '1900600000000046' },
    })
  })

  const error = (code: string, message = 'said so') => ({ error: { code, message, type: 'error' } })
  test.each([
    [400, error('invalid_parameter'), 'invalid'],
    [422, error('validation_error'), 'invalid'],
    [400, error('transaction_rejected'), 'declined'],
    [400, error('channel', 'CHANNEL IS NOT ACTIVE'), 'inactive'],
    [403, error('merchant'), 'inactive'],
    [400, error('x', 'INVOICE NUMBER ALREADY USED'), 'unknown'],
    [400, error('x', 'INVOICE NUMBER HAS BEEN USED'), 'unknown'],
    [403, error('duplicate_transaction'), 'unknown'],
    // The following error responses are not in DOKU's format, so they may come from a proxy. The outcome of
    // the charge is therefore unknown.
    [400, {}, 'unknown'],
    [400, { error: 'invalid_parameter' }, 'unknown'],
    [400, { error: 'Bad Request', message: 'order.amount is invalid' }, 'unknown'],
    [403, { error: 'Forbidden', message: 'not active' }, 'unknown'],
    [400, { error: null, message: 'order.amount is invalid' }, 'unknown'],
    [400, { error: { code: 7, message: 'invalid' } }, 'unknown'],
    [400, { message: { text: 'invalid' } }, 'unknown'],
    [409, error('x'), 'unknown'],
    [401, error('x'), 'unavailable'],
    [429, error('x'), 'unavailable'],
    [503, error('maintenance_mode'), 'unavailable'],
    [500, error('x'), 'unknown'],
    [404, error('x'), 'unknown'],
    [201, error('x'), 'unknown'],
    [400, { message: ['order.amount is mandatory'] }, 'invalid'],
    [400, '<html></html>', 'unknown'],
    [403, '<html></html>', 'unknown'],
    [502, '<html></html>', 'unknown'],
    [503, '<html></html>', 'unknown'],
    [503, { message: 'failure to get a peer from the ring-balancer' }, 'unknown'],
    [503, { error: 'Service Unavailable', message: 'no healthy upstream' }, 'unknown'],
    [401, '', 'unavailable'],
    [429, '', 'unavailable'],
    [200, 'OK', 'unknown'],
    [200, 'null', 'unknown'],
  ])('a charge that gets the response HTTP %i and %j is reported as %s', async (status, body, kind) => {
    bench.acquirer.answer = () => ({ status, body })
    expect(await kindOf(doku.charge(bench.account, order('bca')))).toBe(kind)
  })

  test('if the connection breaks before DOKU responds to a charge request, the outcome of the charge is unknown', async () => {
    bench.acquirer.answer = () => 'hang up'
    expect(await kindOf(doku.charge(bench.account, order('bca')))).toBe('unknown')
  })

  test("a rejected charge's error contains DOKU's reason but no secret", async () => {
    bench.acquirer.answer = () => ({ status: 400, body: error('invalid_parameter', 'AMOUNT') })
    const fault = await doku.charge(bench.account, order('bca')).catch(error => error)
    expect(fault.message).toBe('invalid_parameter; AMOUNT')
  })
})

describe('the DOKU adapter sends inquiries through the non-SNAP interface', () => {
  const told = (status: string, more: object = {}): Answer => ({
    body: { order: { invoice_number: reference, amount: 100_000 }, transaction: { status }, ...more },
  })

  test('a DOKU inquiry contains our invoice number in its path, and its signed text contains no digest', async () => {
    bench.acquirer.answer = () => told('PENDING')
    await doku.inquire(bench.account, inquiry('bca'))
    const [sent] = bench.acquirer.calls as [Sent]
    expect(sent.path).toBe(`/doku/orders/v1/status/${reference}`)
    expect(sent.headers.signature).toBe(signatureOf(sent, `/orders/v1/status/${reference}`))
    expect(sent.headers['request-id']).not.toBe(reference)
  })

  test('if the response to a charge was lost, a status inquiry returns the payment instructions', async () => {
    bench.acquirer.answer = () =>
      told('PENDING', { virtual_account_info: { virtual_account_number: '1900' } })
    expect(await doku.inquire(bench.account, inquiry('bca'))).toEqual({
      reference,
      providerPaymentId: reference,
      fact: { type: 'pending', methodData: { type: 'virtual_account', bank: 'BCA', va_number: '1900' } },
    })
    bench.acquirer.answer = () => told('PENDING', { online_to_offline_info: { payment_code: '6059' } })
    expect(await doku.inquire(bench.account, inquiry('alfamart'))).toMatchObject({
      fact: { methodData: { store_name: 'Alfamart', payment_code: '6059' } },
    })
  })

  test.each<[string, object]>([
    ['bca', {}],
    ['bca', { online_to_offline_info: { payment_code: '6059' } }],
    ['alfamart', {}],
    ['alfamart', { virtual_account_info: { virtual_account_number: '1900' } }],
    ['alfamart', { online_to_offline_info: { payment_code: '60 59' } }],
  ])(
    'if the response to a status inquiry about a %s payment lacks the number that the payer needs, the result contains no payment instructions: %j',
    async (channel, info) => {
      bench.acquirer.answer = () => told('PENDING', info)
      expect(await doku.inquire(bench.account, inquiry(channel))).toEqual({
        reference,
        providerPaymentId: reference,
        fact: { type: 'pending' },
      })
    },
  )

  test.each([
    ['SUCCESS', 'paid'],
    ['FAILED', 'pending'],
    ['REFUNDED', 'paid'],
    ['EXPIRED', 'expired'],
  ])(
    'an order for which a status inquiry returns %s is read as %s, even if the response contains payment instructions',
    async (status, type) => {
      bench.acquirer.answer = () => told(status, { virtual_account_info: { virtual_account_number: '1900' } })
      expect(await doku.inquire(bench.account, inquiry('bca'))).toMatchObject({ reference, fact: { type } })
    },
  )

  test("a status inquiry reports an order as absent only after a 404 response in DOKU's error format", async () => {
    bench.acquirer.answer = () => ({ status: 404, body: { error: { code: 'data_not_found' } } })
    expect(await doku.inquire(bench.account, inquiry('bca'))).toBe('absent')
    const bodies = [
      ...['<html></html>', '', '{}'],
      { message: 'no Route matched with those values' },
      { timestamp: '2026-11-29T02:00:00Z', status: 404, error: 'Not Found', message: 'No message available' },
      { error: 'data_not_found', message: ['the order does not exist'] },
    ]
    for (const body of bodies) {
      bench.acquirer.answer = () => ({ status: 404, body })
      expect(await kindOf(doku.inquire(bench.account, inquiry('bca')))).toBe('unknown')
    }
  })

  test('a status inquiry fails if the response is for a different order or is unreadable', async () => {
    for (const body of [
      { order: { invoice_number: 'other' }, transaction: { status: 'SUCCESS' } },
      {},
      'null',
    ]) {
      bench.acquirer.answer = () => ({ body })
      expect(await kindOf(doku.inquire(bench.account, inquiry('bca')))).toBe('unknown')
    }
  })
})

test("every channel uses one of DOKU's two APIs, and SNAP charges have the bank's required channel name", async () => {
  bench.acquirer.answer = sent => (sent.path.includes('/v2/payment-code') ? created(sent) : 'hang up')
  for (const { type, channels } of doku.methods) {
    for (const { code } of channels) {
      if (type === 'cardless_credit') continue
      bench.acquirer.calls.length = 0
      const detail = {
        virtual_account: { type, bank: code },
        qris: { type },
        e_wallet: { type, wallet_type: code },
        over_the_counter: { type, store: code },
      }[type] as MethodDetail
      await doku
        .charge(bench.account, order('bca', { channel: code, methodDetail: detail }))
        .catch(() => undefined)
      const [{ path, body }] = bench.acquirer.calls as [Sent]
      if (path.endsWith('create-va') || path.endsWith('host-to-host'))
        expect((body.additionalInfo as { channel?: string }).channel).toMatch(/^(VIRTUAL_ACCOUNT|EMONEY)_/)
    }
  }
})
