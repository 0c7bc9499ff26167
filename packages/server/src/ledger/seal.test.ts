import { beforeEach, describe, expect, inject, test } from 'vitest'
import { atEnd } from '../../test/support/at-end.ts'
import { testDatabase } from '../../test/support/database.ts'
import { databaseUrl } from '../../test/support/database-url.ts'
import { sell, shop, tamper } from '../../test/support/ledger.ts'
import { makeTenant } from '../../test/support/make.ts'
import { createDb } from '../db/db.ts'
import { createLog } from '../logging/log.ts'
import type { SealedEntry } from './entry-bytes.ts'
import { type BalanceKey, lockSealing, sealRound } from './seal.sql.ts'
import { headBytes, NO_HASH, sealOf } from './seal.ts'
import { sealLedger } from './seal-ledger.ts'

const { url, db } = await testDatabase()
/**
 * Connects as a superuser. A superuser has every privilege, so if a statement is rejected, a trigger has
 * rejected it.
 */
const superuser = createDb(databaseUrl(inject('databaseUrls').adminUrl, new URL(url).pathname.slice(1)), {
  max: 1,
})
atEnd(() => superuser.destroy())

let errors: object[] = []
const log = Object.assign(createLog('silent'), { error: (entry: object) => void errors.push(entry) })
beforeEach(() => {
  errors = []
})
const seal = () => sealLedger({ db, log })
const limits = { balances: 100, entriesPerSeal: 100, entries: 1_000 }

type Row = { from: bigint; to: bigint; previous: string; hash: string }
async function sealsOf(tenantId: string): Promise<Row[]> {
  const { rows } = await db.raw<{ rows: Row[] }>(
    `select from_version as from, to_version as to, encode(previous_hash, 'hex') as previous, encode(hash, 'hex') as hash
     from ledger_seals where tenant_id = ? order by to_version`,
    [tenantId],
  )
  return rows
}
const rangesOf = async (tenantId: string) => (await sealsOf(tenantId)).map(({ from, to }) => [from, to])

describe('ledger seals have the same hashes as those computed by an independent program', () => {
  const first: SealedEntry = {
    tenantId: '01990000-0000-7000-8000-000000000010',
    mode: 'live',
    version: 1n,
    id: '01990000-0000-7000-8000-000000000002',
    paymentId: '01990000-0000-7000-8000-000000000001',
    entryType: 'credit',
    amount: 10_000_000n,
    balanceAfter: 10_000_000n,
    referenceId: 'GP261120-7Q4M2ZK8XW',
    reason: 'payment GP261120-7Q4M2ZK8XW received — 収',
    createdAtUs: 1_795_057_445_678_901n,
    unexpectedMoneyId: null,
  }
  const second: SealedEntry = {
    ...first,
    version: 2n,
    id: '01990000-0000-7000-8000-000000000003',
    entryType: 'debit',
    amount: 10_000_500n,
    balanceAfter: -500n,
    reason: 'taken back',
    unexpectedMoneyId: '01990000-0000-7000-8000-000000000004',
  }
  const hashOfFirst = 'cd9689d00809f4416ff2a98ec99f5163fe6a27b3c00584e9bfea24eaa68f17dd'
  const hashOfBoth = 'ef7cf377f72b419ae52d4cc415fe0bef40c0c6f291e421f7aa41ae1a44af0e0e'
  const hashInTwoSeals = '2108d1f622e3fb0faae6a2466dfacee1eb07613db2858c95b2707936fb73e740'

  test('verify-ledger computes the same hash of ledger entries that an independent program computed', () => {
    const both = sealOf(NO_HASH)
    for (const entry of [first, second]) both.add(entry)
    expect(both.hash().toString('hex')).toBe(hashOfBoth)
    const onTop = sealOf(Buffer.from(hashOfFirst, 'hex'))
    onTop.add(second)
    expect(onTop.hash().toString('hex')).toBe(hashInTwoSeals)
  })

  test("a balance's Merkle leaf contains the tenant, the mode, the last sealed (hashed) version and the last seal's hash", () => {
    const head = {
      tenantId: first.tenantId,
      mode: 'live',
      version: 2n,
      hash: Buffer.from(hashOfBoth, 'hex'),
    } as const
    expect(headBytes(head).toString('hex')).toBe(
      `01990000000070008000000000000010${'00000004'}6c697665${'0000000000000002'}${hashOfBoth}`,
    )
  })

  test('the database and an independent program compute the same hash over the same ledger entries', async () => {
    await tamper(
      url,
      ...[first, second].map((entry): [string, unknown[]] => [
        `insert into ledger_entries (tenant_id, mode, version, id, payment_id, entry_type, amount, balance_after, reference_id,
           reason, unexpected_money_id, created_at, counter_account)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, '2026-11-19T03:04:05.678901Z', gen_random_uuid())`,
        [
          entry.tenantId,
          entry.mode,
          entry.version,
          entry.id,
          entry.paymentId,
          entry.entryType,
          entry.amount,
          entry.balanceAfter,
          entry.referenceId,
          entry.reason,
          entry.unexpectedMoneyId,
        ],
      ]),
      [
        `insert into balances (tenant_id, mode, balance, version) values ($1, 'live', -500, 2)`,
        [first.tenantId],
      ],
    )
    const rollBack = new Error('not for others')
    await db
      .transaction(async tx => {
        await sealRound(tx, { ...limits, entriesPerSeal: 2 }, undefined)
        const { rows } = await tx.raw(`select encode(hash, 'hex') as hash from ledger_seals`)
        expect(rows).toEqual([{ hash: hashOfBoth }])
        throw rollBack
      })
      .catch(error => expect(error).toBe(rollBack))
    await db.transaction(tx => sealRound(tx, { ...limits, entriesPerSeal: 1 }, undefined))
    await db.transaction(tx => sealRound(tx, { ...limits, entriesPerSeal: 1 }, undefined))
    expect((await sealsOf(first.tenantId)).map(({ hash }) => hash)).toEqual([hashOfFirst, hashInTwoSeals])
  })
})

