import type { Db } from '../db/db.ts'
import { paymentColumns } from '../payments/payment.sql.ts'
import type { Payment } from '../payments/payment.ts'
import type { Mode } from '../values/mode.ts'
import type { WaitingListCursor } from './waiting-list-cursor.ts'

/**
 * SQL that selects all tenants' payments that are waiting for the Owner's decision. The payment that has waited longest
 * comes first. The status is a literal in the SQL, so that the planner can use the partial index for this status.
 */
const longestWaiting = (condition: string, columns: string) => `
  select ${columns} from payments p
  where ${condition} and (:mode::text is null or p.mode = :mode)
    and (:since::timestamptz is null or (p.updated_at, p.tenant_id, p.id) > (:since, :tenantId::uuid, :id::uuid))
  order by p.updated_at, p.tenant_id, p.id limit :limit`

const bindingsOf = (mode: Mode | null, after: WaitingListCursor | undefined, limit: number) => ({
  mode,
  since: after?.since ?? null,
  tenantId: after?.tenantId ?? null,
  id: after?.id ?? null,
  limit,
})

export async function listUnknownPayments(
  db: Db,
  mode: Mode | null,
  after: WaitingListCursor | undefined,
  limit: number,
): Promise<Payment[]> {
  const { rows } = await db.raw<{ rows: Payment[] }>(
    longestWaiting("p.status = 'unknown'", paymentColumns),
    bindingsOf(mode, after, limit),
  )
  return rows
}

export type ChallengedPayment = Payment & { tenantName: string }

/**
 * The SQL condition for payments that the provider holds for fraud review. It excludes partly paid payments,
 * which also have the status challenged, because the Owner sees them in the list of unexpected money.
 */
const heldByProvider = "p.status = 'challenged' and p.amount_received is null"

export async function listChallengedPayments(
  db: Db,
  mode: Mode | null,
  after: WaitingListCursor | undefined,
  limit: number,
): Promise<ChallengedPayment[]> {
  const name = '(select name from tenants t where t.id = p.tenant_id) as "tenantName"'
  const { rows } = await db.raw<{ rows: ChallengedPayment[] }>(
    longestWaiting(heldByProvider, `${paymentColumns}, ${name}`),
    bindingsOf(mode, after, limit),
  )
  return rows
}
