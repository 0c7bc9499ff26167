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

describe('the Inbox offers the decisions on unexpected money that the service accepts', () => {
  test('the decisions offered in the Inbox depend on the kind and status of the unexpected money', () => {
    expect(verbsFor(money)).toEqual(['accept', 'refund'])
    expect(verbsFor({ ...money, status: 'accepted' })).toEqual(['refund'])
    expect(verbsFor({ ...money, status: 'refunded' })).toEqual([])
    expect(verbsFor({ ...money, kind: 'reversal' })).toEqual(['accept'])
    expect(verbsFor({ ...money, kind: 'reversal', status: 'accepted' })).toEqual([])
    expect(verbsFor({ ...money, kind: 'unknown_reference', payment_id: null })).toEqual(['assign', 'refund'])
  })

  test('for an unexpected refund or chargeback, the Inbox offers to debit it from the merchant’s balance or to dismiss it', () => {
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

  test('accepting money credits only what the ledger does not include yet, and refunding it debits only what the ledger includes', () => {
    expect(effectOf('accept', money)).toBe('noted')
    expect(effectOf('accept', { ...money, in_ledger: false })).toBe('credited')
    expect(effectOf('refund', money)).toBe('debited')
    expect(effectOf('refund', { ...money, in_ledger: false })).toBe('returned')
    expect(effectOf('refund', { ...money, in_ledger: false, payment_id: null })).toBe('returned_by_you')
  })

  test('for a refund, the Inbox proposes the excess of an overpayment, or the full amount of any other unexpected money', () => {
    expect(usualRefund(money)).toBe(3_000_000)
    expect(usualRefund({ ...money, kind: 'late' })).toBe(13_000_000)
  })
})
