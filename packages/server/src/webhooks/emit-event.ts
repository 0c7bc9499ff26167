import type { Tx } from '../db/db.ts'
import type { WebhookEvent } from './event.ts'
import { insertEvents } from './webhook.sql.ts'

/** One attempt and three more (the interface's retry rules). */
export const ATTEMPTS = 4

/** Writes events down and queues their delivery, in the transaction that made them true. */
export async function emitEvents(tx: Tx, events: WebhookEvent[]): Promise<void> {
  await insertEvents(tx, events, ATTEMPTS)
}
