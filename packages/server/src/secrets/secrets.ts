// Protects secrets with the master key. Secrets that must be read again are encrypted with it. API keys and tokens,
// which are only compared, are hashed with a random key that is itself stored encrypted. So the master key can be
// replaced (commands/rotate-master-key.ts) and all API keys stay valid.

import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader, errors } from 'jose'
import type { Db } from '../db/db.ts'
import { findSealedKey, hasHashes, insertSealedKey } from './secrets.sql.ts'

export type Secrets = {
  /**
   * Encrypts a secret and returns a JWE (A256GCM). `place` names the object to which the secret belongs; decrypting
   * requires the same place.
   */
  seal(text: string, place: string): Promise<string>
  /**
   * Decrypts a secret. Throws if the ciphertext was altered, or was encrypted for another place or with another master
   * key.
   */
  open(sealed: string, place: string): Promise<string>
  /** Returns the HMAC-SHA256 of the text. */
  hash(text: string): Buffer
}

export type MasterKeys = {
  masterKey: Buffer
  /**
   * The next key, set only while the master key is being replaced. Encryption then uses the new key, and decryption
   * accepts both.
   */
  newMasterKey?: Buffer | undefined
}

/** The database's secrets were encrypted with a master key other than the given ones. */
export class WrongMasterKeyError extends Error {
  override name = 'WrongMasterKeyError'
}

const HASHING = 'hash'
const hashingPlace = 'the hashing key'

/**
 * Returns functions that encrypt and hash secrets. The hashing key is stored in the database; the first process that
 * starts creates it.
 */
export async function loadSecrets(db: Db, keys: MasterKeys): Promise<Secrets> {
  const seals = sealsOf(keys)
  let sealed = await findSealedKey(db, HASHING)
  if (sealed === undefined) {
    // Earlier versions hashed with a key that was derived from the master key. If the database has such hashes, that
    // key stays in use.
    const key = (await hasHashes(db)) ? derive(keys.masterKey, 'hash') : randomBytes(32)
    await insertSealedKey(db, HASHING, await seals.seal(Buffer.from(key).toString('base64'), hashingPlace))
    sealed = (await findSealedKey(db, HASHING)) as string
  }
  const hashingKey = Buffer.from(await seals.open(sealed, hashingPlace).catch(explainKey), 'base64')
  return { ...seals, hash: hashUnder(hashingKey) }
}

/** Returns the same functions for use without a database. Here the hashing key is derived from the master key. */
export function deriveSecrets(masterKey: Buffer): Secrets {
  return { ...sealsOf({ masterKey }), hash: hashUnder(derive(masterKey, 'hash')) }
}

/**
 * Returns a function that re-encrypts a secret with another master key. It returns undefined if the secret is already
 * encrypted with that key.
 */
export function resealer(from: Buffer, to: Buffer): (sealed: string) => Promise<string | undefined> {
  const old = sealsOf({ masterKey: from })
  const next = sealsOf({ masterKey: to })
  return async sealed => {
    const { place } = decodeProtectedHeader(sealed) as { place: string }
    const isMoved = await next.open(sealed, place).then(
      () => true,
      () => false,
    )
    if (isMoved) return undefined
    return next.seal(await old.open(sealed, place).catch(explainKey), place)
  }
}

function sealsOf({ masterKey, newMasterKey }: MasterKeys): Pick<Secrets, 'seal' | 'open'> {
  const keys = (newMasterKey ? [newMasterKey, masterKey] : [masterKey]).map(key => derive(key, 'seal'))
  return {
    seal: (text, place) =>
      new CompactEncrypt(new TextEncoder().encode(text))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', place })
        .encrypt(keys[0] as Uint8Array),
    async open(sealed, place) {
      const { plaintext, protectedHeader } = await decrypt(sealed, keys)
      if (protectedHeader.place !== place)
        throw new Error(`a secret sealed for ${protectedHeader.place} was found at ${place}`)
      return new TextDecoder().decode(plaintext)
    },
  }
}

async function decrypt(sealed: string, [key, ...others]: Uint8Array[]): ReturnType<typeof compactDecrypt> {
  try {
    return await compactDecrypt(sealed, key as Uint8Array, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    })
  } catch (error) {
    if (others.length === 0 || !(error instanceof errors.JWEDecryptionFailed)) throw error
    return decrypt(sealed, others)
  }
}

/** Derives a separate key for each use (HKDF, RFC 5869). */
const derive = (masterKey: Buffer, use: string) =>
  new Uint8Array(hkdfSync('sha256', masterKey, '', `gapura ${use}`, 32))

const hashUnder = (key: Uint8Array) => (text: string) => createHmac('sha256', key).update(text).digest()

function explainKey(error: unknown): never {
  if (!(error instanceof errors.JWEDecryptionFailed)) throw error
  throw new WrongMasterKeyError(
    'the master key cannot decrypt the secrets in this database; set GAPURA_MASTER_KEY to the key that encrypted them, and also GAPURA_NEW_MASTER_KEY during a rotation',
    { cause: error },
  )
}
