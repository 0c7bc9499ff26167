import type { Db } from '../../db/db.ts'
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
   * If true, only refunds that wait for the Owner's decision are listed. These are refunds by bank transfer,
   * and refunds about which the service no longer sends inquiries.
   */
  isWaiting: boolean
  createdIn: Period
}

/**
 * An SQL condition that is true if a refund waits for the Owner to record its outcome. The condition has no
 * parameters, so that PostgreSQL can use the partial index `refunds_waiting`.
 */
const waiting = `r.status = 'pending' and r.next_check_at is null and r.origin in ('merchant', 'operator')`

/** Lists refunds that were created before the refund `afterId`, newest first. */
export async function listVisibleRefunds(
  db: Db,
  { viewer, mode, status, isWaiting, createdIn }: RefundFilter,
  afterId: string | undefined,
  limit: number,
): Promise<PaymentRefund[]> {
  const { rows } = await db.raw<{ rows: PaymentRefund[] }>(
    `select ${refundColumns} from refunds r
     where r.id >= :fromId and r.id < least(:beforeId::uuid, :afterId::uuid)
       and r.created_at >= :from and r.created_at < :before
       and r.mode = any(:modes) and r.status = any(:statuses)
       and ${isWaiting ? waiting : 'true'}
       and (:viewer::uuid is null or r.tenant_id in (
         select t.id from tenants t where t.id = :viewer or t.parent_id = :viewer))
     order by r.id desc limit :limit`,
    {
      ...createdIn,
      ...idsMadeIn(createdIn),
      viewer,
      modes: mode === null ? modes : [mode],
      statuses: status === null ? refundStatuses : [status],
      afterId: afterId ?? null,
      limit,
    },
  )
  return rows
}
