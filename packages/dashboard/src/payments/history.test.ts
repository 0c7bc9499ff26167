import { expect, test } from 'vitest'
import { historyOf } from './history.ts'

const created = '2026-11-20T03:00:00.000Z'
const paid = '2026-11-20T03:01:00.000Z'

const changes = [
  { at: created, from: null, to: 'pending', cause: 'create', detail: null },
  { at: paid, from: 'pending', to: 'paid', cause: 'callback', detail: null },
] as const
const tries = [
  {
    number: 1,
    provider: 'midtrans',
    reference: 'GP1',
    outcome: 'accepted',
    reason: null,
    started_at: created,
    ended_at: null,
  },
] as const
const attempt = {
  ...{ duration_ms: 12, response_status: 500, response_headers: null, response_body: '', error: null },
  sent_signatures: null,
}
const delivery = {
  id: 'e1',
  type: 'payment.paid',
  payment_id: 'p1',
  payment_code: 'GP261120-7Q4M2ZK8XW',
  mode: 'test',
  status: 'delivered',
  next_attempt_at: null,
  created_at: paid,
  attempts: [
    { ...attempt, number: 2, started_at: '2026-11-20T03:02:00.000Z', response_status: 200 },
    { ...attempt, number: 1, started_at: '2026-11-20T03:01:00.010Z' },
  ],
} as const

test('a payment’s history is sorted by time; if two times are equal, a cause comes before its effect', () => {
  const history = historyOf(changes, tries, [{ ...delivery, attempts: [...delivery.attempts] }])
  expect(history.map(({ key }) => key)).toEqual([
    'change 0',
    'try 1',
    'change 1',
    'event e1',
    'attempt e1 1',
    'attempt e1 2',
  ])
})
