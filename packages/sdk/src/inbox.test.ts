import { expect, expectTypeOf, test } from 'vitest'
import { failure, ok, service } from '../test/service.ts'
import { Gapura, type WebhookEvent } from './index.ts'

test('each SDK method for unexpected money and unknown outcomes calls the right API operation', async () => {
  const { baseUrl, asked } = await service(ok({}))
  const { unexpectedMoney, unknownPayments, payments } = new Gapura({ accessToken: 'token', baseUrl })
  const reason = 'why'
  await unexpectedMoney.list({ status: 'open', kind: undefined })
  await unexpectedMoney.get('a/b')
  await unexpectedMoney.accept('1', { reason })
  await unexpectedMoney.assign('1', { payment_id: 'p', reason })
  await unexpectedMoney.refund('1', { reason, amount: undefined })
  await unexpectedMoney.refund('1', { reason, amount: 100 })
  await unknownPayments.list({ limit: 5 })
  await unknownPayments.inquire('p')
  await unknownPayments.resolve('p', { decision: 'not_created', reason })
  await payments.listAttempts('p')
  expect(asked.map(({ method, path, body }) => `${method} ${path} ${body}`.trim())).toEqual([
    'GET /v1/unexpected-money?status=open',
    'GET /v1/unexpected-money/a%2Fb',
    'POST /v1/unexpected-money/1/accept {"reason":"why"}',
    'POST /v1/unexpected-money/1/assign {"payment_id":"p","reason":"why"}',
    'POST /v1/unexpected-money/1/refund {"reason":"why"}',
    'POST /v1/unexpected-money/1/refund {"reason":"why","amount":100}',
    'GET /v1/unknown-payments?limit=5',
    'POST /v1/unknown-payments/p/inquire',
    'POST /v1/unknown-payments/p/resolve {"decision":"not_created","reason":"why"}',
    'GET /v1/payments/p/attempts',
  ])
})

test('after an internal error, the SDK retries an inbox decision with the same idempotency key', async () => {
  const message = 'conflict: this record was already accepted at 2026-11-20T05:00:00.000Z: a tip'
  const { baseUrl, asked } = await service(
    failure(500, 'INTERNAL_ERROR', 'internal error', { 'retry-after': '0' }),
    ok({ id: '1' }),
    failure(409, 'CONFLICT', message),
  )
  const { unexpectedMoney } = new Gapura({ accessToken: 'token', baseUrl })
  const accept = () => unexpectedMoney.accept('1', { reason: 'a tip' })
  expect(await accept()).toEqual({ id: '1' })
  expect(new Set(asked.map(each => each.headers['x-idempotency-key'])).size).toBe(1)
  await expect(accept()).rejects.toMatchObject({ name: 'ConflictError', message, outcomeUnknown: false })
})

test('the TypeScript types of the webhook events payment.paid_again, payment.reversed and payment.refunded include a ledger entry', () => {
  const balanceAfter = (event: WebhookEvent, balance: number): number => {
    switch (event.type) {
      case 'payment.paid':
        return balance + event.data.amount_paid
      case 'payment.paid_again':
        expectTypeOf(event.ledger_entry.entry_type).toEqualTypeOf<'credit'>()
        return balance + event.ledger_entry.amount
      case 'payment.reversed':
      case 'payment.refunded':
        expectTypeOf(event.data.status).toEqualTypeOf<'paid'>()
        expectTypeOf(event.ledger_entry.entry_type).toEqualTypeOf<'debit'>()
        return balance - event.ledger_entry.amount
      default:
        return balance
    }
  }
  expectTypeOf(balanceAfter).returns.toBeNumber()
})
