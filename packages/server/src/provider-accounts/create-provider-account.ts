import { type Actor, auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db } from '../db/db.ts'
import type { AnyProvider } from '../providers/provider.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { newId } from '../values/id.ts'
import type { Clock } from '../values/time.ts'
import { encryptCredentials } from './credentials.ts'
import {
  insertProviderAccount,
  type ProviderAccountRecord,
  type ProviderAccountRow,
} from './provider-account.sql.ts'
import { viewProviderAccount } from './provider-account-view.ts'

/**
 * Creates a provider account. A tenant can use the new account only with an entitlement (the permission to charge
 * through it).
 */
export async function createProviderAccount(
  app: { db: Db; secrets: Secrets; clock: Clock },
  owner: Actor,
  provider: AnyProvider,
  wanted: Omit<ProviderAccountRow, 'id' | 'providerCode' | 'credentialsSealed'> & {
    credentials: Record<string, unknown>
  },
): Promise<ProviderAccountRecord> {
  const id = newId()
  const { credentials, ...rest } = wanted
  const credentialsSealed = await encryptCredentials(app.secrets, provider, id, credentials)
  return auditedTransaction(app, owner, async tx => {
    const account = await insertProviderAccount(tx, {
      ...rest,
      id,
      providerCode: provider.code,
      credentialsSealed,
    })
    return {
      result: account,
      action: 'provider_account.create',
      tenantId: null,
      subjectId: id,
      before: null,
      after: viewProviderAccount(account, app.clock()),
    }
  })
}
