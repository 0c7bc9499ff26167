import type { Db } from '../db/db.ts'
import { paymentColumns } from '../payments/payment.sql.ts'
import type { Payment } from '../payments/payment.ts'

/** A place in the list of payments of unknown outcome. */
export type Place = { since: Date; tenantId: string; id: string }

/** Of all tenants, those that wait longest first. */
export async function listUnknownPayments(
  db: Db,
  after: Place | undefined,
  limit: number,
): Promise<Payment[]> {
  const { rows } = await db.raw<{ rows: Payment[] }>(
    `select ${paymentColumns} from payments p
     where p.status = 'unknown'
       and (:since::timestamptz is null or (p.updated_at, p.tenant_id, p.id) > (:since, :tenantId::uuid, :id::uuid))
     order by p.updated_at, p.tenant_id, p.id limit :limit`,
    { since: after?.since ?? null, tenantId: after?.tenantId ?? null, id: after?.id ?? null, limit },
  )
  return rows
}
