// The errors returned to callers ("faults") about payments, unexpected payments, the ledger, reports and
// reconciliation. Amounts are in cents.

import { withCode } from './with-code.ts'

type OfChannel = { provider: string; channel: string }
type Transition = { from: string; to: string }
type ProviderFailure = { provider: string; reason: string }

const limits = {
  whole_rupiah_only: ({ provider, channel }: OfChannel) =>
    `${provider} accepts only whole rupiah (a multiple of 100 cents) for ${channel}`,
  channel_amount_too_small: ({ provider, channel, min }: OfChannel & { min: number }) =>
    `${provider} accepts at least ${min} cents for ${channel}`,
  channel_amount_too_large: ({ provider, channel, max }: OfChannel & { max: number }) =>
    `${provider} accepts at most ${max} cents for ${channel}`,
  channel_expiry_too_short: ({ provider, channel, min }: OfChannel & { min: number }) =>
    `${provider} needs an expiry of at least ${min} minutes for ${channel}`,
  channel_expiry_too_long: ({ provider, channel, max }: OfChannel & { max: number }) =>
    `${provider} allows an expiry of at most ${max} minutes for ${channel}`,
  mobile_number_needed: ({ provider, channel }: OfChannel) =>
    `${provider} needs the payer's mobile number, such as 081234567890, for ${channel}`,
}

export const moneyFaults = {
  ...withCode('BAD_REQUEST', {
    ...limits,
    channel_not_enabled: ({
      channel,
      method,
      available,
    }: {
      channel: string
      method: string
      available: string[]
    }) =>
      `${channel} is not enabled for this tenant; ${available.length > 0 ? `available: ${available.join(', ')}` : `no ${method} channel is enabled`}`,
    fee_rule_repeated: () => 'another fee rule has the same method_type and channel',
    channel_unknown: ({ channel, offered }: { channel: string; offered: string[] }) =>
      `${channel} is not offered by any provider; the channels are ${offered.join(', ')}`,
    fee_below_cost: ({ amount, cost }: { amount: number; cost: number }) =>
      `the fee for a payment of ${amount} cents is below your cost of ${cost} cents`,
    return_url_not_https: () => 'must be an https URL for a live payment',
    period_ends_before_start: () => 'must not be before the from date',
    period_too_long: ({ days }: { days: number }) => `must be at most ${days} days after the from date`,
    period_sum_too_large: () =>
      'the totals of this period exceed 2^53 - 1 cents; choose fewer days or one mode',
    book_total_too_large: () =>
      'a total of this mode exceeds 2^53 - 1 cents; query the table book_accounts in the database instead',
    report_too_long: ({ most }: { most: number }) =>
      `results in a report of more than ${most} rows; choose fewer groups or days`,
    date_in_future: () => 'must not be in the future',
    amount_of_payment: () => 'is allowed only for the record of a refund or chargeback',
    amount_reported: ({ amount }: { amount: number }) =>
      `must be ${amount} cents, the amount that the provider reported`,
    amount_not_reported: () => 'is required, because the provider did not report the amount',
    refund_exceeds_received: ({ received }: { received: number }) =>
      `must be at most ${received} cents, the amount received`,
    refund_not_whole: ({ received }: { received: number }) =>
      `must be ${received} cents: money that was never credited can only be refunded in full`,
  }),
  ...withCode('IDEMPOTENCY_CONFLICT', {
    idempotency_key_reused: () => 'this X-Idempotency-Key was used with a different body',
    idempotency_key_in_progress: () =>
      'the first request with this X-Idempotency-Key is still running; repeat the request later',
  }),
  ...withCode('INVALID_STATE_TRANSITION', {
    transition_refused: ({ from, to }: Transition) => `from ${from} to ${to}`,
  }),
  ...withCode('CONFLICT', {
    payment_not_confirmed: ({ paymentCode }: { paymentCode: string }) =>
      `the provider does not confirm that the money was received; to credit payment ${paymentCode} anyway, send without_confirmation: true`,
    provider_silent: ({ paymentCode }: { paymentCode: string }) =>
      `the provider did not respond; try again later. To credit payment ${paymentCode} anyway, send without_confirmation: true`,
    payment_paid_meanwhile: ({ paymentCode }: { paymentCode: string }) =>
      `the status inquiry found that payment ${paymentCode} is paid, and the credit may include this money; compare the record with the provider's statement, then accept it again or refund it`,
    received_was_refunded: () => 'the money received for this payment was refunded to the payer',
    outcome_known: ({ outcome, reason }: { outcome: string; reason: string | null }) =>
      `the outcome of this payment is already known: ${outcome}${reason ? `, ${reason}` : ''}`,
    payment_not_paid: ({ paymentCode, status }: { paymentCode: string; status: string }) =>
      `payment ${paymentCode} is ${status}, so there is no credit to debit; dismiss the record, or wait until the payment is paid`,
    money_assigned: ({ paymentId }: { paymentId: string }) =>
      `this money already belongs to payment ${paymentId}; accept or refund the money`,
    money_of_other_mode: ({ money, payment }: { money: string; payment: string }) =>
      `the money is in ${money} mode, but the payment is in ${payment} mode`,
    money_unassigned: ({ or }: { or: 'refund' | 'dismiss' }) =>
      `it is unknown which payment this money is for; assign the money to a payment, or ${or} it`,
    money_not_dismissible: ({ kind }: { kind: string }) =>
      `only a refund, a chargeback or unconfirmed money can be dismissed; the kind of this record is ${kind}`,
    money_reversed: () => 'the provider has already taken this money back; a reversal can only be accepted',
    money_returned: () =>
      'this record is a refund or chargeback that the provider reported; accept or dismiss it',
    money_unconfirmed: () =>
      'the provider has not confirmed this money, so it cannot be refunded; accept or dismiss it',
    payment_reversed: () =>
      'this payment cannot be refunded, because the provider has taken back its money; the ledger already contains the debit of this money',
    money_decided: ({ status, at, reason }: { status: string; at: string | null; reason: string }) =>
      `this record was already ${status} ${at === null ? 'just now' : `at ${at}`}: ${reason}`,
    difference_closed: ({ reason }: { reason: string | null }) =>
      `this difference is already closed${reason ? `: ${reason}` : ''}`,
    balance_full: ({ most }: { most: string }) =>
      `the balance would exceed its maximum of ${most} cents; retry once the balance is lower`,
  }),
  ...withCode('PROVIDER_ERROR', {
    provider_refused: ({ reason }: ProviderFailure) => reason,
    provider_outcome_unknown: ({ reason }: ProviderFailure) =>
      `${reason}; the outcome is being checked; repeat the request with the same X-Idempotency-Key`,
    provider_created_nothing: ({ reason }: ProviderFailure) =>
      `${reason}; nothing was created, repeat the request with the same X-Idempotency-Key`,
    provider_failed: ({ reason }: ProviderFailure) => reason,
  }),
}
