import type { Db } from '../db/db.ts'
import { paymentColumns } from '../payments/payment.sql.ts'
import type { Payment } from '../payments/payment.ts'
import type { Place } from './place.ts'

/**
 * Of all tenants, those that wait longest first. The status is named in the text and not bound, so that the planner sees
 * which index has these and no others.
 */
const longestWaiting = (condition: string, columns: string) => `
  select ${columns} from payments p
  where ${condition}
    and (:since::timestamptz is null or (p.updated_at, p.tenant_id, p.id) > (:since, :tenantId::uuid, :id::uuid))
  order by p.updated_at, p.tenant_id, p.id limit :limit`

const bindingsOf = (after: Place | undefined, limit: number) => ({
  since: after?.since ?? null,
  tenantId: after?.tenantId ?? null,
  id: after?.id ?? null,
  limit,
})

export async function listUnknownPayments(
  db: Db,
  after: Place | undefined,
  limit: number,
): Promise<Payment[]> {
  const { rows } = await db.raw<{ rows: Payment[] }>(
    longestWaiting("p.status = 'unknown'", paymentColumns),
    bindingsOf(after, limit),
  )
  return rows
}

export type ChallengedPayment = Payment & { tenantName: string }

/** A payment of which a part arrived is a record of unexpected money, and waits there alone. */
const heldByProvider = "p.status = 'challenged' and p.amount_received is null"

export async function listChallengedPayments(
  db: Db,
  after: Place | undefined,
  limit: number,
): Promise<ChallengedPayment[]> {
  const name = '(select name from tenants t where t.id = p.tenant_id) as "tenantName"'
  const { rows } = await db.raw<{ rows: ChallengedPayment[] }>(
    longestWaiting(heldByProvider, `${paymentColumns}, ${name}`),
    bindingsOf(after, limit),
  )
  return rows
}
