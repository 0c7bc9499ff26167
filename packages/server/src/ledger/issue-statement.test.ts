// Tests ledger statements, each of which is a signed hash over all balances. Also tests the proofs that a
// ledger statement covers a single balance.

import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/support/database.ts'
import { sell, shop, tamper } from '../../test/support/ledger.ts'
import { keyRingLoader } from '../auth/tokens/key-ring.ts'
import { listPublicKeys } from '../auth/tokens/signing-key.sql.ts'
import { createLog } from '../logging/log.ts'
import { loadSecrets } from '../secrets/secrets.ts'
import { headsBefore, issueLedgerStatement } from './issue-statement.ts'
import { findLastStatement } from './ledger-statement.sql.ts'
import { verifyLedgerStatement } from './ledger-statement.ts'
import { merkleRoot, rootFromProof } from './merkle.ts'
import { headProver, type ProveHead } from './prove-head.ts'
import { lockSealing } from './seal.sql.ts'
import { headBytes } from './seal.ts'
import { sealLedger } from './seal-ledger.ts'

const masterKey = randomBytes(32)
const clock = () => new Date('2026-11-20T03:04:05Z')
let database: TestDatabase
let app: Parameters<typeof issueLedgerStatement>[0]
let logged: unknown[][]
let prove: ProveHead
let tenantId: string
let otherId: string
beforeEach(async () => {
  database = await testDatabase()
  const { db } = database
  logged = []
  app = {
    ...{ db, clock },
    keyRing: keyRingLoader(db, await loadSecrets(db, { masterKey }), clock, 'https://pay.example.com'),
    log: Object.assign(createLog('silent'), { info: (...entry: unknown[]) => void logged.push(entry) }),
  }
  prove = headProver(db)
  ;({ tenantId } = await shop(db, 2))
  ;({ tenantId: otherId } = await shop(db, 1))
})

const seal = () => sealLedger(app)
const state = (everySeconds = 0) => issueLedgerStatement(app, everySeconds)
const roundsOf = async () =>
  (await database.db.raw('select round from ledger_statements order by round')).rows.map(
    ({ round }: { round: bigint }) => round,
  )
const lastRoot = async () => (await findLastStatement(database.db))?.root
/**
 * Returns the root hash of the Merkle tree over the last seal of each balance. A seal is a hash of a
 * balance's ledger entries.
 */
async function rootOfAll(): Promise<Buffer> {
  const tree = merkleRoot()
  for await (const head of headsBefore(database.db, 1_000_000n)) tree.add(headBytes(head))
  return tree.root()
}
const rewrite = () =>
  tamper(database.url, [
    "update ledger_seals set hash = sha256('rewritten') where tenant_id = $1",
    [tenantId],
  ])

describe('a signed ledger statement covers the last seal (a hash of ledger entries) of every balance', () => {
  test('a ledger statement is stored and logged, and its signed hash covers the last seal of every balance', async () => {
    await seal()
    const statement = (await state()) as string
    const root = await rootOfAll()
    expect(await findLastStatement(database.db)).toMatchObject({ statement, root })
    const said = await verifyLedgerStatement(await listPublicKeys(database.db), statement)
    expect(said).toEqual({ round: (await roundsOf())[0], root, statedAt: clock() })
    expect(logged).toEqual([[{ statement }, 'ledger statement signed']])
  })

  test('no ledger statement is signed soon after the last one, or while another process holds the lock', async () => {
    await seal()
    await state()
    expect(await state(600)).toBeUndefined()
    expect(await issueLedgerStatement(app)).toBeUndefined()
    await database.db.transaction(async tx => {
      expect(await lockSealing(tx)).toBe(true)
      expect(await state()).toBeUndefined()
    })
    expect(await roundsOf()).toHaveLength(1)
    expect(logged).toHaveLength(1)
    await sell(database.db, tenantId, 1)
    await seal()
    expect(await state()).toBeDefined()
    expect(await roundsOf()).toHaveLength(2)
    expect(await lastRoot()).toEqual(await rootOfAll())
  })

  test('if the last statement covers a rewritten seal, no new ledger statement is signed', async () => {
    await seal()
    await state()
    await rewrite()
    await expect(state()).rejects.toThrow(
      `seals do not match the ledger statement of ${clock().toISOString()}`,
    )
    expect(await roundsOf()).toHaveLength(1)
  })
})

