import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { insertSecondPayment } from '../../test/support/ledger.ts'
import { balanceLock, lockingInOrder } from '../../test/support/lock-order.ts'
import { insertPendingPayment, later, makeTenant, now } from '../../test/support/make.ts'
import { sentWhile } from '../../test/support/sent-statements.ts'
import { insertAttempts } from '../payments/attempt.sql.ts'
import type { Payment } from '../payments/payment.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { newId } from '../values/id.ts'
import { type Account, accountIdOf, accountNameOf } from './account.ts'
import { findBalance, postTransfers } from './ledger.sql.ts'
import { type Transfer, transfer } from './transfer.ts'

const { db, owner } = await testDatabase()

let tenantId: string
let payment: Payment
beforeEach(async () => {
  tenantId = await makeTenant(db)
  payment = await insertPendingPayment(db, { tenantId })
})

const move = (from: Account, to: Account, amount: bigint, overrides: Partial<Transfer> = {}): Transfer => ({
  ...transfer(from, to, amount),
  tenantId,
  mode: 'live',
  paymentId: payment.id,
  unexpectedMoneyId: null,
  referenceId: payment.paymentCode,
  reason: 'a test',
  ...overrides,
})
const posted = (...transfers: Transfer[]) => db.transaction(tx => postTransfers(tx, transfers, now))

/** Returns the stored balances of the accounts in the tenant's book, by account name, including `merchant`. */
async function accountsOf(of = tenantId): Promise<Map<string, bigint>> {
  const { rows } = await db.raw<{ rows: { id: string; balance: bigint }[] }>(
    `select account_id as id, balance from book_accounts where tenant_id = ? and mode = 'live'`,
    [of],
  )
  const accounts = new Map(rows.map(({ id, balance }) => [accountNameOf(id), balance]))
  return accounts.set('merchant', await findBalance(db, of, 'live'))
}
const total = (amounts: Iterable<bigint>) => [...amounts].reduce((sum, amount) => sum + amount, 0n)

describe("transfers between accounts of a tenant's book (double-entry ledger) change the accounts' balances", () => {
  test('a paid payment transfers its amount from the provider account to the merchant in the tenant’s book', async () => {
    const { id: paymentId, amount: amountPaid, paymentCode: reference, providerAccountId } = payment
    const event = { type: 'paid', amountPaid, paidAt: now, reference } as const
    await db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], now))
    expect(await accountsOf()).toEqual(
      new Map([
        [`provider:${providerAccountId}`, -amountPaid],
        ['merchant', amountPaid],
      ]),
    )
  })

  // A property test: the guarantee in the test's title must hold for any batches of transfers, including
  // batches in which several transfers change the same account.
  test("[M26] each account balance equals the sum of its transfers, and a book's balances sum to zero", async () => {
    const accounts = [
      'merchant',
      'fee:operator',
      'fee:partner',
      'refunds_in_transit',
      'payouts_in_transit',
      'adjustment',
      `provider:${newId()}`,
      `provider:${newId()}`,
    ] as const
    const moves = fc
      .record({
        from: fc.constantFrom(...accounts),
        to: fc.constantFrom(...accounts),
        amount: fc.bigInt(1n, 10n ** 12n),
      })
      .filter(({ from, to }) => from !== to)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(moves, { minLength: 1, maxLength: 8 }), { maxLength: 5 }),
        async batches => {
          tenantId = await makeTenant(db)
          const expected = new Map<string, bigint>([['merchant', 0n]])
          for (const batch of batches) {
            const transfers: Transfer[] = []
            for (const { from, to, amount } of batch) {
              payment = await insertPendingPayment(db, { tenantId })
              transfers.push(move(from, to, amount))
              expected.set(from, (expected.get(from) ?? 0n) - amount)
              expected.set(to, (expected.get(to) ?? 0n) + amount)
            }
            await posted(...transfers)
          }
          const stored = await accountsOf()
          expect(stored).toEqual(expected)
          expect(total(stored.values())).toBe(0n)
        },
      ),
      { numRuns: 12 },
    )
  })

  test('posting four hundred transfers takes the same number of SQL statements as posting two', async () => {
    const payments: Payment[] = []
    for (let n = 0; n < 200; n++) payments.push(await insertPendingPayment(db, { tenantId }))
    const credit = ({ id }: Payment) => move('provider', 'merchant', 5n, { paymentId: id })
    const fee = ({ id }: Payment) => move('fee:operator', 'fee:partner', 1n, { paymentId: id })
    const [first, ...rest] = payments as [Payment, ...Payment[]]
    const few = await sentWhile(() => posted(credit(first), fee(first)))
    const many = await sentWhile(() => posted(...rest.flatMap(each => [credit(each), fee(each)])))
    expect(many.map(({ text }) => text)).toEqual(few.map(({ text }) => text))
    expect((await accountsOf()).get('fee:partner')).toBe(200n)
  })

  test("concurrent transactions that post to one tenant's book (double-entry ledger) lose no transfer and do not deadlock", async () => {
    const debit = move('merchant', 'refunds_in_transit', 3n)
    const settle = move('refunds_in_transit', 'provider', 2n)
    await Promise.all(
      Array.from({ length: 30 }, (_, i) => posted(...(i % 2 === 0 ? [debit, settle] : [settle, debit]))),
    )
    const accounts = await accountsOf()
    expect([accounts.get('merchant'), accounts.get('refunds_in_transit')]).toEqual([-90n, 30n])
    expect(total(accounts.values())).toBe(0n)
  })

  test("a transaction locks all its tenants' balances in key order, even for a transfer without an entry", async () => {
    const other = await makeTenant(db)
    const [first, second] = [tenantId, other].sort() as [string, string]
    const entry = move('merchant', 'payouts_in_transit', 3n, { tenantId: second, paymentId: null })
    const transferred = move('adjustment', 'fee:partner', 2n, { tenantId: first, paymentId: null })
    await lockingInOrder(db, { first: balanceLock(first), second: balanceLock(second) }, tx =>
      postTransfers(tx, [entry, transferred], now),
    )
    expect((await accountsOf(second)).get('payouts_in_transit')).toBe(3n)
    expect((await accountsOf(first)).get('fee:partner')).toBe(2n)
  })

  test('a transfer that fails at commit changes no account balance', async () => {
    await posted(move('merchant', 'adjustment', 3n))
    const failing = db.transaction(async tx => {
      await postTransfers(tx, [move('adjustment', 'fee:partner', 2n)], now)
      throw new Error('undone')
    })
    await expect(failing).rejects.toThrow('undone')
    expect((await accountsOf()).get('adjustment')).toBe(3n)
  })

  test('the database rejects a transfer from a provider account without a payment', async () => {
    await posted(move('merchant', 'payouts_in_transit', 3n, { paymentId: null }))
    expect((await accountsOf()).get('payouts_in_transit')).toBe(3n)
    await expect(
      posted(move(`provider:${newId()}`, 'merchant', 3n, { paymentId: null })),
    ).rejects.toMatchObject({ code: '23514' })
  })

  test("the service can change an account's balance only by posting a transfer", async () => {
    await posted(move('merchant', 'adjustment', 3n))
    for (const sql of [
      'update book_accounts set balance = 0',
      'delete from book_accounts',
      `insert into book_accounts values (gen_random_uuid(), 'live', gen_random_uuid(), 0)`,
      'update book_transfers set amount = 2',
      'delete from book_transfers',
      'update ledger_entries set counter_account = counter_account',
    ])
      await expect(db.raw(sql), sql).rejects.toMatchObject({ code: '42501' })
  })
})