describe('sealing the ledger creates seals (hashes), each of which covers a range of ledger entries', () => {
  test("exactly one seal (a hash) covers each ledger entry, and each seal contains the previous seal's hash", async () => {
    const { tenantId } = await shop(db, 3)
    await seal()
    await seal()
    await sell(db, tenantId, 2)
    expect(await seal()).toBe('complete')
    expect(errors).toEqual([])
    const [first, second, ...more] = await sealsOf(tenantId)
    expect([first?.from, first?.to, second?.from, second?.to, more]).toEqual([1n, 3n, 4n, 5n, []])
    expect(first?.previous).toBe('00'.repeat(32))
    expect(second?.previous).toBe(first?.hash)
  })

  test('while the process is stopping, the sealing (hashing) of ledger entries starts no further round', async () => {
    const { tenantId } = await shop(db, 1)
    expect(await sealLedger({ db, log }, AbortSignal.abort())).toBe('incomplete')
    expect(await rangesOf(tenantId)).toEqual([])
    await seal()
    expect(await rangesOf(tenantId)).toEqual([[1n, 1n]])
  })

  const round = (some: Partial<typeof limits>, after?: BalanceKey) =>
    db.transaction(tx => sealRound(tx, { ...limits, ...some }, after))

  test('one round seals (hashes) a limited number of entries, and reports whether any are left', async () => {
    await seal()
    const [a, b] = [await shop(db, 3), await shop(db, 1)]
    expect(await round({ balances: 1, entriesPerSeal: 2 })).toEqual({
      due: 1,
      sealed: [{ tenantId: a.tenantId, mode: 'live', fromVersion: 1n, toVersion: 2n }],
      last: { tenantId: a.tenantId, mode: 'live' },
      isPartial: true,
    })
    expect(await round({ entriesPerSeal: 2 })).toMatchObject({ due: 2, last: undefined, isPartial: false })
    expect(await rangesOf(a.tenantId)).toEqual([
      [1n, 2n],
      [3n, 3n],
    ])
    expect(await rangesOf(b.tenantId)).toEqual([[1n, 1n]])
  })

  test('a call that reaches its maximum number of sealing (hashing) rounds reports that entries are left', async () => {
    await seal()
    for (const entries of [1, 1, 1]) await shop(db, entries)
    const sealRounds = (rounds: number) =>
      sealLedger({ db, log }, undefined, undefined, { ...limits, balances: 1, rounds })
    expect(await sealRounds(2)).toBe('incomplete')
    expect(await sealRounds(3)).toBe('complete')
  })

  test('a sealing (hashing) round that reaches its maximum leaves other balances to the next round', async () => {
    await seal()
    for (const entries of [3, 3, 3]) await shop(db, entries)
    const first = await round({ entries: 4 })
    expect(first).toMatchObject({ due: 2, sealed: { length: 2 }, last: expect.anything() })
    expect(await round({ entries: 4 }, first.last)).toMatchObject({
      ...{ due: 1, sealed: { length: 1 }, last: undefined },
    })
  })

  test.each([
    ['balances', { balances: 1 }],
    ['entries', { entries: 1 }],
  ])(
    'every balance is eventually sealed (hashed), even if the number of %s per round is limited and new entries arrive faster than they are sealed',
    async (_, limit) => {
      await seal()
      const shops = [await shop(db, 3), await shop(db, 1), await shop(db, 2), await shop(db, 1)]
      const position = { after: undefined }
      for (const _ of shops) {
        expect(await sealLedger({ db, log }, undefined, position, { ...limits, ...limit, rounds: 1 })).toBe(
          'incomplete',
        )
        for (const { tenantId } of shops) await sell(db, tenantId, 1)
      }
      for (const { tenantId } of shops) expect(await rangesOf(tenantId)).not.toEqual([])
    },
  )

  test('sealing (hashing) that starts in the middle is complete only after the first balances are sealed', async () => {
    await seal()
    const shops = [await shop(db, 1), await shop(db, 1)]
    const position = {
      after: { tenantId: (shops[0] as { tenantId: string }).tenantId, mode: 'test' as const },
    }
    const sealRounds = (rounds: number) => sealLedger({ db, log }, undefined, position, { ...limits, rounds })
    expect(await sealRounds(1)).toBe('incomplete')
    expect(await rangesOf((shops[0] as { tenantId: string }).tenantId)).toEqual([])
    expect(await sealRounds(1)).toBe('complete')
    for (const { tenantId } of shops) expect(await rangesOf(tenantId)).toEqual([[1n, 1n]])
  })

  test('if an entry of one balance is missing, the balances after it are still sealed (hashed)', async () => {
    await seal()
    const [broken, whole] = [await shop(db, 5), await shop(db, 1)]
    await tamper(url, ['delete from ledger_entries where tenant_id = $1 and version = 2', [broken.tenantId]])
    const strict = { ...limits, entries: 1, rounds: 3 }
    expect(await sealLedger({ db, log }, undefined, undefined, strict)).toBe('unsealable')
    expect(await rangesOf(whole.tenantId)).toEqual([[1n, 1n]])
    await tamper(url, [
      'update balances set version = 0, balance = 0 where tenant_id = $1',
      [broken.tenantId],
    ])
  })

  test('more than 1,000 new entries of a balance get several seals (hashes) in one call', async () => {
    const tenantId = await makeTenant(db)
    await tamper(
      url,
      [
        `insert into ledger_entries (tenant_id, mode, version, id, payment_id, entry_type, amount, balance_after, reference_id,
           reason, created_at, counter_account)
         select $1, 'live', n, gen_random_uuid(), gen_random_uuid(), 'credit', 1, n, 'GP', 'received',
           '2026-11-19T03:04:05Z', $1
         from generate_series(1, 1001) n`,
        [tenantId],
      ],
      [
        `update balances set balance = 1001, version = 1001 where tenant_id = $1 and mode = 'live'`,
        [tenantId],
      ],
    )
    await seal()
    expect(await rangesOf(tenantId)).toEqual([
      [1n, 1_000n],
      [1_001n, 1_001n],
    ])
  })

  test('only one process at a time seals (hashes) ledger entries, and the other processes report the lock', async () => {
    const { tenantId } = await shop(db, 2)
    await db.transaction(async tx => {
      await lockSealing(tx)
      await sealRound(tx, limits, undefined)
      expect(await Promise.all(Array.from({ length: 4 }, seal))).toEqual([
        'locked',
        'locked',
        'locked',
        'locked',
      ])
    })
    await Promise.all(Array.from({ length: 4 }, seal))
    expect(await rangesOf(tenantId)).toEqual([[1n, 2n]])
  })

  test('payments can be posted during sealing (hashing), which does not wait for locked balances', async () => {
    const { tenantId } = await shop(db, 1)
    await db.transaction(async tx => {
      await lockSealing(tx)
      await sealRound(tx, limits, undefined)
      await sell(db, tenantId, 1)
    })
    await db.transaction(async tx => {
      await tx.raw('select from balances where tenant_id = ? for update', [tenantId])
      await sell(db, (await shop(db, 0)).tenantId, 1)
      await seal()
    })
    expect(await rangesOf(tenantId)).toEqual([
      [1n, 1n],
      [2n, 2n],
    ])
  })

  test('a balance with a missing ledger entry is reported and not sealed (hashed), unlike other balances', async () => {
    const [broken, whole] = [await shop(db, 3), await shop(db, 3)]
    await tamper(url, ['delete from ledger_entries where tenant_id = $1 and version = 2', [broken.tenantId]])
    expect(await seal()).toBe('unsealable')
    expect(await rangesOf(broken.tenantId)).toEqual([])
    expect(await rangesOf(whole.tenantId)).toEqual([[1n, 3n]])
    expect(errors).toEqual([{ balances: 1 }])
    await tamper(url, [
      'update balances set version = 0, balance = 0 where tenant_id = $1',
      [broken.tenantId],
    ])
  })
})

