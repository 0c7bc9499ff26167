import { randomInt } from 'node:crypto'
import { createDb } from './db.ts'
import { namingUrl, type UrlVariable } from './url-variable.ts'

/** The range from which the number of the advisory lock is chosen, so that processes that start together do not clash. */
const LOCK_NUMBERS = 2 ** 47

/**
 * Returns whether `url` connects to the same database as DATABASE_URL. Hosts and names are no evidence: a connection
 * pooler has different ones, and a restored copy can have the same ones. Instead, the function takes an advisory lock
 * through one URL, and checks through the other URL that the lock is taken.
 */
export async function isSameDatabase(
  databaseUrl: string,
  { variable, url }: { variable: UrlVariable; url: string },
): Promise<boolean> {
  const [db, other] = [createDb(databaseUrl, { max: 1 }), createDb(url, { max: 1 })]
  const lock = randomInt(LOCK_NUMBERS)
  const isTaken = async () => {
    const { rows } = await db.raw<{ rows: [{ taken: boolean }] }>(
      'select not pg_try_advisory_xact_lock(?::bigint) as taken',
      [lock],
    )
    return rows[0].taken
  }
  try {
    return await namingUrl(
      variable,
      other.transaction(async tx => {
        await tx.raw('select pg_advisory_xact_lock(?::bigint)', [lock])
        return namingUrl('DATABASE_URL', isTaken())
      }),
    )
  } finally {
    await Promise.all([db.destroy(), other.destroy()])
  }
}
