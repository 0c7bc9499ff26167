import type { Db } from '../db/db.ts'
import { joined } from '../db/joined.ts'
import { statement } from '../db/statement.ts'
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
  /** Of a key for the test payments of a dashboard session (create-session-key.ts), which works as long as the session. */
  sessionId: string | null
  /** How much longer the key works, from when it was read; null where it has no end. */
  livesMs: number | null
}

const selectCredentials = statement<Credential & { hash: string }>(
  `select encode(given.hash, 'hex') as hash, k.id as "keyId", k.tenant_id as "tenantId", k.mode, t.role, t.tier,
          t.status as "tenantStatus", k.session_id as "sessionId",
          1000 * extract(epoch from k.expires_at - now())::float8 as "livesMs"
   from unnest(:hashes::bytea[]) as given (hash)
   cross join lateral (
     (select id, tenant_id, mode, expires_at, null::uuid as session_id from api_keys
      where key_hash = given.hash and revoked_at is null and (expires_at is null or expires_at > now()) limit 1)
     union all
     (select id, tenant_id, 'test', expires_at, session_id from session_keys
      where key_hash = given.hash and expires_at > now() limit 1)
   ) k
   cross join lateral (select * from tenants where id = k.tenant_id limit 1) t`,
)

/** Of a key's hash; undefined for one that is unknown, revoked or past its time. */
export const findCredential = joined(
  'find_credentials',
  async (db, hashes: Buffer[]): Promise<(Credential | undefined)[]> => {
    const rows = await selectCredentials(db, { hashes })
    const found = new Map(rows.map(({ hash, ...credential }) => [hash, credential]))
    return hashes.map(hash => found.get(hash.toString('hex')))
  },
)

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
