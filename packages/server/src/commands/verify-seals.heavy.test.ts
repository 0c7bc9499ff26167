// In these tests, a superuser disables the ledger's triggers and changes the ledger. The command verify-ledger must
// report the changes.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { envOf, masterKey, runCommand } from '../../test/support/command.ts'
import { type TestDatabase, testDatabase } from '../../test/support/database.ts'
import { sell, shop, tamper } from '../../test/support/ledger.ts'
import { saveRows } from '../../test/support/save-rows.ts'
import { keyRingLoader } from '../auth/tokens/key-ring.ts'
import { listPublicKeys } from '../auth/tokens/signing-key.sql.ts'
import { issueLedgerStatement } from '../ledger/issue-statement.ts'
import { findLastStatement } from '../ledger/ledger-statement.sql.ts'
import { sealLedger } from '../ledger/seal-ledger.ts'
import { createLog } from '../logging/log.ts'
import { loadSecrets, type Secrets } from '../secrets/secrets.ts'

let database: TestDatabase
let tenantId: string
let log: string[]
let seal: () => Promise<unknown>
let state: () => Promise<unknown>

let secrets: Secrets
let restoreRows: () => Promise<void>

beforeAll(async () => {
  database = await testDatabase()
  const { db } = database
  secrets = await loadSecrets(db, { masterKey })
  begin()
  // Creates the ledgers of two other tenants, one before and one after the ledger under test. With these ledgers, the
  // tests reveal errors at the boundary between two tenants' hash chains.
  await shop(db, 2)
  ;({ tenantId } = await shop(db, 3))
  await shop(db, 2)
  await seal()
  await sell(db, tenantId, 3)
  await seal()
  restoreRows = await saveRows(database)
})

beforeEach(async () => {
  await restoreRows()
  begin()
})

/** Starts with an empty list of log lines and without a cached signing key. */
function begin(): void {
  const { db } = database
  const clock = () => new Date()
  log = []
  const app = {
    db,
    clock,
    keyRing: keyRingLoader(db, secrets, clock, 'https://pay.example.com'),
    log: Object.assign(createLog('silent'), {
      info: (entry: object) => void log.push(JSON.stringify(entry)),
    }),
  }
  seal = () => sealLedger(app)
  state = () => issueLedgerStatement(app, 0)
}

type Difference = Record<string, string>
async function verify(...args: string[]): Promise<{ code: number | null; differences: Difference[] }> {
  const { code, stdout, stderr } = await runCommand(['verify-ledger', '--json', ...args], envOf(database))
  expect(stdout, stderr).not.toBe('')
  return { code, differences: JSON.parse(stdout).differences }
}
/**
 * Returns the kinds of differences that verify-ledger has reported. Ignores that no ledger statement exists,
 * because most of these tests create none.
 */
const kinds = ({ differences }: { differences: Difference[] }) =>
  differences
    .filter(({ kind }) => kind !== 'statement_is_missing')
    .map(({ kind, from_version, to_version, tenant_id }) => {
      if (tenant_id !== undefined) expect(tenant_id).toBe(tenantId)
      return [kind, from_version, to_version].filter(each => each !== undefined).join(' ')
    })

const change = (sql: string): Promise<void> => tamper(database.url, [sql, [tenantId]])
const place = `where tenant_id = $1 and mode = 'live'`
const accountOf = (version: number) =>
  `(select counter_account from ledger_entries ${place} and version = ${version})`

/**
 * Replaces the ledger's seals (hashes of its entries) with seals that match the changed entries. An attacker who
 * knows the seals' format could do this.
 */
async function sealAnew(): Promise<void> {
  await change(`delete from ledger_seals ${place}`)
  await seal()
}

async function fileOf(text: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gapura-statements-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = join(directory, 'kept')
  await writeFile(file, text)
  return file
}

test('verify-ledger finds no difference in an unchanged ledger with sealed (hashed) and unsealed entries', async () => {
  await state()
  await sell(database.db, tenantId, 1)
  const { stdout } = await runCommand(['verify-ledger', '--json'], envOf(database))
  expect(JSON.parse(stdout)).toEqual({
    differences: [],
    balances: 6,
    entries: 11,
    sealed_entries: 10,
    payments: 14,
    orders_not_checked: 0,
    statements: 1,
  })
  const { stderr } = await runCommand(['verify-ledger'], envOf(database))
  expect(stderr).toContain('10 entries are sealed; statements checked: 1\n')
})

test.each([
  `id = gen_random_uuid()`,
  `mode = 'test'`,
  `version = 400`,
  `payment_id = gen_random_uuid()`,
  `entry_type = 'debit'`,
  `amount = amount + 1`,
  `balance_after = balance_after + 1`,
  `reference_id = reference_id || 'x'`,
  `reason = 'another'`,
  `created_at = created_at + interval '1 microsecond'`,
  `unexpected_money_id = gen_random_uuid()`,
])(
  'verify-ledger reports a sealed ledger entry that someone changed directly in the database, by an update with `set %s`',
  async what => {
    await change(`update ledger_entries set ${what} ${place} and version = 2`)
    const found = await verify()
    expect(found.code).toBe(1)
    expect(kinds(found)).toContain('sealed_entries_differ 1 3')
    expect(kinds(found)).not.toContain('sealed_entries_differ 4 6')
  },
)

