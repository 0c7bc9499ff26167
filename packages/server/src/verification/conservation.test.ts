// Tests that ledger verification proves that no money was created or lost, even if a superuser has changed the
// tables with all triggers disabled.

import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { shop, tamper } from '../../test/support/ledger.ts'
import { makeTenant, now } from '../../test/support/make.ts'
import { postTransfers } from '../ledger/ledger.sql.ts'
import type { LedgerDifference } from '../ledger/ledger-difference.ts'
import { transfer } from '../ledger/transfer.ts'
import { verifyLedger } from './verify-ledger.ts'

/** Creates two tenants. The book of the first one contains three credits, a refund debit and its transfer. */
async function books() {
  const { db, url } = await testDatabase()
  const { tenantId, paid } = await shop(db, 3)
  const other = await makeTenant(db)
  const of = { tenantId, mode: 'live', paymentId: paid[0] as string, unexpectedMoneyId: null } as const
  const why = { referenceId: 'r', reason: 'a refund' }
  await db.transaction(tx =>
    postTransfers(
      tx,
      [
        { ...of, ...why, ...transfer('merchant', 'refunds_in_transit', 500n) },
        { ...of, ...why, ...transfer('refunds_in_transit', 'adjustment', 200n) },
      ],
      now,
    ),
  )
  return {
    ...{ db, tenantId, other },
    tamper: (...statements: string[]) =>
      tamper(url, ...statements.map((sql): [string, unknown[]] => [withIds(sql), []])),
    async found(): Promise<LedgerDifference[]> {
      const differences: LedgerDifference[] = []
      await verifyLedger({ db, providers: new Map() }, [], {
        onDifference: difference => differences.push(difference),
        onPage: () => {},
      })
      return differences
    },
  }
  function withIds(sql: string): string {
    return sql.replaceAll(':tenant', `'${tenantId}'`).replaceAll(':other', `'${other}'`)
  }
}

const uuid = expect.stringMatching(/^[\da-f-]{36}$/)
const account = (digit: number) => `'00000000-0000-0000-0000-00000000000${digit}'`

test('ledger verification accepts a book whose accounts equal their postings', async () => {
  expect(await (await books()).found()).toEqual([])
})

test.each<[string, string[], object]>([
  [
    'an entry without a counter-account',
    [
      'alter table ledger_entries drop constraint ledger_entries_have_a_counter_account',
      'update ledger_entries set counter_account = null where tenant_id = :tenant and version = 2',
    ],
    { kind: 'entry_does_not_balance', version: '2', entry_id: uuid, account: null, amount: '10000000' },
  ],
  [
    'an entry with both postings on the same account',
    [
      `alter table ledger_entries drop constraint ledger_entries_have_a_counter_account`,
      `update ledger_entries set counter_account = ${account(1)} where tenant_id = :tenant and version = 2`,
    ],
    { kind: 'entry_does_not_balance', version: '2', entry_id: uuid, account: 'merchant', amount: '10000000' },
  ],
  [
    'an entry with a negative amount',
    [
      'alter table ledger_entries drop constraint ledger_entries_amount_check',
      `update ledger_entries set amount = -amount, entry_type = 'debit' where tenant_id = :tenant and version = 3`,
    ],
    { kind: 'entry_does_not_balance', version: '3', entry_id: uuid, amount: '-10000000' },
  ],
  [
    'a transfer from an account to the same account',
    [
      'alter table book_transfers drop constraint book_transfers_have_two_accounts',
      'update book_transfers set from_account = to_account where tenant_id = :tenant',
    ],
    {
      ...{ kind: 'transfer_does_not_balance', transfer_id: uuid },
      ...{ from: 'adjustment', to: 'adjustment', amount: '200' },
    },
  ],
  [
    'a transfer that changes the account merchant without an entry',
    [
      'alter table book_transfers drop constraint book_transfers_leave_out_merchant',
      `update book_transfers set to_account = ${account(1)} where tenant_id = :tenant`,
    ],
    { kind: 'transfer_does_not_balance', transfer_id: uuid, to: 'merchant', amount: '200' },
  ],
  [
    'a transfer with a negative amount',
    [
      'alter table book_transfers drop constraint book_transfers_amount_check',
      'update book_transfers set amount = -amount where tenant_id = :tenant',
    ],
    { kind: 'transfer_does_not_balance', transfer_id: uuid, amount: '-200' },
  ],
  [
    'a transfer for a payment of another mode',
    [
      `update payments set mode = 'test' where tenant_id = :tenant and id in (select payment_id from book_transfers)`,
    ],
    { kind: 'transfer_without_payment', transfer_id: uuid, payment_id: uuid, amount: '200' },
  ],
  [
    'an account whose stored balance differs from its postings',
    [
      `update book_accounts set balance = balance + 7 where tenant_id = :tenant and account_id = ${account(7)}`,
    ],
    { kind: 'account_differs', account: 'adjustment', expected: '200', found: '207' },
  ],
  [
    'an account with a balance but without postings',
    [`insert into book_accounts values (:tenant, 'live', ${account(6)}, 5)`],
    { kind: 'account_differs', account: 'payouts_in_transit', expected: '0', found: '5' },
  ],
])('ledger verification reports %s', async (_, statements, difference) => {
  const book = await books()
  await book.tamper(...statements)
  expect(await book.found()).toContainEqual(
    expect.objectContaining({ tenant_id: book.tenantId, mode: 'live', ...difference }),
  )
})

test("ledger verification reports a transfer that was moved to another tenant's book", async () => {
  const book = await books()
  await book.tamper('update book_transfers set tenant_id = :other')
  const found = await book.found()
  const ofOther = { tenant_id: book.other, mode: 'live' }
  expect(found).toContainEqual(
    expect.objectContaining({ kind: 'transfer_without_payment', ...ofOther, transfer_id: uuid }),
  )
  expect(found).toContainEqual(
    expect.objectContaining({ kind: 'account_differs', ...ofOther, account: 'adjustment', expected: '200' }),
  )
})

test('ledger verification reports accounts and transfers of a book that does not exist', async () => {
  const book = await books()
  await book.tamper(
    'delete from balances where tenant_id = :other',
    'update book_transfers set tenant_id = :other',
    `insert into book_accounts values (:other, 'test', ${account(5)}, 12)`,
  )
  const found = await book.found()
  expect(found).toContainEqual({
    ...{ kind: 'account_without_book', tenant_id: book.other, mode: 'test' },
    ...{ account: 'refunds_in_transit', found: '12' },
  })
  expect(found).toContainEqual({
    ...{ kind: 'transfer_without_book', tenant_id: book.other, mode: 'live' },
    ...{ transfer_id: uuid, amount: '200' },
  })
})

test('while a job adds counter-accounts to the entries of a book, ledger verification does not compare the accounts of this book', async () => {
  const book = await books()
  await book.tamper(
    'alter table ledger_entries drop constraint ledger_entries_have_a_counter_account',
    'update ledger_entries set counter_account = null where tenant_id = :tenant and version <= 2',
    `insert into book_backfills values (:tenant, 'live', 1, 2)`,
  )
  expect(await book.found()).toEqual([])
  await book.tamper(`update book_backfills set next_version = 2`)
  expect(await book.found()).toEqual([
    expect.objectContaining({ kind: 'entry_does_not_balance', version: '1' }),
  ])
})
