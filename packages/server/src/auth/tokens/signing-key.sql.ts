import type { JWK } from 'jose'
import type { Db, Tx } from '../../db/db.ts'

export type SigningKeyRow = { kid: string; publicJwk: JWK; privateJwkSealed: string }

/**
 * Lists the keys for access tokens that are not retired at the time `at`. The first key in the list signs new tokens,
 * so every process should have read this key already.
 *
 * The order is therefore:
 * - Keys created by the time `settledAt` are first. Among them, keys that were not replaced precede replaced keys, and
 *   newer keys precede older keys.
 * - Keys created later follow, oldest first.
 */
export async function listSigningKeys(db: Db, at: Date, settledAt: Date): Promise<SigningKeyRow[]> {
  const { rows } = await db.raw<{ rows: SigningKeyRow[] }>(
    `select kid, public_jwk as "publicJwk", private_jwk_sealed as "privateJwkSealed"
     from signing_keys, lateral (select created_at <= :settledAt as is_settled) as age
     where retired_at is null or retired_at > :at
     order by is_settled desc, case when is_settled then retired_at is null end desc,
              case when is_settled then created_at end desc, created_at, kid`,
    { at, settledAt },
  )
  return rows
}

/**
 * Inserts a signing key only if there is none yet. If several processes start at once, only one creates the first
 * key.
 */
export async function insertFirstSigningKey(db: Db, key: SigningKeyRow, at: Date): Promise<void> {
  await db.transaction(async tx => {
    await tx.raw('lock table signing_keys in share row exclusive mode')
    await tx.raw(
      `insert into signing_keys (kid, public_jwk, private_jwk_sealed, created_at)
       select :kid, :publicJwk, :privateJwkSealed, :at
       where not exists (select from signing_keys where retired_at is null)`,
      { ...key, publicJwk: JSON.stringify(key.publicJwk), at },
    )
  })
}

/**
 * Inserts the next signing key for access tokens. Returns the IDs of the replaced keys, which still verify tokens
 * until `retiredAt`.
 */
export async function insertNextSigningKey(
  tx: Tx,
  key: SigningKeyRow,
  at: Date,
  retiredAt: Date,
): Promise<string[]> {
  await tx.raw('lock table signing_keys in share row exclusive mode')
  const { rows } = await tx.raw<{ rows: { kid: string }[] }>(
    'update signing_keys set retired_at = ? where retired_at is null returning kid',
    [retiredAt],
  )
  await tx.raw(
    `insert into signing_keys (kid, public_jwk, private_jwk_sealed, created_at)
     values (:kid, :publicJwk, :privateJwkSealed, :at)`,
    { ...key, publicJwk: JSON.stringify(key.publicJwk), at },
  )
  return rows.map(({ kid }) => kid)
}

/**
 * Lists all signing keys' public parts, including those of retired keys, because signatures may be verified years
 * later.
 */
export async function listPublicKeys(db: Db): Promise<JWK[]> {
  const { rows } = await db.raw<{ rows: { publicJwk: JWK }[] }>(
    'select public_jwk as "publicJwk" from signing_keys order by created_at, kid',
  )
  return rows.map(({ publicJwk }) => publicJwk)
}
