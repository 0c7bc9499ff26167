import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { later, makePayment, now } from '../../test/support/make-payment.ts'
import { nextInquiryOfChallenged, nextInquiryOfPending } from './inquiry-schedule.ts'
import {
  type EventType,
  hasTransitioned,
  internalStatuses,
  isSameReceipt,
  isSecondPayment,
  isShown,
  moneyReceivedEvent,
  type Payment,
  type PaymentEvent,
  referenceOf,
  type Status,
  shownStatus,
  shownStatuses,
} from './payment.ts'
import { transferFor } from './record/payment-transfer.ts'
import { applyEvent, transitions } from './record/transitions.ts'

const statuses: Status[] = [...internalStatuses, ...shownStatuses]
const eventTypes = Object.keys(transitions.pending) as EventType[]
const cells = statuses.flatMap(from =>
  eventTypes.map(event => ({ from, event, to: transitions[from][event] })),
)

const instructions = { type: 'virtual_account', bank: 'BCA', va_number: '1' } as const
const examples: { [Type in EventType]: Extract<PaymentEvent, { type: Type }> } = {
  charge_started: {
    type: 'charge_started',
    provider: 'xendit',
    providerAccountId: 'account-2',
    reason: 'could not be reached',
    expiresAt: later(7_200_000),
    nextCheckAt: later(15_000),
  },
  accepted: { type: 'accepted', providerPaymentId: 'p-1', methodData: instructions },
  rejected: { type: 'rejected', reason: 'no such bank' },
  not_created: { type: 'not_created', reason: 'could not be reached' },
  outcome_unknown: { type: 'outcome_unknown', reason: 'no answer within 10 s', nextCheckAt: later(5_000) },
  paid: {
    type: 'paid',
    amountPaid: 10_000_000n,
    paidAt: later(-1_000),
    providerPaymentId: 'p-2',
    reference: 'ref-1',
    receipt: 'r-1',
  },
  underpaid: {
    type: 'underpaid',
    received: 1n,
    paidAt: later(-1_000),
    reason: 'amount mismatch: expected 2, received 1',
    providerPaymentId: 'p-2',
    reference: 'ref-1',
    receipt: 'r-1',
  },
  paid_again: { type: 'paid_again', amount: 5n, unexpectedMoneyId: 'u-1' },
  paid_after_reversal: { type: 'paid_after_reversal', amount: 5n, reference: 'ref-1', receipt: 'r-1' },
  reversed: { type: 'reversed', reason: 'provider reported deny', unexpectedMoneyId: 'u-2', amount: 5n },
  failed: { type: 'failed', reason: 'provider reported deny' },
  expired: { type: 'expired' },
  cancelled: { type: 'cancelled' },
  challenged: { type: 'challenged', reason: 'held by fraud detection' },
}

/**
 * Returns a payment with this status and consistent values in its other fields. The object is frozen, so a test
 * fails if a function modifies its argument.
 */
function inStatus(status: Status, overrides: Partial<Payment> = {}): Payment {
  const { reference: paidReference, receipt = null } = examples.paid
  const paid = status === 'paid' && {
    ...{ paidAt: now, amountPaid: 10_000_000n, paidReference, receipt },
    nextCheckAt: null,
  }
  const bare = !isShown(status) && { methodData: null, providerPaymentId: null }
  return Object.freeze(makePayment({ status, ...paid, ...bare, ...overrides }))
}

