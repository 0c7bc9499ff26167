import type { Db } from '../db/db.ts'
import type { Mode } from '../mode.ts'

export type ProviderAccountRow = {
  id: string
  providerCode: string
  mode: Mode
  name: string
  credentialsSealed: string
  baseUrl: string | null
  enabled: boolean
}

export async function findProviderAccount(db: Db, id: string): Promise<ProviderAccountRow | undefined> {
  const { rows } = await db.raw<{ rows: ProviderAccountRow[] }>(
    `select id, provider_code as "providerCode", mode, name, credentials_sealed as "credentialsSealed",
            base_url as "baseUrl", enabled
     from provider_accounts where id = ?`,
    [id],
  )
  return rows[0]
}

export async function insertProviderAccount(db: Db, account: ProviderAccountRow): Promise<void> {
  await db.raw(
    `insert into provider_accounts (id, provider_code, mode, name, credentials_sealed, base_url, enabled)
     values (:id, :providerCode, :mode, :name, :credentialsSealed, :baseUrl, :enabled)`,
    account,
  )
}

export async function setProviderAccountBaseUrl(db: Db, id: string, baseUrl: string): Promise<void> {
  await db.raw(
    'update provider_accounts set base_url = ?, updated_at = now() where id = ? and base_url is distinct from ?',
    [baseUrl, id, baseUrl],
  )
}
