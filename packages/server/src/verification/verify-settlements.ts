// Verifies that the accounts `provider:<id>` in the tenants' double-entry ledgers agree with the settlements that the
// Owner uploaded. Each payment is compared separately, because wrong amounts of two payments can cancel each other out
// in a total.
//
// The provider's fees are the operator's costs, so no tenant's book contains them. These fees are only compared with
// the settlement's total.

import type { Db } from '../db/db.ts'
import type { SettlementDifference } from '../ledger/ledger-difference.ts'
import { PAGE, pages } from './pages.ts'
import {
  listSettledPayments,
  listSettlementTotals,
  type PostedMoney,
  type SettledPayment,
  type SettlementTotals,
  sumPostedMoney,
} from './settled-accounts.sql.ts'

/** The number of settlements per page. It is small because a settlement can have 100,000 lines. */
const SETTLEMENTS_PAGE = 20

/** Calls `onPage` after each page, and waits for it before reading the next one. */
export async function verifySettlements(
  db: Db,
  report: (difference: SettlementDifference) => void,
  onPage: () => void | Promise<void>,
): Promise<void> {
  const totals = pages<SettlementTotals>(
    [undefined],
    (_, after) => listSettlementTotals(db, after, SETTLEMENTS_PAGE),
    SETTLEMENTS_PAGE,
  )
  for await (const settlements of totals) {
    for (const each of settlements) compareTotals(each, report)
    await onPage()
  }
  for await (const payments of pages<SettledPayment>([undefined], (_, after) =>
    listSettledPayments(db, after, PAGE),
  )) {
    const posted = new Map((await sumPostedMoney(db, payments)).map(each => [keyOf(each), each]))
    for (const payment of payments) comparePostedMoney(payment, posted.get(keyOf(payment)), report)
    await onPage()
  }
}

const keyOf = ({ tenantId, paymentId, providerAccountId, date }: SettledPayment | PostedMoney): string =>
  [tenantId, paymentId, providerAccountId, date].join()

function compareTotals(
  { providerAccountId: provider_account_id, mode, date, ...totals }: SettlementTotals,
  report: (difference: SettlementDifference) => void,
): void {
  const of = { provider_account_id, mode, date }
  for (const [total, expected, found] of [
    ['amount', totals.amountOfLines, totals.amount],
    ['fees', totals.feesOfLines, totals.fees],
  ] as const)
    if (expected !== found)
      report({
        ...{ kind: 'settlement_total_differs', ...of, total },
        ...{ expected: expected.toString(), found: found.toString() },
      })
}

function comparePostedMoney(
  payment: SettledPayment,
  posted: PostedMoney | undefined,
  report: (difference: SettlementDifference) => void,
): void {
  const { providerAccountId, mode, date, tenantId, paymentId, listsPaid, listsReturned, paid, returned } =
    payment
  const { received, returnedAtMost, returnedAtLeast } = posted ?? NOTHING
  const differ = (kind: 'settlement_differs' | 'settled_return_differs', settled: bigint, found: bigint) =>
    report({
      ...{ kind, provider_account_id: providerAccountId, mode, date },
      ...{ tenant_id: tenantId, payment_id: paymentId },
      ...{ expected: settled.toString(), found: found.toString() },
    })
  if (listsPaid && paid !== received) differ('settlement_differs', paid, received)
  // Recent refunds and chargebacks may still be missing in the settlements, because a provider can list
  // returned money days after returning it.
  if (listsReturned && returned > returnedAtMost) differ('settled_return_differs', returned, returnedAtMost)
  if (listsReturned && returned < returnedAtLeast) differ('settled_return_differs', returned, returnedAtLeast)
}

const NOTHING = { received: 0n, returnedAtMost: 0n, returnedAtLeast: 0n }
