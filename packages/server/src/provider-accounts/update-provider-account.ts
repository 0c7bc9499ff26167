import type { App } from '../app.ts'
import { type Actor, act } from '../audit/act.ts'
import { GatewayError } from '../errors.ts'
import { isId } from '../id.ts'
import type { AnyProvider } from '../providers/provider.ts'
import { sealCredentials } from './credentials.ts'
import {
  lockProviderAccount,
  type ProviderAccountRecord,
  updateProviderAccountRow,
} from './provider-account.sql.ts'
import { viewProviderAccount } from './provider-account-view.ts'

type Changes = {
  name?: string | undefined
  baseUrl?: string | null | undefined
  enabled?: boolean | undefined
  /** Replaces them all. */
  credentials?: Record<string, unknown> | undefined
}

/** A disabled account gets no new payments; those it has are still paid, asked about and called back. */
export async function updateProviderAccount(
  app: Pick<App, 'db' | 'secrets'>,
  owner: Actor,
  provider: AnyProvider,
  accountId: string,
  { credentials, ...changes }: Changes,
): Promise<ProviderAccountRecord> {
  return act(app, owner, async tx => {
    const before = isId(accountId) ? await lockProviderAccount(tx, provider.code, accountId) : undefined
    if (!before) throw new GatewayError('NOT_FOUND', `provider account ${accountId} not found`)
    const { id, name, enabled } = before
    const after = await updateProviderAccountRow(tx, {
      id,
      name: changes.name ?? name,
      baseUrl: changes.baseUrl === undefined ? before.baseUrl : changes.baseUrl,
      enabled: changes.enabled ?? enabled,
      credentialsSealed: credentials ? await sealCredentials(app.secrets, provider, id, credentials) : null,
    })
    return {
      result: after,
      action: 'provider_account.update',
      tenantId: null,
      subjectId: id,
      before: viewProviderAccount(before),
      after: { ...viewProviderAccount(after), ...(credentials && { credentials: 'replaced' }) },
    }
  })
}
