import type { Db } from '../../db/db.ts'
import type { WebhookEventType } from '../event-type.ts'
import { bodyColumns, type StoredBody, withBody } from '../stored-body.ts'

export type TestModeEvent = { id: string; type: WebhookEventType; body: string }

/**
 * Lists test-mode webhook events after an ID, oldest first. An event gets its ID before its transaction commits, so a
 * newer event can become visible before an older one. A caller that continued after the newer event would then miss
 * the older one. Therefore, events from the last half second are left out.
 */
export async function listEventsAfter(
  db: Db,
  tenantId: string,
  afterId: string,
  limit: number,
): Promise<TestModeEvent[]> {
  const { rows } = await db.raw<{ rows: (Omit<TestModeEvent, 'body'> & StoredBody)[] }>(
    `select id, type, ${bodyColumns('e')} from webhook_events e
     where tenant_id = ? and id > ? and mode = 'test' and created_at < now() - interval '500 milliseconds'
     order by id limit ?`,
    [tenantId, afterId, limit],
  )
  return rows.map(withBody)
}
