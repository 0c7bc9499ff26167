import type { Db, Tx } from '../../db/db.ts'
import { shardedStatement } from '../../db/distributed-database.ts'
import type { Mode } from '../../values/mode.ts'
import type { PaymentKey } from '../payment.sql.ts'
import type { PaymentRefund } from './refund.ts'

export const refundColumns = `
  r.tenant_id as "tenantId", r.id, r.payment_id as "paymentId", r.mode, r.number, r.reference, r.amount, r.status,
  r.method, r.origin, r.by_user as "byUser", r.source, r.reason, r.provider, r.provider_account_id as "providerAccountId",
  r.provider_refund_id as "providerRefundId", r.failure_reason as "failureReason",
  r.failed_at_provider as "failedAtProvider", r.bank_account as "bankAccount",
  r.bank_reference as "bankReference", r.unexpected_money_id as "unexpectedMoneyId",
  r.refunded_money_id as "refundedMoneyId",
  r.idempotency_key as "idempotencyKey", r.fingerprint, r.requested_at as "requestedAt",
  r.next_check_at as "nextCheckAt", r.created_at as "createdAt", r.updated_at as "updatedAt",
  r.succeeded_at as "succeededAt"`

const ofPayments = shardedStatement<PaymentRefund>(
  only => `select ${refundColumns}
   from unnest(:tenantIds::uuid[], :paymentIds::uuid[]) as k (tenant_id, payment_id)
   join refunds r on r.tenant_id = k.tenant_id and r.payment_id = k.payment_id ${only('r.tenant_id')}
   order by r.tenant_id, r.id`,
)

/**
 * Lists all refunds of the given payments, oldest first. A caller that changes refunds must lock their
 * payments first, because this lock protects the refunds, too.
 */
export const listRefundsOfPayments = (db: Db | Tx, keys: PaymentKey[]): Promise<PaymentRefund[]> => {
  const tenantIds = keys.map(each => each.tenantId)
  return ofPayments(db, tenantIds, { tenantIds, paymentIds: keys.map(each => each.paymentId) })
}

const insert = shardedStatement(
  (_, onShard) => `insert into refunds (
     tenant_id, id, payment_id, mode, number, reference, amount, status, method, origin, by_user, source, reason, provider,
     provider_account_id, provider_refund_id, failure_reason, failed_at_provider, bank_account, bank_reference,
     unexpected_money_id, refunded_money_id, idempotency_key, fingerprint, requested_at, next_check_at, created_at, updated_at, succeeded_at)
   select ${onShard('p.tenant_id', '"tenantId"')}, r.id, "paymentId", r.mode, number, reference, r.amount, r.status, method, origin, "byUser", source, reason, r.provider,
          "providerAccountId", "providerRefundId", "failureReason", "failedAtProvider", "bankAccount", "bankReference",
          "unexpectedMoneyId", "refundedMoneyId", "idempotencyKey", decode(r.fingerprint, 'hex'), "requestedAt", "nextCheckAt", "createdAt", "updatedAt",
          "succeededAt"
   from jsonb_to_recordset(:refunds::jsonb) as r (
     "tenantId" uuid, id uuid, "paymentId" uuid, mode text, number integer, reference text, amount bigint, status text,
     method text, origin text, "byUser" boolean, source text, reason text, provider text, "providerAccountId" uuid, "providerRefundId" text,
     "failureReason" text, "failedAtProvider" boolean, "bankAccount" jsonb, "bankReference" text, "unexpectedMoneyId" uuid, "refundedMoneyId" uuid, "idempotencyKey" text,
     fingerprint text, "requestedAt" timestamptz, "nextCheckAt" timestamptz, "createdAt" timestamptz,
     "updatedAt" timestamptz, "succeededAt" timestamptz)
   ${onShard('join payments p on p.tenant_id = :onlyKey and p.id = r."paymentId"')}`,
)

/** Inserts refunds. The caller must post their debits in the same transaction. */
export async function insertRefunds(tx: Tx, refunds: PaymentRefund[]): Promise<void> {
  await insert(tx, tenantsOf(refunds), { refunds: toJson(refunds) })
}

const update = shardedStatement(
  only => `update refunds r
   set status = c.status, provider_refund_id = c."providerRefundId", failure_reason = c."failureReason",
       failed_at_provider = c."failedAtProvider", bank_reference = c."bankReference", next_check_at = c."nextCheckAt",
       updated_at = c."updatedAt", succeeded_at = c."succeededAt"
   from jsonb_to_recordset(:refunds::jsonb) as c (
     "tenantId" uuid, id uuid, status text, "providerRefundId" text, "failureReason" text, "failedAtProvider" boolean,
     "bankReference" text, "nextCheckAt" timestamptz, "updatedAt" timestamptz, "succeededAt" timestamptz)
   where r.tenant_id = c."tenantId" and r.id = c.id ${only('r.tenant_id')}`,
)

/**
 * Updates refunds whose payments the caller has locked. `requested_at` is not updated, because `markRequested` changes
 * this column without waiting for these locks.
 */
export async function updateRefunds(tx: Tx, refunds: PaymentRefund[]): Promise<void> {
  await update(tx, tenantsOf(refunds), { refunds: toJson(refunds) })
}

const tenantsOf = (refunds: PaymentRefund[]): string[] => refunds.map(each => each.tenantId)

const toJson = (refunds: PaymentRefund[]): string =>
  JSON.stringify(
    refunds.map(({ fingerprint, ...refund }) => ({ ...refund, fingerprint: fingerprint?.toString('hex') })),
    (_, value) => (typeof value === 'bigint' ? value.toString() : value),
  )

/**
 * Finds a tenant's refund by its id. If `tenantId` is null, finds a refund that belongs to any tenant the caller
 * can access.
 */
export async function findRefundById(
  db: Db | Tx,
  tenantId: string | null,
  id: string,
): Promise<PaymentRefund | undefined> {
  const { rows } = await db.raw<{ rows: PaymentRefund[] }>(
    tenantId === null
      ? `select ${refundColumns} from refunds r where r.id = :id`
      : `select ${refundColumns} from refunds r where r.tenant_id = :tenantId and r.id = :id`,
    { tenantId, id },
  )
  return rows[0]
}

export async function findRefundByKey(
  db: Db | Tx,
  { tenantId, mode, idempotencyKey }: { tenantId: string; mode: Mode; idempotencyKey: string },
): Promise<PaymentRefund | undefined> {
  const { rows } = await db.raw<{ rows: PaymentRefund[] }>(
    `select ${refundColumns} from refunds r where r.tenant_id = ? and r.mode = ? and r.idempotency_key = ?`,
    [tenantId, mode, idempotencyKey],
  )
  return rows[0]
}

/**
 * Marks a refund as requested before the request is sent. Returns false if another process has already marked the
 * refund, or if the refund was made at the provider. In these cases, the request must not be sent.
 */
export async function markRequested(
  db: Db,
  { tenantId, id }: Pick<PaymentRefund, 'tenantId' | 'id'>,
  at: Date,
  nextCheckAt: Date,
): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `update refunds set requested_at = :at, next_check_at = :nextCheckAt
     where tenant_id = :tenantId and id = :id and requested_at is null and status = 'pending'
       and origin in ('merchant', 'operator')
     returning id`,
    { tenantId, id, at, nextCheckAt },
  )
  return rows.length === 1
}
