// Tests the checker of the fault-injection test. Each test changes the records of a correct round (the
// evidence) so that they violate one rule.

import { expect, test } from 'vitest'
import type { Evidence } from './evidence.ts'
import type { refundRules } from './refund-rules.ts'
import { check, type RuleName } from './rules.ts'

/**
 * Returns the amounts for an order without refunds: the provider received the requested amount and still holds all
 * of it.
 */
const cents = (asked: bigint) => ({
  askedCents: asked,
  recordedCents: asked,
  heldCents: asked,
  payerFeeCents: 0n,
  listsRefunds: true,
  returns: [],
})

/**
 * Returns the records of a fault-injection round that breaks no rule: a merchant's two payments, one paid and
 * one cancelled. The merchant received the webhooks for both.
 */
function sound() {
  const at = { tenantId: 't', mode: 'test' }
  return {
    answered: [
      { tenantId: 't', key: 'k1', id: 'p1', code: 'GP260101-A', amount: 100n, isEcho: true },
      { tenantId: 't', key: 'k2', id: 'p2', code: 'GP260101-B', amount: 200n, isEcho: true },
    ],
    answeredRefunds: [],
    unanswered: [{ tenantId: 't', key: 'k3' }],
    orders: [
      { provider: 'snap', reference: 'GP260101-A', status: 'paid', ...cents(100n) },
      { provider: 'snap', reference: 'GP260101-B-2', status: 'pending', ...cents(200n) },
    ],
    sent: [
      { provider: 'snap', reference: 'GP260101-A', body: 'paid', answeredStatus: 200 },
      { provider: 'snap', reference: 'GP260101-A', body: 'paid', answeredStatus: 0 },
      { provider: 'snap', reference: 'GP260101-A', body: 'forged', answeredStatus: 401 },
    ],
    arrivals: [
      { tenantId: 't', eventId: 'e1', paymentId: 'p1', type: 'payment.paid', isGenuine: true },
      { tenantId: 't', eventId: 'e2', paymentId: 'p2', type: 'payment.cancelled', isGenuine: true },
    ],
    interruptions: 1,
    redelivered: new Set<string>(),
    payments: [
      {
        tenantId: 't',
        id: 'p1',
        code: 'GP260101-A',
        key: 'k1',
        status: 'paid',
        amount: 100n,
        amountPaid: 100n,
      },
      {
        tenantId: 't',
        id: 'p2',
        code: 'GP260101-B',
        key: 'k2',
        status: 'cancelled',
        amount: 200n,
        amountPaid: null,
      },
      {
        tenantId: 't',
        id: 'p3',
        code: 'GP260101-C',
        key: 'k3',
        status: 'unknown',
        amount: 300n,
        amountPaid: null,
      },
    ],
    transitions: [
      { tenantId: 't', paymentId: 'p1', number: 1, from: 'charging', to: 'pending' },
      { tenantId: 't', paymentId: 'p1', number: 2, from: 'pending', to: 'paid' },
      { tenantId: 't', paymentId: 'p2', number: 1, from: 'charging', to: 'pending' },
      { tenantId: 't', paymentId: 'p2', number: 2, from: 'pending', to: 'cancelled' },
      { tenantId: 't', paymentId: 'p3', number: 1, from: 'charging', to: 'unknown' },
    ],
    entries: [
      {
        ...at,
        version: 1n,
        paymentId: 'p1',
        refundId: null,
        type: 'credit',
        amount: 100n,
        balanceAfter: 100n,
      },
    ],
    refunds: [],
    balances: [{ ...at, balance: 100n, version: 1n }],
    events: [
      { tenantId: 't', id: 'e1', paymentId: 'p1', number: 2, type: 'payment.paid', attempts: 1 },
      { tenantId: 't', id: 'e2', paymentId: 'p2', number: 2, type: 'payment.cancelled', attempts: 1 },
    ],
    callbacks: [
      { provider: 'snap', body: 'paid', status: 'applied' },
      { provider: 'snap', body: 'paid', status: 'repeated' },
    ],
    unexpected: [
      {
        paymentId: 'p1' as string | null,
        kind: 'late',
        status: 'open',
        credited: true as boolean,
        amount: 100n as bigint | null,
        reference: 'GP260101-A',
      },
    ],
  } satisfies Evidence
}
type Sound = ReturnType<typeof sound>

/**
 * Changes the round's data as if the provider had refunded 40 of the payment's 100 cents and reported the refund. The
 * Owner has not decided on this refund yet.
 */
function returned(round: Sound): void {
  Object.assign(round.orders[0] as object, { heldCents: 60n })
  round.sent.push({ provider: 'snap', reference: 'GP260101-A', body: 'refund of 40', answeredStatus: 200 })
  round.callbacks.push({ provider: 'snap', body: 'refund of 40', status: 'applied' })
  const [late] = round.unexpected
  round.unexpected.push({ ...(late as Sound['unexpected'][0]), kind: 'refund', credited: false, amount: 40n })
}

