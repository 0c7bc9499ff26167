import type { Db, Tx } from '../db/db.ts'
import type { Mode } from '../values/mode.ts'
import type { Cents } from '../values/money.ts'

export type ProviderAccountRow = {
  id: string
  providerCode: string
  mode: Mode
  name: string
  credentialsSealed: string
  baseUrl: string | null
  enabled: boolean
  /**
   * The addresses and networks from which callbacks are accepted, in CIDR notation. An empty list accepts any address.
   */
  callbackSources: string[]
  inquireAbove: Cents | null
}

/** An account's replaced credentials. Callbacks can still be verified with them until `validUntil`. */
export type PreviousCredentials = { credentialsSealed: string; replacedAt: Date; validUntil: Date }

/**
 * A provider account without its credentials. `previousCredentials` lists, newest first, the times at which earlier
 * credentials were replaced and expire. Expired credentials are also listed.
 */
export type ProviderAccountRecord = Omit<ProviderAccountRow, 'credentialsSealed'> & {
  previousCredentials: Omit<PreviousCredentials, 'credentialsSealed'>[]
  createdAt: Date
  updatedAt: Date
}

/** A provider account with the encrypted credentials the service needs to use it. */
export type UsedProviderAccount = ProviderAccountRow & { previousCredentials: PreviousCredentials[] }

const settings = `id, provider_code as "providerCode", mode, name, base_url as "baseUrl", enabled,
  callback_sources::text[] as "callbackSources", inquire_above as "inquireAbove"`

const previousCredentials = (fields: string) =>
  `(select coalesce(jsonb_agg(jsonb_build_object(${fields}) order by p.replaced_at desc, p.id desc), '[]')
    from previous_provider_credentials p where p.provider_account_id = provider_accounts.id) as "previousCredentials"`
const times = `'replacedAt', p.replaced_at, 'validUntil', p.valid_until`

const shown = `${settings}, ${previousCredentials(times)}, created_at as "createdAt", updated_at as "updatedAt"`

/**
 * Converts the times in `previousCredentials` to dates. The database returns them as text because the previous
 * credentials are read as JSON.
 */
function withDates<Row extends ProviderAccountRecord | UsedProviderAccount>(row: Row): Row {
  const dated = row.previousCredentials.map(each => ({
    ...each,
    replacedAt: new Date(each.replacedAt),
    validUntil: new Date(each.validUntil),
  }))
  return { ...row, previousCredentials: dated }
}

export async function findProviderAccount(db: Db, id: string): Promise<UsedProviderAccount | undefined> {
  const { rows } = await db.raw<{ rows: UsedProviderAccount[] }>(
    `select ${settings}, credentials_sealed as "credentialsSealed",
            ${previousCredentials(`${times}, 'credentialsSealed', p.credentials_sealed`)}
     from provider_accounts where id = ?`,
    [id],
  )
  return rows.map(withDates)[0]
}

/** Lists provider accounts, newest first. */
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
  return rows.map(withDates)
}

/**
 * SQL that converts the callback sources to an array of networks and sets the host bits of each network to
 * zero.
 */
const sources = 'array(select network(source::inet) from unnest(:callbackSources::text[]) source)'

export async function insertProviderAccount(
  db: Db,
  account: ProviderAccountRow,
): Promise<ProviderAccountRecord> {
  const { rows } = await db.raw<{ rows: ProviderAccountRecord[] }>(
    `insert into provider_accounts (
       id, provider_code, mode, name, credentials_sealed, base_url, enabled, callback_sources, inquire_above)
     values (
       :id, :providerCode, :mode, :name, :credentialsSealed, :baseUrl, :enabled, ${sources}, :inquireAbove)
     returning ${shown}`,
    forKnex(account),
  )
  return withDates(rows[0] as ProviderAccountRecord)
}

export async function lockProviderAccount(
  tx: Tx,
  providerCode: string,
  id: string,
): Promise<(ProviderAccountRecord & Pick<ProviderAccountRow, 'credentialsSealed'>) | undefined> {
  const { rows } = await tx.raw<{
    rows: (ProviderAccountRecord & Pick<ProviderAccountRow, 'credentialsSealed'>)[]
  }>(
    `select ${shown}, credentials_sealed as "credentialsSealed" from provider_accounts
     where provider_code = ? and id = ? for no key update of provider_accounts`,
    [providerCode, id],
  )
  return rows.map(withDates)[0]
}

/** Updates a provider account and returns it without its credentials. */
export async function updateProviderAccountRow(
  tx: Tx,
  account: Omit<ProviderAccountRow, 'providerCode' | 'mode'>,
): Promise<ProviderAccountRecord> {
  const { rows } = await tx.raw<{ rows: ProviderAccountRecord[] }>(
    `update provider_accounts
     set name = :name, base_url = :baseUrl, enabled = :enabled, credentials_sealed = :credentialsSealed,
         callback_sources = ${sources}, inquire_above = :inquireAbove, updated_at = now()
     where id = :id returning ${shown}`,
    forKnex(account),
  )
  return withDates(rows[0] as ProviderAccountRecord)
}

/** Converts bigint values to text because Knex does not accept bigint values. */
const forKnex = <Account extends Pick<ProviderAccountRow, 'inquireAbove'>>(account: Account) => ({
  ...account,
  inquireAbove: account.inquireAbove === null ? null : account.inquireAbove.toString(),
})

export async function insertPreviousCredentials(
  tx: Tx,
  previous: PreviousCredentials & { id: string; providerAccountId: string },
): Promise<void> {
  await tx.raw(
    `insert into previous_provider_credentials (id, provider_account_id, credentials_sealed, replaced_at, valid_until)
     values (:id, :providerAccountId, :credentialsSealed, :replacedAt, :validUntil)`,
    previous,
  )
}

/** Deletes a provider account's expired previous credentials, and keeps only the newest `keep` valid ones. */
export async function deletePreviousCredentials(
  tx: Tx,
  providerAccountId: string,
  { at, keep }: { at: Date; keep: number },
): Promise<void> {
  await tx.raw(
    `delete from previous_provider_credentials where provider_account_id = :providerAccountId and id not in (
       select id from previous_provider_credentials
       where provider_account_id = :providerAccountId and valid_until > :at
       order by replaced_at desc, id desc limit :keep)`,
    { providerAccountId, at, keep },
  )
}

export async function setProviderAccountBaseUrl(db: Db, id: string, baseUrl: string): Promise<void> {
  await db.raw(
    'update provider_accounts set base_url = ?, updated_at = now() where id = ? and base_url is distinct from ?',
    [baseUrl, id, baseUrl],
  )
}
