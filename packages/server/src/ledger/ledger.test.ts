import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { databaseUrl } from '../../test/support/database-url.ts'
import { insertPendingPayment, makeTenant, now } from '../../test/support/make.ts'
import { createDb, type Db } from '../db/db.ts'
import type { Payment } from '../payments/payment.ts'
import { newId } from '../values/id.ts'
import { findBalance, listEntriesOfPayment, postTransfers } from './ledger.sql.ts'
import { type EntryType, type Transfer, transfer } from './transfer.ts'

const { url, db } = await testDatabase()
/** Connects as a superuser, which has every privilege, so only a trigger can reject a statement. */
const superuser = createDb(databaseUrl(inject('databaseUrls').adminUrl, new URL(url).pathname.slice(1)), {
  max: 2,
})
afterAll(() => superuser.destroy())

const FORBIDDEN = { code: '42501' }
const RESTRICTED = { code: '23001' }
const MISSING = { code: '23503' }
const TWICE = { code: '23505' }
const CHECK = { code: '23514' }

let tenantId: string
let payment: Payment
beforeEach(async () => {
  tenantId = await makeTenant(db)
  payment = await insertPendingPayment(db, { tenantId })
})

/** Builds a transfer between the payment's provider account and the account `merchant`. */
function posting({
  entryType = 'credit',
  amount = 1_000n,
  ...overrides
}: Partial<Transfer> & { entryType?: EntryType } = {}): Transfer {
  const provider = `provider:${payment.providerAccountId}` as const
  return {
    ...(entryType === 'credit'
      ? transfer(provider, 'merchant', amount)
      : transfer('merchant', provider, amount)),
    tenantId,
    mode: 'live',
    paymentId: payment.id,
    unexpectedMoneyId: null,
    referenceId: payment.paymentCode,
    reason: 'received',
    ...overrides,
  }
}
const posted = (...transfers: Transfer[]) => db.transaction(tx => postTransfers(tx, transfers, now))

test.each([
  ['credit', 2n ** 53n - 1n],
  ['debit', 2n ** 53n - 1n],
] as const)(
  'a %s that would move the balance more than 2^53 - 1 cents away from zero is rejected',
  async (entryType, amount) => {
    await posted(posting({ entryType, amount }))
    const next = posting({ entryType, amount: 1n, reason: 'one more', unexpectedMoneyId: null })
    const other = await insertPendingPayment(db, { tenantId })
    await expect(posted({ ...next, paymentId: other.id })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      cause: CHECK,
    })
    expect(await findBalance(db, tenantId, 'live')).toBe(entryType === 'credit' ? amount : -amount)
  },
)

/** Inserts a ledger entry with a plain SQL statement, bypassing the service's code. */
async function insertEntry(
  to: Db,
  entry: {
    version: number
    balanceAfter: number
    amount?: number
    entryType?: string
    tenantId?: string
    paymentId?: string
  },
): Promise<void> {
  await to.raw(
    `insert into ledger_entries (tenant_id, id, mode, version, payment_id, entry_type, amount, balance_after, reference_id, reason, created_at)
     values (:tenantId, :id, 'live', :version, :paymentId, :entryType, :amount, :balanceAfter, 'r', 'by hand', now())`,
    { tenantId, paymentId: payment.id, entryType: 'credit', amount: 1_000, id: newId(), ...entry },
  )
}

type Entry = { version: bigint; amount: bigint; type: string; after: bigint }
async function chainOf(mode = 'live'): Promise<Entry[]> {
  const { rows } = await db.raw<{ rows: Entry[] }>(
    `select version, amount, entry_type as type, balance_after as after
     from ledger_entries where tenant_id = ? and mode = ? order by version`,
    [tenantId, mode],
  )
  return rows
}

/**
 * Checks that a balance's entries are numbered without gaps (`version`). Also checks that each `balance_after` is the
 * previous `balance_after` plus or minus the entry's amount.
 */
async function expectRightChain(length: number): Promise<void> {
  const chain = await chainOf()
  expect(chain.map(entry => entry.version)).toEqual(Array.from({ length }, (_, i) => BigInt(i + 1)))
  let balance = 0n
  for (const entry of chain) {
    balance += entry.type === 'credit' ? entry.amount : -entry.amount
    expect(entry.after).toBe(balance)
  }
  expect(await findBalance(db, tenantId, 'live')).toBe(balance)
}

