// The keys that sign and verify access tokens. After a rotation, the new key verifies tokens immediately, but signs
// tokens only after every process has read it. The replaced key verifies tokens until the last token that it signed has
// expired.

import type { JWK } from 'jose'
import type { Db } from '../../db/db.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { after } from '../../values/time.ts'
import { insertFirstSigningKey, listSigningKeys, type SigningKeyRow } from './signing-key.sql.ts'
import {
  ACCESS_TOKEN_SECONDS,
  importSigningKey,
  type KeyRing,
  newSigningKey,
  type SigningKey,
} from './token.ts'

/**
 * The age at which a new key starts to sign access tokens. Processes cache the keys for a tenth of this time, so every
 * process has read the new key by then.
 */
const SETTLED_AFTER_MS = 5_000
/**
 * The time between a signing key's replacement and its retirement. It is long enough for the key's last token to
 * expire, plus one minute for clock differences.
 */
export const RETIRED_AFTER_MS = SETTLED_AFTER_MS + ACCESS_TOKEN_SECONDS * 1_000 + 60_000

export async function sealNewSigningKey(secrets: Secrets): Promise<SigningKeyRow> {
  const { kid, publicJwk, privateJwk } = await newSigningKey()
  return { kid, publicJwk, privateJwkSealed: await secrets.encrypt(JSON.stringify(privateJwk), placeOf(kid)) }
}

/**
 * Returns a function that loads the key ring (the keys for access tokens). Each call reads the key ring from the
 * database, but each key is decrypted only once. If there is no key yet, the function creates a key.
 */
export function keyRingLoader(
  db: Db,
  secrets: Secrets,
  clock: () => Date,
  issuer: string,
): () => Promise<KeyRing> {
  let opened = new Map<string, Promise<SigningKey>>()

  async function open({ kid, publicJwk, privateJwkSealed }: SigningKeyRow): Promise<SigningKey> {
    return importSigningKey(
      publicJwk,
      JSON.parse(await secrets.decrypt(privateJwkSealed, placeOf(kid))) as JWK,
    )
  }

  async function read(): Promise<SigningKeyRow[]> {
    const at = clock()
    return listSigningKeys(db, at, after(at, -SETTLED_AFTER_MS))
  }

  return async () => {
    let rows = await read()
    if (rows.length === 0) {
      await insertFirstSigningKey(db, await sealNewSigningKey(secrets), clock())
      rows = await read()
    }
    const keys = new Map(rows.map(row => [row.kid, opened.get(row.kid) ?? open(row)]))
    const ring = { keys: await Promise.all(keys.values()), issuer }
    // The decrypted keys are cached only if all of them could be decrypted. If one decryption fails, the next call
    // decrypts the keys again.
    opened = keys
    return ring
  }
}

const placeOf = (kid: string): string => `signing key ${kid}`
