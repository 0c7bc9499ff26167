// Tests the checker's refund rules. Each test takes the evidence from a correct fault-injection round, and
// changes it so that it violates one rule.

import { expect, test } from 'vitest'
import type { Evidence } from './evidence.ts'
import { refundRules } from './refund-rules.ts'
import { check } from './rules.ts'

const at = { tenantId: 't', mode: 'test', paymentId: 'p1' }
const refund = { tenantId: 't', paymentId: 'p1', provider: 'xendit', method: 'provider', origin: 'merchant' }

/**
 * Returns the records of a fault-injection round that breaks no rule: a payment of 100 cents with five
 * refunds.
 * - The first refund succeeded.
 * - The second refund failed.
 * - The request for the third refund was lost, so the Owner must decide the refund's outcome.
 * - The fourth refund waits until the Owner pays it by bank transfer.
 * - The fifth refund was made at the provider, without a request from the service.
 */
function sound() {
  const refunds = [
    {
      ...refund,
      id: 'r1',
      key: 'k1',
      reference: 'GP-A-R1',
      amount: 30n,
      status: 'succeeded',
      isRequested: true,
    },
    {
      ...refund,
      id: 'r2',
      key: 'k2',
      reference: 'GP-A-R2',
      amount: 70n,
      status: 'failed',
      isRequested: true,
    },
    {
      ...refund,
      id: 'r3',
      key: 'k3',
      reference: 'GP-A-R3',
      amount: 20n,
      status: 'pending',
      isRequested: true,
    },
    {
      ...{ ...refund, id: 'r4', key: 'k4', reference: 'GP-A-R4', amount: 15n, status: 'pending' },
      ...{ method: 'manual', isRequested: false },
    },
    {
      ...{ ...refund, id: 'r5', key: null, reference: 'GP-A-R5', amount: 10n, status: 'succeeded' },
      ...{ origin: 'provider', isRequested: false },
    },
  ]
  return {
    answered: [],
    unanswered: [],
    answeredRefunds: [{ tenantId: 't', key: 'k1', id: 'r1', paymentId: 'p1', amount: 30n }],
    orders: [
      {
        ...{ provider: 'xendit', reference: 'GP-A', status: 'paid' },
        ...{ askedCents: 100n, recordedCents: 100n, heldCents: 60n },
        payerFeeCents: 0n,
        listsRefunds: true as boolean,
        returns: [
          { kind: 'refund', key: 'GP-A-R1', cents: 30n, status: 'succeeded' },
          { kind: 'refund', key: 'GP-A-R2', cents: 70n, status: 'failed' },
          { kind: 'refund', key: null as string | null, cents: 10n, status: 'succeeded' },
        ],
      },
    ],
    sent: [{ provider: 'xendit', reference: 'GP-A', body: 'refund', answeredStatus: 200 }],
    arrivals: [{ tenantId: 't', eventId: 'e1', paymentId: 'p1', type: 'payment.paid', isGenuine: true }],
    interruptions: 0,
    redelivered: new Set<string>(),
    payments: [
      {
        ...{ tenantId: 't', id: 'p1', code: 'GP-A', key: 'k', status: 'paid' },
        ...{ amount: 100n, amountPaid: 100n },
      },
    ],
    transitions: [{ tenantId: 't', paymentId: 'p1', number: 1, from: 'pending', to: 'paid' }],
    entries: [
      {
        ...at,
        version: 1n,
        refundId: null as string | null,
        type: 'credit',
        amount: 100n,
        balanceAfter: 100n,
      },
      { ...at, version: 2n, refundId: 'r2', type: 'debit', amount: 70n, balanceAfter: 30n },
      { ...at, version: 3n, refundId: 'r2', type: 'credit', amount: 70n, balanceAfter: 100n },
      { ...at, version: 4n, refundId: 'r1', type: 'debit', amount: 30n, balanceAfter: 70n },
      { ...at, version: 5n, refundId: 'r3', type: 'debit', amount: 20n, balanceAfter: 50n },
      { ...at, version: 6n, refundId: 'r4', type: 'debit', amount: 15n, balanceAfter: 35n },
      { ...at, version: 7n, refundId: 'r5', type: 'debit', amount: 10n, balanceAfter: 25n },
    ],
    refunds: refunds as Evidence['refunds'],
    balances: [{ tenantId: 't', mode: 'test', balance: 25n, version: 7n }],
    events: [{ tenantId: 't', id: 'e1', paymentId: 'p1', number: 1, type: 'payment.paid', attempts: 1 }],
    callbacks: [{ provider: 'xendit', body: 'refund', status: 'applied' }],
    unexpected: [],
  } satisfies Evidence
}
type Sound = ReturnType<typeof sound>
type Name = keyof typeof refundRules

const firstRefund = (round: Sound) => round.refunds[0] as Sound['refunds'][number]
const entry = (round: Sound, n: number) => round.entries[n] as Sound['entries'][number]
const order = (round: Sound) => round.orders[0] as Sound['orders'][number]

/**
 * Lists, for each rule of the checker, changes to a valid round that violate this rule. Each change has a
 * pattern that the reported message must match.
 */