describe('a proof shows that a signed ledger statement covers a balance and its entries', () => {
  test("a balance's proof connects its last seal (hash) with the root hash in the signed statement", async () => {
    await sell(database.db, tenantId, 1, 'test')
    await seal()
    const statement = await state()
    for (const [tenant, mode, version] of [
      [tenantId, 'live', 2n],
      [tenantId, 'test', 1n],
      [otherId, 'live', 1n],
    ] as const) {
      const proven = await prove(tenant, mode)
      if (!proven) throw new Error('the balance has no proof')
      const { proof, statement: named, ...head } = proven
      expect(head).toEqual({ tenantId: tenant, mode, version, hash: expect.any(Buffer) })
      expect(named).toBe(statement)
      expect(rootFromProof(headBytes(head), proof)).toEqual(await lastRoot())
    }
  })

  test("no proof exists for a balance until a ledger statement is signed after the balance's first entry", async () => {
    await seal()
    expect(await prove(tenantId, 'live')).toBeUndefined()
    await state()
    expect(await prove(otherId, 'test')).toBeUndefined()
    expect(await prove(tenantId, 'live')).toBeDefined()
  })

  test("until the next ledger statement, a balance's proof shows the balance of the last statement", async () => {
    await seal()
    await state()
    await sell(database.db, tenantId, 1)
    await seal()
    expect(await prove(tenantId, 'live')).toMatchObject({ version: 2n })
    await state()
    expect(await prove(tenantId, 'live')).toMatchObject({ version: 3n })
  })

  test('no balance is proved if the stored seals (hashes) no longer match the signed statement', async () => {
    await seal()
    await state()
    await rewrite()
    await expect(prove(tenantId, 'live')).rejects.toThrow('verify-ledger')
  })

  test('all balance proofs for a ledger statement share one read of the seals (hashes of entries)', async () => {
    await seal()
    await state()
    const readings = { count: 0, fail: true }
    const { db } = database
    const raw = db.raw.bind(db)
    vi.spyOn(db, 'raw').mockImplementation(((sql: string, bindings: never) => {
      if (sql.includes('ledger_seals')) {
        readings.count += 1
        if (readings.fail) return Promise.reject(new Error('the database is away'))
      }
      return raw(sql, bindings)
    }) as never)
    await expect(prove(tenantId, 'live')).rejects.toThrow('away')
    readings.fail = false
    await Promise.all([prove(tenantId, 'live'), prove(otherId, 'live')])
    await prove(tenantId, 'live')
    expect(readings.count).toBe(2)
    vi.restoreAllMocks()
  })

  test('a database error during a proof for an older ledger statement does not affect newer statements', async () => {
    await seal()
    await state()
    const { db } = database
    const raw = db.raw.bind(db)
    const failing = Promise.withResolvers<never>()
    let readings = 0
    vi.spyOn(db, 'raw').mockImplementation(((sql: string, bindings: never) => {
      if (!sql.includes('ledger_seals') || sql.includes('insert')) return raw(sql, bindings)
      readings += 1
      return readings === 1 ? failing.promise : raw(sql, bindings)
    }) as never)
    const older = prove(tenantId, 'live')
    await expect.poll(() => readings).toBe(1)
    await sell(db, tenantId, 1)
    await seal()
    await state()
    const before = readings
    expect(await prove(tenantId, 'live')).toMatchObject({ version: 3n })
    failing.reject(new Error('the database is away'))
    await expect(older).rejects.toThrow('away')
    await prove(tenantId, 'live')
    expect(readings).toBe(before + 1)
    vi.restoreAllMocks()
  })
})

test("reading each balance's last seal (hash) page by page returns each exactly once, in order", async () => {
  const { db, url } = database
  const rows = `(select ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid as id from generate_series(1, 5001) n)`
  await tamper(
    url,
    [`insert into balances (tenant_id, mode, version) select id, 'live', 1 from ${rows}`, []],
    [
      `insert into ledger_seals (tenant_id, mode, from_version, to_version, previous_hash, hash, round)
       select id, 'live', 1, 1, decode(repeat('00', 32), 'hex'), sha256('head'), 1 from ${rows}`,
      [],
    ],
  )
  const ids: string[] = []
  for await (const head of headsBefore(db, 1_000_000n)) ids.push(head.tenantId)
  expect(ids).toHaveLength(5_001)
  expect(ids).toEqual([...new Set(ids)].sort())
})
