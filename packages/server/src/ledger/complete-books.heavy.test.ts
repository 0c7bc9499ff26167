// Upgrades a database with many ledger entries from the version before double-entry bookkeeping while more entries
// are posted.

import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { emptyDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, makePayment } from '../../test/support/make.ts'
import { keyRingLoader } from '../auth/tokens/key-ring.ts'
import { listPublicKeys } from '../auth/tokens/signing-key.sql.ts'
import type { Db, Tx } from '../db/db.ts'
import { migrate, migrationsDirectory } from '../db/migrate/migrate.ts'
import { createLog } from '../logging/log.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { loadSecrets } from '../secrets/secrets.ts'
import { newId } from '../values/id.ts'
import { verifyLedger } from '../verification/verify-ledger.ts'
import { completeBooks } from './complete-books.ts'
import { issueLedgerStatement } from './issue-statement.ts'
import { verifyLedgerStatement } from './ledger-statement.ts'
import { lockSealing, sealRound } from './seal.sql.ts'

const BOOKS = 5
/**
 * The number of payments in each book (a tenant's ledger in one mode). The environment variable
 * GAPURA_TEST_PAYMENTS sets the total for all books, for example to measure a large database.
 */
const PAYMENTS_PER_BOOK = Number(process.env.GAPURA_TEST_PAYMENTS ?? 25_000) / BOOKS
const BEFORE_THE_BOOK = '0046'

const clock = () => new Date()
const log = createLog('silent')

/** Copies the migrations up to the version before double-entry bookkeeping to a temporary directory. */
async function previousMigrations(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gapura-migrations-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  for (const name of await readdir(migrationsDirectory))
    if (name.slice(0, 4) <= BEFORE_THE_BOOK)
      await copyFile(join(migrationsDirectory, name), join(directory, name))
  return directory
}

async function insertTenantAsBefore(db: Db): Promise<string> {
  const id = newId()
  await db.raw(
    `with inserted as (
       insert into tenants (id, role, tier, name) values (?, 'client', 'growth', 'Toko Sinar') returning id
     )
     insert into balances (tenant_id, mode) select id, mode from inserted, unnest(array['live', 'test']) mode`,
    [id],
  )
  return id
}

/**
 * Inserts paid payments, numbered from `first`, as the service did before it used double-entry bookkeeping:
 * their ledger entries have no counter-account.
 */
async function postAsBefore(db: Db | Tx, tenantId: string, { first = 1, count = 1 } = {}): Promise<void> {
  const { fingerprint } = makePayment({ amount: 100n, methodType: 'qris', methodDetail: { type: 'qris' } })
  const values = { tenantId, fingerprint, first, last: first + count - 1 }
  await db.transaction(async tx => {
    await tx.raw(
      `insert into payments (tenant_id, id, mode, payment_code, idempotency_key, fingerprint, amount, currency, method_type,
         channel, method_detail, status, provider, provider_account_id, expiry_minutes, expires_at, paid_at, amount_paid,
         created_at, updated_at)
       select :tenantId, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'live',
         'GP' || translate(left(md5(:tenantId), 6), 'abcdef', '012345') || '-' || lpad(n::text, 10, '0'), n::text,
         :fingerprint, 100, 'IDR', 'qris', 'qris', '{"type": "qris"}', 'paid', 'midtrans', :tenantId, 60, now(), now(), 100,
         now(), now()
       from generate_series(:first::integer, :last::integer) n`,
      values,
    )
    await tx.raw(
      `with locked as materialized (
         select * from balances where tenant_id = :tenantId and mode = 'live' for update
       )
       insert into ledger_entries (tenant_id, id, mode, version, payment_id, entry_type, amount, balance_after, reference_id,
         reason, created_at)
       select b.tenant_id, gen_random_uuid(), b.mode, b.version + n - :first::integer + 1,
         ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'credit', 100,
         b.balance + (n - :first::integer + 1) * 100, 'r', 'received', now()
       from locked b, generate_series(:first::integer, :last::integer) n`,
      values,
    )
  })
}

