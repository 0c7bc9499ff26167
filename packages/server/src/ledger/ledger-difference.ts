// The kinds of differences between the ledger and its rules. Amounts are cents as decimal strings, or null if there is
// no amount.

import type { Mode } from '../values/mode.ts'

type Money = string | null
export type LedgerDifference = SealDifference | EntryDifference
export type EntryDifference = { tenant_id: string; mode: Mode } & (
  | { kind: 'entry_does_not_follow'; version: string; entry_id: string; expected: Money; found: Money }
  | { kind: 'entry_is_missing'; version: string }
  | { kind: 'balance_differs'; expected: Money; found: Money }
  | {
      kind: 'entry_without_payment' | 'entry_without_money'
      version: string
      entry_id: string
      payment_id: string
    }
  | { kind: 'paid_without_credit'; payment_id: string; payment_code: string; expected: Money }
  | { kind: 'credit_without_paid'; payment_id: string; payment_code: string; status: string; found: Money }
  | {
      kind: 'credit_differs' | 'callback_differs'
      payment_id: string
      payment_code: string
      expected: Money
      found: Money
    }
  /**
   * `expected` is the fingerprint of the order. `found` is the fingerprint of the payment's row, or null if the row is
   * not a valid order. `amount` is the amount in that row.
   */
  | {
      kind: 'order_differs'
      payment_id: string
      payment_code: string
      amount: string
      expected: string
      found: string | null
    }
)

export type SealDifference =
  | { kind: 'seal_is_missing'; tenant_id: string; mode: Mode; from_version: string }
  | {
      kind: 'sealed_entries_differ' | 'seal_does_not_follow'
      tenant_id: string
      mode: Mode
      from_version: string
      to_version: string
      expected: string
      found: string
    }
  | { kind: 'statement_is_missing' }
  | { kind: 'statement_differs'; round: string; stated_at: string; expected: string; found: string }
