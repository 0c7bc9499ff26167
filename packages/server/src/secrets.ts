// What the master key protects: secrets that we must read again are sealed under it. Keys and tokens that we
// only compare are hashed under a random key of their own, which is itself kept sealed; so the master key can
// be replaced (commands/rotate-master-key.ts) without a single API key ceasing to work.

import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader, errors } from 'jose'
import type { Db } from './db/db.ts'
import { findSealedKey, hasHashes, insertSealedKey } from './secrets.sql.ts'

export type Secrets = {
  /** JWE, A256GCM. place: what the secret belongs to; it opens nowhere else. */
  seal(text: string, place: string): Promise<string>
  /** Throws where the seal is broken, or was made for another place or under another master key. */
  open(sealed: string, place: string): Promise<string>
  /** HMAC-SHA256. */
  hash(text: string): Buffer
}

export type MasterKeys = {
  masterKey: Buffer
  /** While the master key is being replaced: seals are made under the new one, and both open. */
  newMasterKey?: Buffer | undefined
}

/** The database's secrets were sealed under a key that we were not given. */
export class WrongMasterKeyError extends Error {
  override name = 'WrongMasterKeyError'
}

const HASHING = 'hash'
const hashingPlace = 'the hashing key'

/** With the database's own hashing key, which the first process to ask for it makes. */
export async function loadSecrets(db: Db, keys: MasterKeys): Promise<Secrets> {
  const seals = sealsOf(keys)
  let sealed = await findSealedKey(db, HASHING)
  if (sealed === undefined) {
    // Hashes that are older than this key were made under one derived from the master key.
    const key = (await hasHashes(db)) ? derive(keys.masterKey, 'hash') : randomBytes(32)
    await insertSealedKey(db, HASHING, await seals.seal(Buffer.from(key).toString('base64'), hashingPlace))
    sealed = (await findSealedKey(db, HASHING)) as string
  }
  const hashingKey = Buffer.from(await seals.open(sealed, hashingPlace).catch(explainKey), 'base64')
  return { ...seals, hash: hashUnder(hashingKey) }
}

/** Without a database: the hashing key is derived, too. */
export function deriveSecrets(masterKey: Buffer): Secrets {
  return { ...sealsOf({ masterKey }), hash: hashUnder(derive(masterKey, 'hash')) }
}

/** Moves a seal to another master key; undefined where it is under that one already. */
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

/** One key for each use (HKDF, RFC 5869). */
const derive = (masterKey: Buffer, use: string) =>
  new Uint8Array(hkdfSync('sha256', masterKey, '', `gapura ${use}`, 32))

const hashUnder = (key: Uint8Array) => (text: string) => createHmac('sha256', key).update(text).digest()

function explainKey(error: unknown): never {
  if (!(error instanceof errors.JWEDecryptionFailed)) throw error
  throw new WrongMasterKeyError(
    'the master key does not open what this database has sealed; set GAPURA_MASTER_KEY to the key it was set up with, and GAPURA_NEW_MASTER_KEY too while one is being replaced',
    { cause: error },
  )
}