describe('stored ledger seals (hashes of entries) cannot be changed, and invalid seals are rejected', () => {
  const RESTRICTED = { code: '23001' }
  const FORBIDDEN = { code: '42501' }
  const CHECK = { code: '23514' }
  const TWICE = { code: '23505' }

  test.each([
    'update ledger_seals set sealed_at = now()',
    'delete from ledger_seals',
    'truncate ledger_seals',
  ])(
    'neither the service nor a superuser can change or delete a seal (a stored hash of ledger entries): %s',
    async sql => {
      await shop(db, 1)
      await seal()
      await expect(db.raw(sql)).rejects.toMatchObject(FORBIDDEN)
      await expect(superuser.raw(sql)).rejects.toMatchObject(RESTRICTED)
    },
  )

  test.each([
    ['that leaves a gap after the previous seal', 4, 4, 'last', CHECK],
    ['that overlaps the previous seal', 1, 3, 'zeros', TWICE],
    ['in the place of another seal', 1, 2, 'zeros', TWICE],
    ['with a wrong hash of the previous seal', 3, 4, 'zeros', CHECK],
    ['of entries that do not exist', 3, 5, 'last', CHECK],
    ['that ends before its start', 3, 2, 'last', CHECK],
  ])('the database rejects a ledger seal (a hash of entries) %s', async (_, from, to, previous, refusal) => {
    const { tenantId } = await shop(db, 2)
    await seal()
    await sell(db, tenantId, 2)
    const [last] = await sealsOf(tenantId)
    const previousHash = previous === 'last' ? Buffer.from(last?.hash ?? '', 'hex') : NO_HASH
    const inserted = superuser.raw(
      `insert into ledger_seals (tenant_id, mode, from_version, to_version, previous_hash, hash, round)
       values (?, 'live', ?, ?, ?, ?, 1)`,
      [tenantId, from, to, previousHash, Buffer.alloc(32, 7)],
    )
    await expect(inserted).rejects.toMatchObject(refusal)
    expect(await rangesOf(tenantId)).toEqual([[1n, 2n]])
    await seal()
  })

  test('a balance without entries gets no seal (a hash of its entries)', async () => {
    const tenantId = await makeTenant(db)
    await seal()
    expect(await sealsOf(tenantId)).toEqual([])
  })
})
