// Recomputes the ledger from its entries and compares it with the stored balances and payments. Rows are read page by
// page, so memory use does not grow with the ledger. One statement reads each page, so a page is a consistent snapshot.
// The pages are not read in a single transaction, because a long transaction would keep PostgreSQL's vacuum from
// removing old row versions.

import type { Db } from '../db/db.ts'
import { accountNameOf } from '../ledger/account.ts'
import type { EntryDifference, LedgerDifference } from '../ledger/ledger-difference.ts'
import type { LedgerStatement } from '../ledger/ledger-statement.ts'
import type { Providers } from '../providers/provider.ts'
import {
  type AppliedCallback,
  listAppliedCallbacks,
  listPaidByCallback,
  type PaidByCallback,
} from './callback-amounts.sql.ts'
import { amountsInCallback } from './callback-amounts.ts'
import { compareOrder } from './compare-order.ts'
import { listOrders, type OrderRow } from './orders.sql.ts'
import { PAGE, pages } from './pages.ts'
import { listPortions } from './portions.sql.ts'
import { followBook } from './verify-book.ts'
import {
  type BalanceRow,
  type ChainRow,
  type EntryCause,
  hasStatement,
  listChains,
  listEntryCauses,
  listPaymentCredits,
  type PaymentCredit,
} from './verify-ledger.sql.ts'
import { verifyMargins } from './verify-margins.ts'
import { verifyRefundsAndFees } from './verify-refunds-and-fees.ts'
import { followSeals } from './verify-seals.ts'
import { verifySettlements } from './verify-settlements.ts'
import {
  listCompletions,
  listOrphanAccounts,
  listTransfers,
  type OrphanAccount,
  type TransferRow,
} from './verify-transfers.sql.ts'
import { compareTransfer } from './verify-transfers.ts'

/**
 * The number of orders per page. It is small because an order may have a hundred items of half a kilobyte
 * each.
 */
const ORDERS_PAGE = 500

export type Verified = {
  balances: number
  entries: number
  sealedEntries: bigint
  payments: number
  /**
   * The number of payments whose order could not be compared with its fingerprint (a hash of the order). For these
   * payments, this release does not know the fingerprint's version.
   */
  ordersNotChecked: number
  statements: number
  differences: number
}

/**
 * Verifies the whole ledger. Compares each of the signed `statements` with the seals (hashes of entries) that it
 * covers. After each page of up to 5,000 rows, calls `onPage` with the totals and waits for it before reading the
 * next page.
 */
export async function verifyLedger(
  { db, providers }: { db: Db; providers: Providers },
  statements: LedgerStatement[],
  tell: {
    onDifference: (difference: LedgerDifference) => void
    onPage: (verified: Verified) => void | Promise<void>
  },
): Promise<Verified> {
  const verified: Verified = {
    balances: 0,
    entries: 0,
    sealedEntries: 0n,
    payments: 0,
    ordersNotChecked: 0,
    statements: statements.length,
    differences: 0,
  }
  const report = (difference: LedgerDifference) => {
    verified.differences += 1
    tell.onDifference(difference)
  }
  const seals = followSeals(statements, report)
  const chain = followChain(report, seals.begin)
  const book = followBook(report, await listCompletions(db))
  const portions = await listPortions(db)
  for await (const rows of pages<ChainRow>(portions, (...from) => listChains(db, ...from, PAGE))) {
    for (const row of rows) {
      chain.next(row)
      book.next(row)
      seals.next(row)
      if (row.kind === 'seal') verified.sealedEntries += row.at - row.fromVersion + 1n
    }
    verified.entries += rows.filter(({ kind }) => kind === 'entry').length
    await tell.onPage(verified)
  }
  verified.balances = chain.end()
  seals.end()
  // The check for signed ledger statements runs at the end of the verification, because the first statement
  // may have been signed after the verification started.
  if (verified.sealedEntries > 0n && !(await hasStatement(db))) report({ kind: 'statement_is_missing' })
  for await (const rows of pages<TransferRow>(portions, (...from) => listTransfers(db, ...from, PAGE))) {
    for (const row of rows) compareTransfer(row, report)
    await tell.onPage(verified)
  }
  for await (const rows of pages<OrphanAccount>(portions, (...from) => listOrphanAccounts(db, ...from, PAGE)))
    for (const { tenantId: tenant_id, mode, id, balance } of rows)
      report({
        kind: 'account_without_book',
        tenant_id,
        mode,
        account: accountNameOf(id),
        found: balance.toString(),
      })
  for await (const rows of pages<EntryCause>(portions, (...from) => listEntryCauses(db, ...from, PAGE))) {
    for (const row of rows) compareCause(row, report)
    await tell.onPage(verified)
  }
  for await (const rows of pages<PaymentCredit>(portions, (...from) =>
    listPaymentCredits(db, ...from, PAGE),
  )) {
    for (const row of rows) comparePayment(row, report)
    verified.payments += rows.length
    await tell.onPage(verified)
  }
  for await (const rows of pages<OrderRow>(
    portions,
    (...from) => listOrders(db, ...from, ORDERS_PAGE),
    ORDERS_PAGE,
  )) {
    for (const outcome of rows.map(compareOrder)) {
      if (outcome === 'not_checked') verified.ordersNotChecked += 1
      else if (outcome !== 'agrees') report(outcome)
    }
    await tell.onPage(verified)
  }
  await verifyRefundsAndFees(db, portions, report, () => tell.onPage(verified))
  await verifyMargins(db, report, () => tell.onPage(verified))
  await verifySettlements(db, report, () => tell.onPage(verified))
  const tellSums = (callbacks: AppliedCallback[] = []) =>
    callbacks.flatMap(callback => amountsInCallback(providers, callback))
  for await (const payments of pages<PaidByCallback>(portions, (...from) =>
    listPaidByCallback(db, ...from, PAGE),
  )) {
    const ids = payments.map(({ paymentId }) => paymentId)
    const callbacks = Map.groupBy(await listAppliedCallbacks(db, ids), ({ paymentId }) => paymentId)
    for (const payment of payments)
      compareCallbacks(payment, tellSums(callbacks.get(payment.paymentId)), report)
    await tell.onPage(verified)
  }
  return verified
}