const planted: Record<Name, Record<string, [plant: (round: Sound) => void, said: RegExp]>> = {
  'every refund exists if its create request returned 200': {
    'a confirmed refund is missing': [round => void round.refunds.shift(), /r1 .* does not exist/],
    'the amount of a refund differs from the response': [
      round => Object.assign(round.answeredRefunds[0] as object, { amount: 31n }),
      /GP-A-R1 .* differs/,
    ],
  },
  'no idempotency key creates more than one refund': {
    'a repeated request made another refund': [
      round => void round.refunds.push({ ...firstRefund(round), id: 'r9' }),
      /t\/k1 has 2 refunds/,
    ],
    'a repeated request returned another refund': [
      round =>
        void round.answeredRefunds.push({
          ...(round.answeredRefunds[0] as Sound['answeredRefunds'][number]),
          id: 'r2',
        }),
      /t\/k1 has 2 refunds/,
    ],
  },
  'every refund is debited exactly once': {
    'a refund that succeeded is not debited': [
      round => void round.entries.splice(3, 1),
      /GP-A-R1 \(succeeded\) has 0 entries/,
    ],
    'a refund is debited twice': [
      round => void round.entries.push({ ...entry(round, 3), version: 8n }),
      /GP-A-R1 \(succeeded\) has 2 entries: -60/,
    ],
    'a refund that succeeded was credited back': [
      round => void round.entries.push({ ...entry(round, 3), type: 'credit', version: 8n }),
      /GP-A-R1 \(succeeded\) has 2 entries: 0/,
    ],
    'another amount than the refunded amount is debited': [
      round => Object.assign(entry(round, 3), { amount: 29n }),
      /GP-A-R1 .* has 1 entries: -29/,
    ],
    'a refund is credited instead of debited': [
      round => Object.assign(entry(round, 3), { type: 'credit' }),
      /GP-A-R1 .* has 1 entries: 30/,
    ],
  },
  'a failed refund leaves no debit': {
    'a failed refund is not credited back': [
      round => void round.entries.splice(2, 1),
      /GP-A-R2 \(failed\) add up to -70/,
    ],
    'a failed refund is credited back twice': [
      round => void round.entries.push({ ...entry(round, 2), version: 8n }),
      /GP-A-R2 \(failed\) add up to 70/,
    ],
  },
  'the refunds at the provider equal the debits': {
    'the provider refunded twice': [
      round =>
        void order(round).returns.push({
          ...(order(round).returns[0] as Sound['orders'][number]['returns'][number]),
          key: 'GP-A-R1-2',
        }),
      /GP-A: the provider refunded 60, but 30 was debited/,
    ],
    'the provider did not make a debited refund': [
      round => void order(round).returns.shift(),
      /GP-A: the provider refunded 0, but 30 was debited/,
    ],
    'the provider made a refund that failed in the service': [
      round => Object.assign(order(round).returns[1] as object, { status: 'succeeded' }),
      /GP-A: the provider refunded 100, but 30 was debited/,
    ],
  },
  'refunds never exceed the amount paid': {
    'the refunds exceed the amount of the payment': [
      round => Object.assign(firstRefund(round), { amount: 66n }),
      /GP-A has refunds of 101, but 100 was paid/,
    ],
    'the provider returned more than was paid': [
      round => Object.assign(order(round).returns[0] as object, { cents: 91n }),
      /xendit refunded 101 for GP-A, but only 100 was paid/,
    ],
  },
  'every refund is final or the Owner must act on it': {
    'a refund was never requested from the provider': [
      round => Object.assign(round.refunds[2] as object, { isRequested: false }),
      /GP-A-R3 \(pending\) was never requested/,
    ],
    'the provider lists a refund as final that is pending in the service': [
      round => Object.assign(firstRefund(round), { status: 'pending' }),
      /GP-A-R1 \(pending\) has the status succeeded at the provider/,
    ],
  },
}

test('the checker of fault-injection rounds reports no violation if all refunds are correct', () => {
  expect(check(sound())).toEqual([])
})

test('if a provider lists no refunds, the checker accepts a failed refund that is still pending', () => {
  const round = sound()
  Object.assign(firstRefund(round), { status: 'pending' })
  Object.assign(order(round), { listsRefunds: false, heldCents: 90n })
  Object.assign(order(round).returns[0] as object, { status: 'failed' })
  expect(check(round)).toEqual([])
  Object.assign(order(round), { listsRefunds: true })
  expect(new Set(check(round).map(({ rule }) => rule))).toEqual(
    new Set([
      'the refunds at the provider equal the debits',
      'every refund is final or the Owner must act on it',
      'the ledger and the open records add up to the money at the provider',
    ]),
  )
})

const cases = (Object.keys(refundRules) as Name[]).flatMap(rule =>
  Object.entries(planted[rule]).map(([what, [plant, said]]) => ({ rule, what, plant, said })),
)

test.each(cases)(
  'the fault-injection checker reports a violation of the rule “$rule” if $what',
  ({ rule, plant, said }) => {
    const round = sound()
    plant(round)
    const broken = check(round).filter(violation => violation.rule === rule)
    expect(broken.map(({ detail }) => detail)).toEqual([expect.stringMatching(said)])
  },
)
