// SQL statements that would violate an invariant for refunds, fees, or a tenant's book (docs/book.md). A book
// is the tenant's double-entry ledger with all of its accounts.

import { type Attack, copyOf, entryOf, feeAccount, newRefund, refundEntry, transferOf } from './attack.ts'

export const bookAttacks: Attack[] = [
  {
    invariant: 'M4',
    guards: ['book_transfers.book_transfers_amount_check'],
    title: 'the amount of a transfer is zero',
    sql: transferOf({ amount: '0' }),
  },
  {
    invariant: 'M26',
    guards: ['book_accounts.book_accounts_sum_to_zero', 'book_accounts.book_accounts_follow_postings'],
    title: 'the balance of a double-entry account is increased without a transfer',
    sql: `update book_accounts set balance = balance + 1 where tenant_id = :tenantId and ${feeAccount}`,
  },
  {
    invariant: 'M26',
    guards: ['book_transfers.book_transfers_have_two_accounts'],
    title: 'a transfer debits and credits the same double-entry account',
    sql: transferOf({ to_account: "'00000000-0000-0000-0000-000000000003'" }),
  },
  {
    invariant: 'M27',
    guards: ['book_accounts.book_accounts_follow_postings'],
    title: 'an amount moves between two double-entry accounts without a transfer',
    sql: `update book_accounts set balance = balance + case when ${feeAccount} then 1 else -1 end
      where tenant_id = :tenantId and account_id in (
        '00000000-0000-0000-0000-000000000003', '00000000-0000-0000-0000-000000000007')`,
  },
  {
    invariant: 'M27',
    guards: ['book_accounts.book_accounts_are_kept'],
    title: 'a double-entry account is deleted',
    sql: `delete from book_accounts where tenant_id = :tenantId and ${feeAccount}`,
  },
  {
    invariant: 'M27',
    guards: [
      'ledger_entries.ledger_entries_have_a_counter_account',
      'book_accounts.book_accounts_leave_out_merchant',
    ],
    title: 'a ledger entry has the merchant as its counter-account',
    sql: entryOf({ counter_account: "'00000000-0000-0000-0000-000000000001'" }),
  },
  {
    invariant: 'M27',
    guards: [
      'book_transfers.book_transfers_leave_out_merchant',
      'book_accounts.book_accounts_leave_out_merchant',
    ],
    title: "the merchant's money is transferred without a ledger entry",
    sql: transferOf({ from_account: "'00000000-0000-0000-0000-000000000001'" }),
  },
  {
    invariant: 'M28',
    guards: ['ledger_entries.ledger_entries_keep_their_counter_account'],
    title: 'the counter-account of a ledger entry is changed',
    sql: "update ledger_entries set counter_account = '00000000-0000-0000-0000-000000000003' where payment_id = :paidId",
  },
  {
    invariant: 'M28',
    guards: ['ledger_entries.ledger_entries_of_payments'],
    title: 'a ledger entry without a payment has a provider account as its counter-account',
    sql: entryOf({ payment_id: 'null::uuid' }),
  },
  {
    invariant: 'M28',
    guards: ['book_transfers.book_transfers_are_appended'],
    title: 'a transfer between double-entry accounts is changed',
    sql: "update book_transfers set reason = 'rewritten' where tenant_id = :tenantId",
  },
  {
    invariant: 'M28',
    guards: ['book_transfers.book_transfers_are_appended'],
    title: 'a transfer between double-entry accounts is deleted',
    sql: 'delete from book_transfers where tenant_id = :tenantId',
  },
  {
    invariant: 'M28',
    guards: ['book_transfers.book_transfers_are_kept'],
    title: 'the table of transfers is truncated',
    sql: 'truncate book_transfers',
  },
  {
    invariant: 'M29',
    guards: ['refunds.refunds_are_left', 'refunds.refunds_are_posted'],
    title: 'a refund exceeds the paid amount',
    sql: newRefund({ amount: '1000' }),
  },
  {
    invariant: 'M30',
    guards: ['refunds.refunds_are_posted'],
    title: 'a refund is not debited',
    sql: newRefund({ amount: '1' }),
  },
  {
    invariant: 'M30',
    guards: ['refunds.refunds_are_posted'],
    title: 'a refund fails, but its amount is not credited back to the merchant',
    sql: "update refunds set status = 'failed', failure_reason = 'by hand' where id = :refundId",
  },
  {
    invariant: 'M30',
    guards: ['ledger_entries.ledger_entries_one_for_refund'],
    title: 'a refund is debited a second time',
    sql: refundEntry({ entry_type: "'debit'", balance_after: 'b.balance - 30' }),
  },
  {
    invariant: 'M30',
    guards: ['ledger_entries.ledger_entries_name_their_refund'],
    title: 'a refund that has not failed is credited',
    sql: refundEntry({ balance_after: 'b.balance + 30' }),
  },
  {
    invariant: 'M31',
    guards: ['refunds.refunds_are_requested_once'],
    title: 'the time at which a refund was requested from the provider is changed',
    sql: 'update refunds set requested_at = now() where id = :refundId',
  },
  {
    invariant: 'M31',
    guards: ['refunds.refunds_go_forward', 'refunds.refunds_are_posted'],
    title: 'a failed refund becomes pending again',
    sql: "update refunds set status = 'pending' where id = :failedRefundId",
  },
  {
    invariant: 'M31',
    guards: ['refunds.refunds_failed_at_provider_have_failed'],
    title: 'a refund that has not failed is marked as failed at the provider',
    sql: 'update refunds set failed_at_provider = true where id = :refundId',
  },
  {
    invariant: 'M31',
    guards: ['refunds.refunds_terms_are_fixed'],
    title: 'the amount of a refund is changed',
    sql: 'update refunds set amount = amount - 1 where id = :refundId',
  },
  {
    invariant: 'M31',
    guards: ['refunds.refunds_terms_are_fixed'],
    title: 'a refund by an API key is changed to a refund by a user',
    sql: 'update refunds set by_user = true where id = :refundId',
  },
  {
    invariant: 'M31',
    guards: ['refunds.refunds_terms_are_fixed', 'refunds.refunds_by_user_are_of_merchant'],
    title: 'a refund by the operator is changed to a refund by a user of the merchant',
    sql: 'update refunds set by_user = true where id = :operatorRefundId',
  },
  {
    invariant: 'M31',
    guards: ['refunds.refunds_are_kept', 'ledger_entries.ledger_entries_refund_id_fkey'],
    title: 'a refund is deleted',
    sql: 'delete from refunds where tenant_id = :tenantId and id = :refundId',
  },
  {
    invariant: 'M36',
    guards: ['refunds.refunds_are_posted'],
    title: 'a chargeback that exceeds what the payment received is debited automatically',
    sql: `with returned as (${newRefund({
      ...{ amount: '1000', origin: "'chargeback'", reason: "''", requested_at: 'null' },
      ...{ idempotency_key: 'null', fingerprint: 'null', unexpected_money_id: ':chargebackMoneyId::uuid' },
    })} returning id) ${refundEntry({
      ...{ entry_type: "'debit'", amount: '1000', balance_after: 'b.balance - 1000' },
      ...{ refund_id: '(select id from returned)', unexpected_money_id: ':chargebackMoneyId::uuid' },
      counter_account: 'gen_random_uuid()',
    })}`,
  },
  {
    invariant: 'M34',
    guards: ['refunds.refunds_by_refunded_money'],
    title: 'unexpected money is refunded a second time',
    sql: copyOf('refunds', 'id = :operatorRefundId', { id: 'gen_random_uuid()', number: '9' }),
  },
  {
    invariant: 'M34',
    guards: ['refunds.refunds_are_left'],
    title: "unexpected money is refunded without the Owner's decision",
    sql: copyOf('refunds', 'id = :operatorRefundId', {
      ...{ id: 'gen_random_uuid()', number: '9', refunded_money_id: ':openMoneyId::uuid' },
    }),
  },
  {
    invariant: 'M34',
    guards: ['refunds.refunds_of_operator_name_their_money'],
    title: 'a refund by the operator refers to no record of unexpected money',
    sql: copyOf('refunds', 'id = :operatorRefundId', {
      ...{ id: 'gen_random_uuid()', number: '9', refunded_money_id: 'null' },
    }),
  },
  {
    invariant: 'M34',
    guards: ['unexpected_money.unexpected_money_is_reopened'],
    title: 'refunded unexpected money is reopened although its refund has not failed',
    sql: "update unexpected_money set status = 'open', decided_at = null where id = :refundedMoneyId",
  },
  {
    invariant: 'M32',
    guards: ['fee_charges.fee_charges_pkey'],
    title: 'a payment is charged its fee a second time',
    sql: copyOf('fee_charges', 'payment_id = :chargedId', {}),
  },
  {
    invariant: 'M32',
    guards: ['fee_charges.fee_charges_are_debited'],
    title: 'a fee is not debited',
    sql: copyOf('fee_charges', 'payment_id = :chargedId', { payment_id: ':reversedId::uuid' }),
  },
  {
    invariant: 'M32',
    guards: ['fee_charges.fee_charges_are_positive'],
    title: 'the operator’s share of a fee is larger than the fee',
    sql: `with debit as (${entryOf({
      ...{ payment_id: ':reversedId', entry_type: "'debit'", amount: '1', balance_after: 'b.balance - 1' },
      counter_account: "'00000000-0000-0000-0000-000000000003'",
    })}) ${copyOf('fee_charges', 'payment_id = :chargedId', {
      ...{ payment_id: ':reversedId::uuid', net: '1', tax: '0', operator_net: '2', operator_tax: '0' },
    })}`,
  },
  {
    invariant: 'M33',
    guards: ['fee_charges.fee_changes_are_posted'],
    title: 'a fee is returned without a credit',
    sql: copyOf('fee_charges', 'payment_id = :chargedId', { number: '9', net: '-1', operator_net: '-1' }),
  },
  {
    invariant: 'M32',
    guards: ['fee_charges.fee_charges_are_appended'],
    title: 'a fee is changed',
    sql: 'update fee_charges set operator_net = 0 where payment_id = :chargedId',
  },
  {
    invariant: 'M32',
    guards: ['fee_charges.fee_charges_are_appended'],
    title: 'a fee is deleted',
    sql: 'delete from fee_charges where payment_id = :chargedId',
  },
  {
    invariant: 'M32',
    guards: ['fee_charges.fee_charges_are_kept'],
    title: 'the table of fees is truncated',
    sql: 'truncate fee_charges',
  },
]
