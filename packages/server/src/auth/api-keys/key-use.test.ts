import { afterEach, describe, expect, test, vi } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { makeTenant, now } from '../../../test/support/make.ts'
import { until } from '../../../test/support/merchant.ts'
import { newId } from '../../values/id.ts'
import { insertApiKey, type KeyUse, listApiKeys, writeKeyUses } from './key.sql.ts'
import { type KeyUses, keyUses } from './key-use.ts'

const { db } = await testDatabase()

let made: KeyUses | undefined
afterEach(() => made?.stop())

/**
 * Records API key uses with a clock that the test controls, and with a `write` function that replaces the database.
 */
function noting(write: (uses: KeyUse[]) => Promise<void> = async () => {}) {
  let at = now.getTime()
  const written: KeyUse[][] = []
  const failed = vi.fn()
  const uses = keyUses(
    async each => {
      await write(each)
      written.push(each)
    },
    { clock: () => new Date(at), failed },
  )
  made = uses
  return {
    uses,
    written,
    failed,
    pass: (ms: number) => {
      at += ms
    },
  }
}

describe('the last-used times of API keys are collected in memory and written to the database together', () => {
  test('the last-used times of all API keys are written together, with one SQL statement', async () => {
    const { uses, written, pass } = noting()
    uses.note('a')
    uses.note('b')
    pass(10)
    uses.note('a')
    await uses.write()
    expect(written).toEqual([
      [
        { id: 'a', at: new Date(now.getTime() + 10) },
        { id: 'b', at: now },
      ],
    ])
  })

  test("an API key's last-used time is updated at most once a minute", async () => {
    const { uses, written, pass } = noting()
    uses.note('a')
    await uses.write()
    pass(59_999)
    uses.note('a')
    await uses.write()
    expect(written).toHaveLength(1)
    pass(1)
    uses.note('a')
    await uses.write()
    expect(written).toHaveLength(2)
  })

  test('updating the last-used times sends no SQL statement if no API key was used', async () => {
    const { uses, written } = noting()
    await uses.write()
    expect(written).toEqual([])
  })

  test('last-used times of API keys that could not be written are written when the process shuts down', async () => {
    let away = true
    const { uses, written, failed } = noting(async () => {
      if (away) throw new Error('the database is away')
    })
    uses.note('a')
    await uses.write()
    expect(failed).toHaveBeenCalledOnce()
    away = false
    await uses.stop()
    expect(written).toEqual([[{ id: 'a', at: now }]])
  })
})

describe("the time of an API key's last use is stored in the database", () => {
  const key = async () => {
    const tenantId = await makeTenant(db)
    const id = newId()
    await insertApiKey(db, {
      id,
      tenantId,
      mode: 'test',
      name: 'x',
      keyHash: Buffer.from(id.replaceAll('-', '').repeat(2), 'hex'),
      displayPrefix: 'gp_test_',
      createdBy: null,
      scopes: [],
      allowedIps: [],
    })
    const lastUsed = async () => (await listApiKeys(db, tenantId, undefined, 1))[0]?.lastUsedAt
    return { id, lastUsed }
  }
  const later = (ms: number) => new Date(now.getTime() + ms)

  test("an API key's last_used_at changes at most once a minute, and never to an earlier time", async () => {
    const { id, lastUsed } = await key()
    expect(await lastUsed()).toBeNull()
    for (const [ms, expected] of [
      [0, 0],
      [60_000, 0],
      [60_001, 60_001],
      [0, 60_001],
    ] as const) {
      await writeKeyUses(db, [{ id, at: later(ms) }], 60_000)
      expect(await lastUsed()).toEqual(later(expected))
    }
  })

  test("a deleted API key does not prevent the update of other keys' last-used times", async () => {
    const { id, lastUsed } = await key()
    await writeKeyUses(
      db,
      [
        { id: newId(), at: now },
        { id, at: now },
      ],
      60_000,
    )
    expect(await lastUsed()).toEqual(now)
  })

  test('processes that concurrently record uses of the same API keys do not deadlock', async () => {
    const keys = [await key(), await key(), await key()]
    const middle = keys[1]?.id
    const rising = keys.map(({ id }, i) => ({ id, at: later(i) }))
    const falling = keys.map(({ id }, i) => ({ id, at: later(-i) }))
    const waiting = async () =>
      (
        await db.raw(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).rows.length
    // The transaction `revoking` has locked the row of the middle API key. The two writes of last-used times
    // wait for this lock, so they overlap.
    const revoking = await db.transaction()
    await revoking.raw('select from api_keys where id = ? for no key update', [middle as string])
    const writing = [rising, falling].map(uses => writeKeyUses(db, uses, 60_000))
    await until('both writes wait', async () => (await waiting()) === 2)
    await revoking.commit()
    await Promise.all(writing)
    for (const { lastUsed } of keys) expect(await lastUsed()).not.toBeNull()
  })
})