test('the tests with changed ledger entries cover every column of a ledger entry', async () => {
  const { rows } = await database.db.raw(
    `select attname as name from pg_attribute where attrelid = 'ledger_entries'::regclass and attnum > 0`,
  )
  expect(rows.map(({ name }: { name: string }) => name).sort()).toEqual([
    'amount',
    'balance_after',
    // The counter-account is not part of an entry's sealed (hashed) bytes. Instead, the account verification reports a
    // changed counter-account.
    'counter_account',
    'created_at',
    'entry_type',
    'id',
    'mode',
    'payment_id',
    'reason',
    'reference_id',
    // A refund's ID is not sealed (hashed) with the ledger entry. If it is changed, the verification of
    // refunds reports the change.
    'refund_id',
    // With another tenant_id, an entry would no longer belong to its chain of entries, as if it had been removed. The
    // test for removed entries covers this case.
    'tenant_id',
    'unexpected_money_id',
    'version',
  ])
})

test.each([
  ['an entry in the middle of a chain', '= 2', ['sealed_entries_differ 1 3']],
  ['the last entry of a chain', '= 6', ['sealed_entries_differ 4 6']],
  ['all entries of a balance', '> 0', ['sealed_entries_differ 1 3', 'sealed_entries_differ 4 6']],
])(
  'verify-ledger reports the removal of %s, even if the stored balance was adjusted to the remaining entries',
  async (_, versions, expected) => {
    await change(`delete from ledger_entries ${place} and version ${versions}`)
    await change(
      `update balances set (balance, version) = (
       select coalesce(sum(amount), 0), coalesce(max(version), 0) from ledger_entries ${place}) ${place}`,
    )
    const found = await verify()
    expect(found.code).toBe(1)
    expect(kinds(found)).toEqual(expect.arrayContaining(expected))
  },
)

test('if a balance is removed together with all its ledger entries, verify-ledger reports that sealed entries are missing', async () => {
  await change(`delete from ledger_entries ${place}`)
  await change(`delete from balances ${place}`)
  expect(kinds(await verify())).toEqual(
    expect.arrayContaining(['sealed_entries_differ 1 3', 'sealed_entries_differ 4 6']),
  )
})

test('verify-ledger reports an inserted ledger entry, even if all later entries were made consistent with it', async () => {
  await change(`update ledger_entries set version = version + 100 ${place} and version > 2`)
  await change(
    `update ledger_entries set version = version - 99, balance_after = balance_after + 7 ${place} and version > 2`,
  )
  await change(
    `insert into ledger_entries
     select tenant_id, gen_random_uuid(), mode, 3, payment_id, 'credit', 7, balance_after + 7, reference_id, 'a gift',
            created_at, gen_random_uuid(), counter_account
     from ledger_entries ${place} and version = 2`,
  )
  await change(`update balances set balance = balance + 7, version = version + 1 ${place}`)
  await change(`update book_accounts set balance = balance - 7 ${place} and account_id = ${accountOf(2)}`)
  expect(kinds(await verify())).toEqual([
    'sealed_entries_differ 1 3',
    'sealed_entries_differ 4 6',
    'entry_without_money',
  ])
})

test.each([
  ['hash', `hash = sha256('x')`, 'and to_version = 6', ['sealed_entries_differ 4 6']],
  [
    'hash',
    `hash = sha256('x')`,
    'and to_version = 3',
    ['sealed_entries_differ 1 3', 'seal_does_not_follow 4 6'],
  ],
  ['previous hash', `previous_hash = sha256('x')`, 'and to_version = 6', ['seal_does_not_follow 4 6']],
  ['begin', 'from_version = 5', 'and to_version = 6', ['seal_is_missing 4']],
  ['begin', 'from_version = 2', 'and to_version = 6', ['seal_does_not_follow 2 6']],
  ['end', 'to_version = 5', 'and to_version = 6', ['sealed_entries_differ 4 5']],
])(
  'verify-ledger reports a seal (hash of ledger entries) after its %s was overwritten with the SQL assignment %s',
  async (_, what, which, expected) => {
    await change(`update ledger_seals set ${what} ${place} ${which}`)
    const found = await verify()
    expect([found.code, kinds(found)]).toEqual([1, expected])
  },
)

test('verify-ledger reports a removed seal (hash of ledger entries), because the next seal contains its hash', async () => {
  await change(`delete from ledger_seals ${place} and to_version = 3`)
  expect(kinds(await verify())).toEqual(['seal_is_missing 1'])
})

test.each([
  ['the last seal', 'and to_version = 6'],
  ['all seals of a balance', ''],
])(
  'verify-ledger reports the removal of %s, because the last seal (the hash of the ledger entries) is also part of a signed statement',
  async (_, which) => {
    await state()
    await change(`delete from ledger_seals ${place} ${which}`)
    expect(kinds(await verify())).toEqual(['statement_differs'])
    await seal()
    expect(kinds(await verify())).toEqual(['statement_differs'])
  },
)

