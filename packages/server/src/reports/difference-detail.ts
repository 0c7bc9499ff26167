// The texts that describe differences found by a reconciliation. The dashboard translates each text.

export const detailTexts = {
  credited_twice: 'the ledger credits the payment more than once',
  credited_unpaid: 'the ledger credits the payment, but the payment is not paid',
  not_credited: 'the payment is paid, but the ledger has no credit for it',
  credited_amount: 'the credited amount differs from the paid amount',
  settled_unpaid: 'the provider settled the payment, but its status here is {ours}',
  returned_unpaid: 'the provider received and returned money, but the status here is {ours}',
  not_settled: 'the payment is paid here, but no settlement contains it',
  settled_twice: 'the provider settled the payment more often than it was credited',
  credited_more: 'the ledger credits more than the provider settled',
  settled_amount: 'the settled amount differs from the paid amount',
  not_debited: 'the provider returned money, but the ledger has no debit',
  not_returned: 'the ledger has a debit, but the provider returned no money',
  returned_amount: 'the returned amount differs from the debited amount',
  debited_paid: 'the ledger debited the payment, but the provider reports paid',
  reported_amount: 'the provider reports another amount',
  reported_paid: 'the provider reports paid, but the status here is {ours}',
  reported_unpaid: 'the payment is paid here, but the provider reports {theirs}',
  reported_status: 'the status here is {ours}, but the provider reports {theirs}',
  reported_reason: 'the status here is {ours}; the provider reports: {theirs}',
  unmatched_line: 'line {line} of the settlement matches no payment of this account',
} as const

export type DetailText = keyof typeof detailTexts
export type DetailValues = { ours?: string; theirs?: string; line?: string }

/**
 * The text appended to a difference's description if an open record of unexpected money explains the
 * difference. A record is open while it waits for the operator's decision.
 */
export const EXPLAINED = '; an open record of unexpected money explains this difference'

/** Returns the text with each `{name}` replaced by its value. A name without a value stays in the text. */
export const detailIn = (text: DetailText, values: DetailValues = {}): string =>
  detailTexts[text].replaceAll(/\{(\w+)\}/g, (hole, name: keyof DetailValues) => values[name] ?? hole)
