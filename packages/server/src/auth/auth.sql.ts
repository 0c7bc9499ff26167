import type { JWK } from 'jose'
import type { Db } from '../db/db.ts'
import type { Mode } from '../mode.ts'
import type { Role, Tier } from '../tenants/tenant.ts'

/** A living API key with what its tenant may do. */
export type Credential = {
  keyId: string
  tenantId: string
  mode: Mode
  role: Role
  tier: Tier
  tenantStatus: 'active' | 'suspended'
}

/** Undefined for a key that is unknown, revoked or past its time. */
export async function findCredential(db: Db, keyHash: Buffer): Promise<Credential | undefined> {
  const { rows } = await db.raw<{ rows: Credential[] }>(
    `select k.id as "keyId", k.tenant_id as "tenantId", k.mode, t.role, t.tier, t.status as "tenantStatus"
     from api_keys k join tenants t on t.id = k.tenant_id
     where k.key_hash = ? and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
    [keyHash],
  )
  return rows[0]
}

export async function insertApiKey(
  db: Db,
  key: { id: string; tenantId: string; mode: Mode; name: string; keyHash: Buffer; displayPrefix: string },
): Promise<void> {
  await db.raw(
    `insert into api_keys (id, tenant_id, mode, name, key_hash, display_prefix)
     values (:id, :tenantId, :mode, :name, :keyHash, :displayPrefix)`,
    key,
  )
}

export async function revokeApiKey(db: Db, tenantId: string, id: string): Promise<void> {
  await db.raw(
    'update api_keys set revoked_at = now() where tenant_id = ? and id = ? and revoked_at is null',
    [tenantId, id],
  )
}

export type User = {
  id: string
  tenantId: string
  passwordHash: string
  role: Role
  tier: Tier
  tenantStatus: 'active' | 'suspended'
}

export async function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  const { rows } = await db.raw<{ rows: User[] }>(
    `select u.id, u.tenant_id as "tenantId", u.password_hash as "passwordHash", t.role, t.tier, t.status as "tenantStatus"
     from users u join tenants t on t.id = u.tenant_id
     where lower(u.email) = lower(?)`,
    [email],
  )
  return rows[0]
}

export async function insertUser(
  db: Db,
  user: { id: string; tenantId: string; email: string; passwordHash: string },
): Promise<void> {
  await db.raw(
    'insert into users (id, tenant_id, email, password_hash) values (:id, :tenantId, :email, :passwordHash)',
    user,
  )
}

export async function insertRefreshToken(
  db: Db,
  token: { tokenHash: Buffer; familyId: string; userId: string; expiresAt: Date },
): Promise<void> {
  await db.raw(
    'insert into refresh_tokens (token_hash, family_id, user_id, expires_at) values (:tokenHash, :familyId, :userId, :expiresAt)',
    token,
  )
}

export type SigningKeyRow = { kid: string; publicJwk: JWK; privateJwkSealed: string }

/** Newest first. */
export async function listSigningKeys(db: Db): Promise<SigningKeyRow[]> {
  const { rows } = await db.raw<{ rows: SigningKeyRow[] }>(
    `select kid, public_jwk as "publicJwk", private_jwk_sealed as "privateJwkSealed"
     from signing_keys where retired_at is null order by created_at desc, kid desc`,
  )
  return rows
}

/** Only where there is none yet: of processes that start at once one makes the first key. */
export async function insertFirstSigningKey(db: Db, key: SigningKeyRow): Promise<void> {
  await db.transaction(async tx => {
    await tx.raw('lock table signing_keys in share row exclusive mode')
    await tx.raw(
      `insert into signing_keys (kid, public_jwk, private_jwk_sealed)
       select :kid, :publicJwk, :privateJwkSealed where not exists (select from signing_keys where retired_at is null)`,
      { ...key, publicJwk: JSON.stringify(key.publicJwk) },
    )
  })
}
