import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { ConfigError } from '../config.ts'
import { requireSameDatabase } from './require-same-database.ts'

const [{ url, ownerUrl }, other] = await Promise.all([testDatabase(), testDatabase()])
const none = { directDatabaseUrl: undefined, migrateDatabaseUrl: undefined }

test('URLs of one database are accepted, even if they name different roles', async () => {
  await requireSameDatabase(url, none)
  await requireSameDatabase(url, { directDatabaseUrl: url, migrateDatabaseUrl: ownerUrl })
})

test.each([
  ['GAPURA_DIRECT_DATABASE_URL', { ...none, directDatabaseUrl: other.url }],
  ['GAPURA_MIGRATE_DATABASE_URL', { directDatabaseUrl: url, migrateDatabaseUrl: other.ownerUrl }],
])(
  'a process does not start if %s leads to a different database than DATABASE_URL',
  async (variable, urls) => {
    const starting = requireSameDatabase(url, urls)
    await expect(starting).rejects.toThrow(ConfigError)
    await expect(starting).rejects.toThrow(`${variable}: leads to a different database than DATABASE_URL`)
  },
)
