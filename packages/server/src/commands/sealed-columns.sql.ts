import type { Db } from '../db/db.ts'

/**
 * Lists all columns with encrypted values. A test compares this list with the database schema, so that no column is
 * missing.
 */
export const sealedColumns = [
  // The column key_sealed is re-encrypted first, because the service decrypts it at startup. A service that
  // is started with the old key therefore fails at once, not later.
  { table: 'sealed_keys', key: 'name', keyType: 'text', column: 'key_sealed' },
  { table: 'signing_keys', key: 'kid', keyType: 'text', column: 'private_jwk_sealed' },
  { table: 'totp_secrets', key: 'user_id', keyType: 'uuid', column: 'secret_sealed' },
  { table: 'provider_accounts', key: 'id', keyType: 'uuid', column: 'credentials_sealed' },
  { table: 'previous_provider_credentials', key: 'id', keyType: 'uuid', column: 'credentials_sealed' },
  { table: 'webhook_endpoints', key: 'tenant_id', keyType: 'uuid', column: 'secret_sealed' },
  { table: 'webhook_endpoints', key: 'tenant_id', keyType: 'uuid', column: 'previous_secret_sealed' },
  { table: 'previous_webhook_secrets', key: 'id', keyType: 'uuid', column: 'secret_sealed' },
  { table: 'additional_endpoints', key: 'id', keyType: 'uuid', column: 'secret_sealed' },
  { table: 'additional_endpoints', key: 'id', keyType: 'uuid', column: 'previous_secret_sealed' },
  { table: 'management_requests', key: 'id', keyType: 'uuid', column: 'response_sealed' },
] as const
export type SealedColumn = (typeof sealedColumns)[number]

export type SealedText = { key: string; sealed: string }

/**
 * Lists a column's encrypted values, ordered by the table's primary key. If `after` is given, the list starts after the
 * row with this primary key.
 */
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

/**
 * Replaces encrypted values and returns how many were replaced. Skips a value that the running service has changed
 * since it was read. The next search for values to replace finds it again.
 */
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
