// Tests how a reconciliation compares a payment's refunds, chargebacks and reversals with the provider's data.

import { describe, expect, test } from 'vitest'
import { AMOUNT, found, inquiryData, nowhere, paid, settled } from '../../test/support/payment-records.ts'
import type { MoneyReturn, ProviderUpdate } from '../providers/provider.ts'
import { findDifferences, type PaymentRecords, type ProviderData } from './difference.ts'

describe('a reconciliation finds the differences between the ledger and the refunds and chargebacks listed in an inquiry response', () => {
  const returned = (amount: bigint | null, status: MoneyReturn['status'] = 'succeeded'): MoneyReturn => ({
    ...{ kind: 'refund', id: 'rf-1', amount, status },
  })
  test.each<[string, bigint, MoneyReturn[], string[]]>([
    ['a refund at the provider only', 0n, [returned(1n)], ['ledger_provider status']],
    ['a refund of unknown amount at the provider only', 0n, [returned(null)], ['ledger_provider status']],
    [
      'a refund that is pending at the provider and missing here',
      0n,
      [returned(1n, 'pending')],
      ['ledger_provider status'],
    ],
    ['a refund that failed at the provider', 0n, [returned(1n, 'failed')], []],
    ['a full refund on both sides', AMOUNT, [returned(AMOUNT)], []],
    ['a refund in parts on both sides', 3n, [returned(1n), returned(2n)], []],
    ['a refund of unknown amount on both sides', 3n, [returned(null)], []],
    [
      'a refund that the ledger debits only in part',
      1n,
      [returned(1n), returned(2n)],
      ['ledger_provider amount'],
    ],
    ['a larger debit, because the operator also refunded money', 4n, [returned(3n)], []],
  ])(
    'comparing the ledger with the refunds and chargebacks in an inquiry result gives the correct result for %s',
    (_, debited, returns, expected) => {
      expect(found({ ...paid, debited }, inquiryData({ type: 'paid', amountPaid: AMOUNT }, returns))).toEqual(
        expected,
      )
    },
  )

  test("the description of a difference says so if a refund that awaits the Owner's decision explains it", () => {
    const data = inquiryData({ type: 'paid', amountPaid: AMOUNT }, [returned(3n)])
    expect(findDifferences({ ...paid, held: 3n }, data)[0]?.detail).toMatch(
      /an open record .* explains this difference$/,
    )
  })
})

describe("a refund that the provider may not have made is not expected in the provider's data", () => {
  const refunded: MoneyReturn = { kind: 'refund', id: 'rf-1', amount: AMOUNT, status: 'succeeded' }
  const isPaid = (returns?: MoneyReturn[]) => inquiryData({ type: 'paid', amountPaid: AMOUNT }, returns)
  const manual = { ...paid, refundedManually: AMOUNT }
  const awaited = { ...paid, pendingReturns: AMOUNT }
  const additional = { ...paid, creditedBesides: AMOUNT, debited: AMOUNT }
  const unproven = { ...paid, debited: AMOUNT }
  const silent: ProviderData = {
    source: 'inquiry',
    status: { ...(isPaid() as { status: ProviderUpdate }).status, mayOmitReturns: true },
  }

  test.each<[string, PaymentRecords, ProviderData, string[]]>([
    ['a manual refund', manual, isPaid(), []],
    ['a manual refund and a settlement', manual, settled(), []],
    ['a manual refund that the provider also lists', manual, isPaid([refunded]), ['ledger_provider status']],
    [
      'a manual refund that the provider also settled',
      manual,
      settled({ returned: AMOUNT }),
      ['ledger_provider status'],
    ],
    [
      'a manual refund that the operator made at the provider',
      { ...manual, dismissedRefunds: AMOUNT },
      isPaid([refunded]),
      [],
    ],
    [
      'a manual refund made at the provider, and another refund',
      { ...manual, dismissedRefunds: 2n * AMOUNT },
      isPaid([refunded, { ...refunded, id: 'rf-2' }]),
      ['ledger_provider amount'],
    ],
    ['a pending refund', awaited, isPaid(), []],
    ['a pending refund that the provider lists', awaited, isPaid([refunded]), []],
    ['a pending refund that is not settled', awaited, settled(), []],
    ['a pending refund that is settled', awaited, settled({ returned: AMOUNT }), []],
    ['a pending refund of a payment missing in the settlement', awaited, settled(nowhere), []],
    ['a pending refund that ended the order', awaited, inquiryData({ type: 'failed', reason: 'refund' }), []],
    [
      'a pending refund of less than is settled',
      awaited,
      settled({ returned: AMOUNT + 1n }),
      ['ledger_provider amount'],
    ],
    ['a return of additional money', additional, isPaid(), []],
    [
      'a full refund beside a smaller credit',
      { ...additional, creditedBesides: 1n },
      isPaid(),
      ['ledger_provider status'],
    ],
    ['a full refund at a provider that may omit it', unproven, silent, []],
  ])(
    'the reconciliation reports the expected differences, or none, for %s',
    (_, position, data, expected) => {
      expect(found(position, data)).toEqual(expected)
    },
  )
})
