import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { anyText } from '../../test/support/any-text.ts'
import { testDatabase } from '../../test/support/database.ts'
import { makeTenant } from '../../test/support/make.ts'
import { newId } from '../values/id.ts'
import { deriveSecrets, loadSecrets, reencrypter, WrongMasterKeyError } from './secrets.ts'

const secrets = deriveSecrets(Buffer.alloc(32, 1))
const stranger = deriveSecrets(Buffer.alloc(32, 2))

describe('an encrypted secret', () => {
  test('is decrypted to the original text in its own place', async () => {
    await fc.assert(
      fc.asyncProperty(anyText(), fc.string({ unit: 'grapheme' }), async (text, place) => {
        expect(await secrets.decrypt(await secrets.encrypt(text, place), place)).toBe(text)
      }),
    )
  })

  test('cannot be decrypted in another place', async () => {
    const sealed = await secrets.encrypt('server key', 'account 1')
    for (const place of ['account 2', '', 'account 1 ', 'Account 1'])
      await expect(secrets.decrypt(sealed, place)).rejects.toThrow()
  })

  test('cannot be decrypted with another master key', async () => {
    await expect(
      stranger.decrypt(await secrets.encrypt('server key', 'account 1'), 'account 1'),
    ).rejects.toThrow()
  })

  test('cannot be decrypted with one bit changed anywhere', async () => {
    const parts = (await secrets.encrypt('server key', 'account 1'))
      .split('.')
      .map(part => Buffer.from(part, 'base64url'))
    const places = parts.flatMap((part, index) => Array.from(part, (_, at) => ({ index, at })))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), fc.nat(7), async ({ index, at }, bit) => {
        const changed = parts.map(part => Buffer.from(part))
        const part = changed[index] as Buffer
        part.writeUInt8(part.readUInt8(at) ^ (1 << bit), at)
        await expect(
          secrets.decrypt(changed.map(each => each.toString('base64url')).join('.'), 'account 1'),
        ).rejects.toThrow()
      }),
      { numRuns: 500 },
    )
  })

  test('does not reveal its content, and is encrypted differently each time', async () => {
    const [one, other] = [
      await secrets.encrypt('server key', 'account 1'),
      await secrets.encrypt('server key', 'account 1'),
    ]
    expect(one).not.toBe(other)
    expect(one).not.toContain(Buffer.from('server key').toString('base64url'))
  })

  test('cannot be replaced by text that was never encrypted', async () => {
    for (const text of ['', 'server key', 'a.b.c.d.e', '....'])
      await expect(secrets.decrypt(text, '')).rejects.toThrow()
  })
})

describe('the hash of a secret', () => {
  test('has 32 bytes, is the same each time, and depends on a key', () => {
    expect(secrets.hash('gp_live_x')).toHaveLength(32)
    expect(secrets.hash('gp_live_x')).toEqual(deriveSecrets(Buffer.alloc(32, 1)).hash('gp_live_x'))
    expect(secrets.hash('gp_live_x')).not.toEqual(stranger.hash('gp_live_x'))
    expect(secrets.hash('gp_live_x')).not.toEqual(secrets.hash('gp_live_y'))
  })
})

describe('the secrets that a process loads from its database', async () => {
  const [masterKey, newMasterKey] = [randomBytes(32), randomBytes(32)]
  const database = await testDatabase()
  beforeEach(() => database.owner.raw('delete from sealed_keys'))

  test('give the same hashes in every process, even if all processes start at once', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => loadSecrets(database.db, { masterKey })))
    expect(new Set(all.map(each => each.hash('gp_live_x').toString('hex'))).size).toBe(1)
  })

  test('hash with a key that cannot be derived from the master key', async () => {
    const loaded = await loadSecrets(database.db, { masterKey })
    expect(loaded.hash('gp_live_x')).not.toEqual(deriveSecrets(masterKey).hash('gp_live_x'))
  })

  test('hash like an earlier version if the database has API keys which that version hashed', async () => {
    const tenantId = await makeTenant(database.db)
    await database.db.raw(
      `insert into api_keys (id, tenant_id, mode, name, key_hash, display_prefix) values (?, ?, 'live', 'old', ?, 'gp_live_x')`,
      [newId(), tenantId, deriveSecrets(masterKey).hash('gp_live_x')],
    )
    const loaded = await loadSecrets(database.db, { masterKey })
    await database.owner.raw('delete from api_keys')
    expect(loaded.hash('gp_live_x')).toEqual(deriveSecrets(masterKey).hash('gp_live_x'))
  })

  test('name the environment variable in the error if they were encrypted with another master key', async () => {
    await loadSecrets(database.db, { masterKey })
    const wrong = loadSecrets(database.db, { masterKey: newMasterKey })
    await expect(wrong).rejects.toThrow(WrongMasterKeyError)
    await expect(wrong).rejects.toThrow('GAPURA_MASTER_KEY')
  })

  test('decrypt with either master key during its replacement, and encrypt with the new one', async () => {
    const old = await loadSecrets(database.db, { masterKey })
    const both = await loadSecrets(database.db, { masterKey, newMasterKey })
    expect(both.hash('x')).toEqual(old.hash('x'))
    expect(await both.decrypt(await old.encrypt('server key', 'account 1'), 'account 1')).toBe('server key')
    const sealed = await both.encrypt('server key', 'account 1')
    await expect(old.decrypt(sealed, 'account 1')).rejects.toThrow()
    expect(await deriveSecrets(newMasterKey).decrypt(sealed, 'account 1')).toBe('server key')
  })
})

describe('re-encryption under another master key', () => {
  const [from, to] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const reseal = reencrypter(from, to)

  test('keeps the secret’s content and its place', async () => {
    const moved = (await reseal(await secrets.encrypt('server key', 'account 1'))) as string
    expect(await stranger.decrypt(moved, 'account 1')).toBe('server key')
    await expect(stranger.decrypt(moved, 'account 2')).rejects.toThrow()
    await expect(secrets.decrypt(moved, 'account 1')).rejects.toThrow()
  })

  test('leaves a secret unchanged if it was already re-encrypted', async () => {
    expect(await reseal(await stranger.encrypt('server key', 'account 1'))).toBeUndefined()
  })

  test('rejects a secret that is encrypted with neither key', async () => {
    const third = deriveSecrets(Buffer.alloc(32, 3))
    await expect(reseal(await third.encrypt('server key', 'account 1'))).rejects.toThrow(WrongMasterKeyError)
  })
})
