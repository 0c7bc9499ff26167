// Keeps a filled database between runs, because creating millions of payments takes minutes. A file beside
// PostgreSQL's data directory contains the benchmarks' API keys and IDs.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate } from '../../packages/server/src/db/migrate/migrate.ts'
import { dailyWork, seals } from '../seed/rows.sql.ts'
import type { SeedOptions } from '../seed/seed.ts'
import { createDatabase, type Database } from './database.ts'
import type { Postgres } from './postgres.ts'
import { query } from './query.ts'
import { registerMidtrans, type Sandbox } from './sandbox.ts'

type Kept = Omit<Database, 'url' | 'masterKey'> & { masterKey: string }

type OpenOptions = { dataDir: string | undefined; name: string } & SeedOptions

export async function openDatabase(
  postgres: Postgres,
  sandbox: Sandbox,
  options: OpenOptions,
): Promise<Database> {
  const database = await reopenOrCreate(postgres, sandbox, options)
  await query(database.url, dailyWork)
  await query(database.url, seals)
  return database
}

async function reopenOrCreate(
  postgres: Postgres,
  sandbox: Sandbox,
  { dataDir, name, ...seeding }: OpenOptions,
): Promise<Database> {
  const file = dataDir && join(dataDir, `${name}.json`)
  const kept = file && (await readFile(file, 'utf8').catch(() => undefined))
  if (kept) return reopen(postgres, sandbox, name, JSON.parse(kept))
  const made = await createDatabase(postgres, sandbox, { name, ...seeding })
  const { url: _, masterKey, ...rest } = made
  const written: Kept = { ...rest, masterKey: masterKey.toString('base64') }
  if (file) await writeFile(file, JSON.stringify(written), { mode: 0o600 })
  return made
}

/**
 * Opens a stored database and registers its provider account with the sandbox again, because each run starts an
 * empty sandbox.
 */
async function reopen(
  postgres: Postgres,
  sandbox: Sandbox,
  name: string,
  { masterKey, ...kept }: Kept,
): Promise<Database> {
  const url = postgres.urlOf(name)
  await migrate(url)
  await registerMidtrans(sandbox, kept.account.serverKey)
  await query(url, 'update provider_accounts set base_url = $1 where id = $2', [
    `${sandbox.url}/midtrans`,
    kept.account.id,
  ])
  return { ...kept, url, masterKey: Buffer.from(masterKey, 'base64') }
}
