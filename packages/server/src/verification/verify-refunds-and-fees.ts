// Verifies that the ledger entries of each refund and fee add up to its amount.

import type { Db } from '../db/db.ts'
import type { EntryDifference } from '../ledger/ledger-difference.ts'
import { PAGE, pages } from './pages.ts'
import type { Portion } from './portions.sql.ts'
import {
  type ChargedFee,
  listChargedFees,
  listPostedFees,
  listPostedRefunds,
  type PostedAmount,
} from './refunds-and-fees.sql.ts'

/** Calls `onPage` after each page, and waits for it before reading the next one. */
export async function verifyRefundsAndFees(
  db: Db,
  portions: Portion[],
  report: (difference: EntryDifference) => void,
  onPage: () => void | Promise<void>,
): Promise<void> {
  for await (const rows of pages<PostedAmount>(portions, (...from) => listPostedRefunds(db, ...from, PAGE))) {
    for (const row of rows.filter(isUnequal))
      report({ kind: 'refund_differs', refund_id: row.id, ...postedAmount(row) })
    await onPage()
  }
  for await (const rows of pages<PostedAmount>(portions, (...from) => listPostedFees(db, ...from, PAGE))) {
    for (const row of rows.filter(isUnequal)) report({ kind: 'fee_differs', ...postedAmount(row) })
    await onPage()
  }
  for await (const rows of pages<ChargedFee>(portions, (...from) => listChargedFees(db, ...from, PAGE))) {
    for (const row of rows.filter(({ hasPayment }) => !hasPayment))
      report({ kind: 'fee_differs', ...postedAmount({ ...row, expected: row.amount, found: 0n }) })
    await onPage()
  }
}

const isUnequal = ({ expected, found, isPostedOnce }: PostedAmount): boolean =>
  expected !== found || !isPostedOnce

type Amounts = Pick<PostedAmount, 'tenantId' | 'mode' | 'paymentId' | 'expected' | 'found'>

const postedAmount = ({ tenantId, mode, paymentId, expected, found }: Amounts) => ({
  ...{ tenant_id: tenantId, mode, payment_id: paymentId },
  ...{ expected: expected.toString(), found: found.toString() },
})