describe('an entry from a version without double-entry bookkeeping gets the provider account as counter-account', () => {
  const counterAccount = async () =>
    (await db.raw('select counter_account from ledger_entries where tenant_id = ?', [tenantId])).rows[0]
      .counter_account

  /**
   * Inserts a ledger entry without a counter-account (the other account of the transfer), as the version
   * before double-entry bookkeeping did.
   */
  const insertAsBefore = (paymentId: string, unexpectedMoneyId: string | null = null) =>
    db.raw(
      `insert into ledger_entries (tenant_id, id, mode, version, payment_id, entry_type, amount, balance_after, reference_id,
         reason, created_at, unexpected_money_id)
       values (?, ?, 'live', 1, ?, 'credit', 100, 100, 'r', 'received', now(), ?)`,
      [tenantId, newId(), paymentId, unexpectedMoneyId],
    )

  test("a ledger entry without a counter-account gets the payment's provider account from the database", async () => {
    await insertAsBefore(payment.id)
    expect(await counterAccount()).toBe(payment.providerAccountId)
  })

  test("a credit's counter-account is the provider account of the paid charge attempt, not of a later attempt", async () => {
    const [first, second] = [payment.providerAccountId, newId()]
    await db.transaction(tx =>
      insertAttempts(
        tx,
        [
          {
            ...{ tenantId, paymentId: payment.id, number: 2, provider: 'xendit', providerAccountId: second },
            ...{ reference: `${payment.paymentCode}-2`, previousReference: payment.paymentCode },
            previousReason: 'could not be reached',
          },
        ],
        later(1_000),
      ),
    )
    await owner.raw('update payments set attempt = 2, provider_account_id = ? where id = ?', [
      second,
      payment.id,
    ])
    const { id: paymentId, amount: amountPaid, paymentCode: reference } = payment
    const event = { type: 'paid', amountPaid, paidAt: now, reference } as const
    await db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], now))
    expect(await counterAccount()).toBe(first)
  })

  test("a ledger entry about unexpected money has the provider account from the money's record as its counter-account", async () => {
    const money = await insertSecondPayment(db, { tenantId, paymentId: payment.id, amount: 100n })
    const { rows } = await db.raw('select provider_account_id as id from unexpected_money where id = ?', [
      money,
    ])
    await insertAsBefore(payment.id, money)
    expect(await counterAccount()).toBe(rows[0].id)
    expect(accountIdOf('provider')).toBeNull()
  })
})

test("the SQL in docs/book.md, which recomputes a book's balances from its transfers, returns the stored balances", async () => {
  const page = await readFile(join(import.meta.dirname, '../../../../docs/book.md'), 'utf8')
  const [recomputed = ''] = [...page.matchAll(/```sql\n([^`]*)```/g)].map(([, sql]) => sql)
  const provider = `provider:${payment.providerAccountId}` as const
  await posted(
    move(provider, 'merchant', 100n),
    move('merchant', 'fee:operator', 7n),
    move('fee:operator', 'fee:partner', 3n),
  )
  const { rows: sums } = await db.raw(
    `select * from (${recomputed}) s where tenant_id = ? and mode = 'live'`,
    [tenantId],
  )
  const accounts = sums.map(({ account_id, balance }: { account_id: string; balance: string }) => [
    account_id === accountIdOf('merchant') ? 'merchant' : accountNameOf(account_id),
    BigInt(balance),
  ])
  expect(new Map(accounts)).toEqual(await accountsOf())
})
