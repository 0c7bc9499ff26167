import { expect, test } from 'vitest'
import { makePayment, now } from '../../test/support/make-payment.ts'
import { testEvent, webhookEvent } from './event.ts'

const payment = makePayment({ mode: 'live', transitionCount: 3 })

test('a webhook event contains the exact body to send, and the number of the status transition that caused it', () => {
  const event = webhookEvent(payment, { amount: 5 }, 'payment.failed', 'pending', now, undefined)
  expect(event).toStrictEqual({
    tenantId: payment.tenantId,
    id: expect.any(String),
    paymentId: payment.id,
    number: 3,
    mode: 'live',
    type: 'payment.failed',
    body: expect.any(String),
    createdAt: now,
  })
  expect(JSON.parse(event.body)).toStrictEqual({
    id: event.id,
    type: 'payment.failed',
    created_at: now.toISOString(),
    mode: 'live',
    previous_status: 'pending',
    data: { amount: 5 },
  })
})

test('a webhook event about a balance change contains the ledger entry', () => {
  const movement = { entryType: 'debit', amount: 10_050n, referenceId: 'GP1', reason: 'reversed' } as const
  const { body } = webhookEvent(payment, {}, 'payment.reversed', 'paid', now, movement)
  expect(JSON.parse(body).ledger_entry).toStrictEqual({
    entry_type: 'debit',
    amount: 10_050,
    reference_id: 'GP1',
    reason: 'reversed',
  })
})

test('a webhook test event contains no payment and is in test mode', () => {
  const event = testEvent('tenant-1', now)
  expect(event).toStrictEqual({
    tenantId: 'tenant-1',
    id: expect.any(String),
    paymentId: null,
    number: 0,
    mode: 'test',
    type: 'webhook.test',
    body: expect.any(String),
    createdAt: now,
  })
  expect(JSON.parse(event.body)).toStrictEqual({
    id: event.id,
    type: 'webhook.test',
    created_at: now.toISOString(),
    mode: 'test',
    previous_status: null,
    data: { message: expect.stringContaining('test') },
  })
})
