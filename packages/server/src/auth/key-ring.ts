// The keys that tokens are signed and verified with. A new key is shown and verifies at once, and signs once
// every process must have read it; a key that it follows verifies until its last token has expired.

import type { JWK } from 'jose'
import type { Db } from '../db/db.ts'
import type { Secrets } from '../secrets.ts'
import { after } from '../time.ts'
import { insertFirstSigningKey, listSigningKeys, type SigningKeyRow } from './signing-key.sql.ts'
import {
  ACCESS_TOKEN_SECONDS,
  importSigningKey,
  type KeyRing,
  newSigningKey,
  type SigningKey,
} from './token.ts'

/** Ten times as long as a process keeps what it read, for clocks that do not quite agree. */
const SETTLED_AFTER_MS = 5_000
/** Until it signed last, then as long as that token lives, then a minute for clocks that do not agree. */
export const RETIRED_AFTER_MS = SETTLED_AFTER_MS + ACCESS_TOKEN_SECONDS * 1_000 + 60_000

export async function sealNewSigningKey(secrets: Secrets): Promise<SigningKeyRow> {
  const { kid, publicJwk, privateJwk } = await newSigningKey()
  return { kid, publicJwk, privateJwkSealed: await secrets.seal(JSON.stringify(privateJwk), placeOf(kid)) }
}

/** Reads the ring anew at each call, but opens a key once only. The very first key is made here. */
export function keyRingLoader(
  db: Db,
  secrets: Secrets,
  clock: () => Date,
  issuer: string,
): () => Promise<KeyRing> {
  let opened = new Map<string, Promise<SigningKey>>()

  async function open({ kid, publicJwk, privateJwkSealed }: SigningKeyRow): Promise<SigningKey> {
    return importSigningKey(publicJwk, JSON.parse(await secrets.open(privateJwkSealed, placeOf(kid))) as JWK)
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
    // Only now: a key that did not open is tried again.
    opened = keys
    return ring
  }
}

const placeOf = (kid: string): string => `signing key ${kid}`
