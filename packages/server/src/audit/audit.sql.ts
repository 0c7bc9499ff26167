import type { Db, Tx } from '../db/db.ts'
import { newId } from '../id.ts'

export type AuditEntry = {
  /** Null: the operator's own command on the server. */
  actorTenantId: string | null
  actorUserId: string | null
  /** Noun and verb, e.g. `tenant.create`. */
  action: string
  /** Whom it concerns. */
  tenantId: string | null
  subjectId: string | null
  /** What changed, never a secret. */
  before: object | null
  after: object | null
  requestId: string | null
}

/** In the transaction of the act itself, so neither is there without the other. */
export async function insertAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx.raw(
    `insert into audit_log (id, actor_tenant_id, actor_user_id, action, tenant_id, subject_id, before, after, request_id)
     values (:id, :actorTenantId, :actorUserId, :action, :tenantId, :subjectId, :before, :after, :requestId)`,
    {
      ...entry,
      id: newId(),
      before: entry.before && JSON.stringify(entry.before),
      after: entry.after && JSON.stringify(entry.after),
    },
  )
}

export type AuditRow = AuditEntry & { id: string; at: Date }

/** Newest first. viewer: null sees all; a tenant what concerns it or what it did. */
export async function listAudit(
  db: Db,
  viewer: string | null,
  afterId: string | undefined,
  limit: number,
): Promise<AuditRow[]> {
  const { rows } = await db.raw<{ rows: AuditRow[] }>(
    `select id, at, actor_tenant_id as "actorTenantId", actor_user_id as "actorUserId", action, tenant_id as "tenantId",
            subject_id as "subjectId", before, after, request_id as "requestId"
     from audit_log
     where (:viewer::uuid is null or tenant_id = :viewer or actor_tenant_id = :viewer)
       and (:afterId::uuid is null or id < :afterId)
     order by id desc limit :limit`,
    { viewer, afterId: afterId ?? null, limit },
  )
  return rows
}
