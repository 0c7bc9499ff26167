import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { base64, envOf, masterKey, runCommand, runProcess } from '../../test/support/command.ts'
import { emptyDatabase, testDatabase } from '../../test/support/database.ts'
import { makeTenant } from '../../test/support/make.ts'
import { saveRows } from '../../test/support/save-rows.ts'
import { verifyPassword } from '../auth/passwords/password-hash.ts'
import { loadSecrets } from '../secrets/secrets.ts'
import { newId } from '../values/id.ts'

const database = await testDatabase()
const restoreRows = await saveRows(database)
beforeEach(restoreRows)

describe('the gapura-server command line', () => {
  test('gapura-server prints its usage and exits with 2 if its arguments are invalid', async () => {
    const help = await runProcess(['--help'], {})
    expect([help.code, help.stderr]).toEqual([0, ''])
    for (const name of [
      'start',
      'migrate',
      'distribute',
      'create-owner',
      'reset-second-factor',
      'rotate-signing-key',
      'rotate-master-key',
      'recheck-payments',
      'verify-ledger',
    ])
      expect(help.stdout).toContain(name)
    for (const args of [
      ['nope'],
      ['create-owner'],
      ['reset-second-factor'],
      ['start', '--role', 'everything'],
      ['migrate', '--nope'],
    ]) {
      const { code, stdout, stderr } = await runCommand(args, {})
      expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/^gapura-server: .+\n$/)])
    }
    expect(await runProcess(['nope'], {})).toEqual(await runCommand(['nope'], {}))
  })

  test('if its database is unavailable or its master key wrong, gapura-server prints a one-line error', async () => {
    const away = await runCommand(['verify-ledger'], {
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
      GAPURA_MASTER_KEY: base64(masterKey),
    })
    expect([away.code, away.stderr]).toEqual([
      1,
      expect.stringMatching(/^gapura-server: cannot connect to the database .*; check DATABASE_URL\n$/),
    ])
    await loadSecrets(database.db, { masterKey })
    const wrong = await runCommand(
      ['rotate-signing-key'],
      envOf(database, { GAPURA_MASTER_KEY: base64(randomBytes(32)) }),
    )
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      expect.stringMatching(/^gapura-server: the master key cannot decrypt .* GAPURA_MASTER_KEY .*\n$/),
    ])
  })

  test('gapura-server closes its database connections even if its command fails', async () => {
    await loadSecrets(database.db, { masterKey })
    const wrong = envOf(database, { GAPURA_MASTER_KEY: base64(randomBytes(32)) })
    const connections = () => process.getActiveResourcesInfo().filter(each => each === 'PipeWrap').length
    const before = connections()
    expect((await runCommand(['rotate-signing-key'], wrong)).code).toBe(1)
    expect((await runCommand(['verify-ledger'], envOf(database))).code).toBe(0)
    expect(connections()).toBeLessThanOrEqual(before)
  })
})

describe('the command migrate sets up the database', () => {
  test('migrate brings an empty database up to date, and changes nothing on the second run', async () => {
    const empty = await emptyDatabase()
    const before = await runCommand(['verify-ledger'], envOf(empty))
    expect([before.code, before.stderr]).toEqual([
      1,
      'gapura-server: the database is not set up for this version; run: gapura-server migrate\n',
    ])
    const first = await runCommand(['migrate'], envOf(empty))
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('0001_tenants.sql')])
    const second = await runCommand(['migrate'], envOf(empty))
    expect([second.code, second.stdout]).toEqual([0, 'The database is up to date.\n'])
    await empty.drop()
  })
})

test('once migrate has bound the database to a master key, the service rejects other master keys', async () => {
  const bound = await emptyDatabase()
  expect((await runCommand(['migrate'], envOf(bound))).code).toBe(0)
  const wrong = envOf(bound, { GAPURA_MASTER_KEY: base64(randomBytes(32)) })
  for (const args of [
    ['migrate'],
    ['create-owner', '--email', 'owner@example.com'],
    ['reset-second-factor', 'owner@example.com'],
    ['recheck-payments'],
    ['rotate-signing-key'],
    ['seal-ledger'],
    ['verify-ledger'],
  ])
    expect([args[0], await runCommand(args, wrong, 'correct horse battery staple')]).toEqual([
      args[0],
      {
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /^gapura-server: the master key cannot decrypt .* GAPURA_MASTER_KEY .*\n$/,
        ),
      },
    ])
  const service = await runProcess(['start'], { ...wrong, PORT: '0' })
  expect([service.code, service.stderr]).toEqual([
    1,
    expect.stringMatching(/^gapura: the master key cannot decrypt .* GAPURA_MASTER_KEY .*\n$/),
  ])
  expect((await runCommand(['seal-ledger'], envOf(bound))).code).toBe(0)
  await bound.drop()
})

