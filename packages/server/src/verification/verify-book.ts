// Verifies that each account balance in a tenant's book (its double-entry ledger) equals the sum of the account's
// postings. verify-ledger.ts verifies the account `merchant` and the ledger entries. This file and
// verify-transfers.ts also verify that each transfer moves one amount between two different accounts of the book. If
// no account differs, the book therefore sums to zero, and no money was created or lost.

import { accountNameOf } from '../ledger/account.ts'
import type { EntryDifference } from '../ledger/ledger-difference.ts'
import type { ChainRow, StoredAccount } from './verify-ledger.sql.ts'
import type { Completion } from './verify-transfers.sql.ts'
import { balances } from './verify-transfers.ts'

/**
 * Returns a verifier for tenants' books. The caller must pass all ledger entries and seals to `next`, one balance after
 * another and in order. `completions` are the ranges of entries to which a job is still adding the counter-account. The
 * counter-account is the other account of the transfer.
 */
export function followBook(report: (difference: EntryDifference) => void, completions: Completion[]) {
  const completionOf = new Map(completions.map(each => [`${each.tenantId} ${each.mode}`, each]))
  let at: Pick<ChainRow, 'tenantId' | 'mode'> | undefined
  let postings = new Map<string, bigint>()
  let isIncomplete = false

  function compare(row: ChainRow, accounts: StoredAccount[]): void {
    const { tenantId: tenant_id, mode } = row
    const stored = new Map(accounts.map(account => [account.id, account]))
    for (const id of new Set([...stored.keys(), ...postings.keys()])) {
      const found = stored.get(id)?.balance ?? null
      const expected = (postings.get(id) ?? 0n) + BigInt(stored.get(id)?.transferred ?? 0)
      if (BigInt(found ?? 0) !== expected)
        report({
          kind: 'account_differs',
          tenant_id,
          mode,
          account: accountNameOf(id),
          expected: expected.toString(),
          found,
        })
    }
  }

  const isBeingCompleted = ({ tenantId, mode, at }: ChainRow): boolean => {
    const completion = completionOf.get(`${tenantId} ${mode}`)
    return completion !== undefined && completion.fromVersion <= at && at <= completion.toVersion
  }

  function reportUnbalanced(row: Extract<ChainRow, { kind: 'entry' }>): void {
    const { tenantId: tenant_id, mode, at, id: entry_id, paymentId: payment_id, counterAccount, amount } = row
    report({
      ...{ kind: 'entry_does_not_balance', tenant_id, mode, version: at.toString(), entry_id, payment_id },
      account: counterAccount === null ? null : accountNameOf(counterAccount),
      amount: amount.toString(),
    })
  }

  return {
    next(row: ChainRow): void {
      if (row.tenantId !== at?.tenantId || row.mode !== at.mode) {
        at = row
        postings = new Map()
        isIncomplete = false
      }
      if (row.kind === 'seal') return
      if (row.kind === 'entry') {
        const { counterAccount, entryType, amount } = row
        if (counterAccount === null && isBeingCompleted(row)) isIncomplete = true
        else if (!balances('merchant', counterAccount, amount)) reportUnbalanced(row)
        if (counterAccount !== null)
          postings.set(
            counterAccount,
            (postings.get(counterAccount) ?? 0n) + (entryType === 'debit' ? amount : -amount),
          )
      }
      // While a job is still adding counter-accounts to a tenant's ledger entries, the tenant's book (ledger)
      // is not compared. A later verification compares it.
      if (row.accounts && !isIncomplete) compare(row, row.accounts)
    },
  }
}
