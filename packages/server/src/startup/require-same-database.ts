import { ConfigError } from '../config.ts'
import { isSameDatabase } from '../db/same-database.ts'

/**
 * Throws ConfigError if a connection URL leads to a different database than DATABASE_URL. For example, only one of the
 * variables may have been changed after a restore. Payments would then be stored in one database, and the jobs about
 * them would be read from the other. Callbacks would be acknowledged, but never applied.
 */
export async function requireSameDatabase(
  databaseUrl: string,
  urls: { directDatabaseUrl: string | undefined; migrateDatabaseUrl: string | undefined },
): Promise<void> {
  const others = [
    ['GAPURA_DIRECT_DATABASE_URL', urls.directDatabaseUrl],
    ['GAPURA_MIGRATE_DATABASE_URL', urls.migrateDatabaseUrl],
  ] as const
  for (const [variable, url] of others)
    if (url !== undefined && !(await isSameDatabase(databaseUrl, { variable, url })))
      throw new ConfigError(
        `${variable}: leads to a different database than DATABASE_URL; set both to URLs of the same database`,
      )
}