describe('the payment status transition table contains the specified transitions', () => {
  test('the payment transition table allows no transition from paid to another status', () => {
    const ofPaid = cells.filter(({ from }) => from === 'paid')
    expect(ofPaid.filter(({ to }) => !['unchanged', 'refused', 'paid'].includes(to))).toEqual([])
  })

  test('in the payment transition table, receiving the full amount changes every other status to paid', () => {
    for (const from of statuses) expect(transitions[from].paid).toBe(from === 'paid' ? 'unchanged' : 'paid')
  })

  test("only the event `paid` changes a payment's status to paid", () => {
    const leading = cells.filter(cell => cell.to === 'paid' && cell.from !== 'paid')
    expect(new Set(leading.map(cell => cell.event))).toEqual(new Set(['paid']))
  })

  test('a payment that the API shows never changes to an internal status', () => {
    const hiding = cells.filter(
      cell => isShown(cell.from) && (internalStatuses as readonly string[]).includes(cell.to),
    )
    expect(hiding).toEqual([])
  })

  test('an event without a status change is recorded only if it starts a charge or moves money', () => {
    const staying = cells.filter(cell => cell.from === cell.to).map(({ from, event }) => `${from} ${event}`)
    const ofPaid = ['paid_again', 'paid_after_reversal', 'reversed'].map(event => `paid ${event}`)
    expect(staying).toEqual(['charging charge_started', ...ofPaid])
  })

  test('a new charge can start only if the payment is uncharged or its last charge is in flight', () => {
    const charged = cells.filter(cell => cell.to === 'charging').map(cell => cell.from)
    expect(charged).toEqual(['charging', 'uncharged'])
  })

  test("while a charge is in flight or its outcome is unknown, any provider report changes the payment's status", () => {
    const reports = ['accepted', 'rejected', 'not_created', 'paid', 'failed', 'expired', 'cancelled'] as const
    for (const from of ['charging', 'unknown'] as const)
      for (const report of reports) expect(['unchanged', 'refused']).not.toContain(transitions[from][report])
  })

  // The expected transitions, written by hand from the specification. `=`: the event repeats known facts and
  // changes nothing. `-`: the event contradicts known facts and is rejected.
  test.each(
    `
    from       | paid underpaid  failed expired cancelled challenged
    pending    | paid challenged failed expired cancelled challenged
    challenged | paid =          failed expired cancelled =
    paid       | =    -          -      -       -         -
    failed     | paid challenged =      -       -         -
    expired    | paid challenged -      =       -         -
    cancelled  | paid challenged -      -       =         -
  `
      .trim()
      .split('\n')
      .slice(1)
      .map(line => line.split('|').map(part => part.trim()) as [string, string]),
  )('each provider report changes a %s payment to the specified status', (from, row) => {
    const reports = ['paid', 'underpaid', 'failed', 'expired', 'cancelled', 'challenged'] as const
    const written = { '=': 'unchanged', '-': 'refused' } as Record<string, string>
    const expected = row.split(/ +/).map(word => written[word] ?? word)
    expect(reports.map(report => transitions[from as Status][report])).toEqual(expected)
  })

  test('a merchant can cancel a payment only if it is pending or challenged (held for review)', () => {
    const cancellable = shownStatuses.filter(from => transitions[from].cancelled === 'cancelled')
    expect(cancellable).toEqual(['pending', 'challenged'])
  })
})

