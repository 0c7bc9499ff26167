import { describe, expect, test } from 'vitest'
import { later, now } from '../../../test/support/make-payment.ts'
import {
  AMOUNT,
  full,
  nameless,
  paid,
  part,
  pending,
  plan,
  planned,
  record,
  reference,
  reversal,
  reversed,
  withoutReceipt,
} from '../../../test/support/money-events.ts'
import type { MoneyReceivedEvent, Payment, PaymentEvent, Status } from '../payment.ts'
import {
  eventsInOrder,
  hasOwnCredit,
  isOfOwnReceipt,
  needsRecords,
  recordedReceipt,
} from './plan-received-money.ts'
import { type UnexpectedMoney, unexpectedKinds } from './unexpected-money.ts'

describe("a payment's records of unexpected money are read from the database only if the event requires them", () => {
  test.each<[string, Payment, PaymentEvent]>([
    ['for a reversal', paid, reversal()],
    ['for money of a partly paid payment', { ...pending, amountReceived: 1n }, full()],
    ['for money with another receipt id', paid, full(AMOUNT, { receipt: 'r-2' })],
    ['for a larger amount with the same receipt id', paid, full(AMOUNT + 1n)],
    ['for money received after a reversal', reversed, full()],
    ['for the first receipt id of a partly paid payment', { ...nameless, amountReceived: 1n }, full()],
  ])(
    "before an event is applied, the payment's records of unexpected money must be read from the database %s",
    (_, payment, event) => {
      expect(needsRecords(payment, event)).toBe(true)
    },
  )

  test.each<[string, Payment, PaymentEvent]>([
    ['an event without money', paid, { type: 'expired' }],
    [
      'money that the Owner accepted',
      reversed,
      full(AMOUNT, { acceptedId: 'u-1' } as Partial<MoneyReceivedEvent>),
    ],
    ['the first money of a payment', pending, full()],
    ['the first part of a payment', pending, part(1n)],
    ['a repeated report of the money that paid it', paid, full()],
    ['a part of the money that paid it', paid, part(1n)],
    ['its first receipt id, if no partial payment was received', nameless, full()],
    ['a repeated receipt id, if a partial payment was received', { ...paid, amountReceived: 1n }, full()],
    [
      'a report without a receipt id, if a partial payment was received',
      { ...nameless, amountReceived: 1n },
      withoutReceipt(full()),
    ],
  ])(
    "a payment's records of unexpected money need not be read from the database for %s",
    (_, payment, event) => {
      expect(needsRecords(payment, event)).toBe(false)
    },
  )
})

describe('if the provider reports less money than the operator credited without confirmation, the credit is reversed', () => {
  const credited: Payment = { ...nameless, unconfirmedSince: later(-4_000) }

  test('if the provider reports less money than was credited without confirmation, the whole credit is reversed first', () => {
    const event = part(999n)
    expect(eventsInOrder(credited, event)).toStrictEqual([
      {
        type: 'reversed',
        reason: 'the provider reports only 999 of the 1000 cents that were credited without confirmation',
        unexpectedMoneyId: expect.any(String),
        receipt: 'r-1',
      },
      event,
    ])
    const unnamed = withoutReceipt(event)
    expect(eventsInOrder(credited, unnamed)[0]).not.toHaveProperty('receipt')
  })

  test.each<[string, Payment, PaymentEvent]>([
    ['a full payment', credited, full()],
    ['an amount that covers the credit', credited, part(AMOUNT)],
    ['a part of another order', credited, part(1n, { reference: 'other' })],
    ['a part of a confirmed credit', paid, part(1n)],
    ['a part with the first receipt id of a confirmed credit', nameless, part(1n)],
    ['a part of a payment without a credit', { ...credited, amountPaid: null }, part(1n)],
  ])(
    "if the operator credited a payment without the provider's confirmation, a report of %s does not reverse this credit",
    (_, payment, event) => {
      expect(eventsInOrder(payment, event)).toStrictEqual([event])
    },
  )
})