test('if a ledger is changed and rehashed, no new statement is signed, and verify-ledger reports the change', async () => {
  await state()
  await change(`update ledger_entries set reason = 'another' ${place} and version = 2`)
  await sealAnew()
  await expect(state()).rejects.toThrow(
    /^seals do not match the ledger statement of .*, so no new statement is signed/,
  )
  expect(log).toHaveLength(1)
  expect(kinds(await verify())).toEqual(['statement_differs'])
})

test('if a ledger statement was removed from the database, verify-ledger reports it as missing', async () => {
  await state()
  await tamper(database.url, ['delete from ledger_statements', []])
  expect(await verify()).toEqual({ code: 1, differences: [{ kind: 'statement_is_missing' }] })
})

test.each([
  [
    'a credit of a payment that does not exist',
    `gen_random_uuid(), 'credit', 7, 7`,
    'null',
    'entry_without_payment',
  ],
  [
    'a credit of money that did not arrive',
    `payment_id, 'credit', 7, 7`,
    'gen_random_uuid()',
    'entry_without_money',
  ],
  ['a debit', `payment_id, 'debit', 7, -7`, 'null', 'entry_without_money'],
])(
  'verify-ledger reports a forged ledger entry (%s), even if the entry continues the chain of hashes, matches the balance and has a seal',
  async (_, what, money, kind) => {
    const [payment, type, amount, signed] = what.split(', ')
    await change(
      `insert into ledger_entries (tenant_id, id, mode, version, payment_id, entry_type, amount, balance_after, reference_id,
       reason, created_at, unexpected_money_id, counter_account)
     select tenant_id, gen_random_uuid(), mode, version + 1, ${payment}, ${type}, ${amount}, balance_after + ${signed},
            reference_id, 'a gift', created_at, ${money}::uuid, counter_account
     from ledger_entries ${place} and version = 6`,
    )
    await change(`update balances set balance = balance + ${signed}, version = version + 1 ${place}`)
    await change(
      `update book_accounts set balance = balance - ${signed} ${place} and account_id = ${accountOf(6)}`,
    )
    await seal()
    await state()
    const found = await verify()
    expect([found.code, kinds(found)]).toEqual([1, [kind]])
  },
)

test('verify-ledger reports a removed payment, because its ledger entry still exists', async () => {
  await state()
  await change(
    `delete from payments where tenant_id = $1 and id = (select payment_id from ledger_entries ${place} and version = 2)`,
  )
  expect(kinds(await verify())).toEqual(['entry_without_payment'])
})

test('with a copy of the signed statement, verify-ledger detects changed entries even if hashes were recomputed', async () => {
  await state()
  const statement = await findLastStatement(database.db)
  const published = { statement: statement?.statement, keys: await listPublicKeys(database.db) }
  await change(`update ledger_entries set reason = 'another' ${place} and version = 2`)
  await sealAnew()
  expect(kinds(await verify())).toEqual(['statement_differs'])

  // An attacker who replaces the seals (hashes of the ledger's entries) can also replace the signed statements in
  // the database. In this case, verify-ledger can find the change only with a copy of a statement stored
  // elsewhere.
  await tamper(database.url, ['delete from ledger_statements', []])
  await state()
  expect(await verify()).toEqual({ code: 0, differences: [] })
  for (const kept of [JSON.stringify(published), log[0] as string, statement?.statement as string]) {
    const found = await verify('--statement', await fileOf(kept))
    expect([found.code, kinds(found)]).toEqual([1, ['statement_differs']])
    expect(found.differences[0]).toMatchObject({
      round: statement?.round.toString(),
      expected: statement?.root.toString('hex'),
    })
  }
})

test('verify-ledger checks each statement in a file against that part of the ledger that the statement covers', async () => {
  await state()
  await sell(database.db, tenantId, 2)
  await shop(database.db, 1)
  await seal()
  await state()
  await seal()
  expect(log).toHaveLength(2)
  const file = await fileOf(log.join('\n'))
  expect(await verify('--statement', file)).toEqual({ code: 0, differences: [] })
  await change(`delete from ledger_seals ${place} and to_version = 8`)
  // The seal that ends at version 8 is missing, so verify-ledger cannot verify the statement about this
  // version. It reports the statement twice: the copy in the database and the copy in the file.
  const { differences } = await verify('--statement', file)
  expect(differences.map(({ kind }) => kind)).toEqual(['statement_differs', 'statement_differs'])
  expect(differences[0]).toEqual(differences[1])
})

test('verify-ledger reports each statement that was changed or signed with an unknown key', async () => {
  await state()
  const [head, , signature] = (JSON.parse(log[0] as string).statement as string).split('.')
  const claims = Buffer.from(JSON.stringify({ iat: 1, round: '9', root: '00'.repeat(32) })).toString(
    'base64url',
  )
  const file = await fileOf([head, claims, signature].join('.'))
  const { code, stderr } = await runCommand(['verify-ledger', '--statement', file], envOf(database))
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('is not a valid statement: signature verification failed'),
  ])
})
