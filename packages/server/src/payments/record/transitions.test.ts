// Tests how an event changes a payment's fields. payment.test.ts tests the field `status`.

import { describe, expect, test } from 'vitest'
import { later, makePayment, now } from '../../../test/support/make-payment.ts'
import {
  asOfAttempt,
  isKnownPartialPayment,
  isSameReceipt,
  isSecondPayment,
  type Payment,
  type PaymentEvent,
} from '../payment.ts'
import { applyEvent } from './transitions.ts'

const pending = makePayment()
const reference = pending.paymentCode
const paid: Payment = {
  ...pending,
  status: 'paid',
  paidAt: now,
  amountPaid: pending.amount,
  paidReference: reference,
  receipt: 'r-1',
  nextCheckAt: null,
}
const nameless: Payment = { ...paid, receipt: null }
const unconfirmed: Payment = { ...nameless, unconfirmedSince: now, nextCheckAt: later(9) }
const full = { type: 'paid', amountPaid: pending.amount, paidAt: now, reference, receipt: 'r-1' } as const
const part: Extract<PaymentEvent, { type: 'underpaid' }> = {
  type: 'underpaid',
  received: 5n,
  paidAt: now,
  reason: 'too little',
  reference,
  receipt: 'r-1',
}
const apply = (payment: Payment, event: PaymentEvent) => applyEvent(payment, event, later(1))

describe('a repeated report of a partial payment changes the payment only if the report contains new facts', () => {
  const known: Payment = {
    ...pending,
    status: 'expired',
    amountReceived: 5n,
    paidReference: reference,
    receipt: 'r-1',
  }

  test('an already recorded partial payment does not reopen a closed payment', () => {
    expect(apply(known, part)).toStrictEqual({ kind: 'unchanged', payment: known })
    expect(apply(known, { ...part, received: 4n })).toStrictEqual({ kind: 'unchanged', payment: known })
  })

  test.each<[string, Partial<typeof part>]>([
    ['whose amount grew', { received: 6n }],
    ['with another receipt id', { receipt: 'r-2' }],
  ])(
    'if a partial payment %s is reported for a closed payment, the payment becomes challenged (held for review)',
    (_, fields) => {
      expect(apply(known, { ...part, ...fields })).toMatchObject({
        kind: 'changed',
        payment: { status: 'challenged' },
      })
    },
  )

  test("a report of a partial payment sets the payment's received amount, receipt ID and provider ID if they are unknown", () => {
    const bare = { ...pending, providerPaymentId: null }
    const learnt = { amountReceived: 5n, paidReference: reference, receipt: 'r-1', providerPaymentId: 'p-2' }
    expect(apply(bare, { ...part, providerPaymentId: 'p-2' }).payment).toMatchObject(learnt)
    const { receipt: _, ...unnamed } = part
    expect(apply(bare, unnamed).payment).toMatchObject({ receipt: null, providerPaymentId: null })
    expect(apply({ ...pending, providerPaymentId: 'p-1' }, part).payment.providerPaymentId).toBe('p-1')
  })

  test('a partial payment changes a challenged payment (held for review) only if it exceeds the amount already received', () => {
    const challenged = { ...known, status: 'challenged' as const }
    const other = { ...part, receipt: 'r-2' }
    expect(apply(challenged, other)).toStrictEqual({ kind: 'unchanged', payment: challenged })
    expect(apply(challenged, { ...part, received: 6n }).payment).toMatchObject({ amountReceived: 6n })
  })

  test.each<[string, Partial<Payment>]>([
    ['an earlier partial payment', { ...known, failureReason: 'amount mismatch: expected 9, received 5' }],
    ['a fraud check', { failureReason: 'held by fraud detection' }],
  ])(
    'if a payment is challenged because of %s, a report of more money replaces the reason of the challenge',
    (_, fields) => {
      const challenged = { ...pending, ...fields, status: 'challenged' as const }
      const reason = 'amount mismatch: expected 9, received 6'
      expect(apply(challenged, { ...part, received: 6n, reason })).toMatchObject({
        kind: 'unchanged',
        payment: { status: 'challenged', amountReceived: 6n, failureReason: reason },
      })
    },
  )
})

describe('events about a paid payment change only single fields, such as the receipt ID, never the status', () => {
  test("the provider's first report of the money confirms a credit that the operator made without confirmation", () => {
    expect(apply(unconfirmed, full)).toMatchObject({
      kind: 'unchanged',
      payment: { receipt: 'r-1', unconfirmedSince: null, nextCheckAt: null, updatedAt: later(1) },
    })
    const { receipt: _, ...unnamed } = full
    expect(apply(unconfirmed, unnamed)).toMatchObject({ payment: { receipt: null, unconfirmedSince: null } })
  })

  test("a report of received money does not postpone the next status inquiry if the payment's credit is already confirmed", () => {
    expect(apply({ ...nameless, nextCheckAt: later(9) }, full).payment).toMatchObject({
      receipt: 'r-1',
      nextCheckAt: later(9),
    })
  })

  test('a report of a partial payment for a paid payment is rejected', () => {
    const payment = { ...paid, amountReceived: 5n }
    expect(apply(payment, part)).toMatchObject({ kind: 'refused', payment })
    expect(apply(paid, part)).toMatchObject({ kind: 'refused', payment: paid })
  })

  test('a report of money with another receipt ID does not change a paid payment', () => {
    const other = { ...full, receipt: 'r-2' }
    expect(apply(paid, other)).toStrictEqual({ kind: 'unchanged', payment: paid })
  })

  test.each<[string, Payment, string | undefined, string | null]>([
    ['gets the receipt id', nameless, 'r-9', 'r-9'],
    ['keeps its receipt id', paid, 'r-9', 'r-1'],
    ['gets no receipt id', nameless, undefined, null],
  ])(
    'a paid payment %s when a reversal, or money received after a reversal, is reported',
    (_, payment, receipt, expected) => {
      const named = receipt === undefined ? {} : { receipt }
      const again = { type: 'paid_after_reversal', amount: 5n, reference, ...named } as const
      const reversed = { type: 'reversed', reason: 'deny', unexpectedMoneyId: 'u-1', ...named } as const
      expect(apply(payment, again).payment.receipt).toBe(expected)
      expect(apply(payment, reversed).payment.receipt).toBe(expected)
    },
  )

  test("a credit without the provider's confirmation schedules an inquiry an hour later", () => {
    expect(apply(pending, { ...full, unconfirmed: 'sure of it' }).payment).toMatchObject({
      unconfirmedSince: later(1),
      nextCheckAt: later(1 + 3_600_000),
    })
    expect(apply(pending, full).payment).toMatchObject({ unconfirmedSince: null, nextCheckAt: null })
  })
})

