import { expect, test } from 'vitest'
import { markdown } from './report.ts'

const round = {
  seed: 7,
  violations: [],
  faults: { 'kill api': 2, 'move clock': 1 },
  payments: 100,
  paid: 70,
  refunds: { succeeded: 4, failed: 1, waiting: 2 },
  unanswered: 1,
  requests: 150,
  callbacks: 90,
  webhooks: 80,
  surplusWebhooks: 2,
  redelivered: 3,
  recoveredMs: 1_500,
  resumedMs: [1_200, 3_400],
}
const size = {
  at: '2026-11-22T10:00:00.000Z',
  processors: 2,
  apis: 2,
  workers: 2,
  seconds: 60,
  faults: 3,
  rate: 8,
}

test('the fault-injection report shows totals over all rounds, and the longest recovery time', () => {
  const text = markdown({ ...size, rounds: [round, { ...round, seed: 8, recoveredMs: 2_500 }] })
  expect(text).toContain('Seeds 7 to 8')
  for (const line of [
    '| rounds | 2 |',
    '| faults | 6 |',
    '| payments | 200 |',
    '| paid payments | 140 |',
    '| refunds that merchants requested: succeeded, failed, waiting for the Owner | 8, 2, 4 |',
    '| webhooks received without a recorded delivery attempt | 4 |',
    '| webhooks redelivered by merchants | 6 |',
    '| longest time from the last fault until all due work was done | 2.5 s |',
    '| longest time from a promotion of the standby to the next confirmed create | 3.4 s |',
    '| violations of the rules | 0 |',
    '| kill api | 4 |',
    '| kill worker | 0 |',
  ])
    expect(text).toContain(line)
})

test('the report of a failed fault-injection round shows the violated rule and the seed that reproduces it', () => {
  const violations = [
    { rule: 'every webhook event is delivered', detail: 'payment.paid e1 was not delivered' },
  ]
  const text = markdown({ ...size, rounds: [round, { ...round, seed: 8, violations }] })
  expect(text).toContain('| violations of the rules | 1 |')
  expect(text).toContain('- seed 8: every webhook event is delivered: payment.paid e1 was not delivered')
})

test('the fault-injection report lists each standby promotion after which the service took more than 15 s to resume', () => {
  const text = markdown({ ...size, rounds: [{ ...round, resumedMs: [15_000, 15_001] }] })
  expect(text).toContain('- seed 7: the service resumed 15001 ms after a promotion')
  expect(text).not.toContain('15000 ms')
})
