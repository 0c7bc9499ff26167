import type { LedgerDifference } from '../ledger/ledger-difference.ts'

const findChange =
  'The rows were changed directly in the database. Compare them with a backup, find out who changed them, and restore them. See the guide "Verifying the ledger".'

/** The advice that the operator gets about each kind of ledger difference. */
export const adviceFor: Record<LedgerDifference['kind'], string> = {
  entry_does_not_follow: findChange,
  entry_is_missing: findChange,
  balance_differs: findChange,
  account_differs: findChange,
  account_without_book: findChange,
  transfer_without_book: findChange,
  entry_does_not_balance: findChange,
  transfer_does_not_balance: findChange,
  transfer_without_payment: findChange,
  entry_without_payment: findChange,
  entry_without_money: findChange,
  entry_without_refund: findChange,
  credit_without_paid: findChange,
  credit_differs: findChange,
  refund_differs: findChange,
  fee_differs: findChange,
  seal_is_missing: findChange,
  sealed_entries_differ: findChange,
  seal_does_not_follow: findChange,
  statement_is_missing:
    'If the service has just started for the first time, wait ten minutes and verify again. Otherwise, find out who removed the ledger statements.',
  statement_differs:
    'Check whether the database was restored from a backup that is older than the statement. If it was not, find out who changed the tables directly.',
  paid_without_credit:
    "Compare the payment with the provider's records. If the provider has the money, find out who removed the payment's credit from the ledger.",
  callback_differs:
    "Compare the payment with the stored callback and with the provider's records. Find out who changed the payment or the callback.",
  order_differs:
    'Ask the merchant for the original order, and ask the provider for the amount that the provider charges for it.',
  margin_differs: findChange,
  settlement_total_differs:
    "The rows of the settlement were changed directly in the database. Upload the provider's file for the settlement's date again.",
  settled_return_differs:
    'Run "gapura reports reconcile" for the settlement\'s date. If the ledger lacks a refund or chargeback, ask the provider about the payment, and wait for the provider\'s report or request the report.',
  settlement_differs:
    'Run "gapura reports reconcile" for the settlement\'s date. If the settlement file is wrong, upload the corrected file. If the ledger lacks money, ask the provider about the payments.',
}
