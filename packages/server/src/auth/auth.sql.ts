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
  /** How much longer the key works, from when it was read; null where it has no end. */
  livesMs: number | null
}

/** Undefined for a key that is unknown, revoked or past its time. */
export async function findCredential(db: Db, keyHash: Buffer): Promise<Credential | undefined> {
  const { rows } = await db.raw<{ rows: Credential[] }>(
    `select k.id as "keyId", k.tenant_id as "tenantId", k.mode, t.role, t.tier, t.status as "tenantStatus",
            1000 * extract(epoch from k.expires_at - now())::float8 as "livesMs"
     from api_keys k join tenants t on t.id = k.tenant_id
     where k.key_hash = ? and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
    [keyHash],
  )
  return rows[0]
}

export type User = {
  id: string
  tenantId: string
  passwordHash: string
  role: Role
  tier: Tier
  tenantStatus: 'active' | 'suspended'
}

/** address: as the database compares it, whether or not anybody has it. */
export async function findLogin(db: Db, email: string): Promise<{ address: string; user: User | undefined }> {
  const { rows } = await db.raw<{ rows: ({ address: string } & (User | { id: null }))[] }>(
    `select given.address, u.id, u.tenant_id as "tenantId", u.password_hash as "passwordHash", t.role, t.tier, t.status as "tenantStatus"
     from (select lower(?) as address) given
     left join (users u join tenants t on t.id = u.tenant_id) on lower(u.email) = given.address`,
    [email],
  )
  const { address, ...user } = rows[0] as (typeof rows)[number]
  return { address, user: user.id === null ? undefined : (user as User) }
}
