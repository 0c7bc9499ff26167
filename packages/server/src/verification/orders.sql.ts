import type { Db } from '../db/db.ts'
import type { StoredOrder } from '../payments/create/fingerprint.ts'
import type { Payment } from '../payments/payment.ts'
import { onlyPortion, type Portion } from './portions.sql.ts'

export type OrderRow = StoredOrder &
  Pick<Payment, 'tenantId' | 'paymentCode' | 'mode' | 'fingerprint'> & {
    paymentId: string
    /**
     * The version of the algorithm for the order's fingerprint (its hash). This release does not know the
     * version if a later release created the payment.
     */
    fingerprintVersion: number
  }

/** The position before the first page of orders: an id that is smaller than every payment's id. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

export async function listOrders(
  db: Db,
  portion: Portion,
  after: OrderRow | undefined,
  limit: number,
): Promise<OrderRow[]> {
  const { rows } = await db.raw<{ rows: OrderRow[] }>(
    `select tenant_id as "tenantId", id as "paymentId", payment_code as "paymentCode", mode, fingerprint,
            -- The fingerprint of a payment whose customer data was erased cannot be compared. Version -1
            -- marks it as not comparable.
            case when customer_erased_at is null then fingerprint_version else -1 end as "fingerprintVersion", amount, currency, method_type as "methodType",
            method_detail as "methodDetail", customer_name as "customerName", customer_email as "customerEmail",
            customer_phone as "customerPhone", items, return_url as "returnUrl", customer_ip as "customerIp",
            expiry_minutes as "expiryMinutes"
     from payments
     where (tenant_id, id) > (:tenantId::uuid, :paymentId::uuid) ${onlyPortion(portion)('tenant_id')}
     order by tenant_id, id limit :limit`,
    {
      ...{ tenantId: after?.tenantId ?? BEFORE_ALL, paymentId: after?.paymentId ?? BEFORE_ALL },
      ...{ portion: portion ?? null, limit },
    },
  )
  return rows
}
