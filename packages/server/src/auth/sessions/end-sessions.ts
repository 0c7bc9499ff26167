import { auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import { isId } from '../../values/id.ts'
import type { Clock } from '../../values/time.ts'
import { endOneSession, endSessionsExcept } from './session-list.sql.ts'

type Caller = { tenantId: string; userId: string; sessionId: string }

/** Ends one of the caller's login sessions. Every process rejects the session's access tokens within a second. */
export async function endSession(app: { db: Db; clock: Clock }, caller: Caller, id: string): Promise<void> {
  const { tenantId, userId } = caller
  await auditedTransaction(app, caller, async tx => {
    if (!isId(id) || !(await endOneSession(tx, userId, id, app.clock())))
      throw fault('session_not_found', { id })
    return { result: undefined, action: 'session.end', tenantId, subjectId: id, before: null, after: null }
  })
}

/**
 * Ends all of the caller's login sessions except the one that sent this request. Returns how many sessions ended.
 */
export async function endOtherSessions(app: { db: Db; clock: Clock }, caller: Caller): Promise<number> {
  const { tenantId, userId, sessionId } = caller
  return auditedTransaction(app, caller, async tx => {
    const ended = await endSessionsExcept(tx, userId, sessionId, app.clock())
    return {
      result: ended,
      action: 'session.end_others',
      tenantId,
      subjectId: userId,
      before: null,
      after: { ended },
    }
  })
}
