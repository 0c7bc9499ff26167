// SQL statements that would violate an invariant in docs/invariants.md. Each statement lists its guards: the
// constraints, unique indexes, or triggers that reject the statement. If its guards are removed, the
// statement succeeds.

import { type Attack, copyOf, entryOf, money, newPayment, payment } from './attack.ts'
import { bookAttacks } from './book-attacks.ts'

export const attacks: Attack[] = [
  {
    invariant: 'M1',
    guards: ['ledger_entries.ledger_entries_one_credit'],
    title: 'a paid payment is credited a second time',
    sql: entryOf({ payment_id: ':paidId' }),
  },
  {
    invariant: 'M1',
    guards: ['payments.payments_paid_is_credited'],
    title: 'a payment becomes paid without a credit',
    sql: payment(':pendingId', "status = 'paid', paid_at = now(), amount_paid = amount"),
  },
  {
    invariant: 'M2',
    guards: ['ledger_entries.ledger_entries_are_appended'],
    title: 'a ledger entry is changed',
    sql: "update ledger_entries set reason = 'rewritten' where payment_id = :paidId",
  },
  {
    invariant: 'M2',
    guards: ['ledger_entries.ledger_entries_are_appended'],
    title: 'a ledger entry is deleted',
    sql: 'delete from ledger_entries where payment_id = :paidId',
  },
  {
    invariant: 'M2',
    guards: ['ledger_entries.ledger_entries_are_kept'],
    title: 'the table of ledger entries is truncated',
    sql: 'truncate ledger_entries',
  },
  {
    invariant: 'M3',
    guards: ['balances.balances_are_true'],
    title: 'a balance is changed without a ledger entry',
    sql: "update balances set balance = balance + 1 where tenant_id = :tenantId and mode = 'live'",
  },
  {
    invariant: 'M3',
    guards: ['ledger_entries.ledger_entries_follow', 'book_accounts.book_accounts_sum_to_zero'],
    title: 'the balance in a ledger entry does not follow from the previous entry',
    sql: entryOf({ balance_after: 'b.balance + 101' }),
  },
  {
    invariant: 'M3',
    guards: [
      'ledger_entries.ledger_entries_tenant_id_mode_version_key',
      'book_accounts.book_accounts_sum_to_zero',
    ],
    title: 'two ledger entries have the same version',
    sql: copyOf(
      'ledger_entries',
      'version = (select max(version) from ledger_entries where tenant_id = :tenantId)',
      {
        id: 'gen_random_uuid()',
        payment_id: ':pendingId::uuid',
        unexpected_money_id: 'null',
        refund_id: 'null',
      },
    ),
  },
  {
    invariant: 'M3',
    guards: ['balances.balances_are_kept'],
    title: 'a balance is deleted',
    sql: "delete from balances where tenant_id = :tenantId and mode = 'test'",
  },
  {
    invariant: 'M4',
    guards: ['ledger_entries.ledger_entries_amount_check'],
    title: 'the amount of a ledger entry is zero',
    sql: entryOf({ amount: '0', balance_after: 'b.balance' }),
  },
  {
    invariant: 'M4',
    guards: ['payments.payments_amount_check'],
    title: 'the amount of a payment is zero',
    sql: newPayment({ amount: '0' }),
  },
  {
    invariant: 'M4',
    guards: ['unexpected_money.unexpected_money_amount_check'],
    title: 'the amount of unexpected money is zero',
    sql: copyOf('unexpected_money', 'id = :openMoneyId', {
      id: 'gen_random_uuid()',
      receipt: "'e'",
      amount: '0',
    }),
  },
  {
    invariant: 'M5',
    guards: ['payments.payments_terms_are_fixed'],
    title: 'the amount of a payment is changed after its creation',
    sql: payment(':pendingId', 'amount = amount + 1'),
  },
  {
    invariant: 'M5',
    guards: ['payments.payments_fingerprint_version_is_fixed'],
    title: 'the fingerprint version of a payment is changed',
    sql: payment(':pendingId', 'fingerprint_version = fingerprint_version + 1'),
  },
  {
    invariant: 'M6',
    guards: ['payments.payments_nothing_leaves_paid'],
    title: 'a paid payment expires',
    sql: payment(':paidId', "status = 'expired', paid_at = null, amount_paid = null"),
  },
  {
    invariant: 'M6',
    guards: ['payments.payments_check'],
    title: 'a pending payment has a payment time',
    sql: payment(':pendingId', 'paid_at = now()'),
  },
  {
    invariant: 'M6',
    guards: ['payments.payments_check1'],
    title: 'a pending payment has a paid amount',
    sql: payment(':pendingId', 'amount_paid = amount'),
  },
  {
    invariant: 'M7',
    guards: [
      'payments.payments_are_kept',
      'ledger_entries.ledger_entries_tenant_id_payment_id_fkey',
      'book_transfers.book_transfers_tenant_id_payment_id_fkey',
    ],
    title: 'a payment is deleted',
    sql: 'delete from payments where tenant_id = :tenantId and id = :pendingId',
  },
  {
    invariant: 'M8',
    guards: ['payments.payments_tenant_id_mode_idempotency_key_key'],
    title: 'two payments have the same idempotency key',
    sql: newPayment({ idempotency_key: 'idempotency_key' }),
  },
  {
    invariant: 'M9',
    guards: ['payments.payments_reversed_once'],
    title: "a payment's reversal is removed",
    sql: payment(':reversedId', 'reversed_at = null'),
  },
  {
    invariant: 'M10',
    guards: ['payments.payments_paid_by_one_receipt'],
    title: "a paid payment's receipt (id of the received money) is replaced",
    sql: payment(':paidId', "receipt = 'z'"),
  },
  {
    invariant: 'M11',
    guards: ['unexpected_money.unexpected_money_receipts'],
    title: 'two records of unexpected money have the same receipt',
    sql: copyOf('unexpected_money', 'id = :openMoneyId', { id: 'gen_random_uuid()' }),
  },
  {
    invariant: 'M12',
    guards: [
      'unexpected_money.unexpected_money_is_kept',
      'ledger_entries.ledger_entries_unexpected_money_id_fkey',
    ],
    title: 'a record of unexpected money is deleted',
    sql: 'delete from unexpected_money where id = :openMoneyId',
  },
  {
    invariant: 'M12',
    guards: ['unexpected_money.unexpected_money_is_as_it_arrived'],
    title: 'the kind of a record of unexpected money is changed',
    sql: money(':openMoneyId', "kind = 'late'"),
  },
  {
    invariant: 'M12',
    guards: ['unexpected_money.unexpected_money_only_grows'],
    title: 'the amount of a record of unexpected money is reduced',
    sql: money(':openMoneyId', 'amount = amount - 1'),
  },
  {
    invariant: 'M13',
    guards: ['unexpected_money.unexpected_money_is_decided_once'],
    title: 'a decided record of unexpected money is reopened',
    sql: money(':decidedMoneyId', "status = 'open', decided_at = null"),
  },
  {
    invariant: 'M14',
    guards: ['ledger_entries.ledger_entries_name_their_money'],
    title: 'a credit of unexpected money exceeds the received amount',
    sql: entryOf({
      payment_id: ':paidId',
      unexpected_money_id: ':openMoneyId',
      amount: '1000',
      balance_after: 'b.balance + 1000',
    }),
  },
  {
    invariant: 'M14',
    guards: ['ledger_entries.ledger_entries_one_for_unexpected_money'],
    title: 'the same unexpected money is credited a second time',
    sql: entryOf({
      payment_id: ':paidId',
      unexpected_money_id: ':decidedMoneyId',
      amount: '40',
      balance_after: 'b.balance + 40',
    }),
  },
  {
    invariant: 'M15',
    guards: ['ledger_entries.ledger_entries_balance_is_exact', 'balances.balances_are_exact'],
    title: 'a balance exceeds 2^53 - 1 cents',
    sql: entryOf({ amount: '9007199254740992 - b.balance', balance_after: '9007199254740992' }),
  },
  {
    invariant: 'M16',
    guards: ['payment_references.payment_references_are_kept'],
    title: "a payment's reference is deleted",
    sql: 'delete from payment_references where payment_id = :paidId',
  },
  {
    invariant: 'M16',
    guards: ['payment_references.payment_references_pkey'],
    title: 'a reference belongs to two payments',
    sql: copyOf('payment_references', 'payment_id = :paidId', { payment_id: ':pendingId::uuid' }),
  },
  {
    invariant: 'M17',
    guards: ['ledger_seals.ledger_seals_are_appended'],
    title: 'a ledger seal is changed',
    sql: "update ledger_seals set hash = decode(repeat('01', 32), 'hex') where tenant_id = :tenantId",
  },
  {
    invariant: 'M17',
    guards: ['ledger_seals.ledger_seals_follow'],
    title: 'a ledger seal does not follow the previous seal',
    sql: copyOf('ledger_seals', 'tenant_id = :tenantId', {
      from_version: '1000',
      to_version: '1001',
    }),
  },
  {
    invariant: 'M35',
    guards: ['provider_callbacks.provider_callbacks_have_one_message'],
    title: 'a callback is stored without its message',
    sql: "insert into provider_callbacks (id, provider_account_id, provider) values (:paidId, :paidId, 'midtrans')",
  },
  {
    invariant: 'M35',
    guards: ['provider_callbacks.provider_callbacks_have_one_message'],
    title: 'a callback is compressed before it is applied',
    sql: `insert into provider_callbacks (id, provider_account_id, provider, message_compressed)
      values (:paidId, :paidId, 'midtrans', decode('01', 'hex'))`,
  },
  {
    invariant: 'M35',
    guards: ['webhook_events.webhook_events_have_one_body'],
    title: 'the body of a webhook event is removed',
    sql: 'update webhook_events set body = null, body_compressed = null where payment_id = :paidId',
  },
  {
    invariant: 'M35',
    guards: ['webhook_events.webhook_events_have_one_body'],
    title: 'a webhook event has two bodies',
    sql: "update webhook_events set body = '{}', body_compressed = decode('02', 'hex') where payment_id = :paidId",
  },
  ...bookAttacks,
]