describe("a payment event updates the payment's status and the related fields", () => {
  test.each(cells)('the event $event in the status $from has the result $to', ({ from, event, to }) => {
    const before = inStatus(from)
    const applied = applyEvent(before, examples[event], later(1))
    if (to === 'refused') {
      expect(applied).toEqual({
        kind: 'refused',
        payment: before,
        reason: `${event} does not follow ${from}`,
      })
      expect(applied.payment).toBe(before)
    } else if (to === 'unchanged') {
      expect(applied).toMatchObject({ kind: 'unchanged', payment: { status: from, transitionCount: 1 } })
    } else {
      expect(applied).toMatchObject({
        kind: 'changed',
        from,
        payment: { status: to, transitionCount: 2, updatedAt: later(1) },
      })
    }
    expect(applied.payment.paidAt !== null).toBe(applied.payment.status === 'paid')
    expect(applied.payment.amountPaid !== null).toBe(applied.payment.status === 'paid')
  })

  const after = (status: Status, event: EventType) =>
    applyEvent(inStatus(status), examples[event], now).payment

  test('an `accepted` event stores the payment instructions and schedules the first status inquiry', () => {
    const payment = inStatus('unknown', { failureReason: 'no answer within 10 s', nextCheckAt: now })
    expect(applyEvent(payment, examples.accepted, now).payment).toMatchObject({
      methodData: instructions,
      providerPaymentId: 'p-1',
      failureReason: null,
      nextCheckAt: nextInquiryOfPending(payment, now),
    })
  })

  test('a `paid` event stores the time and amount paid, and schedules no further status inquiry', () => {
    const payment = inStatus('challenged', { failureReason: 'held by fraud detection' })
    expect(applyEvent(payment, examples.paid, now).payment).toMatchObject({
      paidAt: later(-1_000),
      amountPaid: 10_000_000n,
      paidReference: 'ref-1',
      receipt: 'r-1',
      failureReason: null,
      nextCheckAt: null,
    })
  })

  test('a payment that fails, expires or is cancelled still gets one more status inquiry five minutes after its expiry time', () => {
    const nextCheckAt = later(3_600_000 + 5 * 60_000)
    expect(after('pending', 'expired')).toMatchObject({ failureReason: null, nextCheckAt })
    expect(after('challenged', 'cancelled')).toMatchObject({ failureReason: null, nextCheckAt })
    expect(after('unknown', 'failed')).toMatchObject({ nextCheckAt })
  })

  test('closing or challenging a payment stores the reason, and schedules the next inquiry if one is needed', () => {
    expect(after('pending', 'failed')).toMatchObject({ failureReason: 'provider reported deny' })
    const held = after('pending', 'challenged')
    const nextCheckAt = nextInquiryOfChallenged(held, now, now)
    expect(held).toMatchObject({ failureReason: 'held by fraud detection', nextCheckAt })
    expect(after('charging', 'rejected')).toMatchObject({ failureReason: 'no such bank', nextCheckAt: null })
    const failureReason = 'could not be reached'
    expect(after('charging', 'not_created')).toMatchObject({ failureReason, nextCheckAt: null })
  })

  test('each `outcome_unknown` event schedules a status inquiry, even if the outcome was already unknown', () => {
    const expected = { failureReason: 'no answer within 10 s', nextCheckAt: later(5_000) }
    expect(after('charging', 'outcome_unknown')).toMatchObject(expected)
    expect(after('unknown', 'outcome_unknown')).toMatchObject(expected)
  })

  test("a `charge_started` event sets the payment's attempt number, provider account and expiry", () => {
    expect(after('uncharged', 'charge_started')).toMatchObject({
      attempt: 2,
      provider: 'xendit',
      providerAccountId: 'account-2',
      providerPaymentId: null,
      expiresAt: later(7_200_000),
      nextCheckAt: later(15_000),
      failureReason: null,
    })
  })

  test('if the provider reports a second time that it accepted the charge, the payment instructions do not change', () => {
    const payment = inStatus('pending')
    expect(applyEvent(payment, examples.accepted, later(1))).toEqual({ kind: 'unchanged', payment })
  })

  test("a second reversal keeps the time of the payment's first reversal", () => {
    const back = applyEvent(inStatus('paid'), examples.reversed, later(1))
    expect(back).toMatchObject({ kind: 'changed', payment: { status: 'paid', reversedAt: later(1) } })
    expect(applyEvent(back.payment, examples.reversed, later(2)).payment.reversedAt).toEqual(later(1))
  })

  const { receipt: _, ...nameless } = examples.paid
  const withoutReceipt = applyEvent(inStatus('pending'), nameless, now).payment

  test('a payment keeps its first receipt id, and a different id means a second payment', () => {
    const named = applyEvent(withoutReceipt, examples.paid, later(1))
    const payment = { ...withoutReceipt, receipt: 'r-1', updatedAt: later(1) }
    const next = { ...examples.paid, receipt: 'r-2' }
    expect(named).toEqual({ kind: 'unchanged', payment })
    expect(applyEvent(named.payment, next, later(2))).toEqual({ kind: 'unchanged', payment })
    expect(isSecondPayment(payment, { ...next, sum: next.amountPaid })).toBe(true)
  })

  test.each([
    ['with another amount', { amountPaid: 10_000_001n }],
    ['of another attempt', { reference: 'ref-1-2' }],
    ['without a receipt', { receipt: undefined }],
  ])('if a paid payment lacks a receipt ID, a repeated `paid` event %s does not add one', (_name, told) => {
    const event = { ...examples.paid, ...told } as PaymentEvent
    expect(applyEvent(withoutReceipt, event, later(1)).payment).toBe(withoutReceipt)
  })

  test("once a payment has the provider's payment ID, no event changes this ID", () => {
    const first = inStatus('pending', { providerPaymentId: 'first' })
    expect(applyEvent(first, examples.paid, now).payment.providerPaymentId).toBe('first')
  })

  test("a late charge response adds only payment instructions and the provider's payment ID to a paid payment", () => {
    const payment = inStatus('paid', { methodData: null, providerPaymentId: null })
    expect(applyEvent(payment, examples.accepted, later(1))).toEqual({
      kind: 'unchanged',
      payment: { ...payment, methodData: instructions, providerPaymentId: 'p-1', updatedAt: later(1) },
    })
  })

  test('an event that reports the status that a payment already has does not change the payment', () => {
    for (const status of ['paid', 'failed', 'expired', 'cancelled', 'challenged'] as const) {
      const payment = inStatus(status)
      expect(applyEvent(payment, examples[status], later(1)).payment).toBe(payment)
    }
  })
})

