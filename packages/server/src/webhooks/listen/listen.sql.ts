import type { Db } from '../../db/db.ts'
import type { WebhookEventType } from '../event-type.ts'
import { bodyColumns, type StoredBody, withBody } from '../stored-body.ts'

export type TestModeEvent = { id: string; type: WebhookEventType; body: string }

/**
 * Lists test-mode webhook events after an id, oldest first. Leaves out events from the last half second, because an
 * event gets its id before its transaction commits. A newer event can therefore become visible before an older one,
 * and a caller that continued after the newer event would miss the older one.
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
