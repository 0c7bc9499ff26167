import { batchedRead } from '../db/batch/batched-read.ts'
import type { Db } from '../db/db.ts'
import type { Role, Tier } from '../tenants/tenant.ts'
import type { Mode } from '../values/mode.ts'
import type { KeyScope } from './api-keys/scope.ts'
import type { Permission } from './users/permission.ts'

/** A valid API key with its tenant's role, tier and status. */
export type Credential = {
  keyId: string
  tenantId: string
  mode: Mode
  role: Role
  tier: Tier
  tenantStatus: 'active' | 'suspended'
  /**
   * The dashboard session that creates test payments with this key (create-session-key.ts). The key expires with the
   * session. Null for all other keys.
   */
  sessionId: string | null
  scopes: KeyScope[]
  /** The networks that may use the key; an empty list means any address. */
  allowedIps: string[]
  /**
   * The number of milliseconds between this database read and the API key's expiry. Null if the key does not expire.
   */
  livesMs: number | null
}

const findCredentials = batchedRead<Buffer, Credential>('find_credentials', {
  key: { hash: ['bytea', hash => hash] },
  select: restrict => `
    select key.id as "keyId", key.tenant_id as "tenantId", key.mode, t.role, t.tier, t.status as "tenantStatus",
           key.session_id as "sessionId", key.scopes, key.allowed_ips::text[] as "allowedIps", 1000 * extract(epoch from key.expires_at - now())::float8 as "livesMs"
    from (
      (select id, tenant_id, mode, expires_at, null::uuid as session_id, scopes, allowed_ips from ${restrict('api_keys')} a
       where key_hash = k.hash and revoked_at is null and (expires_at is null or expires_at > now()) limit 1)
      union all
      (select id, tenant_id, 'test', expires_at, session_id, '{}', '{}' from ${restrict('session_keys')} s
       where key_hash = k.hash and expires_at > now() limit 1)
    ) key
    cross join lateral (select * from ${restrict('tenants')} o where o.id = key.tenant_id limit 1) t`,
})

/** Looks up an API key by its hash. Returns undefined if the key is unknown, revoked or expired. */
export const findCredentialInBatch = async (db: Db, hash: Buffer): Promise<Credential | undefined> =>
  (await findCredentials(db, hash))[0]

export type User = {
  id: string
  tenantId: string
  passwordHash: string
  role: Role
  tier: Tier
  tenantStatus: 'active' | 'suspended'
  permissions: Permission[]
  hasSecondFactor: boolean
}

/**
 * An SQL condition that is true if the user `u` has enabled a second factor, which is a confirmed authenticator app
 * or a passkey.
 */
export const hasSecondFactor = `(exists (select from totp_secrets f where f.user_id = u.id and f.confirmed_at is not null)
  or exists (select from passkeys f where f.user_id = u.id))`

/**
 * Finds the active user with the given email address. Also returns `address`, the email address in lower case as the
 * database compares it, even if there is no such user.
 */
export async function findUserByEmail(
  db: Db,
  email: string,
): Promise<{ address: string; user: User | undefined }> {
  const { rows } = await db.raw<{ rows: ({ address: string } & (User | { id: null }))[] }>(
    `select given.address, u.id, u.tenant_id as "tenantId", u.password_hash as "passwordHash", u.permissions, ${hasSecondFactor} as "hasSecondFactor", t.role, t.tier, t.status as "tenantStatus"
     from (select lower(?) as address) given
     left join (users u join tenants t on t.id = u.tenant_id) on lower(u.email) = given.address and u.status = 'active'`,
    [email],
  )
  const { address, ...user } = rows[0] as (typeof rows)[number]
  return { address, user: user.id === null ? undefined : (user as User) }
}
