import type { DatabaseSync } from 'node:sqlite'

/** A merchant registered at a provider, with its credentials and its notification address. */
export type Merchant = {
  provider: string
  id: string
  // The registered credentials: those chosen by the merchant and those issued by the provider.
  credentials: Record<string, string>
  // The merchant's notification address. If null, notifications go only to addresses in requests.
  notificationUrl: string | null
}

export type Merchants = {
  /** Registers the merchant. Registering the same merchant again replaces the first registration. */
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