/**
 * For each rule: changes to a correct round that violate the rule, each with a pattern for the error message
 * that the checker must return.
 */
const planted: {
  [Rule in Exclude<RuleName, keyof typeof refundRules>]: Record<
    string,
    [plant: (round: Sound) => void, said: RegExp]
  >
} = {
  'every payment whose create request returned 200 exists': {
    'the payment row is missing': [round => void round.payments.shift(), /GP260101-A .* does not exist/],
    'the amount of the payment differs from the response': [
      round => Object.assign(round.payments[0] as object, { amount: 1n }),
      /differs from the response/,
    ],
    'the create response was about another order': [
      round => Object.assign(round.answered[0] as object, { isEcho: false }),
      /differs from the response/,
    ],
    'no provider received the order': [
      round => void round.orders.pop(),
      /GP260101-B .* no provider has an order/,
    ],
  },
  'a create request that gets no response leaves its payment in the status unknown': {
    'a create request without a response left no payment': [
      round => void round.payments.pop(),
      /k3 .* missing/,
    ],
    'a create request without a response left a charging payment': [
      round => Object.assign(round.payments[2] as object, { status: 'charging' }),
      /k3 .* is charging/,
    ],
  },
  'no idempotency key creates more than one payment': {
    'a repeated create returned another payment': [
      round => void round.answered.push({ ...(round.answered[0] as Sound['answered'][0]), id: 'p9' }),
      /t\/k1 has 2 payments/,
    ],
  },
  'every payment is charged once': {
    'a payment was charged twice': [
      round =>
        void round.orders.push({ ...(round.orders[0] as Sound['orders'][0]), reference: 'GP260101-A-2' }),
      /GP260101-A has 2 orders/,
    ],
  },
  'every acknowledged callback is applied': {
    'an acknowledged callback was not stored': [
      round => void round.sent.push({ ...(round.sent[0] as Sound['sent'][0]), body: 'dropped' }),
      /1 callbacks were acknowledged, but 0 stored/,
    ],
    'two callbacks were acknowledged and one was stored': [
      round => {
        round.sent.push({ ...(round.sent[0] as Sound['sent'][0]) })
        round.callbacks.pop()
      },
      /2 callbacks were acknowledged, but 1 stored/,
    ],
    'a stored callback was never processed': [
      round => Object.assign(round.callbacks[0] as object, { status: 'received' }),
      /a callback is received/,
    ],
    'a callback matched no payment': [
      round => Object.assign(round.callbacks[0] as object, { status: 'unmatched' }),
      /a callback is unmatched/,
    ],
  },
  'every received payment has exactly one credit': {
    'the credit of a paid payment is missing': [
      round => void round.entries.pop(),
      /GP260101-A .* has 0 entries/,
    ],
    'the payment was credited twice': [
      round => void round.entries.push({ ...(round.entries[0] as Sound['entries'][0]), version: 2n }),
      /GP260101-A .* has 2 entries/,
    ],
    'another amount than the paid amount was credited': [
      round => Object.assign(round.entries[0] as object, { amount: 99n }),
      /another kind or amount: credit of 99/,
    ],
    'a paid payment was debited instead of credited': [
      round => Object.assign(round.entries[0] as object, { type: 'debit' }),
      /another kind or amount: debit of 100/,
    ],
    'the payment of an order is missing': [
      round => void round.payments.shift(),
      /GP260101-A .* belongs to no payment/,
    ],
  },
  'the ledger and the open records add up to the money at the provider': {
    'a refund left no record': [
      round => {
        returned(round)
        round.unexpected.pop()
      },
      /GP260101-A .* provider holds 60, but the ledger has 100, open records 0/,
    ],
    'a refund was recorded with another amount': [
      round => {
        returned(round)
        Object.assign(round.unexpected.at(-1) as object, { amount: 39n })
      },
      /provider holds 60, but the ledger has 100, open records -39/,
    ],
    'a provider reported more money for a payment, and the difference was lost': [
      round => {
        Object.assign(round.orders[0] as object, { recordedCents: 15_000n, heldCents: 15_000n })
        round.sent.push({ provider: 'snap', reference: 'GP260101-A', body: '"150.00"', answeredStatus: 200 })
        round.callbacks.push({ provider: 'snap', body: '"150.00"', status: 'repeated' })
      },
      /provider holds 15000, but the ledger has 100, open records 0/,
    ],
  },
  'no payment is paid or credited unless the provider received money for it': {
    'a forged callback was accepted': [
      round => Object.assign(round.payments[1] as object, { status: 'paid', amountPaid: 200n }),
      /GP260101-B is paid with 200/,
    ],
    'more money was credited than was paid': [
      round => Object.assign(round.payments[0] as object, { amountPaid: 101n }),
      /GP260101-A is paid with 101/,
    ],
    'a ledger entry belongs to an unpaid payment': [
      round => Object.assign(round.entries[0] as object, { paymentId: 'p2' }),
      /payment p2, which was not paid/,
    ],
  },
  'every payment with a credit is paid': {
    'a credited payment is not paid': [
      round => Object.assign(round.payments[0] as object, { status: 'expired', amountPaid: null }),
      /GP260101-A is expired/,
    ],
  },
  'every balance equals the sum of its entries': {
    'the balance after a ledger entry is wrong': [
      round => Object.assign(round.entries[0] as object, { balanceAfter: 101n }),
      /breaks at entry 1/,
    ],
    'a number in the sequence of ledger entries is missing': [
      round => Object.assign(round.entries[0] as object, { version: 2n }),
      /breaks at entry 2/,
    ],
    'the balance is not the sum of its ledger entries': [
      round => Object.assign(round.balances[0] as object, { balance: 101n }),
      /is 101, but its ledger entries add up to 100/,
    ],
    'the balance is missing': [round => void round.balances.pop(), /does not exist, but has ledger entries/],
  },
  'every payment has a complete timeline': {
    'a status change is missing in the timeline': [
      round => void round.transitions.splice(1, 1),
      /GP260101-A has a gap or does not end with paid/,
    ],
    'a status change does not follow the previous one': [
      round => Object.assign(round.transitions[1] as object, { from: 'expired' }),
      /GP260101-A has a gap/,
    ],
  },
  'every status change has one webhook event': {
    'the webhook event of a status change is missing': [
      round => void round.events.shift(),
      /p1 became paid, but this status change has 0 webhook events/,
    ],
    'a status change has two webhook events': [
      round => void round.events.push({ ...(round.events[0] as Sound['events'][0]) }),
      /p1 became paid, but this status change has 2 webhook events/,
    ],
    'the webhook event reports another status': [
      round => Object.assign(round.events[0] as object, { type: 'payment.failed' }),
      /p1 became paid/,
    ],
  },
  'every webhook event is delivered': {
    'a webhook event never arrived': [
      round => void round.arrivals.shift(),
      /payment.paid e1 was not delivered in 1 attempts/,
    ],
    'a webhook event arrived at another tenant': [
      round => Object.assign(round.arrivals[0] as object, { tenantId: 'u' }),
      /e1 was not delivered/,
    ],
    'a webhook event arrived only with an invalid signature': [
      round => Object.assign(round.arrivals[0] as object, { isGenuine: false }),
      /e1 was not delivered/,
    ],
  },
  'every delivered webhook is signed and has an event': {
    'a webhook arrived whose event does not exist': [
      round => void round.arrivals.push({ ...(round.arrivals[0] as Sound['arrivals'][0]), eventId: 'e9' }),
      /e9 was delivered, but the database has no such event/,
    ],
    'a webhook arrived with an invalid signature': [
      round => Object.assign(round.arrivals[0] as object, { isGenuine: false }),
      /e1 was delivered with an invalid signature/,
    ],
  },
  'no webhook event has too many delivery attempts': {
    'more attempts of an event were recorded than allowed': [
      round => Object.assign(round.events[0] as object, { attempts: 6 }),
      /e1 has 6 attempts, at most 4 are allowed/,
    ],
    'an event was received more often than its recorded attempts allow': [
      round => void round.arrivals.push(...Array(5).fill(round.arrivals[0])),
      /e1 was delivered 5 times more often than recorded, but at most 1 unrecorded attempts are allowed/,
    ],
  },
  'no payment of the exact amount waits for a decision of the Owner, unless it is late': {
    'a payment was paid twice': [
      round => Object.assign(round.unexpected[0] as object, { kind: 'second_payment' }),
      /GP260101-A: second_payment/,
    ],
  },
}

test('the fault-injection checker reports no violation if all records of the round are correct', () => {
  expect(check(sound())).toEqual([])
  const round = sound()
  returned(round)
  expect(check(round)).toEqual([])
})

test('the fault-injection checker accepts the provider’s last recorded amount, with or without the payer’s fee', () => {
  const round = sound()
  Object.assign(round.orders[0] as object, { recordedCents: 150n, payerFeeCents: 20n })
  const rule = 'no payment is paid or credited unless the provider received money for it'
  const brokenWith = (amountPaid: bigint) => {
    Object.assign(round.payments[0] as object, { amountPaid })
    return check(round).filter(violation => violation.rule === rule).length
  }
  expect([100n, 150n, 130n].map(brokenWith)).toEqual([0, 0, 0])
  expect([99n, 129n, 131n, 80n].map(brokenWith)).toEqual([1, 1, 1, 1])
})

const cases = (Object.keys(planted) as (keyof typeof planted)[]).flatMap(rule =>
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
