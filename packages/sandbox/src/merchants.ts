import type { DatabaseSync } from 'node:sqlite'

/** What a provider's dashboard knows of a merchant: its credentials, and where it wants to be notified. */
export type Merchant = {
  provider: string
  id: string
  // Those it registered with and those the provider issued.
  credentials: Record<string, string>
  // Null: only where a request names an address.
  notificationUrl: string | null
}

export type Merchants = {
  /** Registering again replaces what was known. */
  save(merchant: Merchant): void
  find(provider: string, id: string): Merchant | undefined
}

const schema = `
  create table if not exists merchants (
    provider text not null,
    id text not null,
    credentials text not null,
    notification_url text,
    primary key (provider, id)
  ) strict, without rowid;
`

export function merchantTable(db: DatabaseSync): Merchants {
  db.exec(schema)
  const save = db.prepare(`insert into merchants (provider, id, credentials, notification_url)
    values (?, ?, ?, ?) on conflict (provider, id) do update set
    credentials = excluded.credentials, notification_url = excluded.notification_url`)
  const find = db.prepare('select * from merchants where provider = ? and id = ?')

  return {
    save({ provider, id, credentials, notificationUrl }) {
      save.run(provider, id, JSON.stringify(credentials), notificationUrl)
    },
    find(provider, id) {
      const row = find.get(provider, id)
      if (!row) return undefined
      const { credentials, notification_url } = row
      return {
        provider,
        id,
        credentials: JSON.parse(credentials as string),
        notificationUrl: notification_url as string | null,
      }
    },
  }
}
