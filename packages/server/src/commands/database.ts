// Connects a command to the configured database, or to the embedded database if none is configured. A command
// works whether or not the service is running.

import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { createDb, type Db } from '../db/db.ts'
import { detectDistribution } from '../db/distributed-database.ts'
import { startEmbedded } from '../db/embedded/embedded.ts'
import { type DatabaseUrls, migrateDatabase } from '../db/migrate/prepare-database.ts'
import { directVariableOf, namingUrl } from '../db/url-variable.ts'
import { masterKeysOf } from '../secrets/master-key.ts'
import { loadSecrets, type Secrets } from '../secrets/secrets.ts'
import { CommandError } from './command-error.ts'
import type { Progress } from './process-io.ts'
import { isReachable } from './reach.sql.ts'

/** A command's configuration, and the function that prints its progress. */
export type Configured = { config: Config; progress: Progress }

const POOL_SIZE = 4
const UNDEFINED_TABLE = '42P01'

/**
 * Runs `work` with the database URLs. If the option `alone` is true and a running service uses the embedded
 * database, throws an error.
 */
export async function withDatabaseUrls<Result>(
  { config, progress }: Configured,
  work: (urls: DatabaseUrls) => Promise<Result>,
  { alone = false } = {},
): Promise<Result> {
  const { directDatabaseUrl = config.databaseUrl, migrateDatabaseUrl, dataDir } = config
  const urls =
    directDatabaseUrl === undefined
      ? alone
        ? undefined
        : await urlsOfRunning(dataDir)
      : { directDatabaseUrl, migrateDatabaseUrl }
  if (urls !== undefined) return namingUrl(directVariableOf(config), work(urls))
  const embedded = await startEmbedded({ dataDir, log: progress })
  try {
    const own = { directDatabaseUrl: embedded.url, migrateDatabaseUrl: embedded.ownerUrl }
    await migrateDatabase(own, progress)
    return await work(own)
  } finally {
    await embedded.stop()
  }
}

export function withDatabase<Result>(
  configured: Configured,
  work: (open: { db: Db }) => Promise<Result>,
  options: { alone?: boolean } = {},
): Promise<Result> {
  const withDb = async (url: string) => {
    const db = createDb(url, { max: POOL_SIZE, name: 'gapura-command' })
    try {
      // If the master key is wrong, a command must not change anything, even if the command encrypts nothing.
      // Every command therefore checks the key.
      if (configured.config.masterKey) await loadSecrets(db, await masterKeysOf(configured.config))
      await detectDistribution([db])
      return await work({ db })
    } catch (error) {
      if ((error as { code?: unknown }).code !== UNDEFINED_TABLE) throw error
      throw new CommandError('the database is not set up for this version; run: gapura-server migrate')
    } finally {
      await db.destroy()
    }
  }
  return withDatabaseUrls(configured, ({ directDatabaseUrl }) => withDb(directDatabaseUrl), options)
}

/**
 * Binds a new database to the configured master key. The service and all commands then reject any other key.
 * Throws if the database is already bound to another key.
 */
export async function bindMasterKey(configured: Configured): Promise<void> {
  await withDatabase(configured, async ({ db }) => {
    await openSecrets(db, configured.config)
  })
}

export async function openSecrets(db: Db, config: Config): Promise<Secrets> {
  return loadSecrets(db, await masterKeysOf(config))
}

/**
 * Returns the database URLs of a running service with an embedded database, or undefined if the service is not running.
 * The link `socket` in the data directory points to the directory with the database's socket.
 */
async function urlsOfRunning(dataDir: string): Promise<DatabaseUrls | undefined> {
  const link = join(dataDir, 'socket')
  if (!existsSync(link)) return undefined
  const urlOf = (role: string) =>
    `postgres://${role}@localhost/gapura?host=${encodeURIComponent(realpathSync(link))}`
  const directDatabaseUrl = urlOf('gapura')
  if (!(await isReachable(directDatabaseUrl))) return undefined
  return { directDatabaseUrl, migrateDatabaseUrl: urlOf('gapura_owner') }
}
