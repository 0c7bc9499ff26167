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
  /**
   * A tenant's book has an account or a transfer but lacks the balance of the account `merchant`, which every
   * book must have.
   */
  | { kind: 'account_without_book'; account: string; found: Money }
  | { kind: 'transfer_without_book'; transfer_id: string; amount: string }
  /**
   * The entry or transfer does not move a positive amount between two different accounts. Its postings therefore do not
   * sum to zero. For an entry, `account` is the account other than `merchant`.
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
  /** The payment of a transfer does not exist in the book (a tenant's ledger) that contains the transfer. */
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
   * The payment's fee in the ledger is not the fee stored for the payment (the original fee plus its later
   * changes).
   */
  | { kind: 'fee_differs'; payment_id: string; expected: Money; found: Money }
  /**
   * The order stored in the payment's row differs from the order that the merchant sent. `expected` is the
   * fingerprint (hash) of the merchant's order. `found` is the fingerprint of the stored order, or null if
   * the stored order is invalid. `amount` is the amount in the stored order.
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
 * A difference between a tenant's book (its double-entry ledger) and the settlements of a provider account, or between
 * a settlement and its own lines.
 */
export type SettlementDifference = { provider_account_id: string; mode: Mode; date: string } & (
  | {
      /**
       * `settlement_differs` concerns money that the provider received for a payment; `settled_return_differs`
       * concerns money that it returned. `expected` is the total in all settlements of the provider account. `found`
       * is the amount in the tenant's ledger.
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
 * The margins of one batch (`reference_id`) do not add up. `expected` is the sum that was taken from the Clients'
 * books. `found` is the sum of the ledger entries that credit this money to the Partner. These entries belong to no
 * payment. `tenant_id` and `entry_id` identify one of them, and are null if there is none.
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
