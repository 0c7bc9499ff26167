import { expect, test } from 'vitest'
import { base64, envOf, masterKey, runCommand } from '../../test/support/command.ts'
import { migratedDatabase } from '../../test/support/database.ts'

const unreachable = 'postgres://gapura@127.0.0.1:1/none'

test.each([
  ['a password with #', 'postgres://gapura:sec#ret@db/gapura', /percent-encode/],
  ['a password of digits with #', 'postgres://gapura:5432#ret@db/gapura', /percent-encode/],
  ['a password with /', 'postgres://gapura:sec/ret@db/gapura', /percent-encode/],
  ['a password of digits with /', 'postgres://gapura:5432/ret@db/gapura', /percent-encode/],
  ['a password with ?', 'postgres://gapura:sec?ret@db/gapura', /percent-encode/],
  ['a password with a comma and /', 'postgres://gapura:sec,re/ret@db/gapura', /percent-encode/],
  ['a password that is not UTF-8', 'postgres://gapura:sec%E9ret@db/gapura', /percent-encode/],
  ['a host with an invalid character', 'postgres://gapura:secret@d^b/gapura', /percent-encode/],
  ['no host', 'postgres://gapura:secret/gapura', /port must be a number from 1 to 65535$/m],
  ['a port that is not a number', 'postgres://gapura:secret@db:http/gapura', /port must be a number/],
  ['a port parameter that is not a number', 'postgres:///gapura?port=http', /port must be a number/],
  ['a port that is too large', 'postgres://gapura:secret@db:65536/gapura', /port must be a number/],
  [
    'a certificate file that does not exist',
    'postgres://gapura:secret@db/gapura?sslmode=verify-full&sslrootcert=/nope.pem',
    /sslrootcert \/nope\.pem cannot be read \(ENOENT\); correct the path/,
  ],
])(
  'a database URL with %s is rejected with one line that names the variable, without the password',
  async (_, url, reason) => {
    for (const variable of ['DATABASE_URL', 'GAPURA_DIRECT_DATABASE_URL', 'GAPURA_MIGRATE_DATABASE_URL']) {
      const env = { DATABASE_URL: unreachable, GAPURA_MASTER_KEY: base64(masterKey), [variable]: url }
      const { code, stderr } = await runCommand(['verify-ledger'], env)
      expect(code).toBe(1)
      expect(stderr).toMatch(reason)
      expect(stderr).toMatch(new RegExp(`^gapura-server: ${variable}: .+\n$`))
      expect(stderr).not.toMatch(/\b(sec|re)\b|secret|\bret\b|5432/)
    }
  },
)

test('if a command cannot connect to the database, its error names the variable with the wrong URL', async () => {
  const database = await migratedDatabase()
  try {
    for (const [variable, command] of [
      ['DATABASE_URL', 'verify-ledger'],
      ['GAPURA_DIRECT_DATABASE_URL', 'verify-ledger'],
      ['GAPURA_DIRECT_DATABASE_URL', 'migrate'],
      ['GAPURA_MIGRATE_DATABASE_URL', 'migrate'],
      ['GAPURA_MIGRATE_DATABASE_URL', 'distribute'],
    ] as const)
      for (const [url, reason] of [
        [unreachable, 'cannot connect to the database .*; check'],
        [database.url.replace(/\/test_\w+/, '/none'), 'PostgreSQL rejected the connection .*; check'],
      ] as const) {
        const { code, stderr } = await runCommand([command], envOf(database, { [variable]: url }))
        expect([variable, command, code]).toEqual([variable, command, 1])
        expect(stderr).toMatch(new RegExp(`^gapura-server: ${reason} ${variable}\\b.*\n$`))
      }
  } finally {
    await database.drop()
  }
})

test("without the connection URL of the tables' owner, migrate succeeds only if no migration is pending", async () => {
  const database = await migratedDatabase()
  try {
    const done = await runCommand(['migrate'], envOf(database))
    expect([done.code, done.stdout], done.stderr).toEqual([0, 'The database is up to date.\n'])
    for (const change of [
      'delete from schema_migrations where name = (select max(name) from schema_migrations)',
      'revoke all on schema_migrations from gapura',
    ]) {
      await database.owner.raw(change)
      const { code, stderr } = await runCommand(['migrate'], envOf(database))
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(
          /^gapura-server: the database lacks .+ the role gapura is not allowed .+ with GAPURA_MIGRATE_DATABASE_URL .+\n$/,
        ),
      ])
    }
  } finally {
    await database.drop()
  }
})