describe('posted ledger entries cannot be changed or deleted', () => {
  beforeEach(() => posted(posting()))

  test.each([
    'update ledger_entries set amount = 2',
    'update ledger_entries set reason = reason',
    'delete from ledger_entries',
    'truncate ledger_entries',
  ])('the service cannot change or delete a posted ledger entry: %s', async sql => {
    await expect(db.raw(sql)).rejects.toMatchObject(FORBIDDEN)
  })

  test.each([
    'update ledger_entries set amount = 2',
    'update ledger_entries set reason = reason',
    'delete from ledger_entries',
    'truncate ledger_entries',
    'truncate payments cascade',
    'insert into ledger_entries select * from ledger_entries on conflict (tenant_id, id) do update set amount = 2',
  ])('even a database superuser cannot change or delete a posted ledger entry: %s', async sql => {
    await expect(superuser.raw(sql)).rejects.toMatchObject(RESTRICTED)
    await expectRightChain(1)
  })

  test('a payment that has a ledger entry cannot be deleted', async () => {
    await expect(superuser.raw('delete from payments where id = ?', [payment.id])).rejects.toMatchObject(
      RESTRICTED,
    )
  })
})

describe('the database rejects ledger entries that break a rule, such as a second credit for one payment', () => {
  test('the database rejects a second credit for one payment', async () => {
    await posted(posting())
    await expect(posted(posting())).rejects.toMatchObject({
      ...TWICE,
      constraint: 'ledger_entries_one_credit',
    })
    await expectRightChain(1)
  })

  test('the database rejects two credits for a payment even if one statement inserts both', async () => {
    await expect(posted(posting(), posting())).rejects.toMatchObject(TWICE)
    expect(await chainOf()).toEqual([])
  })

  test('the database rejects a credit for a payment that does not exist or belongs to another tenant', async () => {
    await expect(posted(posting({ paymentId: randomUUID() }))).rejects.toMatchObject(MISSING)
    const stranger = await insertPendingPayment(db, { tenantId: await makeTenant(db) })
    await expect(posted(posting({ paymentId: stranger.id }))).rejects.toMatchObject(MISSING)
  })

  test.each([
    ['that is the first but has a balance other than its amount', { version: 1, balanceAfter: 999 }],
    ['that starts a chain at a version other than 1', { version: 2, balanceAfter: 1_000 }],
    ['that lowers the balance by a credit', { version: 1, balanceAfter: -1_000 }],
    ['that raises the balance by a debit', { version: 1, balanceAfter: 1_000, entryType: 'debit' }],
  ])('if a balance has no ledger entries yet, the database rejects an entry %s', async (_, entry) => {
    await expect(insertEntry(db, entry)).rejects.toMatchObject(CHECK)
  })

  test.each([
    ['whose balance does not follow from the previous balance', { version: 2, balanceAfter: 1_999 }, CHECK],
    ['that leaves a gap in the chain', { version: 3, balanceAfter: 2_000 }, CHECK],
    ['with the version of another entry', { version: 1, balanceAfter: 1_000 }, TWICE],
  ])(
    'if a balance already has one ledger entry, the database rejects a second entry %s',
    async (_, entry, error) => {
      await posted(posting())
      const other = await insertPendingPayment(db, { tenantId })
      await expect(insertEntry(db, { ...entry, paymentId: other.id })).rejects.toMatchObject(error)
      await expectRightChain(1)
    },
  )

  test('the database rejects a ledger entry for a tenant without a balance row', async () => {
    const homeless = await insertPendingPayment(db, { tenantId: randomUUID() })
    const entry = { tenantId: homeless.tenantId, paymentId: homeless.id, version: 1, balanceAfter: 1_000 }
    await expect(insertEntry(db, entry)).rejects.toMatchObject(MISSING)
    await expect(posted(posting({ tenantId: homeless.tenantId, paymentId: homeless.id }))).rejects.toThrow(
      'posted only 0 of 1 transfers',
    )
  })

  test.each([0, -1])('the database rejects a ledger entry with an amount of %s', async amount => {
    await expect(posted(posting({ amount: BigInt(amount) }))).rejects.toMatchObject(CHECK)
    await expect(insertEntry(db, { version: 1, balanceAfter: amount, amount })).rejects.toMatchObject(CHECK)
  })

  test.each(['', ' '])('the database rejects a ledger entry without a reason: %j', async reason => {
    for (const entryType of ['credit', 'debit'] as const)
      await expect(posted(posting({ entryType, reason }))).rejects.toMatchObject(CHECK)
  })

  test('the database accepts a debit with a stated reason, even before any money was received', async () => {
    await posted(posting({ entryType: 'debit', reason: 'fee of November' }))
    expect(await chainOf()).toMatchObject([{ type: 'debit', amount: 1_000n }])
  })

  test.each(['transfer', ''])(
    'the database rejects a ledger entry that is neither credit nor debit but %j',
    async entryType => {
      await expect(insertEntry(db, { version: 1, balanceAfter: -1_000, entryType })).rejects.toMatchObject(
        CHECK,
      )
    },
  )
})

