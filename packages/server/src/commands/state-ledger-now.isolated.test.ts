import { expect, test, vi } from 'vitest'
import { envOf, masterKey, runCommand } from '../../test/support/command.ts'
import { testDatabase } from '../../test/support/database.ts'
import { shop, tamper } from '../../test/support/ledger.ts'
import { lockSealing } from '../ledger/seal.sql.ts'
import { sealLedger } from '../ledger/seal-ledger.ts'
import { loadSecrets } from '../secrets/secrets.ts'
import { stateLedgerNow } from './state-ledger-now.ts'

vi.mock('../ledger/seal-ledger.ts', { spy: true })

const publicUrl = 'https://pay.example.com'

async function ledgerWithEntries() {
  const database = await testDatabase()
  const { db } = database
  const { tenantId } = await shop(db, 3)
  const count = async (table: string) => Number((await db.raw(`select count(*) from ${table}`)).rows[0].count)
  return { database, db, tenantId, count }
}

test.each(['locked', 'incomplete'] as const)(
  'if the first attempt to seal (hash) the ledger is %s, seal-ledger prints its statement only after it has sealed all entries',
  async outcome => {
    const { database, db } = await ledgerWithEntries()
    vi.mocked(sealLedger).mockResolvedValueOnce(outcome)
    const { code, stdout, stderr } = await runCommand(['seal-ledger'], envOf(database))
    expect([code, stderr]).toEqual([0, ''])
    const { rows } = await db.raw('select from_version, to_version from ledger_seals')
    expect(rows).toEqual([{ from_version: 1n, to_version: 3n }])
    // A statement covers the seals of the rounds before its own round.
    const covered = await db.raw(
      `select (select max(round) from ledger_seals) < round as "isCovered", statement from ledger_statements`,
    )
    expect(covered.rows).toEqual([{ isCovered: true, statement: stdout.trim() }])
  },
)

test('if a ledger entry is missing, seal-ledger signs no statement and names the command to run', async () => {
  const { database, tenantId, count } = await ledgerWithEntries()
  await tamper(database.url, ['delete from ledger_entries where tenant_id = $1 and version = 2', [tenantId]])
  expect(await runCommand(['seal-ledger'], envOf(database))).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'gapura-server: the ledger was not fully sealed, because entries are missing; no statement was signed; run: gapura-server verify-ledger\n',
  })
  expect(await count('ledger_statements')).toBe(0)
})

test('if another process seals (hashes) the ledger during every attempt, seal-ledger signs no statement and fails', async () => {
  const { db, count } = await ledgerWithEntries()
  const secrets = await loadSecrets(db, { masterKey })
  await db.transaction(async tx => {
    expect(await lockSealing(tx)).toBe(true)
    await expect(stateLedgerNow({ db, secrets, publicUrl }, 2)).rejects.toThrow(
      'a worker process is sealing it',
    )
  })
  expect(await count('ledger_statements')).toBe(0)
})
