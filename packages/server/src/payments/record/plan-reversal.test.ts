import { describe, expect, test } from 'vitest'
import { later, now } from '../../../test/support/make-payment.ts'
import {
  AMOUNT,
  nameless,
  paid,
  plan,
  record,
  reference,
  reversal,
  reversed,
} from '../../../test/support/money-events.ts'
import type { Status } from '../payment.ts'

describe('only a paid payment can be reversed, and its reversal debits the credited money', () => {
  test.each<Status>(['pending', 'challenged', 'failed', 'expired'])(
    'reversing a payment is refused if the payment is %s',
    status => {
      expect(plan({ ...paid, status }, reversal())).toStrictEqual({
        kind: 'refused',
        reason: `reversed does not follow ${status}`,
      })
    },
  )

  test('a reversal is rejected if the payment has no paid amount', () => {
    expect(plan({ ...paid, amountPaid: null }, reversal())).toMatchObject({ kind: 'refused' })
  })

  test('a reversal debits the amount credited to the payment', () => {
    expect(plan(paid, reversal())).toStrictEqual({
      kind: 'apply',
      event: { ...reversal(), amount: AMOUNT },
      records: [
        {
          ...record({ kind: 'reversal', amount: AMOUNT, credited: true, paidAt: later(-5_000) }),
          id: 'u-9',
          createdAt: now,
        },
      ],
    })
  })

  test('a reversal with unknown order reference and time is recorded with the payment code and report time', () => {
    const bare = { ...nameless, paidReference: null, paidAt: null }
    expect(plan(bare, reversal())).toMatchObject({ records: [{ reference, receipt: '', paidAt: now }] })
  })

  test("if the provider takes back a payment's money, all credits of this money are debited", () => {
    const increase = record({
      kind: 'increase',
      fromAmount: AMOUNT,
      amount: 300n,
      status: 'accepted',
      credited: true,
    })
    const waiting = record({ kind: 'increase', fromAmount: 1_300n, amount: 200n })
    const own = record({ kind: 'overpaid', amount: AMOUNT, credited: true })
    const others = [
      record({ kind: 'second_payment', receipt: 'r-2', amount: 70n, credited: true }),
      record({ kind: 'second_payment', receipt: 'r-1', reference: 'other', amount: 70n, credited: true }),
      record({ kind: 'refund', amount: 50n }),
    ]
    expect(plan(paid, reversal(), [increase, waiting, own, ...others])).toMatchObject({
      event: { amount: 1_300n },
      records: [
        { kind: 'reversal', amount: 1_300n, credited: true, status: 'open', round: 1 },
        {
          ...waiting,
          status: 'refunded',
          decidedAt: now,
          reason: 'the provider took it back',
        },
      ],
    })
    const found = plan(paid, reversal(), [increase, waiting, own, ...others])
    expect(found.kind === 'apply' && found.records).toHaveLength(2)
  })

  test('if no money was credited after the first reversal, a second reversal debits nothing', () => {
    const taken = record({ kind: 'reversal', amount: AMOUNT, credited: true })
    const again = record({ kind: 'paid_after_reversal', amount: AMOUNT, round: 2 })
    expect(plan(reversed, reversal(), [taken, again])).toMatchObject({
      event: { amount: 0n },
      records: [
        {
          kind: 'reversal',
          amount: AMOUNT,
          credited: false,
          round: 2,
          status: 'accepted',
          decidedAt: now,
          reason: 'none of it had been credited',
        },
        { id: again.id, status: 'refunded' },
      ],
    })
  })

  test('the second reversal of a payment debits the money credited since the first reversal', () => {
    const taken = record({ kind: 'reversal', amount: AMOUNT, credited: true })
    const again = record({
      kind: 'paid_after_reversal',
      amount: 900n,
      round: 2,
      status: 'accepted',
      credited: true,
    })
    expect(plan(reversed, reversal(), [taken, again])).toMatchObject({
      event: { amount: 900n },
      records: [
        { kind: 'reversal', amount: 900n, credited: true, round: 2, status: 'open', decidedAt: null },
      ],
    })
  })

  test('a second reversal of a payment debits only the money that was credited after the first reversal', () => {
    const records = [
      record({ kind: 'increase', fromAmount: AMOUNT, amount: 300n, status: 'accepted', credited: true }),
      record({ kind: 'reversal', amount: 1_300n, credited: true }),
      record({ kind: 'paid_after_reversal', amount: 900n, round: 2, status: 'accepted', credited: true }),
    ]
    expect(plan(reversed, reversal(), records)).toHaveProperty('event.amount', 900n)
    expect(plan(reversed, reversal(), records.slice(0, 2))).toHaveProperty('kind', 'refused')
  })

  test("a reversal is rejected if earlier reversals have taken back all of the payment's money", () => {
    const taken = record({ kind: 'reversal', amount: AMOUNT, credited: true })
    expect(plan(reversed, reversal(), [taken])).toStrictEqual({
      kind: 'refused',
      reason: 'reversed changes nothing: all of it is taken back already',
    })
  })
})