describe('tenants’ balances change only through ledger entries', () => {
  test.each(['balance = balance + 1', 'balance = 0', 'version = version + 1', 'version = 0, balance = 0'])(
    "a manual change of a tenant's balance is rejected at commit: %s",
    async change => {
      await posted(posting())
      const byHand = superuser.raw(`update balances set ${change} where tenant_id = ? and mode = 'live'`, [
        tenantId,
      ])
      await expect(byHand).rejects.toMatchObject(CHECK)
      expect(await findBalance(db, tenantId, 'live')).toBe(1_000n)
    },
  )

  test("a tenant's balance row cannot be deleted", async () => {
    await posted(posting())
    const byHand = superuser.raw('delete from balances where tenant_id = ?', [tenantId])
    await expect(byHand).rejects.toMatchObject(RESTRICTED)
    expect(await findBalance(db, tenantId, 'live')).toBe(1_000n)
  })

  test('the database rejects a new balance whose amount is not zero', async () => {
    const opened = db.raw(`insert into balances (tenant_id, mode, balance) values (?, 'live', 1)`, [
      randomUUID(),
    ])
    await expect(opened).rejects.toMatchObject(CHECK)
  })

  test('the database rejects a transaction that posts a ledger entry but restores the previous balance', async () => {
    const cheat = db.transaction(async tx => {
      await postTransfers(tx, [posting()], now)
      await tx.raw('update balances set balance = 0, version = 0 where tenant_id = ?', [tenantId])
    })
    await expect(cheat).rejects.toMatchObject(CHECK)
    expect(await chainOf()).toEqual([])
  })

  test('a ledger entry changes only the balance of its own mode (live or test)', async () => {
    await posted(posting({ mode: 'test' }))
    expect(await findBalance(db, tenantId, 'test')).toBe(1_000n)
    expect(await findBalance(db, tenantId, 'live')).toBe(0n)
  })

  test("a debit that is larger than a tenant's balance is recorded, so that the balance becomes negative", async () => {
    await posted(posting({ entryType: 'debit' }))
    expect(await findBalance(db, tenantId, 'live')).toBe(-1_000n)
  })
})

