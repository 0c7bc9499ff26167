import { type Count, countMatchingRows } from '../db/count-rows.ts'
import type { Db, Tx } from '../db/db.ts'
import { type PageStart, sqlOf } from '../db/list-order.ts'
import type { Period } from '../values/day.ts'
import { idsMadeIn, newId } from '../values/id.ts'

export type AuditEntry = {
  /** The tenant whose user performed the action; null if the operator ran a command on the server. */
  actorTenantId: string | null
  actorUserId: string | null
  /** The name of the action: a noun and a verb, such as `tenant.create`. */
  action: string
  /** The tenant affected by the management action. */
  tenantId: string | null
  subjectId: string | null
  /** The previous values of the changed fields, without secrets. Null if there are no previous values. */
  before: object | null
  after: object | null
  requestId: string | null
}

/**
 * Inserts an audit log entry. `tx` must be the management action's transaction, so that the action and its entry
 * commit together.
 */
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

export type AuditRow = AuditEntry & { id: string; at: Date; actorEmail: string | null }

export type AuditFilter = Period & { tenantId: string | null; action: string | null }

const inRange = 'a.id >= :fromId and a.id < :beforeId and a.at >= :from and a.at < :before'

/**
 * An SQL condition: the viewer is a Partner's Client, and the audit log entry `a` contains the operator's fees. The
 * Client must not see these fees, because they reveal the Partner's margin.
 */
const isCostOfPartner = `a.action = 'fee_schedule.replace' and a.after ->> 'layer' = 'operator' and a.tenant_id = :viewer
  and exists (select from tenants t where t.id = :viewer and t.parent_id is not null)`

/**
 * Lists the audit log entries after the position `start` that the tenant `viewer` may see, or all entries if `viewer`
 * is null. A tenant may see entries about itself and about actions by its own users. The email addresses of other
 * tenants' users are hidden. A Partner's Client does not see the fees in entries about the operator's fees.
 */
export async function listAudit(
  db: Db,
  viewer: string | null,
  filter: AuditFilter,
  { order, afterId }: PageStart,
  limit: number,
): Promise<AuditRow[]> {
  const { sort, later } = sqlOf[order]
  const { rows } = await db.raw<{ rows: AuditRow[] }>(
    `select a.id, a.at, a.actor_tenant_id as "actorTenantId", a.actor_user_id as "actorUserId", u.email as "actorEmail",
            a.action, a.tenant_id as "tenantId", a.subject_id as "subjectId", a.request_id as "requestId",
            case when not hidden.is_cost then a.before end as before,
            case when not hidden.is_cost then a.after end as after
     from audit_log a
     left join users u on u.id = a.actor_user_id and (:viewer::uuid is null or u.tenant_id = :viewer)
     cross join lateral (select coalesce(${isCostOfPartner}, false) as is_cost) hidden
     where (:viewer::uuid is null or a.tenant_id = :viewer or a.actor_tenant_id = :viewer)
       and (:tenantId::uuid is null or a.tenant_id = :tenantId) and (:action::text is null or a.action = :action)
       and ${inRange} and (:afterId::uuid is null or a.id ${later} :afterId)
     order by a.id ${sort} limit :limit`,
    { viewer, ...filter, ...idsMadeIn(filter), afterId: afterId ?? null, limit },
  )
  return rows
}

/**
 * Counts the audit log entries that match a filter and are visible to the tenant `viewer`. Entries about this tenant
 * and entries about actions of its users have separate indexes, so the query reads the two kinds separately.
 */
export function countAudit(db: Db, viewer: string | null, filter: AuditFilter): Promise<Count> {
  const entries = `select a.tenant_id, a.action from audit_log a where ${inRange}`
  const seen =
    viewer === null
      ? entries
      : `(${entries} and a.tenant_id = :viewer limit :limit + 1) union all
         (${entries} and a.actor_tenant_id = :viewer and a.tenant_id is distinct from :viewer limit :limit + 1)`
  return countMatchingRows(
    db,
    seen,
    `(:tenantId::uuid is null or tenant_id = :tenantId) and (:action::text is null or action = :action)`,
    { viewer, ...filter, ...idsMadeIn(filter) },
  )
}
