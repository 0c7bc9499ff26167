import type { Db } from '../db/db.ts'

export async function findEncryptedKey(db: Db, name: string): Promise<string | undefined> {
  const { rows } = await db.raw<{ rows: { encryptedKey: string }[] }>(
    'select key_sealed as "encryptedKey" from sealed_keys where name = ?',
    [name],
  )
  return rows[0]?.encryptedKey
}

/**
 * Inserts a key if none has this name. If several processes start at the same time, all use the key that was
 * inserted first.
 */
export async function insertEncryptedKey(db: Db, name: string, encryptedKey: string): Promise<void> {
  await db.raw('insert into sealed_keys (name, key_sealed) values (?, ?) on conflict do nothing', [
    name,
    encryptedKey,
  ])
}

export async function hasHashes(db: Db): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { there: boolean }[] }>(
    'select exists (select from api_keys) or exists (select from refresh_tokens) as there',
  )
  return rows[0]?.there ?? false
}
