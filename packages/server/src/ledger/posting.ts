// A posting moves one tenant's balance: a credit raises it, a debit lowers it. Postings are plain values;
// the ledger gives each its place in the chain. What was posted stays; a correction is a posting of its own.

import type { Mode } from '../mode.ts'
import type { Cents } from '../money.ts'

export type EntryType = 'credit' | 'debit'

export type Posting = {
  tenantId: string
  mode: Mode
  paymentId: string
  /** The arrival or reversal it is about, apart from the payment's own credit. */
  unexpectedMoneyId: string | null
  entryType: EntryType
  amount: Cents
  referenceId: string
  reason: string
}

export type Balance = { tenantId: string; mode: Mode; balance: Cents }

export type LedgerEntry = Omit<Posting, 'unexpectedMoneyId'> & {
  id: string
  balanceAfter: Cents
  createdAt: Date
}