describe('the command create-owner creates the Owner (the service’s operator) and the first user of the Owner', () => {
  const owner = ['create-owner', '--email', 'owner@example.com', '--name', 'Gapura Ltd']
  const password = 'correct horse battery staple'

  test('create-owner creates an Owner who can log in, and records the creation in the audit log', async () => {
    const { code, stdout, stderr } = await runProcess(owner, envOf(database), `${password}\n`)
    expect([code, stdout], stderr).toEqual([0, expect.stringContaining('owner@example.com can now log in')])
    expect(stdout + stderr).not.toContain(password)
    const { rows } = await database.db.raw(
      `select t.id, t.name, u.password_hash from tenants t join users u on u.tenant_id = t.id where t.role = 'owner'`,
    )
    expect(rows).toHaveLength(1)
    expect([rows[0].name, await verifyPassword(rows[0].password_hash, password)]).toEqual([
      'Gapura Ltd',
      true,
    ])
    const audit = await database.db.raw('select action, actor_user_id, tenant_id, after from audit_log')
    expect(audit.rows).toEqual([
      {
        action: 'tenant.create',
        actor_user_id: null,
        tenant_id: rows[0].id,
        after: { role: 'owner', name: 'Gapura Ltd', email: 'owner@example.com' },
      },
    ])
  })

  test('create-owner creates only one Owner, even if two commands run at the same time', async () => {
    const runs = await Promise.all(
      ['one', 'two'].map(name =>
        runCommand(['create-owner', '--email', `${name}@example.com`], envOf(database), `${password}\n`),
      ),
    )
    expect(runs.map(({ code }) => code).sort()).toEqual([0, 1])
    expect(runs.find(({ code }) => code === 1)?.stderr).toBe(
      'gapura-server: an Owner already exists; log in as a user of the Owner\n',
    )
    const { rows } = await database.db.raw('select email from users')
    expect(rows).toHaveLength(1)
  })

  test('create-owner rejects a short password, and an email address that is invalid or already belongs to a user', async () => {
    const tenantId = await makeTenant(database.db)
    await database.db.raw(
      `insert into users (id, tenant_id, email, password_hash) values (?, ?, 'Owner@example.com', 'none')`,
      [newId(), tenantId],
    )
    const taken = await runCommand(owner, envOf(database), password)
    expect([taken.code, taken.stderr]).toEqual([
      1,
      'gapura-server: owner@example.com already belongs to a user of another tenant\n',
    ])
    const short = await runCommand(owner, envOf(database), '1234567\n')
    expect([short.code, short.stderr]).toEqual([
      1,
      'gapura-server: the password must be at least 8 characters\n',
    ])
    const none = await runCommand(['create-owner', '--email', 'nope'], envOf(database), password)
    expect([none.code, none.stderr]).toEqual([2, 'gapura-server: --email: must be an email address\n'])
    const { rows } = await database.db.raw(`select from tenants where role = 'owner'`)
    expect(rows).toEqual([])
  })
})

describe('the command rotate-signing-key replaces the key that signs access tokens', () => {
  test('rotate-signing-key creates a new key and prints how long the previous key stays valid', async () => {
    const first = await runCommand(['rotate-signing-key'], envOf(database))
    expect([first.code, first.stdout], first.stderr).toEqual([
      0,
      expect.stringMatching(/^New access tokens are signed with key [\w-]{36}\.\n$/),
    ])
    const second = await runCommand(['rotate-signing-key'], envOf(database))
    expect([second.code, second.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^New access tokens are signed with key .*\nAccess tokens signed with key .* are valid until .*Z\.\n$/,
      ),
    ])
    const { rows } = await database.db.raw('select retired_at is null as signs from signing_keys')
    expect(rows.map(({ signs }: { signs: boolean }) => signs).sort()).toEqual([false, true])
  })
})
