import { isDeepStrictEqual } from 'node:util'
import { type Actor, auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db, Tx } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import type { AnyProvider } from '../providers/provider.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { isId, newId } from '../values/id.ts'
import type { Cents } from '../values/money.ts'
import { after, type Clock } from '../values/time.ts'
import { credentialsContext, encryptCredentials } from './credentials.ts'
import {
  deletePreviousCredentials,
  insertPreviousCredentials,
  lockProviderAccount,
  type ProviderAccountRecord,
  updateProviderAccountRow,
} from './provider-account.sql.ts'
import { viewProviderAccount } from './provider-account-view.ts'

type Changes = {
  name?: string | undefined
  baseUrl?: string | null | undefined
  enabled?: boolean | undefined
  /** The new credentials, which replace all credential fields. If omitted, the credentials stay unchanged. */
  credentials?: Record<string, unknown> | undefined
  /**
   * How many hours replaced credentials stay valid. If 0, all previous credentials are deleted, even if `credentials`
   * is omitted.
   */
  previousCredentialsHours?: number | undefined
  callbackSources?: string[] | undefined
  inquireAbove?: Cents | null | undefined
}

type Deps = { db: Db; secrets: Secrets; clock: Clock }

/**
 * How many hours replaced credentials stay valid by default. A provider may retry callbacks that it signed with the old
 * credentials. The default is sufficient, because all of these retries arrive within a day.
 */
const DEFAULT_PREVIOUS_HOURS = 24
const HOUR_MS = 3_600_000
/**
 * The maximum number of previous credentials that an account keeps. A callback with an invalid signature is verified
 * with each of them, so each one adds a verification.
 */
const MAX_PREVIOUS_CREDENTIALS = 5

/**
 * Updates a provider account. A disabled account receives no new payments. Its existing payments can still be paid,
 * and the service continues to send status inquiries and accept callbacks for them.
 */
export async function updateProviderAccount(
  app: Deps,
  owner: Actor,
  provider: AnyProvider,
  accountId: string,
  changes: Changes,
): Promise<ProviderAccountRecord> {
  const { credentials, previousCredentialsHours: hours } = changes
  if (credentials === undefined && hours !== undefined && hours !== 0)
    throw fault('previous_credentials_without_new', {}, { field: 'previous_credentials_hours' })
  return auditedTransaction(app, owner, async tx => {
    const before = isId(accountId) ? await lockProviderAccount(tx, provider.code, accountId) : undefined
    if (!before) throw fault('provider_account_not_found', { id: accountId })
    const { id, name, enabled } = before
    const replacement = credentials && (await replacementOf(app, provider, before, credentials))
    if (replacement !== undefined || hours === 0) await storePrevious(app, tx, before, replacement, hours)
    const updated = await updateProviderAccountRow(tx, {
      id,
      name: changes.name ?? name,
      baseUrl: changes.baseUrl === undefined ? before.baseUrl : changes.baseUrl,
      enabled: changes.enabled ?? enabled,
      callbackSources: changes.callbackSources ?? before.callbackSources,
      inquireAbove: changes.inquireAbove === undefined ? before.inquireAbove : changes.inquireAbove,
      credentialsSealed: replacement ?? before.credentialsSealed,
    })
    const now = app.clock()
    return {
      result: updated,
      action: 'provider_account.update',
      tenantId: null,
      subjectId: id,
      before: viewProviderAccount(before, now),
      after: {
        ...viewProviderAccount(updated, now),
        ...(replacement !== undefined && { credentials: 'replaced' }),
      },
    }
  })
}

/**
 * Encrypts and returns the new credentials. If the provider account already has these credentials, returns
 * undefined, so that a repeated request does not make the previous credentials expire early.
 */
async function replacementOf(
  { secrets }: Deps,
  provider: AnyProvider,
  { id, credentialsSealed }: { id: string; credentialsSealed: string },
  given: Record<string, unknown>,
): Promise<string | undefined> {
  const replacement = await encryptCredentials(secrets, provider, id, given)
  const present: unknown = JSON.parse(await secrets.decrypt(credentialsSealed, credentialsContext(id)))
  return isDeepStrictEqual(present, given) ? undefined : replacement
}

/**
 * Keeps the replaced credentials valid for `hours` hours. If `hours` is 0, deletes all previous credentials
 * instead. Otherwise, credentials that were replaced earlier keep their own expiry.
 */
async function storePrevious(
  { clock }: Deps,
  tx: Tx,
  { id, credentialsSealed }: { id: string; credentialsSealed: string },
  replacement: string | undefined,
  hours = DEFAULT_PREVIOUS_HOURS,
): Promise<void> {
  const now = clock()
  if (replacement !== undefined && hours > 0)
    await insertPreviousCredentials(tx, {
      id: newId(),
      providerAccountId: id,
      credentialsSealed,
      replacedAt: now,
      validUntil: after(now, hours * HOUR_MS),
    })
  await deletePreviousCredentials(tx, id, { at: now, keep: hours === 0 ? 0 : MAX_PREVIOUS_CREDENTIALS })
}