describe('money received for an unpaid payment pays the payment in full or in part', () => {
  const payment = makePayment({ amount: 10_000_000n })
  const paidAt = later(60_000)
  const reference = payment.paymentCode

  test("receiving the full amount changes a payment's status to paid", () => {
    expect(moneyReceivedEvent(payment, { amountPaid: 10_000_000n, paidAt, reference })).toEqual({
      type: 'paid',
      amountPaid: 10_000_000n,
      paidAt,
      reference,
    })
  })

  test('if more than the full amount is received, the payment becomes paid and stores the amount received', () => {
    const event = moneyReceivedEvent(payment, { amountPaid: 10_000_001n, paidAt, reference })
    expect(event).toEqual({ type: 'paid', amountPaid: 10_000_001n, paidAt, reference })
    expect(applyEvent(payment, event, now).payment.amountPaid).toBe(10_000_001n)
  })

  test("receiving less than the full amount changes a payment's status to challenged, with both amounts in the reason", () => {
    const event = moneyReceivedEvent(payment, { amountPaid: 9_999_999n, paidAt, reference })
    expect(applyEvent(payment, event, now).payment).toMatchObject({
      status: 'challenged',
      failureReason: 'amount mismatch: expected 10000000, received 9999999',
      amountPaid: null,
      paidAt: null,
    })
  })

  test('after several reports of partial amounts, in any order, the payment contains the largest amount', () => {
    const sums = fc.array(fc.bigInt({ min: 1n, max: 999n }), { minLength: 1 })
    fc.assert(
      fc.property(sums, received => {
        let payment = inStatus('pending', { amount: 1_000n })
        for (const amountPaid of received) {
          const event = moneyReceivedEvent(payment, { amountPaid, paidAt, reference })
          payment = Object.freeze(applyEvent(payment, event, now).payment)
        }
        const largest = received.toSorted((a, b) => Number(a - b)).at(-1)
        expect(payment.amountReceived).toBe(largest)
        expect(payment.failureReason).toBe(`amount mismatch: expected 1000, received ${largest}`)
      }),
    )
  })

  // The provider's messages can arrive in any order and any number of times. At least one reports the full amount.
  test('if any message reports the full amount, the payment is paid with exactly one credit', () => {
    const amount = 1_000n
    const report = fc.oneof(
      fc
        .bigInt({ min: 1n, max: 3_000n })
        .map(amountPaid => moneyReceivedEvent({ amount }, { amountPaid, paidAt, reference })),
      fc.constantFrom(
        ...Object.values(examples).filter(({ type }) => type !== 'paid' && type !== 'underpaid'),
      ),
    )
    const full = fc
      .bigInt({ min: amount, max: 3_000n })
      .map(amountPaid => moneyReceivedEvent({ amount }, { amountPaid, paidAt, reference }))
    fc.assert(
      fc.property(
        fc.constantFrom(...statuses.filter(status => status !== 'paid')),
        fc.array(report),
        full,
        fc.array(report),
        (status, before, sum, rest) => {
          const reports = [...before, sum, ...rest]
          let [payment, credits] = [inStatus(status, { amount }), 0]
          for (const event of reports) {
            const applied = applyEvent(payment, event, now)
            payment = Object.freeze(applied.payment)
            const moved = applied.kind === 'changed' && transferFor(payment, event)
            if (moved && moved.unexpectedMoneyId === null) credits += 1
            expect(payment.paidAt !== null).toBe(payment.status === 'paid')
            expect(payment.amountPaid !== null).toBe(payment.status === 'paid')
          }
          const first = reports.find(({ type }) => type === 'paid') as { amountPaid: bigint }
          expect(payment).toMatchObject({ status: 'paid', amountPaid: first.amountPaid })
          expect(credits).toBe(1)
        },
      ),
    )
  })
})

test('the public status of a payment that no provider has accepted yet is pending', () => {
  expect(internalStatuses.map(shownStatus)).toEqual(internalStatuses.map(() => 'pending'))
  expect(shownStatuses.map(shownStatus)).toEqual(shownStatuses)
})

test('a payment whose status changed and changed back between two reads counts as changed', () => {
  const before = inStatus('uncharged')
  const started = applyEvent(before, examples.charge_started, now).payment
  const back = applyEvent(started, examples.not_created, now).payment
  expect([before, started, back].map(each => hasTransitioned(before, each))).toEqual([false, true, true])
  expect(hasTransitioned(back, applyEvent(back, examples.not_created, now).payment)).toBe(false)
})

test('the reference of the first charge attempt is the payment code, and later attempts append their number to it', () => {
  const references = [1, 2, 13].map(attempt => referenceOf({ paymentCode: 'GP261120-7Q4M2ZK8XW', attempt }))
  expect(references).toEqual(['GP261120-7Q4M2ZK8XW', 'GP261120-7Q4M2ZK8XW-2', 'GP261120-7Q4M2ZK8XW-13'])
})

test.each([
  ['a report with the same receipt id', { reference: 'a', receipt: 'r' }, true],
  ['a report without a receipt id', { reference: 'a' }, true],
  ['a report with another receipt id', { reference: 'a', receipt: 's' }, false],
  ['a report with the same receipt id for another attempt', { reference: 'a-2', receipt: 'r' }, false],
])('whether %s (%j) is about the money that paid the payment: %s', (_, told, expected) => {
  expect(isSameReceipt({ paidReference: 'a', receipt: 'r' }, told)).toBe(expected)
})
