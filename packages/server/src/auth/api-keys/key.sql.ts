import type { Db, Tx } from '../../db/db.ts'
import type { Mode } from '../../values/mode.ts'
import type { KeyScope } from './scope.ts'

/**
 * An API key as shown in lists, without its secret value. Only the response that creates the key contains
 * the secret value.
 */
export type ApiKey = {
  id: string
  name: string
  mode: Mode
  displayPrefix: string
  createdAt: Date
  lastUsedAt: Date | null
  /** The time when a rotated API key stops working; null for a key that does not expire. */
  expiresAt: Date | null
  revokedAt: Date | null
} & KeyLimits

/** An API key's scopes, and the networks that may use the key. An empty list means no restriction. */
export type KeyLimits = { scopes: KeyScope[]; allowedIps: string[] }

const columns = `id, name, mode, display_prefix as "displayPrefix", created_at as "createdAt", last_used_at as "lastUsedAt",
  expires_at as "expiresAt", revoked_at as "revokedAt",
  scopes, allowed_ips::text[] as "allowedIps"`

/**
 * Converts the parameter `allowedIps` to networks in SQL. The host bits are cleared, because a caller may
 * send 10.0.0.7/8 to mean the network 10.0.0.0/8.
 */
const networks = 'array(select network(given::inet) from unnest(:allowedIps::text[]) given)'

export async function insertApiKey(
  db: Db,
  key: {
    id: string
    tenantId: string
    mode: Mode
    name: string
    keyHash: Buffer
    displayPrefix: string
    createdBy: string | null
  } & KeyLimits,
): Promise<ApiKey> {
  const { rows } = await db.raw<{ rows: ApiKey[] }>(
    `insert into api_keys (id, tenant_id, mode, name, key_hash, display_prefix, created_by, scopes, allowed_ips)
     values (:id, :tenantId, :mode, :name, :keyHash, :displayPrefix, :createdBy, :scopes, ${networks}) returning ${columns}`,
    key,
  )
  return rows[0] as ApiKey
}

/** Lists the tenant's API keys, newest first, including revoked and expired keys. */
export async function listApiKeys(
  db: Db,
  tenantId: string,
  afterId: string | undefined,
  limit: number,
): Promise<ApiKey[]> {
  const { rows } = await db.raw<{ rows: ApiKey[] }>(
    `select ${columns} from api_keys
     where tenant_id = :tenantId and (:afterId::uuid is null or id < :afterId)
     order by id desc limit :limit`,
    { tenantId, afterId: afterId ?? null, limit },
  )
  return rows
}

export async function lockApiKey(tx: Tx, tenantId: string, id: string): Promise<ApiKey | undefined> {
  const { rows } = await tx.raw<{ rows: ApiKey[] }>(
    `select ${columns} from api_keys where tenant_id = ? and id = ? for no key update`,
    [tenantId, id],
  )
  return rows[0]
}

/** Revokes an API key. If the key is already revoked, its revocation time does not change. */
export async function revokeKey(tx: Tx, tenantId: string, id: string): Promise<ApiKey> {
  const { rows } = await tx.raw<{ rows: ApiKey[] }>(
    `update api_keys set revoked_at = coalesce(revoked_at, now())
     where tenant_id = ? and id = ? returning ${columns}`,
    [tenantId, id],
  )
  return rows[0] as ApiKey
}

export async function expireKey(tx: Tx, tenantId: string, id: string, graceMinutes: number): Promise<ApiKey> {
  const { rows } = await tx.raw<{ rows: ApiKey[] }>(
    `update api_keys set expires_at = now() + make_interval(mins => ?)
     where tenant_id = ? and id = ? returning ${columns}`,
    [graceMinutes, tenantId, id],
  )
  return rows[0] as ApiKey
}

export async function updateKeyLimits(
  tx: Tx,
  tenantId: string,
  id: string,
  limits: KeyLimits,
): Promise<ApiKey> {
  const { rows } = await tx.raw<{ rows: ApiKey[] }>(
    `update api_keys set scopes = :scopes, allowed_ips = ${networks}
     where tenant_id = :tenantId and id = :id returning ${columns}`,
    { ...limits, tenantId, id },
  )
  return rows[0] as ApiKey
}

export type KeyUse = { id: string; at: Date }

/**
 * Writes when API keys were last used. A stored time changes only if the new use is at least `resolutionMs` later.
 * Rows are locked in the order of their IDs, because this prevents deadlocks.
 */
export async function writeKeyUses(db: Db, uses: KeyUse[], resolutionMs: number): Promise<void> {
  await db.raw(
    `with used as (
       select k.id, u.at from jsonb_to_recordset(:uses) as u (id uuid, at timestamptz)
       join api_keys k on k.id = u.id
       where k.last_used_at is null or k.last_used_at < u.at - make_interval(secs => :resolutionMs / 1000.0)
       order by k.id for no key update of k
     )
     update api_keys k set last_used_at = used.at from used where k.id = used.id`,
    { uses: JSON.stringify(uses), resolutionMs },
  )
}
