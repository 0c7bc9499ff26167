import { describe, expect, test } from 'vitest'
import { later, makePayment, now } from '../../../test/support/make-payment.ts'
import type { MoneyReturn, ProviderUpdate } from '../../providers/provider.ts'
import type { Payment } from '../payment.ts'
import { interpretCallback, interpretInquiry, interpretUpdate } from './interpret-update.ts'

const here = { now, publicUrl: 'https://pay.example.com' }
const pending = makePayment({ expiresAt: later(60_000) })
const reference = pending.paymentCode
const paid: Payment = {
  ...pending,
  status: 'paid',
  amountPaid: pending.amount,
  paidAt: later(-1_000),
  paidReference: reference,
}
const reversed: Payment = { ...paid, reversedAt: later(-500) }
const unconfirmed: Payment = { ...paid, unconfirmedSince: later(-500) }

type Fact = ProviderUpdate['fact']
const updateOf = (fact: Fact, rest: Partial<ProviderUpdate> = {}): ProviderUpdate => ({
  reference,
  providerPaymentId: 'p-9',
  fact,
  ...rest,
})

const facts = {
  pending: { type: 'pending' },
  paid: { type: 'paid', amountPaid: pending.amount, paidAt: later(-2_000), receipt: 'r-1' },
  failed: { type: 'failed', reason: 'deny' },
  expired: { type: 'expired' },
  cancelled: { type: 'cancelled' },
  closed: { type: 'closed' },
  challenged: { type: 'challenged', reason: 'held' },
  nothing: { type: 'nothing', reason: 'a refund' },
  unproven: { type: 'unproven', reason: 'the signature leaves the status out' },
} as const satisfies { [Type in Fact['type']]: Extract<Fact, { type: Type }> }
type Type = keyof typeof facts

const paidEvent = {
  type: 'paid',
  amountPaid: pending.amount,
  paidAt: later(-2_000),
  receipt: 'r-1',
  reference,
  providerPaymentId: 'p-9',
}
const reversal = (reason: string) => ({ type: 'reversed', reason, unexpectedMoneyId: expect.any(String) })

describe("a provider's report about the current charge attempt becomes a payment event", () => {
  test.each<[Type, object | undefined]>([
    ['pending', undefined],
    ['paid', paidEvent],
    ['failed', { type: 'failed', reason: 'deny' }],
    ['expired', { type: 'expired' }],
    ['cancelled', { type: 'cancelled' }],
    ['closed', { type: 'cancelled' }],
    ['challenged', { type: 'challenged', reason: 'held' }],
    ['nothing', undefined],
    ['unproven', undefined],
  ])(
    "a provider's report with the status %s becomes the matching payment event, or no event if none matches",
    (type, event) => {
      expect(interpretUpdate(updateOf(facts[type]), pending, here)).toStrictEqual(event)
    },
  )

  test('a pending order with payment instructions becomes an `accepted` event with an image URL for its QR code', () => {
    const methodData = { type: 'qris', qr_string: '000201', qr_image_url: '' } as const
    expect(interpretUpdate(updateOf({ type: 'pending', methodData }), pending, here)).toStrictEqual({
      type: 'accepted',
      providerPaymentId: 'p-9',
      methodData: { ...methodData, qr_image_url: `https://pay.example.com/qr/${reference}.svg` },
    })
  })

  test('a report without a payment time becomes a `paid` event with the current time', () => {
    const update = updateOf({ type: 'paid', amountPaid: pending.amount })
    expect(interpretUpdate(update, pending, here)).toStrictEqual({
      type: 'paid',
      amountPaid: pending.amount,
      paidAt: now,
      reference,
      providerPaymentId: 'p-9',
    })
  })

  test.each([
    ['expired', 'at its expiry', 0],
    ['expired', 'after its expiry', -1],
    ['cancelled', 'before its expiry', 1],
  ])(
    "a provider's report that the order is closed becomes the event %s if the order was closed %s",
    (type, _, ms) => {
      const payment = { ...pending, expiresAt: later(ms) }
      expect(interpretUpdate(updateOf(facts.closed), payment, here)).toStrictEqual({ type })
    },
  )
})

