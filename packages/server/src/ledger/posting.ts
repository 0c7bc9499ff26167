// A posting changes one tenant's balance: a credit raises it, and a debit lowers it. The ledger assigns each posting
// its position in the chain of entries. Entries never change; a correction is another posting.

import type { Mode } from '../values/mode.ts'
import type { Cents } from '../values/money.ts'

export const entryTypes = ['credit', 'debit'] as const
export type EntryType = (typeof entryTypes)[number]

export type Posting = {
  tenantId: string
  mode: Mode
  paymentId: string
  /** The record of unexpected money that this posting credits or debits. Null for the payment's own credit. */
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
