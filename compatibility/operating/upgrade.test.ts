// Tests upgrades of databases from earlier versions. Each test:
// - creates a database of the first version with a ledger, and inserts a paid payment;
// - migrates the database to the earlier version under test;
// - upgrades the database with the operator's commands.
//
// Only the oldest and the newest earlier versions are tested. An upgrade from the oldest version passes through all
// others.

import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createDb, type Db } from '../../packages/server/src/db/db.ts'
import type { Embedded } from '../../packages/server/src/db/embedded/embedded.ts'
import { startTemporaryDatabase } from '../../packages/server/src/db/embedded/throwaway.ts'
import { migrate, migrationsDirectory } from '../../packages/server/src/db/migrate/migrate.ts'
import { createPaymentInput } from '../../packages/server/src/payments/create/create-input.ts'
import { fingerprintOf } from '../../packages/server/src/payments/create/fingerprint.ts'
import { databaseUrl } from '../../packages/server/test/support/database-url.ts'

const command = join(import.meta.dirname, '../../packages/server/src/commands/main.ts')
const masterKey = randomBytes(32).toString('base64')
const migrations = (await readdir(migrationsDirectory)).filter(name => name.endsWith('.sql')).sort()
/**
 * The number of the migration that adds the ledger. Upgrades from earlier migrations are not tested, because such
 * databases contain no balances to preserve.
 */
const FIRST = 3
const earlier = [FIRST, migrations.length - 1].map(count => ({ last: migrations[count - 1], count }))

let server: Embedded
beforeAll(async () => {
  server = await startTemporaryDatabase()
})
afterAll(() => server.stop())

test.each(earlier)(
  'a database of an earlier release, with the last migration $last, keeps its payments and balances when it is upgraded',
  async ({ count }) => {
    const url = databaseUrl(server.url, `of_${count}`)
    await asAdmin(`create database of_${count} owner gapura`)
    await migrate(url, await firstMigrations(FIRST))
    const db = createDb(url, { max: 2 })
    onTestFinished(() => db.destroy())
    const payment = await insertPaidPayment(db)
    await migrate(url, await firstMigrations(count))

    const applied = migrations.slice(count)
    expect(await run(url, 'migrate')).toBe(`Applied: ${applied.join(', ')}\n`)
    expect(await run(url, 'verify-ledger')).toBe('1 balances, 1 entries and 1 payments: they agree.\n')
    const { rows } = await db.raw('select status, amount_paid, paid_reference from payments where id = ?', [
      payment.id,
    ])
    expect(rows).toEqual([{ status: 'paid', amount_paid: 10_000_000n, paid_reference: payment.code }])
  },
)

async function asAdmin(sql: string): Promise<void> {
  const db = createDb(server.adminUrl, { max: 1 })
  await db.raw(sql)
  await db.destroy()
}

async function firstMigrations(count: number): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gapura-migrations-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  for (const name of migrations.slice(0, count))
    await copyFile(join(migrationsDirectory, name), join(directory, name))
  return directory
}

/** Inserts a paid payment in the form in which the first version of the service with a ledger stored payments. */
async function insertPaidPayment(db: Db): Promise<{ id: string; code: string }> {
  const [tenantId, id, code] = [randomUUID(), randomUUID(), 'GP261120-7Q4M2ZK8XW']
  const account = randomUUID()
  await db.transaction(async tx => {
    await tx.raw(`insert into tenants (id, role, tier, name) values (?, 'client', 'starter', 'Toko Budi')`, [
      tenantId,
    ])
    await tx.raw(`insert into balances (tenant_id, mode) values (?, 'live')`, [tenantId])
    const order = {
      amount: 10_000_000,
      currency: 'IDR',
      method_type: 'qris',
      method_detail: { type: 'qris' },
      expiry_minutes: 60,
    }
    const fingerprint = fingerprintOf(createPaymentInput.parse(order), 1)
    await tx.raw(
      `insert into payments
         (tenant_id, id, mode, payment_code, idempotency_key, fingerprint, amount, currency, method_type, channel,
          method_detail, status, provider, provider_account_id, provider_payment_id, expiry_minutes, expires_at,
          paid_at, amount_paid, created_at, updated_at)
       values (?, ?, 'live', ?, 'order-1', ?, 10000000, 'IDR', 'qris', 'qris', '{"type":"qris"}', 'paid', 'midtrans', ?,
               'their-1', 60, now(), now(), 10000000, now(), now())`,
      [tenantId, id, code, fingerprint, account],
    )
    await tx.raw(
      'insert into payment_references (reference, tenant_id, payment_id, provider_account_id) values (?, ?, ?, ?)',
      [code, tenantId, id, account],
    )
    await tx.raw(
      `insert into ledger_entries (tenant_id, id, mode, version, payment_id, entry_type, amount, balance_after,
                                   reference_id, reason, created_at)
       values (?, ?, 'live', 1, ?, 'credit', 10000000, 10000000, ?, 'paid', now())`,
      [tenantId, randomUUID(), id, code],
    )
  })
  return { id, code }
}

async function run(url: string, name: string): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: url,
    GAPURA_MASTER_KEY: masterKey,
  }
  const { stdout } = await promisify(execFile)(process.execPath, [command, name], { env })
  return stdout
}
