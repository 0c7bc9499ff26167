import type { Db } from '../db/db.ts'

/** Where sealed texts are. A test holds it against the database, so that none is forgotten. */
export const sealedColumns = [
  // First: a service that is started with the old key alone then stops at once instead of failing by and by.
  { table: 'sealed_keys', key: 'name', keyType: 'text', column: 'key_sealed' },
  { table: 'signing_keys', key: 'kid', keyType: 'text', column: 'private_jwk_sealed' },
  { table: 'provider_accounts', key: 'id', keyType: 'uuid', column: 'credentials_sealed' },
  { table: 'previous_provider_credentials', key: 'id', keyType: 'uuid', column: 'credentials_sealed' },
  { table: 'webhook_endpoints', key: 'tenant_id', keyType: 'uuid', column: 'secret_sealed' },
  { table: 'webhook_endpoints', key: 'tenant_id', keyType: 'uuid', column: 'previous_secret_sealed' },
  { table: 'previous_webhook_secrets', key: 'id', keyType: 'uuid', column: 'secret_sealed' },
] as const
export type SealedColumn = (typeof sealedColumns)[number]

export type SealedText = { key: string; sealed: string }

/** In the order of their keys, from behind the given one. */
export async function listSealed(
  db: Db,
  { table, key, keyType, column }: SealedColumn,
  after: string | undefined,
  limit: number,
): Promise<SealedText[]> {
  const { rows } = await db.raw<{ rows: SealedText[] }>(
    `select ${key}::text as key, ${column} as sealed from ${table}
     where ${column} is not null and (:after::${keyType} is null or ${key} > :after::${keyType})
     order by ${key} limit :limit`,
    { after: after ?? null, limit },
  )
  return rows
}

/** Each only where it is still what was read: whatever was changed meanwhile is newer. Returns how many. */
export async function replaceSealed(
  db: Db,
  { table, key, keyType, column }: SealedColumn,
  changes: (SealedText & { was: string })[],
): Promise<number> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `update ${table} t set ${column} = c.sealed
     from jsonb_to_recordset(:changes) as c (key ${keyType}, was text, sealed text)
     where t.${key} = c.key and t.${column} = c.was
     returning 1`,
    { changes: JSON.stringify(changes) },
  )
  return rows.length
}
