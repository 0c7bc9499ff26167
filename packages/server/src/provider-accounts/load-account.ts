import type { Db } from '../db/db.ts'
import type { AnyProvider, ProviderAccount } from '../providers/provider.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Cents } from '../values/money.ts'
import { credentialsContext } from './credentials.ts'
import { findProviderAccount, type PreviousCredentials } from './provider-account.sql.ts'

/**
 * The settings of a provider account that decide whether a callback is trusted. The account's current credentials are
 * used in addition.
 */
export type CallbackRules = {
  /**
   * Replaced credentials with which callbacks can still be verified, newest first. They are not used to send
   * requests to the provider.
   */
  previousCredentials: { credentials: unknown; replacedAt: Date; validUntil: Date }[]
  /**
   * The addresses and networks from which callbacks are accepted, in CIDR notation. An empty list accepts any address.
   */
  callbackSources: string[]
  /**
   * The largest amount, in cents, that a callback may credit without a status inquiry. Null means no limit.
   * The limit applies only if `callbackSources` is empty and callbacks contain a constant token, which may
   * leak.
   */
  inquireAbove: Cents | null
}

/** A provider account with its decrypted credentials and its provider's adapter. */
export type LoadedAccount = {
  provider: AnyProvider
  account: ProviderAccount<unknown>
  callbackRules: CallbackRules
}
export type LoadAccount = (id: string) => Promise<LoadedAccount | undefined>

/**
 * Returns a function that loads provider accounts, including disabled ones. A disabled account gets no new
 * payments, but its existing payments still need status inquiries and receive callbacks.
 */
export function accountLoader(
  db: Db,
  secrets: Secrets,
  providers: ReadonlyMap<string, AnyProvider>,
): LoadAccount {
  return async id => {
    const row = await findProviderAccount(db, id)
    const provider = row && providers.get(row.providerCode)
    if (!row || !provider) return undefined
    const open = async (sealed: string): Promise<unknown> =>
      JSON.parse(await secrets.decrypt(sealed, credentialsContext(id)))
    const opened = (previous: PreviousCredentials) =>
      open(previous.credentialsSealed).then(given => previousOf(provider, given, previous))
    return {
      provider,
      account: {
        id,
        mode: row.mode,
        credentials: provider.credentials.parse(await open(row.credentialsSealed)),
        baseUrl: row.baseUrl,
      },
      callbackRules: {
        previousCredentials: (await Promise.all(row.previousCredentials.map(opened))).flat(),
        callbackSources: row.callbackSources,
        inquireAbove: row.inquireAbove,
      },
    }
  }
}

/**
 * Reads replaced credentials. Skips credentials this version of the adapter does not accept, so that the provider
 * account can still be loaded.
 */
function previousOf(provider: AnyProvider, given: unknown, { replacedAt, validUntil }: PreviousCredentials) {
  const parsed = provider.credentials.safeParse(given)
  return parsed.success ? [{ credentials: parsed.data as unknown, replacedAt, validUntil }] : []
}