describe("a provider's report about an earlier charge attempt has an effect only if it reports received money", () => {
  const second: Payment = { ...pending, attempt: 2 }

  test.each<Type>(['pending', 'failed', 'expired', 'cancelled', 'closed', 'challenged'])(
    "a provider's report with the status %s about an earlier charge attempt changes nothing",
    type => {
      const methodData = { type: 'virtual_account', bank: 'BCA', va_number: '1' } as const
      const fact: Fact = type === 'pending' ? { type, methodData } : facts[type]
      expect(interpretUpdate(updateOf(fact), second, here)).toBeUndefined()
    },
  )

  test('a report that an earlier charge attempt was paid credits the payment, although a later attempt exists', () => {
    expect(interpretUpdate(updateOf(facts.paid), second, here)).toStrictEqual(paidEvent)
  })
})

describe("if the operator credited money without the provider's confirmation, the provider's report later confirms or reverses this credit", () => {
  test.each<[Type, string]>([
    ['failed', 'deny'],
    ['expired', 'the provider reports expired'],
    ['cancelled', 'the provider reports cancelled'],
    ['closed', 'the provider reports closed'],
  ])(
    "if the operator credited a payment without the provider's confirmation, a provider's report with the status %s reverses the credit",
    (type, reason) => {
      expect(interpretUpdate(updateOf(facts[type]), unconfirmed, here)).toStrictEqual(reversal(reason))
    },
  )

  test.each<[Type, object | undefined]>([
    ['pending', undefined],
    ['paid', paidEvent],
    ['challenged', { type: 'challenged', reason: 'held' }],
  ])(
    "if the operator has credited a payment without the provider's confirmation, a provider's report with the status %s does not reverse the credit",
    (type, event) => {
      expect(interpretUpdate(updateOf(facts[type]), unconfirmed, here)).toStrictEqual(event)
    },
  )

  test('a report about another order of the payment does not reverse an unconfirmed credit', () => {
    const other = { ...unconfirmed, paidReference: `${reference}-2` }
    expect(interpretUpdate(updateOf(facts.expired), other, here)).toStrictEqual({ type: 'expired' })
  })
})