describe('the database enforces the rules for paid payments', () => {
  const setPaid = (to: Db, amountPaid: number) =>
    to.raw(
      `update payments set status = 'paid', paid_at = now(), amount_paid = ? where tenant_id = ? and id = ?`,
      [amountPaid, tenantId, payment.id],
    )

  test('setting a payment to paid without posting its credit is rejected at commit', async () => {
    await expect(setPaid(superuser, 1_000)).rejects.toMatchObject(CHECK)
  })

  test('setting a payment to paid fails at commit unless its ledger entry credits the paid amount', async () => {
    for (const wrong of [posting({ amount: 999n }), posting({ entryType: 'debit' })]) {
      const cheat = db.transaction(async tx => {
        await postTransfers(tx, [wrong], now)
        await setPaid(tx, 1_000)
      })
      await expect(cheat).rejects.toMatchObject(CHECK)
    }
  })

  test("the database allows a transaction to set a payment to paid before it posts the payment's credit", async () => {
    await db.transaction(async tx => {
      await setPaid(tx, 1_000)
      await postTransfers(tx, [posting()], now)
    })
    await expectRightChain(1)
  })

  test.each([
    "status = 'pending', paid_at = null, amount_paid = null",
    'amount_paid = 2',
    "paid_at = '2020-01-01'",
  ])('even a superuser cannot change the status, amount or time of a paid payment: %s', async change => {
    await db.transaction(async tx => {
      await postTransfers(tx, [posting()], now)
      await setPaid(tx, 1_000)
    })
    const leave = superuser.raw(`update payments set ${change} where tenant_id = ?`, [tenantId])
    await expect(leave).rejects.toMatchObject(RESTRICTED)
  })

  test.each([
    'amount = 1',
    "payment_code = 'GP260101-0000000000'",
    "mode = 'test'",
    "idempotency_key = 'other'",
  ])('even a superuser cannot change the data with which a payment was created: %s', async change => {
    const byHand = superuser.raw(`update payments set ${change} where id = ?`, [payment.id])
    await expect(byHand).rejects.toMatchObject(RESTRICTED)
  })
})

describe('each posting to the ledger continues from the last entry of its balance', () => {
  // The test posts random batches of credits and debits. It credits each payment at most once.
  test('ledger entries posted in any order get consecutive versions and correct balances', async () => {
    const move = fc.record({ debit: fc.boolean(), amount: fc.bigInt({ min: 1n, max: 10n ** 14n }) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(move, { minLength: 1, maxLength: 6 }), { maxLength: 6 }),
        async batches => {
          tenantId = await makeTenant(db)
          payment = await insertPendingPayment(db, { tenantId })
          const moves: bigint[] = []
          for (const batch of batches) {
            const postings: Transfer[] = []
            for (const { debit, amount } of batch) {
              const { id: paymentId } = debit ? payment : await insertPendingPayment(db, { tenantId })
              postings.push(posting({ paymentId, amount, entryType: debit ? 'debit' : 'credit' }))
              moves.push(debit ? -amount : amount)
            }
            await posted(...postings)
          }
          const chain = await chainOf()
          expect(chain.map(entry => (entry.type === 'debit' ? -entry.amount : entry.amount))).toEqual(moves)
          await expectRightChain(moves.length)
        },
      ),
      { numRuns: 15 },
    )
  })

  test('many concurrent transactions that post to one balance create a chain of entries without gaps', async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        posted(
          ...Array.from({ length: 1 + (i % 3) }, (_, j) =>
            posting({ entryType: 'debit', amount: BigInt(i * 3 + j + 1) }),
          ),
        ),
      ),
    )
    await expectRightChain(120)
  })

  test('transactions that post to two balances in opposite orders never deadlock', async () => {
    const debits = [posting({ entryType: 'debit' }), posting({ entryType: 'debit', mode: 'test' })]
    await Promise.all(
      Array.from({ length: 30 }, (_, i) => posted(...(i % 2 === 0 ? debits : [...debits].reverse()))),
    )
    await expectRightChain(30)
    expect(await findBalance(db, tenantId, 'test')).toBe(-30_000n)
  })

  test('two ledger entries posted in one transaction get consecutive positions in the chain', async () => {
    await db.transaction(async tx => {
      await postTransfers(tx, [posting()], now)
      await postTransfers(tx, [posting({ entryType: 'debit' })], now)
    })
    await expectRightChain(2)
  })

  test('after a failed posting, the next ledger entry of the balance continues the numbering without a gap', async () => {
    await posted(posting())
    await posted(posting()).catch(() => {})
    await posted(posting({ entryType: 'debit' }))
    await expectRightChain(2)
  })

  test("a payment's ledger entries are listed in posting order, and only for the payment's own tenant", async () => {
    await posted(posting({ amount: 5n }), posting({ entryType: 'debit', amount: 3n }))
    expect(await listEntriesOfPayment(db, tenantId, payment.id)).toMatchObject([
      { tenantId, paymentId: payment.id, entryType: 'credit', amount: 5n, balanceAfter: 5n, createdAt: now },
      { entryType: 'debit', amount: 3n, balanceAfter: 2n },
    ])
    expect(await listEntriesOfPayment(db, await makeTenant(db), payment.id)).toEqual([])
  })
})
