// The kinds of differences between the ledger and the rules it must follow. Amounts are cents as decimal strings,
// or null if there is no amount.

import type { Mode } from '../values/mode.ts'

type Money = string | null
export type LedgerDifference = SealDifference | EntryDifference | SettlementDifference | MarginDifference
export type EntryDifference = { tenant_id: string; mode: Mode } & (
  | { kind: 'entry_does_not_follow'; version: string; entry_id: string; expected: Money; found: Money }
  | { kind: 'entry_is_missing'; version: string }
  | { kind: 'balance_differs'; expected: Money; found: Money }
  /**
   * An account's stored balance in a tenant's book (double-entry ledger) differs from the sum of the account's
   * transfers.
   */
  | { kind: 'account_differs'; account: string; expected: Money; found: Money }
  /** An account's row or a transfer belongs to a book that has no balance of `merchant`. */
  | { kind: 'account_without_book'; account: string; found: Money }
  | { kind: 'transfer_without_book'; transfer_id: string; amount: string }
  /**
   * The entry or transfer does not move a positive amount between two different accounts, so its postings do not sum
   * to zero. An entry's first account is `merchant`, and `account` is its other account.
   */
  | {
      kind: 'entry_does_not_balance'
      version: string
      entry_id: string
      payment_id: string | null
      account: string | null
      amount: string
    }
  | { kind: 'transfer_does_not_balance'; transfer_id: string; from: string; to: string; amount: string }
  /** The payment of a transfer does not exist in the transfer's book. */
  | { kind: 'transfer_without_payment'; transfer_id: string; payment_id: string; amount: string }
  | {
      kind: 'entry_without_payment' | 'entry_without_money' | 'entry_without_refund'
      version: string
      entry_id: string
      payment_id: string | null
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
   * The ledger's amount for a refund differs from the expected amount. The expected amount is the refund's amount, or
   * zero if the refund failed.
   */
  | { kind: 'refund_differs'; payment_id: string; refund_id: string; expected: Money; found: Money }
  /**
   * The ledger's fee for a payment differs from the stored fee. The stored fee is the charged fee plus its
   * later changes.
   */
  | { kind: 'fee_differs'; payment_id: string; expected: Money; found: Money }
  /**
   * The order in the payment's row differs from the merchant's order. `expected` is the fingerprint (hash) of
   * the merchant's order. `found` is the fingerprint of the stored order, or null if it is invalid. `amount`
   * is the stored amount.
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

/**
 * A tenant's book differs from the settlements of a provider account, or a settlement differs from its own lines.
 */
export type SettlementDifference = { provider_account_id: string; mode: Mode; date: string } & (
  | {
      /**
       * `settlement_differs`: the money that the provider received for a payment. `settled_return_differs`: the money
       * that the provider returned. `expected` is the amount in all settlements of the provider account, and `found`
       * is the amount in the tenant's book.
       */
      kind: 'settlement_differs' | 'settled_return_differs'
      tenant_id: string
      payment_id: string
      expected: Money
      found: Money
    }
  /** `expected` is the total of the settlement's lines, and `found` is the stored total. */
  | { kind: 'settlement_total_differs'; total: 'amount' | 'fees'; expected: Money; found: Money }
)

/**
 * The entries without a payment that have this reference differ from the margins that were taken from Clients' books with
 * the same reference. `expected` is the sum of these margins, and `found` is the sum of the entries. If there are entries,
 * `tenant_id` and `entry_id` are those of one of them.
 */
export type MarginDifference = {
  kind: 'margin_differs'
  mode: Mode
  reference_id: string
  tenant_id: string | null
  entry_id: string | null
  expected: Money
  found: Money
}

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