/**
 * Returns a verifier for chains. A chain contains the entries of one balance. The verifier checks that each entry's
 * version and balance follow from the previous entry in the chain. Pass the rows of all chains to `next` in order. The
 * verifier calls `begin` at the start of each chain.
 */
function followChain(report: (difference: EntryDifference) => void, begin: () => void) {
  let chain: BalanceRow | undefined
  let version = 0n
  let balance = 0n
  let chains = 0

  function close(): void {
    if (!chain) return
    chains += 1
    const { tenantId: tenant_id, mode, version: last } = chain
    if (last !== null && last > version)
      report({ kind: 'entry_is_missing', tenant_id, mode, version: (version + 1n).toString() })
    if (chain.balance !== balance || last === null || last < version)
      report({
        kind: 'balance_differs',
        tenant_id,
        mode,
        expected: balance.toString(),
        found: chain.balance?.toString() ?? null,
      })
  }

  return {
    next(row: ChainRow): void {
      if (row.tenantId !== chain?.tenantId || row.mode !== chain.mode) {
        close()
        begin()
        version = 0n
        balance = 0n
      }
      // Takes the stored balance from the latest row, because postings may have changed the balance since the
      // first rows of its chain were read.
      chain = row
      if (row.kind !== 'entry') return
      const { tenantId: tenant_id, mode } = row
      if (row.at !== version + 1n)
        report({ kind: 'entry_is_missing', tenant_id, mode, version: (version + 1n).toString() })
      const expected = balance + (row.entryType === 'credit' ? row.amount : -row.amount)
      if (row.balanceAfter !== expected)
        report({
          kind: 'entry_does_not_follow',
          tenant_id,
          mode,
          version: row.at.toString(),
          entry_id: row.id,
          expected: expected.toString(),
          found: row.balanceAfter.toString(),
        })
      version = row.at
      // The check continues with the balance computed from the amounts, so a wrong `balance_after` is reported
      // only once. A wrong amount, however, makes the computed balance wrong, so every later entry of the same
      // balance is reported too.
      balance = expected
    },
    end(): number {
      close()
      return chains
    },
  }
}

function compareCause(row: EntryCause, report: (difference: LedgerDifference) => void): void {
  const { hasPayment, hasMoney, hasRefund } = row
  if (hasPayment && hasMoney && hasRefund) return
  const { tenantId: tenant_id, mode, paymentId: payment_id, id: entry_id } = row
  const missing = !hasPayment ? 'payment' : !hasMoney ? 'money' : 'refund'
  const kind = `entry_without_${missing}` as const
  report({ kind, tenant_id, mode, version: row.version.toString(), entry_id, payment_id })
}

function comparePayment(row: PaymentCredit, report: (difference: LedgerDifference) => void): void {
  const { tenantId: tenant_id, mode, paymentId: payment_id, paymentCode: payment_code } = row
  const payment = { tenant_id, mode, payment_id, payment_code }
  const expected = row.amountPaid?.toString() ?? null
  const found = row.credited?.toString() ?? null
  if (row.status === 'paid' && found === null) report({ kind: 'paid_without_credit', ...payment, expected })
  else if (row.status !== 'paid' && found !== null)
    report({ kind: 'credit_without_paid', ...payment, status: row.status, found })
  else if (expected !== found || !row.isOneCredit)
    report({ kind: 'credit_differs', ...payment, expected, found })
}

/**
 * Reports a difference if stored callbacks report money for the payment, but none of them reports the credited
 * amount. If no stored callback reports money, the amount is not checked, because the callbacks may have been
 * deleted.
 */
function compareCallbacks(
  row: PaidByCallback,
  reported: bigint[],
  report: (difference: LedgerDifference) => void,
): void {
  if (reported.length === 0 || reported.includes(row.amountPaid)) return
  const { tenantId: tenant_id, mode, paymentId: payment_id, paymentCode: payment_code } = row
  const expected = reported.join(' or ')
  const found = row.amountPaid.toString()
  report({ kind: 'callback_differs', tenant_id, mode, payment_id, payment_code, expected, found })
}
