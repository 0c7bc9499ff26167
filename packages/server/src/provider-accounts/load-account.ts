import type { Db } from '../db/db.ts'
import type { AnyProvider, ProviderAccount } from '../providers/provider.ts'
import type { Secrets } from '../secrets.ts'
import { credentialsPlace } from './credentials.ts'
import { findProviderAccount } from './provider-account.sql.ts'

/** An account with its credentials open, and the adapter that speaks for it. */
export type LoadedAccount = { provider: AnyProvider; account: ProviderAccount<unknown> }
export type LoadAccount = (id: string) => Promise<LoadedAccount | undefined>

/** A disabled account is loaded too: its payments are still paid, asked about and called back. */
export function accountLoader(
  db: Db,
  secrets: Secrets,
  providers: ReadonlyMap<string, AnyProvider>,
): LoadAccount {
  return async id => {
    const row = await findProviderAccount(db, id)
    const provider = row && providers.get(row.providerCode)
    if (!row || !provider) return undefined
    const credentials: unknown = JSON.parse(await secrets.open(row.credentialsSealed, credentialsPlace(id)))
    return {
      provider,
      account: {
        id,
        mode: row.mode,
        credentials: provider.credentials.parse(credentials),
        baseUrl: row.baseUrl,
      },
    }
  }
}
