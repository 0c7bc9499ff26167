import type { Db } from '../db/db.ts'
import type { EventType } from './event.ts'

export type Heard = { id: string; type: EventType; body: string }

/**
 * Test-mode events after an id, oldest first. An id is generated before its transaction commits, so events of the last
 * half second are left out: an event that commits late must not fall behind the cursor of an earlier commit.
 */
export async function listEventsAfter(
  db: Db,
  tenantId: string,
  afterId: string,
  limit: number,
): Promise<Heard[]> {
  const { rows } = await db.raw<{ rows: Heard[] }>(
    `select id, type, body from webhook_events
     where tenant_id = ? and id > ? and mode = 'test' and created_at < now() - interval '500 milliseconds'
     order by id limit ?`,
    [tenantId, afterId, limit],
  )
  return rows
}