test('an event without money, such as an expiry, creates no record of unexpected money', () => {
  for (const payment of [pending, paid])
    expect(plan(payment, { type: 'expired' })).toStrictEqual({
      kind: 'apply',
      event: { type: 'expired' },
      records: [],
    })
})

describe('the first money received for a payment counts as a full or partial payment, depending on its amount', () => {
  test.each<[string, Status, bigint, string | undefined]>([
    ['in time', 'pending', AMOUNT, undefined],
    ['while it is challenged', 'challenged', AMOUNT, undefined],
    ['while it is charged', 'charging', AMOUNT, undefined],
    ['while the outcome of its charge is unknown', 'unknown', AMOUNT, undefined],
    ['after its charge was rejected', 'rejected', AMOUNT, 'late'],
    ['after its charge failed', 'uncharged', AMOUNT, 'late'],
    ['after it failed', 'failed', AMOUNT, 'late'],
    ['after it expired', 'expired', AMOUNT, 'late'],
    ['after it was cancelled', 'cancelled', AMOUNT, 'late'],
    ['with more than its amount', 'pending', AMOUNT + 1n, 'overpaid'],
    ['with more than its amount, late', 'expired', AMOUNT + 1n, 'late'],
  ])(
    "the first money received for a payment %s is recorded as unexpected only if it is late or exceeds the payment's amount",
    (_, status, amount, kind) => {
      const event = full(amount)
      const records = kind ? [{ kind, status: 'open', fromAmount: 0n, amount, round: 1, credited: true }] : []
      expect(planned({ ...pending, status }, event)).toStrictEqual(records)
      expect(plan({ ...pending, status }, event)).toMatchObject({ kind: 'apply', event })
    },
  )

  test("a credit without the provider's confirmation creates no record of unexpected money, even after the expiry", () => {
    const event = full(AMOUNT + 1n, { unconfirmed: 'seen in the statement' } as Partial<MoneyReceivedEvent>)
    expect(planned({ ...pending, status: 'expired' }, event)).toStrictEqual([])
  })

  test('if the operator accepts money for which a record of unexpected money exists, no second record is created', () => {
    const event = full(AMOUNT + 1n, { acceptedId: 'u-1' } as Partial<MoneyReceivedEvent>)
    expect(plan(pending, event, [record({ amount: 5_000n })])).toStrictEqual({
      kind: 'apply',
      event,
      records: [],
    })
  })

  test('a full amount without a receipt ID includes only earlier partial payments without a receipt ID', () => {
    const named = record({})
    const unnamed = record({ receipt: '' })
    const found = plan({ ...pending, amountReceived: 400n }, withoutReceipt(full()), [named, unnamed])
    expect(found).toMatchObject({ kind: 'apply', records: [{ id: unnamed.id }] })
  })

  test('a report of the full amount includes only open partial payments with the same receipt ID or none', () => {
    const open = record({})
    const unnamed = record({ receipt: '' })
    const others = [
      record({ receipt: 'r-2' }),
      record({ reference: 'other' }),
      record({ kind: 'second_payment', receipt: '' }),
      record({ status: 'refunded', receipt: '' }),
    ]
    const found = plan({ ...pending, amountReceived: 400n }, full(), [...others, open, unnamed])
    const accepted = {
      status: 'accepted',
      credited: true,
      decidedAt: now,
      reason: 'the payment became paid with this money',
    }
    expect(found).toStrictEqual({
      kind: 'apply',
      event: full(),
      records: [
        { ...open, ...accepted },
        { ...unnamed, ...accepted },
      ],
    })
    expect(planned(pending, full(), [open])).toStrictEqual([])
  })

  test('if a partial payment was refunded, a report of the full amount credits nothing', () => {
    const refunded = record({ status: 'refunded' })
    expect(plan({ ...pending, amountReceived: 400n }, full(), [refunded])).toMatchObject({
      kind: 'apply',
      event: {
        type: 'underpaid',
        received: AMOUNT,
        reason: 'the full amount was received, but 400 cents of it were refunded before',
      },
    })
    expect(planned({ ...pending, amountReceived: 400n }, full(), [refunded])).toStrictEqual([
      { kind: 'underpaid', status: 'open', fromAmount: 400n, amount: 600n, round: 1, credited: false },
    ])
  })
})