/** Inserts many payments and entries with triggers disabled, because the triggers would take most of the time. */
async function insertPostedBefore(db: Db, tenantId: string, count: number): Promise<void> {
  await db.transaction(async tx => {
    for (const table of ['payments', 'ledger_entries', 'balances'])
      await tx.raw(`alter table ${table} disable trigger user`)
    await postAsBefore(tx, tenantId, { count })
    await tx.raw(`update balances set balance = ?, version = ? where tenant_id = ? and mode = 'live'`, [
      count * 100,
      count,
      tenantId,
    ])
    for (const table of ['payments', 'ledger_entries', 'balances'])
      await tx.raw(`alter table ${table} enable trigger user`)
  })
}

async function payAsNow(db: Db, tenantId: string): Promise<void> {
  const {
    id: paymentId,
    amount: amountPaid,
    paymentCode: reference,
  } = await insertPendingPayment(db, { tenantId })
  const event = { type: 'paid', amountPaid, paidAt: clock(), reference } as const
  await db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], clock()))
}

test(`${BOOKS * PAYMENTS_PER_BOOK} older ledger entries get their missing counter-account while new entries are posted`, {
  timeout: 300_000 + BOOKS * PAYMENTS_PER_BOOK * 4,
}, async () => {
  const database = await emptyDatabase()
  const { db } = database
  let isLoading = true
  onTestFinished(async () => {
    isLoading = false
    await database.drop()
  })
  await migrate(database.url, await previousMigrations())
  const tenants: string[] = []
  for (let n = 0; n < BOOKS; n++) {
    tenants.push(await insertTenantAsBefore(db))
    await insertPostedBefore(db, tenants[n] as string, PAYMENTS_PER_BOOK)
  }
  const keyRing = keyRingLoader(
    db,
    await loadSecrets(db, { masterKey: randomBytes(32) }),
    clock,
    'https://a.example',
  )
  for (let isMore = true; isMore; )
    isMore = await db.transaction(async tx => {
      await lockSealing(tx)
      const limits = { balances: 200, entriesPerSeal: 1_000, entries: 200_000 }
      return (await sealRound(tx, limits, undefined)).isPartial
    })
  const statement = await issueLedgerStatement({ db, clock, log, keyRing }, 0)

  let posted = 0
  let isNewVersion = false
  const load = Promise.all(
    tenants.map(async tenantId => {
      for (let first = PAYMENTS_PER_BOOK + 1; isLoading; first++) {
        await (isNewVersion ? payAsNow(db, tenantId) : postAsBefore(db, tenantId, { first }))
        posted += 1
      }
    }),
  )
  /**
   * Waits for the promise `work`, but rejects immediately if one of the ledger postings that run meanwhile
   * fails.
   */
  const whileLoading = (work: Promise<unknown>) => Promise.race([work, load])
  await whileLoading(migrate(database.url))
  const { rows: books } = await db.raw('select count(*)::integer as count from book_backfills')
  expect(books).toEqual([{ count: BOOKS }])
  // Simulates an interrupted job: the first call of the SQL function `complete_books` completes only one
  // batch of ledger entries. Later calls continue with the next entries.
  await db.raw('select complete_books(500)')
  const atFirst = posted
  await whileLoading(completeBooks(db))
  isNewVersion = true
  const beforeLast = posted
  while (posted < beforeLast + BOOKS) await whileLoading(completeBooks(db))
  isLoading = false
  await load

  expect(atFirst).toBeGreaterThan(0)
  const { rows } = await db.raw(
    `select (select count(*)::integer from ledger_entries where counter_account is null) as incomplete,
            (select count(*)::integer from book_backfills) as books,
            (select sum(balance)::integer from book_accounts where account_id = '00000000-0000-0000-0000-000000000002')
              as unassigned`,
  )
  expect(rows).toEqual([{ incomplete: 0, books: 0, unassigned: 0 }])
  const differences: object[] = []
  const statements = [await verifyLedgerStatement(await listPublicKeys(db), statement as string)]
  const verified = await verifyLedger({ db, providers: new Map() }, statements, {
    // Differences of the kind `order_differs` are ignored, because the test gives all payments the same fingerprint.
    onDifference: difference => difference.kind !== 'order_differs' && differences.push(difference),
    onPage: () => {},
  })
  expect(differences.slice(0, 3)).toEqual([])
  expect(verified).toMatchObject({
    entries: BOOKS * PAYMENTS_PER_BOOK + posted,
    sealedEntries: BigInt(BOOKS * PAYMENTS_PER_BOOK),
    statements: 1,
  })
})
