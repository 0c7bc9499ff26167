import { describe, expect, test } from 'vitest'
import { effectWords } from './decision-words.ts'
import { effectOf, isUnreported, usualRefund, verbsFor } from './decisions.ts'

const money: Parameters<typeof verbsFor>[0] = {
  kind: 'overpaid',
  status: 'open',
  in_ledger: true,
  payment_id: 'p',
  amount: 13_000_000,
  expected_amount: 10_000_000,
}

describe('the Inbox offers exactly the decisions on unexpected money that the service accepts', () => {
  test('which decisions the Inbox offers depends on the kind and the status of the unexpected money', () => {
    expect(verbsFor(money)).toEqual(['accept', 'refund'])
    expect(verbsFor({ ...money, status: 'accepted' })).toEqual(['refund'])
    expect(verbsFor({ ...money, status: 'refunded' })).toEqual([])
    expect(verbsFor({ ...money, kind: 'reversal' })).toEqual(['accept'])
    expect(verbsFor({ ...money, kind: 'reversal', status: 'accepted' })).toEqual([])
    expect(verbsFor({ ...money, kind: 'unknown_reference', payment_id: null })).toEqual(['assign', 'refund'])
  })

  test('the Inbox offers to debit or dismiss an unexpected refund or chargeback', () => {
    for (const kind of ['refund', 'chargeback'] as const) {
      const returned = { ...money, kind, in_ledger: false }
      expect(verbsFor(returned)).toEqual(['accept', 'dismiss'])
      expect(verbsFor({ ...returned, payment_id: null })).toEqual(['assign', 'dismiss'])
      for (const status of ['accepted', 'dismissed'] as const)
        expect(verbsFor({ ...returned, status })).toEqual([])
      const event = kind === 'refund' ? 'payment.refunded' : 'payment.reversed'
      for (const verb of ['accept', 'assign'] as const)
        for (const texts of [effectWords.en, effectWords.id])
          expect(texts[effectOf(verb, returned)]('')).toContain(`(${event})`)
      expect(effectOf('dismiss', returned)).toBe('dismissed')
      expect([isUnreported(returned), isUnreported({ ...returned, amount: 0 })]).toEqual([false, true])
    }
  })

  test('the Inbox offers to refund unconfirmed money only after it was credited', () => {
    const claim = { ...money, kind: 'unconfirmed', in_ledger: false } as const
    expect(verbsFor(claim)).toEqual(['accept', 'dismiss'])
    expect(verbsFor({ ...claim, status: 'accepted', in_ledger: true })).toEqual(['refund'])
    expect(verbsFor({ ...claim, in_ledger: true })).toEqual(['accept', 'refund'])
    expect(effectOf('accept', claim)).toBe('credited')
    expect(effectOf('dismiss', claim)).toBe('dismissed_unconfirmed')
  })

  test('accepting unexpected money credits only money missing from the ledger; refunding debits only money in the ledger', () => {
    expect(effectOf('accept', money)).toBe('noted')
    expect(effectOf('accept', { ...money, in_ledger: false })).toBe('credited')
    expect(effectOf('refund', money)).toBe('debited')
    expect(effectOf('refund', { ...money, in_ledger: false })).toBe('returned')
    expect(effectOf('refund', { ...money, in_ledger: false, payment_id: null })).toBe('returned_by_you')
  })

  test('the proposed refund is the excess of an overpayment, or the full amount of other unexpected money', () => {
    expect(usualRefund(money)).toBe(3_000_000)
    expect(usualRefund({ ...money, kind: 'late' })).toBe(13_000_000)
  })
})
