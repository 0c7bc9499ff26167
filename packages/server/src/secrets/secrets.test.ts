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

describe('a secret can be decrypted only with its master key and in its context', () => {
  test('decrypting a secret with the same encryption context that it was encrypted with returns the original text', async () => {
    await fc.assert(
      fc.asyncProperty(anyText(), fc.string({ unit: 'grapheme' }), async (text, place) => {
        expect(await secrets.decrypt(await secrets.encrypt(text, place), place)).toBe(text)
      }),
    )
  })

  test('a secret that was encrypted for one context, such as an account, cannot be decrypted for another context', async () => {
    const sealed = await secrets.encrypt('server key', 'account 1')
    for (const place of ['account 2', '', 'account 1 ', 'Account 1'])
      await expect(secrets.decrypt(sealed, place)).rejects.toThrow()
  })

  test('an encrypted secret cannot be decrypted with another master key', async () => {
    await expect(
      stranger.decrypt(await secrets.encrypt('server key', 'account 1'), 'account 1'),
    ).rejects.toThrow()
  })

  test('an encrypted secret cannot be decrypted if any of its bits has changed', async () => {
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

  test('an encrypted secret does not contain its plaintext, and encrypting the same secret twice gives different results', async () => {
    const [one, other] = [
      await secrets.encrypt('server key', 'account 1'),
      await secrets.encrypt('server key', 'account 1'),
    ]
    expect(one).not.toBe(other)
    expect(one).not.toContain(Buffer.from('server key').toString('base64url'))
  })

  test('decryption rejects text that is not encrypted', async () => {
    for (const text of ['', 'server key', 'a.b.c.d.e', '....'])
      await expect(secrets.decrypt(text, '')).rejects.toThrow()
  })
})

describe('hashes of secrets', () => {
  test("a secret's hash has 32 bytes and depends only on the secret and the hashing key", () => {
    expect(secrets.hash('gp_live_x')).toHaveLength(32)
    expect(secrets.hash('gp_live_x')).toEqual(deriveSecrets(Buffer.alloc(32, 1)).hash('gp_live_x'))
    expect(secrets.hash('gp_live_x')).not.toEqual(stranger.hash('gp_live_x'))
    expect(secrets.hash('gp_live_x')).not.toEqual(secrets.hash('gp_live_y'))
  })
})

describe('all processes load the same key for hashing secrets from the database', async () => {
  const [masterKey, newMasterKey] = [randomBytes(32), randomBytes(32)]
  const database = await testDatabase()
  beforeEach(() => database.owner.raw('delete from sealed_keys'))

  test('all processes load the same hashing key, even if they start at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => loadSecrets(database.db, { masterKey })))
    expect(new Set(all.map(each => each.hash('gp_live_x').toString('hex'))).size).toBe(1)
  })

  test('the key for hashing API keys comes from the database and cannot be derived from the master key', async () => {
    const loaded = await loadSecrets(database.db, { masterKey })
    expect(loaded.hash('gp_live_x')).not.toEqual(deriveSecrets(masterKey).hash('gp_live_x'))
  })

  test('API keys from an earlier version stay valid, because their hashes are computed in the same way', async () => {
    const tenantId = await makeTenant(database.db)
    await database.db.raw(
      `insert into api_keys (id, tenant_id, mode, name, key_hash, display_prefix) values (?, ?, 'live', 'old', ?, 'gp_live_x')`,
      [newId(), tenantId, deriveSecrets(masterKey).hash('gp_live_x')],
    )
    const loaded = await loadSecrets(database.db, { masterKey })
    await database.owner.raw('delete from api_keys')
    expect(loaded.hash('gp_live_x')).toEqual(deriveSecrets(masterKey).hash('gp_live_x'))
  })

  test("if the database's secrets were encrypted with another master key, the error names the environment variable to set", async () => {
    await loadSecrets(database.db, { masterKey })
    const wrong = loadSecrets(database.db, { masterKey: newMasterKey })
    await expect(wrong).rejects.toThrow(WrongMasterKeyError)
    await expect(wrong).rejects.toThrow('GAPURA_MASTER_KEY')
  })

  test('while the master key is replaced, secrets are decrypted with either key and encrypted with the new key', async () => {
    const old = await loadSecrets(database.db, { masterKey })
    const both = await loadSecrets(database.db, { masterKey, newMasterKey })
    expect(both.hash('x')).toEqual(old.hash('x'))
    expect(await both.decrypt(await old.encrypt('server key', 'account 1'), 'account 1')).toBe('server key')
    const sealed = await both.encrypt('server key', 'account 1')
    await expect(old.decrypt(sealed, 'account 1')).rejects.toThrow()
    expect(await deriveSecrets(newMasterKey).decrypt(sealed, 'account 1')).toBe('server key')
  })
})

describe('secrets can be re-encrypted under another master key', () => {
  const [from, to] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const reseal = reencrypter(from, to)

  test('a re-encrypted secret has the same content, and can be decrypted only with its original encryption context', async () => {
    const moved = (await reseal(await secrets.encrypt('server key', 'account 1'))) as string
    expect(await stranger.decrypt(moved, 'account 1')).toBe('server key')
    await expect(stranger.decrypt(moved, 'account 2')).rejects.toThrow()
    await expect(secrets.decrypt(moved, 'account 1')).rejects.toThrow()
  })

  test('re-encrypting an already re-encrypted secret does not change it', async () => {
    expect(await reseal(await stranger.encrypt('server key', 'account 1'))).toBeUndefined()
  })

  test('re-encryption rejects a secret encrypted with neither the old nor the new master key', async () => {
    const third = deriveSecrets(Buffer.alloc(32, 3))
    await expect(reseal(await third.encrypt('server key', 'account 1'))).rejects.toThrow(WrongMasterKeyError)
  })
})
