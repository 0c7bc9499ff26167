import { type StoredMessage, withMessage } from '../../src/callbacks/stored-message.ts'
import type { Db } from '../../src/db/db.ts'

type StoredCallback = { id: string; status: string; headers: Record<string, string>; body: Buffer }

/** Returns the stored callbacks whose body contains all of the given strings, oldest first. */
export async function storedCallbacksWith(db: Db, ...texts: string[]): Promise<StoredCallback[]> {
  const { rows } = await db.raw<{ rows: (Omit<StoredCallback, 'headers' | 'body'> & StoredMessage)[] }>(
    `select id, status, headers, body, message_compressed as compressed from provider_callbacks order by id`,
  )
  return rows.map(withMessage).filter(({ body }) => texts.every(text => body.includes(text)))
}
