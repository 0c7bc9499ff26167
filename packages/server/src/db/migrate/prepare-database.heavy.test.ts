// Checks which database role creates, migrates and owns the tables on an external database server. Either one
// role does everything, or the service has a separate role.

import { beforeEach, describe, expect, inject, test } from 'vitest'
import { emptyDatabase, migratedDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { tenantWithAllRows } from '../../../test/support/tenant-with-all-rows.ts'
import { createDb } from '../db.ts'
import { prepareDatabase } from './prepare-database.ts'

let database: TestDatabase
let said: string[]
const say = (line: string) => said.push(line)
beforeEach(() => {
  said = []
})

const owners = async () =>
  (
    await database.db.raw(
      `select distinct relowner::regrole::text as owner from pg_class c
       where relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) and relkind in ('r', 'p', 'S') order by 1`,
    )
  ).rows.map(({ owner }: { owner: string }) => owner)

describe('one database role can both own the tables and run the service', () => {
  beforeEach(async () => {
    database = await emptyDatabase()
    return database.drop
  })

  test('a service whose database role owns the tables starts, but logs a warning with instructions', async () => {
    await prepareDatabase({ directDatabaseUrl: database.url }, say)
    expect(said).toEqual([
      expect.stringMatching(
        /^the service's database role gapura owns the tables, .* set GAPURA_MIGRATE_DATABASE_URL/,
      ),
    ])
    expect(await owners()).toEqual(['gapura'])
  })

  test("a service with the owner role's connection string transfers the tables to this role", async () => {
    await prepareDatabase({ directDatabaseUrl: database.url }, say)
    await tenantWithAllRows(database.db)
    await handOverDatabase()
    said = []
    let goesOn = true
    const writing = (async () => {
      let written = 0
      // Writes rows continuously while the owner of the tables changes. No write may fail, because the owner
      // never changes in the middle of a transaction.
      for (; goesOn; written++) await tenantWithAllRows(database.db)
      return written
    })()
    const urls = { directDatabaseUrl: database.url, migrateDatabaseUrl: database.ownerUrl }
    await prepareDatabase(urls, say)
    goesOn = false
    expect(await writing).toBeGreaterThan(0)
    expect(said).toContain('transferred all tables from gapura to gapura_owner')
    expect(await owners()).toEqual(['gapura_owner'])
    await tenantWithAllRows(database.db)
    await expect(database.db.raw('alter table payments disable trigger all')).rejects.toMatchObject({
      code: '42501',
    })
    // A second start logs nothing, because no migration is pending and the tables already belong to the owner
    // role.
    said = []
    await prepareDatabase(urls, say)
    await prepareDatabase({ directDatabaseUrl: database.url }, say)
    expect(said).toEqual([])
  })

  /** Prepares the test's database in the same way as deploy/create-database.sql. */
  async function handOverDatabase(): Promise<void> {
    const admin = createDb(inject('databaseUrls').adminUrl, { max: 1 })
    const { rows } = await database.db.raw('select current_database() as name')
    await admin.raw('alter database ?? owner to gapura_owner', [rows[0].name])
    await admin.destroy()
  }
})

describe("the tables' owner and the service can have separate database roles", () => {
  beforeEach(async () => {
    database = await migratedDatabase()
    return database.drop
  })

  test("without the owner's connection string, the service starts if migrations and rights are complete", async () => {
    await prepareDatabase({ directDatabaseUrl: database.url }, say)
    expect(said).toEqual([])
  })

  test("without the owner's connection string, an unapplied migration causes an error that names the command", async () => {
    await database.owner.raw(
      'delete from schema_migrations where name = (select max(name) from schema_migrations)',
    )
    await expect(prepareDatabase({ directDatabaseUrl: database.url }, say)).rejects.toThrow(
      /^the database lacks \d{4}_\w+\.sql, and the role gapura is not allowed to apply migrations; run gapura-server migrate with GAPURA_MIGRATE_DATABASE_URL/,
    )
  })

  test("without the owner's connection string, a database role without rights causes an error", async () => {
    await database.owner.raw('revoke all on schema_migrations from gapura')
    await expect(prepareDatabase({ directDatabaseUrl: database.url }, say)).rejects.toThrow(
      'lacks its tables, or the privileges on them',
    )
    await prepareDatabase({ directDatabaseUrl: database.url, migrateDatabaseUrl: database.ownerUrl }, say)
    await prepareDatabase({ directDatabaseUrl: database.url }, say)
  })

  test.each([
    ['update (failed_at_provider) on refunds', 'grant UPDATE (failed_at_provider) on refunds to gapura'],
    ['insert on ledger_seals', 'grant INSERT on ledger_seals to gapura'],
  ])(
    "if all migrations are applied, but the service's database role lacks a single right, such as %s, the service does not start",
    async (right, missing) => {
      await database.owner.raw(`revoke ${right} from gapura`)
      await expect(prepareDatabase({ directDatabaseUrl: database.url }, say)).rejects.toThrow(
        `the role gapura lacks privileges in the database; for example, this statement is missing: ${missing}; run gapura-server migrate`,
      )
      await prepareDatabase({ directDatabaseUrl: database.url, migrateDatabaseUrl: database.ownerUrl }, say)
      await prepareDatabase({ directDatabaseUrl: database.url }, say)
    },
  )

  test('the service starts even if its database role has more rights than listed', async () => {
    await database.owner.raw('grant delete on payments to gapura')
    await database.owner.raw('revoke update (failed_at_provider) on refunds from gapura')
    await database.owner.raw('grant update on refunds to gapura')
    await prepareDatabase({ directDatabaseUrl: database.url }, say)
    expect(said).toEqual([])
  })

  test("at startup, the service makes its database role's rights match the list in runtime-rights.ts", async () => {
    const rights = async () =>
      (
        await database.owner.raw(
          `select oid::regclass::text as name, relacl::text as rights,
             (select array_agg(attname || attacl::text order by attnum) from pg_attribute where attrelid = c.oid) as columns
           from pg_class c
           where relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) order by 1`,
        )
      ).rows
    const before = JSON.stringify(await rights())
    await database.owner.raw('grant update, delete, truncate, trigger on payments to gapura')
    await database.owner.raw('grant update (reason) on ledger_entries to gapura')
    await database.owner.raw('revoke insert on ledger_seals from gapura')
    await database.owner.raw('revoke update (paid_at) on payments from gapura')
    const urls = { directDatabaseUrl: database.url, migrateDatabaseUrl: database.ownerUrl }
    await prepareDatabase(urls, say)
    const sorted = (text: string) => [...text].sort().join('')
    expect(sorted(JSON.stringify(await rights()))).toBe(sorted(before))
  })

  test('the service does not start if the tables’ owner and the service’s role have the same connection string', async () => {
    await expect(
      prepareDatabase({ directDatabaseUrl: database.url, migrateDatabaseUrl: database.url }, say),
    ).rejects.toThrow('GAPURA_MIGRATE_DATABASE_URL and DATABASE_URL use the same role, gapura')
  })
})