test.each([full, part])(
  "after a report of money for an earlier charge attempt ($type), the payment still gets the latest attempt's provider ID",
  event => {
    const charging = { ...pending, attempt: 2, status: 'charging', providerPaymentId: null } as const
    const { payment } = apply(charging, { ...event, providerPaymentId: 'p-1' })
    expect(payment).toMatchObject({ paidReference: reference, providerPaymentId: null })
    const methodData = { type: 'virtual_account', bank: 'BCA', va_number: '9' } as const
    const accepted = { type: 'accepted', providerPaymentId: 'p-2', methodData } as const
    expect(apply(payment, accepted).payment.providerPaymentId).toBe('p-2')
  },
)

test('a repeated `accepted` event only adds payment instructions or a provider ID that the payment lacks', () => {
  const methodData = { type: 'virtual_account', bank: 'BCA', va_number: '9' } as const
  const accepted = { type: 'accepted', providerPaymentId: 'p-9', methodData } as const
  expect(apply(pending, accepted)).toStrictEqual({ kind: 'unchanged', payment: pending })
  expect(apply({ ...pending, methodData: null }, accepted).payment).toMatchObject({
    methodData,
    updatedAt: later(1),
  })
  expect(apply({ ...pending, providerPaymentId: null }, accepted).payment).toMatchObject({
    providerPaymentId: 'p-9',
    updatedAt: later(1),
  })
})

describe('the order reference, receipt ID and amount determine whether received money is already known', () => {
  test.each<[string, Payment, string, string | undefined, boolean]>([
    ['of the paid reference', paid, reference, 'r-1', true],
    ['of another reference', paid, 'other', 'r-1', false],
    [
      'of any reference, if the paid reference is unknown',
      { ...paid, paidReference: null },
      'other',
      'r-1',
      true,
    ],
    ['with another id', paid, reference, 'r-2', false],
    ['without an id', paid, reference, undefined, true],
    ['with an id, if the paid receipt has none', nameless, reference, 'r-2', true],
  ])(
    'whether a reported receipt of money %s is the receipt that made the payment paid: $4',
    (_, payment, of, receipt, isSame) => {
      expect(isSameReceipt(payment, { reference: of, ...(receipt !== undefined && { receipt }) })).toBe(
        isSame,
      )
    },
  )

  const other = pending.amount + 1n
  test.each<[string, Payment, bigint, string | undefined, boolean]>([
    ['first receipt id with the same amount', nameless, pending.amount, 'r-1', false],
    ['first receipt id with another amount', nameless, other, 'r-1', true],
    ['report without a receipt id, with another amount', nameless, other, undefined, false],
    [
      'first receipt id with another amount after a reversal',
      { ...nameless, reversedAt: now },
      other,
      'r-1',
      false,
    ],
    ['first receipt id with another amount for an unconfirmed credit', unconfirmed, other, 'r-1', false],
    ['known receipt id with another amount', paid, other, 'r-1', false],
    ['second receipt id', paid, pending.amount, 'r-2', true],
  ])(
    'for a payment that is already paid, the check whether a %s means a second payment returns $4',
    (_, payment, sum, receipt, isSecond) => {
      const told = { sum, reference, ...(receipt !== undefined && { receipt }) }
      expect(isSecondPayment(payment, told)).toBe(isSecond)
    },
  )

  test.each<[bigint | null, bigint, boolean]>([
    [5n, 5n, true],
    [5n, 4n, true],
    [5n, 6n, false],
    [null, 0n, false],
  ])(
    'with %s cents already received, the check whether a partial payment of %s cents is already recorded returns %s',
    (amountReceived, received, isKnown) => {
      expect(isKnownPartialPayment({ ...pending, amountReceived }, { received, reference })).toBe(isKnown)
    },
  )
})

describe('asOfAttempt returns a payment as it was at an earlier charge attempt', () => {
  const third: Payment = { ...pending, attempt: 3 }
  const account = { providerAccountId: 'account-1', providerPaymentId: 'p-1' }

  test('for the latest charge attempt, the current payment is returned unchanged', () => {
    expect(asOfAttempt(third, { reference: `${reference}-3`, ...account })).toBe(third)
  })

  test.each([
    [reference, 1],
    [`${reference}-2`, 2],
  ])(
    "for the earlier charge attempt with the reference %s, the payment has this attempt's number and provider account, and no payment instructions",
    (of, attempt) => {
      expect(asOfAttempt(third, { reference: of, ...account })).toStrictEqual({
        ...third,
        ...account,
        attempt,
        methodData: null,
      })
    },
  )
})
