import type { App } from '../app.ts'
import { act } from '../audit/act.ts'
import { invalidJwt } from '../errors.ts'
import { newId } from '../id.ts'
import { newApiKey } from './api-key.ts'
import { insertSessionKey } from './session-key.sql.ts'

const SECONDS = 5 * 60

/**
 * A key with which a user's own session creates test payments, since an access token creates none. It is in no list, reads
 * and creates payments in test mode and nothing else, and ends with the session.
 */
export async function createSessionKey(
  app: Pick<App, 'db' | 'secrets'>,
  caller: { tenantId: string; userId: string; sessionId?: string | undefined },
): Promise<{ key: string; seconds: number }> {
  const { tenantId, userId, sessionId } = caller
  // A token of an earlier version; the next one names its session.
  if (sessionId === undefined) throw invalidJwt()
  const id = newId()
  const key = newApiKey('test')
  return act(app, caller, async tx => {
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