describe('the existing records determine whether a partial payment increases a record, creates one or changes nothing', () => {
  test('a repeated report of a recorded partial payment changes nothing', () => {
    const payment = { ...pending, amountReceived: 400n }
    expect(plan(payment, part(400n), [record({})])).toStrictEqual({ kind: 'known' })
    expect(plan(payment, part(399n), [record({})])).toStrictEqual({ kind: 'known' })
  })

  test('a larger amount reported for an open partial payment increases the amount of its existing record', () => {
    const open = record({})
    const payment = { ...pending, amountReceived: 400n }
    expect(plan(payment, part(500n), [open])).toStrictEqual({
      kind: 'apply',
      event: part(500n),
      records: [{ ...open, amount: 500n }],
    })
  })

  test.each<[string, Partial<UnexpectedMoney>]>([
    ['money with another receipt id', { receipt: 'r-2' }],
    ['money for another order reference', { reference: 'other' }],
    ['a refund', { kind: 'refund' }],
    ['money without a receipt id', { receipt: '' }],
  ])('a partial payment gets a new record, instead of increasing the existing record of %s', (_, fields) => {
    expect(
      planned({ ...pending, amountReceived: 400n, paidReference: reference, receipt: 'r-1' }, part(300n), [
        record(fields),
      ]),
    ).toStrictEqual([
      { kind: 'underpaid', status: 'open', fromAmount: 0n, amount: 300n, round: 1, credited: false },
    ])
  })
})

describe('a further report about a paid payment creates a record only for money that has no record yet', () => {
  test.each<[string, Payment, MoneyReceivedEvent, UnexpectedMoney[], object | string]>([
    ['a repeated report of the same amount', paid, full(), [], []],
    ['a smaller amount with the same receipt id', paid, part(1n), [], 'known'],
    [
      'a larger amount with the same receipt id',
      paid,
      full(1_300n),
      [],
      [{ kind: 'increase', fromAmount: AMOUNT, amount: 300n, round: 1 }],
    ],
    [
      'an even larger amount with the same receipt id',
      paid,
      full(1_500n),
      [record({ kind: 'increase', fromAmount: AMOUNT, amount: 300n })],
      [{ kind: 'increase', fromAmount: AMOUNT, amount: 500n, round: 1 }],
    ],
    [
      'a larger amount after the Owner decided on an increase',
      paid,
      full(1_500n),
      [record({ kind: 'increase', fromAmount: AMOUNT, amount: 300n, status: 'accepted', credited: true })],
      [{ kind: 'increase', fromAmount: 1_300n, amount: 200n, round: 1 }],
    ],
    [
      'the same amount with another receipt id',
      paid,
      full(AMOUNT, { receipt: 'r-2' }),
      [],
      [{ kind: 'second_payment', fromAmount: 0n, amount: AMOUNT, round: 1 }],
    ],
    [
      'a smaller amount with another receipt id',
      paid,
      part(1n, { receipt: 'r-2' }),
      [],
      [{ kind: 'second_payment', fromAmount: 0n, amount: 1n, round: 1 }],
    ],
    [
      'a repeated report with another receipt id',
      paid,
      full(AMOUNT, { receipt: 'r-2' }),
      [record({ kind: 'second_payment', receipt: 'r-2', amount: AMOUNT })],
      [],
    ],
    [
      'a larger amount that was recorded before its receipt id was known',
      paid,
      full(1_300n),
      [record({ kind: 'increase', receipt: '', fromAmount: AMOUNT, amount: 300n })],
      [],
    ],
    [
      'money received after a reversal',
      reversed,
      full(),
      [record({ kind: 'reversal', amount: AMOUNT, credited: true })],
      [{ kind: 'paid_after_reversal', fromAmount: 0n, amount: AMOUNT, round: 2 }],
    ],
    [
      'a larger amount after a reversal',
      reversed,
      full(1_200n),
      [
        record({ kind: 'reversal', amount: AMOUNT, credited: true }),
        record({ kind: 'paid_after_reversal', amount: AMOUNT, round: 2 }),
      ],
      [{ kind: 'paid_after_reversal', fromAmount: 0n, amount: 1_200n, round: 2 }],
    ],
    [
      'a repeated report of money received after a reversal',
      reversed,
      full(),
      [
        record({ kind: 'reversal', amount: AMOUNT, credited: true }),
        record({ kind: 'paid_after_reversal', amount: AMOUNT, round: 2 }),
      ],
      [],
    ],
  ])(
    'for a paid payment, a further report of money is recorded only as far as the money has no record yet: %s',
    (_, payment, event, records, expected) => {
      const found = planned(payment, event, records)
      if (typeof expected === 'string') expect(found).toBe(expected)
      else expect(found).toMatchObject(expected)
      if (Array.isArray(expected)) expect(found).toHaveLength(expected.length)
    },
  )

  test('new money after a reversal is applied as `paid_after_reversal`, and a larger amount as `paid`', () => {
    const taken = record({ kind: 'reversal', amount: AMOUNT, credited: true })
    const again = record({ kind: 'paid_after_reversal', amount: AMOUNT, round: 2 })
    const first = { type: 'paid_after_reversal', amount: AMOUNT, reference }
    expect(plan(reversed, full(), [taken])).toHaveProperty('event', { ...first, receipt: 'r-1' })
    const unnamed = plan({ ...reversed, receipt: null }, withoutReceipt(full()), [{ ...taken, receipt: '' }])
    expect(unnamed.kind === 'apply' && unnamed.event).toStrictEqual(first)
    expect(plan(reversed, full(1_200n), [taken, again])).toHaveProperty('event', full(1_200n))
  })

  test('a receipt ID added to a paid payment makes open partial payments with this ID part of the credit', () => {
    const open = record({})
    const payment = { ...nameless, amountReceived: 400n }
    expect(planned(payment, full(), [open])).toMatchObject([{ status: 'accepted', credited: true }])
    expect(planned(payment, full(1_200n), [open])).toMatchObject([
      { kind: 'underpaid', status: 'open', amount: 1_200n },
    ])
    expect(planned({ ...paid, amountReceived: 400n }, full(1_200n), [open])).toMatchObject([
      { status: 'accepted', credited: true },
      { kind: 'increase', fromAmount: AMOUNT, amount: 200n },
    ])
  })
})

