// Verifies the transfers of a tenant's book that do not change the account `merchant`. verify-book.ts verifies the
// other transfers, which are the ledger entries.

import { accountIdOf, accountNameOf, UNASSIGNED_ID } from '../ledger/account.ts'
import type { EntryDifference } from '../ledger/ledger-difference.ts'
import type { TransferRow } from './verify-transfers.sql.ts'

const MERCHANT_ID = accountIdOf('merchant')

/**
 * Returns whether a transfer moves a positive amount between two different accounts, so that its two postings sum to
 * zero. Returns false if the transfer changes the account `merchant`, because only ledger entries may change this
 * account.
 */
export const balances = (account: string, other: string | null, amount: bigint): boolean =>
  amount > 0n &&
  account !== other &&
  other !== null &&
  [account, other].every(id => id !== MERCHANT_ID && id !== UNASSIGNED_ID)

export function compareTransfer(row: TransferRow, report: (difference: EntryDifference) => void): void {
  const { tenantId: tenant_id, mode, id: transfer_id, fromAccount, toAccount, paymentId: payment_id } = row
  const of = { tenant_id, mode, transfer_id, amount: row.amount.toString() }
  if (!balances(fromAccount, toAccount, row.amount))
    report({
      ...{ kind: 'transfer_does_not_balance', ...of },
      ...{ from: accountNameOf(fromAccount), to: accountNameOf(toAccount) },
    })
  if (payment_id !== null && !row.hasPayment) report({ kind: 'transfer_without_payment', ...of, payment_id })
  if (!row.hasBook) report({ kind: 'transfer_without_book', ...of })
}
