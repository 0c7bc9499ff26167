// Protects secrets with the master key. Secrets that must be read again are encrypted. API keys and tokens are only
// compared, so they are hashed with a random hashing key. The hashing key is stored encrypted, so replacing the
// master key does not invalidate API keys (commands/rotate-master-key.ts).

import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader, errors } from 'jose'
import type { Db } from '../db/db.ts'
import { findEncryptedKey, hasHashes, insertEncryptedKey } from './secrets.sql.ts'

export type Secrets = {
  /**
   * Encrypts a secret and returns a JWE (A256GCM). `context` names the secret's owner. Decrypting requires the same
   * context, so a secret cannot be moved to another owner.
   */
  encrypt(text: string, context: string): Promise<string>
  /**
   * Decrypts a secret. Throws if the ciphertext was altered or was encrypted for another context or with another
   * master key.
   */
  decrypt(encrypted: string, context: string): Promise<string>
  /** Returns a secret's HMAC-SHA256, computed with this service's hashing key. */
  hash(text: string): Buffer
}

export type MasterKeys = {
  masterKey: Buffer
  /**
   * The next master key, set only while the master key is being replaced. Encryption then uses the new key, and
   * decryption accepts both keys.
   */
  newMasterKey?: Buffer | undefined
}

/** Thrown when the secrets in the database were encrypted with a master key that is not configured. */
export class WrongMasterKeyError extends Error {
  override name = 'WrongMasterKeyError'
}

const HASHING = 'hash'
const hashingContext = 'the hashing key'

/**
 * Returns functions that encrypt and hash secrets. The hashing key is stored in the database; the first process to
 * start creates it.
 */
export async function loadSecrets(db: Db, keys: MasterKeys): Promise<Secrets> {
  const encryption = encryptionWith(keys)
  let encrypted = await findEncryptedKey(db, HASHING)
  if (encrypted === undefined) {
    // Earlier versions derived the key for hashing secrets from the master key. If the database contains
    // hashes made with this derived key, the service continues to use it.
    const key = (await hasHashes(db)) ? derive(keys.masterKey, 'hash') : randomBytes(32)
    await insertEncryptedKey(
      db,
      HASHING,
      await encryption.encrypt(Buffer.from(key).toString('base64'), hashingContext),
    )
    encrypted = (await findEncryptedKey(db, HASHING)) as string
  }
  const hashingKey = Buffer.from(
    await encryption.decrypt(encrypted, hashingContext).catch(explainKey),
    'base64',
  )
  return { ...encryption, hash: hashUnder(hashingKey) }
}

/**
 * Returns the functions that encrypt and hash secrets, for use without a database. Unlike in `loadSecrets`, the hashing
 * key is derived from the master key.
 */
export function deriveSecrets(masterKey: Buffer): Secrets {
  return { ...encryptionWith({ masterKey }), hash: hashUnder(derive(masterKey, 'hash')) }
}

/**
 * Returns a function that re-encrypts a secret with another master key. The function returns undefined if the secret is
 * already encrypted with the other key.
 */
export function reencrypter(from: Buffer, to: Buffer): (encrypted: string) => Promise<string | undefined> {
  const old = encryptionWith({ masterKey: from })
  const next = encryptionWith({ masterKey: to })
  return async encrypted => {
    const { place: context } = decodeProtectedHeader(encrypted) as { place: string }
    const isMoved = await next.decrypt(encrypted, context).then(
      () => true,
      () => false,
    )
    if (isMoved) return undefined
    return next.encrypt(await old.decrypt(encrypted, context).catch(explainKey), context)
  }
}

function encryptionWith({ masterKey, newMasterKey }: MasterKeys): Pick<Secrets, 'encrypt' | 'decrypt'> {
  const keys = (newMasterKey ? [newMasterKey, masterKey] : [masterKey]).map(key => derive(key, 'seal'))
  return {
    encrypt: (text, context) =>
      new CompactEncrypt(new TextEncoder().encode(text))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', place: context })
        .encrypt(keys[0] as Uint8Array),
    async decrypt(encrypted, context) {
      const { plaintext, protectedHeader } = await decryptWithAny(encrypted, keys)
      if (protectedHeader.place !== context)
        throw new Error(
          `a secret that was encrypted for ${protectedHeader.place} was found in the context ${context}`,
        )
      return new TextDecoder().decode(plaintext)
    },
  }
}

async function decryptWithAny(
  encrypted: string,
  [key, ...others]: Uint8Array[],
): ReturnType<typeof compactDecrypt> {
  try {
    return await compactDecrypt(encrypted, key as Uint8Array, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    })
  } catch (error) {
    if (others.length === 0 || !(error instanceof errors.JWEDecryptionFailed)) throw error
    return decryptWithAny(encrypted, others)
  }
}

/** Derives a separate key from the master key for each use (HKDF, RFC 5869). */
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