test('an increase, a second payment, and money after a reversal each get their own ledger entry', () => {
  expect(unexpectedKinds.filter(hasOwnCredit)).toStrictEqual([
    'second_payment',
    'increase',
    'paid_after_reversal',
  ])
})

test.each<[string, Partial<UnexpectedMoney>, boolean]>([
  ['with its receipt id', {}, true],
  ['without a receipt id', { receipt: '' }, true],
  ['with another receipt id', { receipt: 'r-2' }, false],
  ['of another order reference', { reference: 'other' }, false],
  ['of a refund', { kind: 'refund' }, false],
])(
  'for a record %s, the check whether it is about the money that made the payment paid returns $2',
  (_, fields, belongs) => {
    expect(isOfOwnReceipt(paid, record(fields))).toBe(belongs)
  },
)

test('the largest amount that was recorded for received money since its last reversal counts as covered by records', () => {
  const taken = record({ kind: 'reversal', amount: 9_000n })
  const second = record({ amount: 200n, fromAmount: 100n, round: 2 })
  expect(recordedReceipt([], 700n)).toMatchObject({ round: 1, covered: 700n, isDecided: false })
  expect(recordedReceipt([record({ amount: 200n }), record({ amount: 900n })], 700n)).toMatchObject({
    covered: 900n,
  })
  expect(recordedReceipt([record({ amount: 900n }), taken, second], 700n)).toStrictEqual({
    round: 2,
    covered: 300n,
    growing: second,
    isDecided: false,
  })
  expect(recordedReceipt([record({ amount: null })], 0n)).toMatchObject({ covered: 0n })
  expect(recordedReceipt([record({ status: 'dismissed' })], 0n)).toMatchObject({
    isDecided: true,
    growing: undefined,
  })
})
