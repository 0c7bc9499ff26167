import type { JWK } from 'jose'
import type { Db } from '../db/db.ts'
import type { Secrets } from '../secrets.ts'
import { insertFirstSigningKey, listSigningKeys } from './auth.sql.ts'
import { importSigningKey, type KeyRing, newSigningKey, type SigningKey } from './token.ts'

const placeOf = (kid: string): string => `signing key ${kid}`

/** The keys that tokens are signed and verified with; the very first one is made here. */
export async function loadKeyRing(db: Db, secrets: Secrets, issuer: string): Promise<KeyRing> {
  let rows = await listSigningKeys(db)
  if (rows.length === 0) {
    const { kid, publicJwk, privateJwk } = await newSigningKey()
    await insertFirstSigningKey(db, {
      kid,
      publicJwk,
      privateJwkSealed: await secrets.seal(JSON.stringify(privateJwk), placeOf(kid)),
    })
    rows = await listSigningKeys(db)
  }
  const open = async ({ kid, publicJwk, privateJwkSealed }: (typeof rows)[number]): Promise<SigningKey> =>
    importSigningKey(publicJwk, JSON.parse(await secrets.open(privateJwkSealed, placeOf(kid))) as JWK)
  return { keys: await Promise.all(rows.map(open)), issuer }
}
