import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../test/support/database.ts'
import { makeTenant } from '../test/support/make.ts'
import { newId } from './id.ts'
import { deriveSecrets, loadSecrets, resealer, WrongMasterKeyError } from './secrets.ts'

const secrets = deriveSecrets(Buffer.alloc(32, 1))
const stranger = deriveSecrets(Buffer.alloc(32, 2))

describe('a sealed secret', () => {
  test('opens at its place as what it was', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'grapheme' }),
        async (text, place) => {
          expect(await secrets.open(await secrets.seal(text, place), place)).toBe(text)
        },
      ),
    )
  })

  test('opens nowhere else', async () => {
    const sealed = await secrets.seal('server key', 'account 1')
    for (const place of ['account 2', '', 'account 1 ', 'Account 1'])
      await expect(secrets.open(sealed, place)).rejects.toThrow()
  })

  test('opens under no other master key', async () => {
    await expect(stranger.open(await secrets.seal('server key', 'account 1'), 'account 1')).rejects.toThrow()
  })

  test('with one bit changed anywhere does not open', async () => {
    const parts = (await secrets.seal('server key', 'account 1'))
      .split('.')
      .map(part => Buffer.from(part, 'base64url'))
    const places = parts.flatMap((part, index) => Array.from(part, (_, at) => ({ index, at })))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), fc.nat(7), async ({ index, at }, bit) => {
        const changed = parts.map(part => Buffer.from(part))
        const part = changed[index] as Buffer
        part.writeUInt8(part.readUInt8(at) ^ (1 << bit), at)
        await expect(
          secrets.open(changed.map(each => each.toString('base64url')).join('.'), 'account 1'),
        ).rejects.toThrow()
      }),
      { numRuns: 500 },
    )
  })

  test('does not show what it holds, and looks different each time', async () => {
    const [one, other] = [
      await secrets.seal('server key', 'account 1'),
      await secrets.seal('server key', 'account 1'),
    ]
    expect(one).not.toBe(other)
    expect(one).not.toContain(Buffer.from('server key').toString('base64url'))
  })

  test('cannot be replaced by text that was never sealed', async () => {
    for (const text of ['', 'server key', 'a.b.c.d.e', '....'])
      await expect(secrets.open(text, '')).rejects.toThrow()
  })
})

describe('a hash', () => {
  test('is 32 bytes, the same each time, and keyed', () => {
    expect(secrets.hash('gp_live_x')).toHaveLength(32)
    expect(secrets.hash('gp_live_x')).toEqual(deriveSecrets(Buffer.alloc(32, 1)).hash('gp_live_x'))
    expect(secrets.hash('gp_live_x')).not.toEqual(stranger.hash('gp_live_x'))
    expect(secrets.hash('gp_live_x')).not.toEqual(secrets.hash('gp_live_y'))
  })
})

describe('the secrets of a database', async () => {
  const [masterKey, newMasterKey] = [randomBytes(32), randomBytes(32)]
  const database = await testDatabase()
  beforeEach(() => database.owner.raw('delete from sealed_keys'))

  test('hash alike in every process, also where all start at once', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => loadSecrets(database.db, { masterKey })))
    expect(new Set(all.map(each => each.hash('gp_live_x').toString('hex'))).size).toBe(1)
  })

  test('hash under a key that the master key does not tell', async () => {
    const loaded = await loadSecrets(database.db, { masterKey })
    expect(loaded.hash('gp_live_x')).not.toEqual(deriveSecrets(masterKey).hash('gp_live_x'))
  })

  test('hash as before where there were hashes before', async () => {
    const tenantId = await makeTenant(database.db)
    await database.db.raw(
      `insert into api_keys (id, tenant_id, mode, name, key_hash, display_prefix) values (?, ?, 'live', 'old', ?, 'gp_live_x')`,
      [newId(), tenantId, deriveSecrets(masterKey).hash('gp_live_x')],
    )
    const loaded = await loadSecrets(database.db, { masterKey })
    await database.owner.raw('delete from api_keys')
    expect(loaded.hash('gp_live_x')).toEqual(deriveSecrets(masterKey).hash('gp_live_x'))
  })

  test('say which variable is wrong where they were sealed under another master key', async () => {
    await loadSecrets(database.db, { masterKey })
    const wrong = loadSecrets(database.db, { masterKey: newMasterKey })
    await expect(wrong).rejects.toThrow(WrongMasterKeyError)
    await expect(wrong).rejects.toThrow('GAPURA_MASTER_KEY')
  })

  test('while the master key is replaced open under either key, and seal under the new', async () => {
    const old = await loadSecrets(database.db, { masterKey })
    const both = await loadSecrets(database.db, { masterKey, newMasterKey })
    expect(both.hash('x')).toEqual(old.hash('x'))
    expect(await both.open(await old.seal('server key', 'account 1'), 'account 1')).toBe('server key')
    const sealed = await both.seal('server key', 'account 1')
    await expect(old.open(sealed, 'account 1')).rejects.toThrow()
    expect(await deriveSecrets(newMasterKey).open(sealed, 'account 1')).toBe('server key')
  })
})

describe('a seal that is moved to another master key', () => {
  const [from, to] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const reseal = resealer(from, to)

  test('holds the same for the same place', async () => {
    const moved = (await reseal(await secrets.seal('server key', 'account 1'))) as string
    expect(await stranger.open(moved, 'account 1')).toBe('server key')
    await expect(stranger.open(moved, 'account 2')).rejects.toThrow()
    await expect(secrets.open(moved, 'account 1')).rejects.toThrow()
  })

  test('is left as it is where it was moved already', async () => {
    expect(await reseal(await stranger.seal('server key', 'account 1'))).toBeUndefined()
  })

  test('is refused where it is under neither', async () => {
    const third = deriveSecrets(Buffer.alloc(32, 3))
    await expect(reseal(await third.seal('server key', 'account 1'))).rejects.toThrow(WrongMasterKeyError)
  })
})
