import type { Db, Tx } from '../db/db.ts'
import { currentRequestId } from '../logging/log.ts'
import { type AuditEntry, insertAudit } from './audit.sql.ts'

/** The user who performs a management action; null if the operator runs a command on the server. */
export type Actor = { tenantId: string; userId: string } | null

export type AuditedResult<Result> = { result: Result } & Pick<
  AuditEntry,
  'action' | 'tenantId' | 'subjectId' | 'before' | 'after'
>

/** Runs a management action and writes its audit log entry in the same transaction. */
export async function auditedTransaction<Result>(
  app: { db: Db },
  actor: Actor,
  run: (tx: Tx) => Promise<AuditedResult<Result>>,
): Promise<Result> {
  return (app.db as Db).transaction(async tx => {
    const { result, ...deed } = await run(tx)
    await insertAudit(tx, {
      ...deed,
      actorTenantId: actor?.tenantId ?? null,
      actorUserId: actor?.userId ?? null,
      requestId: currentRequestId() ?? null,
    })
    return result
  })
}
