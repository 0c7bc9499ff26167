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

describe('the dashboard’s decisions on unexpected money', () => {
  test('the offered decisions are those that the service accepts for the kind and status of the record', () => {
    expect(verbsFor(money)).toEqual(['accept', 'refund'])
    expect(verbsFor({ ...money, status: 'accepted' })).toEqual(['refund'])
    expect(verbsFor({ ...money, status: 'refunded' })).toEqual([])
    expect(verbsFor({ ...money, kind: 'reversal' })).toEqual(['accept'])
    expect(verbsFor({ ...money, kind: 'reversal', status: 'accepted' })).toEqual([])
    expect(verbsFor({ ...money, kind: 'unknown_reference', payment_id: null })).toEqual(['assign', 'refund'])
  })

  test('an unexpected refund or chargeback can be debited from the balance or dismissed', () => {
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

  test('accepting credits money that is not in the ledger yet, and refunding debits money that is in the ledger', () => {
    expect(effectOf('accept', money)).toBe('noted')
    expect(effectOf('accept', { ...money, in_ledger: false })).toBe('credited')
    expect(effectOf('refund', money)).toBe('debited')
    expect(effectOf('refund', { ...money, in_ledger: false })).toBe('returned')
    expect(effectOf('refund', { ...money, in_ledger: false, payment_id: null })).toBe('returned_by_you')
  })

  test('the default refund is the excess for an overpayment, and the full amount for any other unexpected money', () => {
    expect(usualRefund(money)).toBe(3_000_000)
    expect(usualRefund({ ...money, kind: 'late' })).toBe(13_000_000)
  })
})
