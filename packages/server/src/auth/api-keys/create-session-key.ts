import { auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { newId } from '../../values/id.ts'
import { newApiKey } from './api-key.ts'
import { insertSessionKey } from './session-key.sql.ts'

const SECONDS = 5 * 60

/**
 * Creates an API key for a dashboard session, because the session's access token cannot create payments. The
 * key can only read and create test payments. It expires with the session and does not appear in lists.
 */
export async function createSessionKey(
  app: { db: Db; secrets: Secrets },
  caller: { tenantId: string; userId: string; sessionId: string },
): Promise<{ key: string; seconds: number }> {
  const { tenantId, userId, sessionId } = caller
  const id = newId()
  const key = newApiKey('test')
  return auditedTransaction(app, caller, async tx => {
    const keyHash = app.secrets.hash(key)
    await insertSessionKey(tx, { id, keyHash, tenantId, userId, sessionId, seconds: SECONDS })
    return {
      result: { key, seconds: SECONDS },
      action: 'session_key.create',
      tenantId,
      subjectId: id,
      before: null,
      after: { mode: 'test', expires_in: SECONDS },
    }
  })
}
