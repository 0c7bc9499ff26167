import type { Db, Tx } from '../db/db.ts'
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

/** What may be shown of one. */
export type ProviderAccountRecord = Omit<ProviderAccountRow, 'credentialsSealed'> & {
  createdAt: Date
  updatedAt: Date
}

const shown = `id, provider_code as "providerCode", mode, name, base_url as "baseUrl", enabled,
  created_at as "createdAt", updated_at as "updatedAt"`

export async function findProviderAccount(db: Db, id: string): Promise<ProviderAccountRow | undefined> {
  const { rows } = await db.raw<{ rows: ProviderAccountRow[] }>(
    `select id, provider_code as "providerCode", mode, name, credentials_sealed as "credentialsSealed",
            base_url as "baseUrl", enabled
     from provider_accounts where id = ?`,
    [id],
  )
  return rows[0]
}

/** Newest first. */
export async function listProviderAccounts(
  db: Db,
  providerCode: string,
  afterId: string | undefined,
  limit: number,
): Promise<ProviderAccountRecord[]> {
  const { rows } = await db.raw<{ rows: ProviderAccountRecord[] }>(
    `select ${shown} from provider_accounts
     where provider_code = :providerCode and (:afterId::uuid is null or id < :afterId)
     order by id desc limit :limit`,
    { providerCode, afterId: afterId ?? null, limit },
  )
  return rows
}

export async function insertProviderAccount(
  db: Db,
  account: ProviderAccountRow,
): Promise<ProviderAccountRecord> {
  const { rows } = await db.raw<{ rows: ProviderAccountRecord[] }>(
    `insert into provider_accounts (id, provider_code, mode, name, credentials_sealed, base_url, enabled)
     values (:id, :providerCode, :mode, :name, :credentialsSealed, :baseUrl, :enabled) returning ${shown}`,
    account,
  )
  return rows[0] as ProviderAccountRecord
}

export async function lockProviderAccount(
  tx: Tx,
  providerCode: string,
  id: string,
): Promise<ProviderAccountRecord | undefined> {
  const { rows } = await tx.raw<{ rows: ProviderAccountRecord[] }>(
    `select ${shown} from provider_accounts where provider_code = ? and id = ? for no key update`,
    [providerCode, id],
  )
  return rows[0]
}

/** credentialsSealed: null leaves them as they are. */
export async function updateProviderAccountRow(
  tx: Tx,
  account: Pick<ProviderAccountRow, 'id' | 'name' | 'baseUrl' | 'enabled'> & {
    credentialsSealed: string | null
  },
): Promise<ProviderAccountRecord> {
  const { rows } = await tx.raw<{ rows: ProviderAccountRecord[] }>(
    `update provider_accounts
     set name = :name, base_url = :baseUrl, enabled = :enabled,
         credentials_sealed = coalesce(:credentialsSealed, credentials_sealed), updated_at = now()
     where id = :id returning ${shown}`,
    account,
  )
  return rows[0] as ProviderAccountRecord
}

export async function setProviderAccountBaseUrl(db: Db, id: string, baseUrl: string): Promise<void> {
  await db.raw(
    'update provider_accounts set base_url = ?, updated_at = now() where id = ? and base_url is distinct from ?',
    [baseUrl, id, baseUrl],
  )
}
