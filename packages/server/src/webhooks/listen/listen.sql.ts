import type { Db } from '../../db/db.ts'
import type { WebhookEventType } from '../event-type.ts'
import { bodyColumns, type StoredBody, withBody } from '../stored-body.ts'

export type TestModeEvent = { id: string; type: WebhookEventType; body: string }

/** Lists test-mode webhook events between two IDs, oldest first. */
export async function listTestModeEvents(
  db: Db,
  tenantId: string,
  { afterId, beforeId }: { afterId: string; beforeId: string },
  limit: number,
): Promise<TestModeEvent[]> {
  const { rows } = await db.raw<{ rows: (Omit<TestModeEvent, 'body'> & StoredBody)[] }>(
    `select id, type, ${bodyColumns('e')} from webhook_events e
     where tenant_id = ? and id > ? and id < ? and mode = 'test' order by id limit ?`,
    [tenantId, afterId, beforeId, limit],
  )
  return rows.map(withBody)
}
