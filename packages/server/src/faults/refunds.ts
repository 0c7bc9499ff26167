// Faults that concern refunds. A fault is an error that is returned to a caller. Amounts are in cents.

import { withCode } from './with-code.ts'

type OfChannel = { provider: string; channel: string }

export const refundFaults = {
  ...withCode('BAD_REQUEST', {
    refund_exceeds_left: ({ left }: { left: number }) =>
      left === 0
        ? 'nothing is left to refund; the payment is fully refunded'
        : `must be at most ${left} cents, which is what is left to refund`,
    refund_fraction: () =>
      'must be a multiple of 100 cents (whole rupiah), unless it is all that is left to refund',
    refund_full_only: ({ provider, channel, amount }: OfChannel & { amount: number }) =>
      `${provider} refunds ${channel} only in full (${amount} cents, once); pass bank_account for a bank transfer`,
    refunds_too_many: ({ provider, channel, max }: OfChannel & { max: number }) =>
      `${provider} allows at most ${max} refunds of a payment by ${channel}; pass bank_account for a bank transfer`,
    refunds_of_payment_exceeded: ({ max }: { max: number }) =>
      `a payment can have at most ${max} refunds, including failed ones; return the rest of the money yourself`,
    refund_too_late: ({ provider, channel, days, endedAt }: OfChannel & { days: number; endedAt: string }) =>
      `${provider} refunds ${channel} only within ${days} days of the payment; this period ended at ${endedAt}; pass bank_account for a bank transfer`,
    refund_outside_hours: ({
      provider,
      channel,
      from,
      to,
      opensAt,
    }: OfChannel & { from: string; to: string; opensAt: string }) =>
      `${provider} refunds ${channel} only from ${from} to ${to} WIB; retry at ${opensAt}`,
    refund_too_small: ({ provider, channel, min }: OfChannel & { min: number }) =>
      `${provider} refunds at least ${min} cents for ${channel}`,
    bank_account_needed: ({ provider, channel }: OfChannel) =>
      `is required, because ${provider} cannot refund ${channel}; the Owner transfers the money to this account`,
    bank_account_for_assigned_money: ({ provider }: { provider: string }) =>
      `is required, because ${provider} received this money under an order reference that does not belong to this payment; the Owner transfers the money to this account`,
    bank_account_not_needed: ({ provider, channel }: OfChannel) =>
      `must be omitted, because ${provider} itself refunds ${channel}`,
    bank_account_without_payment: () =>
      'must be omitted: the service cannot refund this money, because its payment is unknown; return the money yourself',
    refund_reported_already: () =>
      'must be omitted: the provider has already reported a refund of this amount; the reported refund is recorded, and no money is sent',
    bank_reference_needed: () => 'is required for a manual refund that succeeded',
  }),
  ...withCode('INVALID_STATE_TRANSITION', {
    payment_not_refundable: ({ status }: { status: string }) =>
      `only a paid payment can be refunded; this payment is ${status}`,
    refund_not_pending: ({ status }: { status: string }) =>
      `only a pending refund can be resolved; this refund is already ${status}`,
    refund_of_provider: ({ name }: { name: 'refund' | 'chargeback' }) =>
      `this ${name} was made at the provider, so only the provider's report can change it; wait for the report, or ask the provider to send it again`,
    chargeback_of_other_order: () =>
      'this chargeback cannot be recorded as won, because no status inquiry can confirm the result: the chargeback was assigned to the payment, but the payer paid a different order',
    chargeback_still_listed: ({ provider }: { provider: string }) =>
      `${provider} still reports this chargeback, so it cannot be recorded as won; ask ${provider} to correct the order's status`,
    chargeback_unconfirmed: ({ provider }: { provider: string }) =>
      `${provider} did not confirm that the order is paid and has no chargeback; retry later`,
    chargeback_reported_again: () =>
      'the provider reported this chargeback again while its status was being checked; retry',
    refund_in_progress: ({ until }: { until: string }) =>
      `the provider may still be making this refund; resolve it after ${until}, when the inquiries about the refund have ended, or earlier if the provider's response is unclear`,
  }),
  ...withCode('INSUFFICIENT_BALANCE', {
    balance_too_low: ({ balance, amount }: { balance: number; amount: number }) =>
      `the balance of ${balance} cents does not cover the refund of ${amount} cents`,
    balance_too_low_for_refund: () => 'the balance is no longer high enough for the refund',
  }),
  ...withCode('NOT_FOUND', {
    refund_not_found: ({ id }: { id: string }) => `refund ${id} not found`,
  }),
}
