import type { Db } from '../db/db.ts'
import type { ProviderAccountRow } from './provider-account.sql.ts'

export type KnownAccount = Pick<ProviderAccountRow, 'id' | 'providerCode' | 'mode' | 'name' | 'enabled'>

export async function listKnownAccounts(db: Db): Promise<KnownAccount[]> {
  const { rows } = await db.raw<{ rows: KnownAccount[] }>(
    `select id, provider_code as "providerCode", mode, name, enabled from provider_accounts order by id desc`,
  )
  return rows
}
