// A transfer moves an amount between two accounts in a tenant's book (double-entry ledger). A transfer with the
// account `merchant` is an entry in the tenant's ledger. Transfers never change; incorrect ones are corrected by
// further transfers.

import type { Mode } from '../values/mode.ts'
import type { Cents } from '../values/money.ts'
import type { Account } from './account.ts'

export const entryTypes = ['credit', 'debit'] as const
export type EntryType = (typeof entryTypes)[number]

/** A transfer's accounts and amount, without its payment and reason. */
export type Movement = { from: Account; to: Account; amount: Cents }

export const transfer = (from: Account, to: Account, amount: Cents): Movement => ({ from, to, amount })

export type Transfer = Movement & {
  tenantId: string
  mode: Mode
  /** The payment's ID, or null for transfers that belong to no payment, such as payouts. */
  paymentId: string | null
  /**
   * The record of the unexpected money that this transfer credits or debits. Null if the transfer is the
   * payment's own credit.
   */
  unexpectedMoneyId: string | null
  /** The refund whose amount this transfer debits, or credits back because the refund failed. */
  refundId?: string
  referenceId: string
  reason: string
}

export const entryTypeOf = ({ from, to }: Pick<Movement, 'from' | 'to'>): EntryType | undefined =>
  to === 'merchant' ? 'credit' : from === 'merchant' ? 'debit' : undefined

/**
 * Returns by how many cents a transfer changes the merchant's balance. The number is positive for a credit to
 * the merchant, and negative for a debit.
 */
export function merchantChange(moved: Movement): Cents {
  const type = entryTypeOf(moved)
  if (type === undefined) return 0n
  return type === 'credit' ? moved.amount : -moved.amount
}

export type Balance = { tenantId: string; mode: Mode; balance: Cents }

export type LedgerEntry = Pick<
  Transfer,
  'tenantId' | 'mode' | 'paymentId' | 'amount' | 'referenceId' | 'reason'
> & {
  id: string
  entryType: EntryType
  balanceAfter: Cents
  createdAt: Date
}
