import { type Count, countMatchingRows } from '../../db/count-rows.ts'
import type { Db } from '../../db/db.ts'
import { type PageStart, sqlOf } from '../../db/list-order.ts'
import type { Period } from '../../values/day.ts'
import { idsMadeIn } from '../../values/id.ts'
import { type Mode, modes } from '../../values/mode.ts'
import { refundColumns } from '../record/refund.sql.ts'
import { type PaymentRefund, type RefundState, refundStatuses } from '../record/refund.ts'

export type RefundFilter = {
  /**
   * If set, only refunds of this tenant and of its Clients are listed. If null, the refunds of all tenants
   * are listed.
   */
  viewer: string | null
  mode: Mode | null
  status: RefundState | null
  /**
   * If true, lists only refunds whose outcome the operator must record. These are refunds by bank transfer, and
   * refunds the service no longer inquires about.
   */
  isWaiting: boolean
  createdIn: Period
}

/**
 * An SQL condition for refunds whose outcome the operator must record. It has no parameters, so PostgreSQL can use
 * the partial index `refunds_waiting`.
 */
const waiting = `r.status = 'pending' and r.next_check_at is null and r.origin in ('merchant', 'operator')`

const inRange = `
  r.id >= :fromId and r.id < :beforeId and r.created_at >= :from and r.created_at < :before
  and (:viewer::uuid is null or r.tenant_id in (
    select t.id from tenants t where t.id = :viewer or t.parent_id = :viewer))`

const matches = (isWaiting: boolean): string => `
  r.mode = any(:modes) and r.status = any(:statuses) and ${isWaiting ? waiting : 'true'}`

const valuesOf = ({ viewer, mode, status, createdIn }: RefundFilter) => ({
  ...createdIn,
  ...idsMadeIn(createdIn),
  viewer,
  modes: mode === null ? modes : [mode],
  statuses: status === null ? refundStatuses : [status],
})

/** Lists the refunds after the refund `afterId`, in the list order `order`. */
export async function listVisibleRefunds(
  db: Db,
  filter: RefundFilter,
  { order, afterId }: PageStart,
  limit: number,
): Promise<PaymentRefund[]> {
  const { sort, later } = sqlOf[order]
  const { rows } = await db.raw<{ rows: PaymentRefund[] }>(
    `select ${refundColumns} from refunds r
     where ${inRange} and ${matches(filter.isWaiting)} and (:afterId::uuid is null or r.id ${later} :afterId)
     order by r.id ${sort} limit :limit`,
    { ...valuesOf(filter), afterId: afterId ?? null, limit },
  )
  return rows
}

/**
 * Counts the refunds that match a filter. If the filter selects only refunds that wait for the operator, the inner
 * query contains this condition, because a separate index covers these refunds.
 */
export const countVisibleRefunds = (db: Db, filter: RefundFilter): Promise<Count> =>
  countMatchingRows(
    db,
    `select r.* from refunds r where ${inRange} ${filter.isWaiting ? `and ${waiting}` : ''}`,
    'mode = any(:modes) and status = any(:statuses)',
    valuesOf(filter),
  )
