// Verifies that each account balance in a tenant's book (its double-entry ledger) equals the sum of the account's
// postings. verify-ledger.ts verifies the account `merchant` together with the ledger entries. Each transfer has
// two postings of the same amount. Therefore, if no account differs, the book sums to zero, and no money was
// created or lost.

import { accountNameOf } from '../ledger/account.ts'
import type { EntryDifference } from '../ledger/ledger-difference.ts'
import type { ChainRow, StoredAccount } from './verify-ledger.sql.ts'

/**
 * Returns a verifier for tenants' books. The caller must pass the rows of all chains of ledger entries to `next` in
 * order, chain by chain.
 */
export function followBook(report: (difference: EntryDifference) => void) {
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
        if (counterAccount === null) isIncomplete = true
        else
          postings.set(
            counterAccount,
            (postings.get(counterAccount) ?? 0n) + (entryType === 'debit' ? amount : -amount),
          )
      }
      // A book (a tenant's double-entry ledger) is not compared while one of its entries lacks its
      // counter-account (the other account of the transfer). A job may add this account during the
      // verification. A later verification compares the book.
      if (row.accounts && !isIncomplete) compare(row, row.accounts)
    },
  }
}
