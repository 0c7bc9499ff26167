// Tests that ledger verification detects money that was created or lost, even if a superuser has changed the
// tables with all triggers disabled.

import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { ledgerDifferences, shop, tamper } from '../../test/support/ledger.ts'
import { insertPendingPayment, makeTenant, now } from '../../test/support/make.ts'
import { creditPartnerMargins } from '../fees/credit-partner-margins.ts'
import { postTransfers } from '../ledger/ledger.sql.ts'
import { transfer } from '../ledger/transfer.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { verifyLedger } from './verify-ledger.ts'

/**
 * Creates two tenants. The ledger of the first tenant contains three credits and the two transfers of one
 * refund.
 */
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
        { ...of, ...why, ...transfer('provider', 'refunds_in_transit', 500n) },
        { ...of, ...why, ...transfer('refunds_in_transit', 'adjustment', 200n) },
      ],
      now,
    ),
  )
  return {
    ...{ db, tenantId, other },
    tamper: (...statements: string[]) =>
      tamper(url, ...statements.map((sql): [string, unknown[]] => [withIds(sql), []])),
    found: () => ledgerDifferences({ db }),
  }
  function withIds(sql: string): string {
    return sql.replaceAll(':tenant', `'${tenantId}'`).replaceAll(':other', `'${other}'`)
  }
}

const uuid = expect.stringMatching(/^[\da-f-]{36}$/)
const account = (digit: number) => `'00000000-0000-0000-0000-00000000000${digit}'`

test('ledger verification reports no difference if the balance of every account equals the sum of its postings', async () => {
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

test.each([5, 6, 7])(
  "ledger verification reports a payment's debit that is neither a fee nor a refund, regardless of the account that received the money",
  async digit => {
    const { tenantId, found, db } = await books()
    const { rows } = await db.raw('select id from payments where tenant_id = ? and amount_paid > 0', [
      tenantId,
    ])
    const account = ({ 5: 'refunds_in_transit', 6: 'payouts_in_transit', 7: 'adjustment' } as const)[digit]
    const of = { tenantId, mode: 'live', paymentId: rows[0].id, unexpectedMoneyId: null } as const
    const taken = { ...transfer('merchant', account as 'adjustment', 9n), referenceId: 'r', reason: 'taken' }
    await db.transaction(tx => postTransfers(tx, [{ ...of, ...taken }], now))
    expect(await found()).toEqual([
      {
        ...{ kind: 'entry_without_money', tenant_id: tenantId, mode: 'live', version: '4' },
        ...{ entry_id: uuid, payment_id: rows[0].id },
      },
    ])
  },
)

test('ledger verification reports an entry of a refund that does not exist', async () => {
  const book = await books()
  await book.tamper(
    `insert into ledger_entries (tenant_id, id, mode, version, payment_id, refund_id, entry_type, amount, balance_after,
       counter_account, reference_id, reason, created_at)
     select tenant_id, gen_random_uuid(), mode, 4, payment_id, gen_random_uuid(), 'debit', 9, balance_after - 9,
            ${account(7)}, 'r', 'taken', now()
     from ledger_entries where tenant_id = :tenant and version = 3`,
    `update balances set balance = balance - 9, version = 4 where tenant_id = :tenant and version = 3`,
    `update book_accounts set balance = balance + 9 where tenant_id = :tenant and account_id = ${account(7)}`,
  )
  expect(await book.found()).toEqual([
    expect.objectContaining({ kind: 'entry_without_refund', version: '4', entry_id: uuid, payment_id: uuid }),
  ])
})

test("ledger verification reports a transfer that was moved to another tenant's ledger", async () => {
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

test('ledger verification reports accounts and transfers that belong to a ledger that does not exist', async () => {
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

test("ledger verification skips the accounts of a tenant's book while a job adds counter-accounts to its entries", async () => {
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

describe("ledger verification reports every difference between a Partner's credits and its Clients' margins", () => {
  /** Creates a Partner that was credited the margins of two Clients: 150 cents each. */
  async function margins() {
    const { db, url } = await testDatabase()
    const partnerId = await makeTenant(db, { role: 'partner' })
    const formula = { version: 1, refund_fees: false, percent_bps: 0, min: null, max: null, tax_bps: 0 }
    const feeTerms = { operator: { ...formula, fixed: 100 }, partner: { ...formula, fixed: 250 } }
    for (let n = 0; n < 2; n++) {
      const tenantId = await makeTenant(db, { parentId: partnerId })
      const { id: paymentId, amount, paymentCode } = await insertPendingPayment(db, { tenantId, feeTerms })
      const event = { type: 'paid', amountPaid: amount, paidAt: now, reference: paymentCode } as const
      await db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], now))
    }
    await creditPartnerMargins({ db, clock: () => now })
    return {
      partnerId,
      tamper: (...statements: string[]) =>
        tamper(url, ...statements.map((sql): [string, unknown[]] => [sql, [partnerId]])),
      async found(): Promise<object[]> {
        const differences: object[] = []
        const onDifference = (difference: object) => differences.push(difference)
        await verifyLedger({ db, providers: new Map() }, [], { onDifference, onPage: () => {} })
        return differences
      },
    }
  }

  test('ledger verification reports no difference if a Partner was credited the margins taken from its Clients', async () => {
    expect(await (await margins()).found()).toEqual([])
  })

  test('ledger verification reports a credit to a Partner without matching margins', async () => {
    const { partnerId, tamper, found } = await margins()
    await tamper(
      `insert into ledger_entries (tenant_id, id, mode, version, entry_type, amount, balance_after, counter_account,
         reference_id, reason, created_at)
       select tenant_id, gen_random_uuid(), mode, 2, 'credit', 1000, 1300, counter_account, 'made up', reason, now()
       from ledger_entries where tenant_id = $1`,
      `update balances set balance = 1300, version = 2 where tenant_id = $1 and version = 1`,
      `update book_accounts set balance = -1300 where tenant_id = $1`,
    )
    expect(await found()).toEqual([
      {
        ...{ kind: 'margin_differs', mode: 'live', reference_id: 'made up' },
        ...{ tenant_id: partnerId, entry_id: uuid, expected: '0', found: '1000' },
      },
    ])
  })

  test("ledger verification reports margins that were taken from Clients but are not credited in the Partner's ledger", async () => {
    const { tamper, found } = await margins()
    await tamper(
      'delete from ledger_entries where tenant_id = $1',
      'update balances set balance = 0, version = 0 where tenant_id = $1',
      'delete from book_accounts where tenant_id = $1',
    )
    expect(await found()).toEqual([
      {
        ...{ kind: 'margin_differs', mode: 'live', reference_id: uuid },
        ...{ tenant_id: null, entry_id: null, expected: '300', found: '0' },
      },
    ])
  })

  test("ledger verification reports a Partner's credit with another amount than its Clients' margins", async () => {
    const { partnerId, tamper, found } = await margins()
    await tamper(
      'update ledger_entries set amount = 299, balance_after = 299 where tenant_id = $1',
      'update balances set balance = 299 where tenant_id = $1 and version = 1',
      'update book_accounts set balance = -299 where tenant_id = $1',
    )
    expect(await found()).toEqual([
      expect.objectContaining({
        kind: 'margin_differs',
        tenant_id: partnerId,
        expected: '300',
        found: '299',
      }),
    ])
  })
})
