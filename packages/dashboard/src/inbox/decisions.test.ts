import { describe, expect, test } from 'vitest'
import { effectOf, isUnreported, usualRefund, verbsFor } from './decisions.ts'

const money: Parameters<typeof verbsFor>[0] = {
  kind: 'overpaid',
  status: 'open',
  in_ledger: true,
  payment_id: 'p',
  amount: 13_000_000,
  expected_amount: 10_000_000,
}

describe('the decisions offered for unexpected money', () => {
  test('are exactly those that the service accepts for the kind and status of the record', () => {
    expect(verbsFor(money)).toEqual(['accept', 'refund'])
    expect(verbsFor({ ...money, status: 'accepted' })).toEqual(['refund'])
    expect(verbsFor({ ...money, status: 'refunded' })).toEqual([])
    expect(verbsFor({ ...money, kind: 'reversal' })).toEqual(['accept'])
    expect(verbsFor({ ...money, kind: 'reversal', status: 'accepted' })).toEqual([])
    expect(verbsFor({ ...money, kind: 'unknown_reference', payment_id: null })).toEqual(['assign', 'refund'])
  })

  test('are to debit or to dismiss, for a refund or a chargeback by the provider', () => {
    for (const kind of ['refund', 'chargeback'] as const) {
      const returned = { ...money, kind, in_ledger: false }
      expect(verbsFor(returned)).toEqual(['accept', 'dismiss'])
      expect(verbsFor({ ...returned, payment_id: null })).toEqual(['assign', 'dismiss'])
      for (const status of ['accepted', 'dismissed'] as const)
        expect(verbsFor({ ...returned, status })).toEqual([])
      expect(effectOf('accept', returned)).toBe('return_debited')
      expect(effectOf('dismiss', returned)).toBe('dismissed')
      expect([isUnreported(returned), isUnreported({ ...returned, amount: 0 })]).toEqual([false, true])
    }
  })

  test('credit money that is not in the ledger yet, and debit money that is in the ledger', () => {
    expect(effectOf('accept', money)).toBe('noted')
    expect(effectOf('accept', { ...money, in_ledger: false })).toBe('credited')
    expect(effectOf('refund', money)).toBe('debited')
    expect(effectOf('refund', { ...money, in_ledger: false })).toBe('returned')
  })

  test('refund the excess of an overpayment by default, and the full amount of any other money', () => {
    expect(usualRefund(money)).toBe(3_000_000)
    expect(usualRefund({ ...money, kind: 'late' })).toBe(13_000_000)
  })
})