describe('a callback that may be wrong or outdated triggers a status inquiry', () => {
  const ends: Type[] = ['expired', 'cancelled', 'closed']

  test('if the status in a callback cannot be trusted, the service sends a status inquiry', () => {
    expect(interpretCallback(updateOf(facts.unproven), pending, here)).toBe('ask')
  })

  test.each<Type>(['paid', 'failed', 'expired', 'cancelled', 'closed', 'challenged', 'pending', 'nothing'])(
    'a callback with the status %s is applied to a pending payment without a status inquiry',
    type => {
      const update = updateOf(facts[type])
      expect(interpretCallback(update, pending, here)).toStrictEqual(interpretUpdate(update, pending, here))
    },
  )

  test.each<[string, Type, Partial<Payment>]>([
    ['failed, about the order that paid the payment', 'failed', paid],
    ['paid, about the order of a reversed payment', 'paid', reversed],
    ['paid, about a failed payment', 'paid', { status: 'failed' }],
    ['paid, about an expired payment', 'paid', { status: 'expired' }],
    ['paid, about a cancelled payment', 'paid', { status: 'cancelled' }],
    ['paid, about a rejected payment', 'paid', { status: 'rejected' }],
    ...ends.map((type): [string, Type, Partial<Payment>] => [
      `${type}, about a credit without confirmation`,
      type,
      unconfirmed,
    ]),
  ])('a callback with the status %s causes a status inquiry', (_, type, payment) => {
    expect(interpretCallback(updateOf(facts[type]), { ...pending, ...payment }, here)).toBe('ask')
  })

  test.each<[string, Type, Partial<Payment>]>([
    ['paid, about a paid payment', 'paid', paid],
    ['paid, about another order of a reversed payment', 'paid', { ...reversed, paidReference: 'other' }],
    ['failed, about another order of a paid payment', 'failed', { ...paid, paidReference: 'other' }],
    ['failed, about a pending payment under the paid reference', 'failed', { paidReference: reference }],
    ...ends.map((type): [string, Type, Partial<Payment>] => [`${type}, about a paid payment`, type, paid]),
    ...ends.map((type): [string, Type, Partial<Payment>] => [
      `${type}, about another order of a credit without confirmation`,
      type,
      { ...unconfirmed, paidReference: 'other' },
    ]),
  ])('a callback with the status %s is applied without a status inquiry', (_, type, changes) => {
    const payment = { ...pending, ...changes }
    const update = updateOf(facts[type])
    expect(interpretCallback(update, payment, here)).toStrictEqual(interpretUpdate(update, payment, here))
  })

  const refund: MoneyReturn = { kind: 'refund', id: 'f-1', amount: 5n, status: 'succeeded' }
  test.each<[string, MoneyReturn[], Type, Partial<Payment>]>([
    ['without its amount', [{ ...refund, amount: null }], 'nothing', paid],
    ['pending without its amount', [refund, { ...refund, amount: null, status: 'pending' }], 'nothing', paid],
    ['of a payment that is not known to be paid', [refund], 'nothing', {}],
  ])('a callback that lists a refund %s causes a status inquiry', (_, returns, type, payment) => {
    const update = updateOf(facts[type], { returns })
    expect(interpretCallback(update, { ...pending, ...payment }, here)).toBe('ask')
  })

  test.each<[string, MoneyReturn[], Type, Partial<Payment>]>([
    ['whose amount is known, of a paid payment', [refund], 'nothing', paid],
    ['that failed without its amount', [{ ...refund, amount: null, status: 'failed' }], 'nothing', paid],
    ['in the report that pays the payment', [refund], 'paid', {}],
  ])(
    'no status inquiry is needed for a callback that lists a refund %s, because the callback contains all necessary data',
    (_, returns, type, payment) => {
      const update = updateOf(facts[type], { returns })
      expect(interpretCallback(update, { ...pending, ...payment }, here)).not.toBe('ask')
    },
  )
})

describe('an inquiry about an order can reverse the payment only if the order was paid before the inquiry', () => {
  test('an inquiry result of `failed` reverses a paid payment if the payer paid the inquired order', () => {
    expect(interpretInquiry(updateOf(facts.failed), paid, paid, here)).toStrictEqual(reversal('deny'))
  })

  test.each<[string, Payment, Payment]>([
    ['was paid during the inquiry', pending, paid],
    ['was paid by another order', { ...paid, paidReference: 'other' }, { ...paid, paidReference: 'other' }],
    ['was paid by another order during the inquiry', paid, { ...paid, paidReference: 'other' }],
    ['is not paid', pending, pending],
  ])(
    'if a status inquiry returns `failed` for a payment that %s, the payment is not reversed',
    (_, asked, payment) => {
      expect(interpretInquiry(updateOf(facts.failed), asked, payment, here)).toStrictEqual({
        type: 'failed',
        reason: 'deny',
      })
    },
  )

  test('an inquiry result of `failed` reverses a reversed payment again unless it changed during the inquiry', () => {
    const moved = { ...reversed, transitionCount: reversed.transitionCount + 1 }
    expect(interpretInquiry(updateOf(facts.failed), reversed, reversed, here)).toStrictEqual(reversal('deny'))
    expect(interpretInquiry(updateOf(facts.failed), reversed, moved, here)).toBeUndefined()
    expect(
      interpretInquiry(updateOf(facts.failed), paid, { ...paid, transitionCount: 5 }, here),
    ).toStrictEqual(reversal('deny'))
  })

  test.each<Type>(['paid', 'expired', 'closed', 'challenged'])(
    'for a paid payment, the status %s from a status inquiry has the same effect as this status in any other report',
    type => {
      const update = updateOf(facts[type])
      expect(interpretInquiry(update, paid, paid, here)).toStrictEqual(interpretUpdate(update, paid, here))
    },
  )
})
