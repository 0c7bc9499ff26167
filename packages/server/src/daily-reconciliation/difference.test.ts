// Tests how the differences that daily reconciliation finds are stored if the Owner has closed a difference.

import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { firstPage } from '../db/list-order.ts'
import type { DifferenceView } from '../reports/reconciliation-report.ts'
import { newId } from '../values/id.ts'
import { closeDifference } from './close-difference.ts'
import {
  closeResolvedDifferences,
  listDifferences,
  storeReconciliationDifferences,
} from './difference.sql.ts'

const { db } = await testDatabase()

const [tenantId, otherPaymentId] = [newId(), newId()]
const reference = 'GP261120-7Q4M2ZK8XW'
const difference = (payment_id: string | null, their_amount: number): DifferenceView => ({
  ...{ kind: 'amount', between: 'payments_provider', mode: 'test', payment_id },
  ...{ tenant_id: payment_id && tenantId, payment_code: payment_id && reference, reference },
  ...{ provider: 'midtrans', provider_account_id: tenantId, provider_payment_id: null, source: 'inquiry' },
  ...{ our_status: 'paid', our_amount: 100, ledger_amount: 100, their_status: 'paid', their_amount },
  detail: 'the provider reports another amount',
})

/** Stores what a run found when the provider reported an amount for the payment. */
async function report(paymentId: string | null, theirAmount: number): Promise<void> {
  const found = [difference(paymentId, theirAmount), difference(otherPaymentId, 80)]
  await storeReconciliationDifferences(db, '2026-11-20', found)
  if (paymentId !== null)
    await closeResolvedDifferences(db, [{ tenantId, paymentId, source: 'inquiry' }], found)
}
async function amounts(paymentId: string | null, isOpen = true): Promise<unknown[]> {
  const all = await listDifferences(db, { isOpen, mode: null, paymentId: null }, firstPage(), 100)
  return all
    .filter(({ payment_id }) => payment_id === paymentId)
    .map(({ their_amount, closed_by }) => (isOpen ? their_amount : [their_amount, closed_by]))
}
async function closeAsOwner(paymentId: string | null): Promise<void> {
  const open = await listDifferences(db, { isOpen: true, mode: null, paymentId }, firstPage(), 100)
  const found = open.find(({ payment_id }) => payment_id === paymentId)
  await closeDifference({ db }, null, found?.id ?? '', 'a fee of theirs')
}

test.each([
  ['a payment', newId()],
  ['a settlement line without a payment', null],
])(
  'if the provider reports another amount for %s and then again the one that the Owner accepted, no difference stays open',
  async (_, paymentId) => {
    await report(paymentId, 90)
    await closeAsOwner(paymentId)
    await report(paymentId, 90)
    expect(await amounts(paymentId)).toEqual([])
    await report(paymentId, 95)
    expect(await amounts(paymentId)).toEqual([95])
    await report(paymentId, 90)
    expect(await amounts(paymentId)).toEqual([])
    expect((await amounts(paymentId, false)).sort()).toEqual([
      [90, 'owner'],
      [95, 'run'],
    ])
    // The Owner has not accepted this amount, so it is reported again.
    await report(paymentId, 95)
    expect(await amounts(paymentId)).toEqual([95])
    expect(await amounts(otherPaymentId)).toEqual([80])
  },
)
