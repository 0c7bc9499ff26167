import type { Db, Tx } from '../db/db.ts'
import { isDistributed } from '../db/distributed-database.ts'
import type { Payment } from './payment.ts'

/**
 * One attempt to charge a payment at one provider account. Another attempt is made only if it is certain that
 * the previous attempt created no order at the provider.
 */
export type ChargeAttempt = {
  number: number
  provider: string
  reference: string
  startedAt: Date
  /**
   * The time when it became certain that this attempt created no order at the provider, and the reason. The
   * latest attempt has neither.
   */
  endedAt: Date | null
  reason: string | null
}

export type StartedAttempt = Pick<ChargeAttempt, 'number' | 'provider' | 'reference'> & {
  tenantId: string
  paymentId: string
  providerAccountId: string
  previousReference: string
  previousReason: string
}

/**
 * Stores each started charge attempt with its order reference, and marks the payment's previous attempt as
 * ended.
 */
export async function insertAttempts(tx: Tx, started: StartedAttempt[], at: Date): Promise<void> {
  if (isDistributed(tx)) {
    for (const attempt of started) await insertAttempt(tx, attempt, at)
    return
  }
  await tx.raw(
    `with started as (
       select * from jsonb_to_recordset(:started) as s (
         "tenantId" uuid, "paymentId" uuid, number smallint, provider text, "providerAccountId" uuid, reference text,
         "previousReference" text, "previousReason" text)
     ), ended as (
       update payment_references r set ended_at = :at, reason = s."previousReason"
       from started s where r.reference = s."previousReference"
     )
     insert into payment_references (reference, tenant_id, payment_id, provider_account_id, number, provider, started_at)
     select reference, "tenantId", "paymentId", "providerAccountId", number, provider, :at from started`,
    { started: JSON.stringify(started), at },
  )
}

/**
 * Stores a charge attempt. Each reference needs a separate statement, because Citus stores references on
 * different shards.
 */
async function insertAttempt(tx: Tx, attempt: StartedAttempt, at: Date): Promise<void> {
  await tx.raw(
    'update payment_references set ended_at = :at, reason = :previousReason where reference = :previousReference',
    { ...attempt, at },
  )
  await tx.raw(
    `insert into payment_references (reference, tenant_id, payment_id, provider_account_id, number, provider, started_at)
     values (:reference, :tenantId, :paymentId, :providerAccountId, :number, :provider, :at)`,
    { ...attempt, at },
  )
}

/**
 * Returns a payment's charge attempts in order. The query looks up each attempt by its reference, because
 * `payment_references` has no index on the payment.
 */
export async function listAttempts(
  db: Db,
  { tenantId, paymentCode, attempt }: Pick<Payment, 'tenantId' | 'paymentCode' | 'attempt'>,
): Promise<ChargeAttempt[]> {
  const { rows } = await db.raw<{ rows: ChargeAttempt[] }>(
    `select number, provider, reference, started_at as "startedAt", ended_at as "endedAt", reason
     from payment_references
     where tenant_id = :tenantId and reference in (
       select :paymentCode || case n when 1 then '' else '-' || n end from generate_series(1, :attempt::integer) n)
     order by number`,
    { tenantId, paymentCode, attempt },
  )
  return rows
}

/** Returns the ID of the provider account at which the order with this reference was charged. */
export async function findAccountOfReference(
  db: Db,
  tenantId: string,
  reference: string,
): Promise<string | undefined> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    'select provider_account_id as id from payment_references where reference = ? and tenant_id = ?',
    [reference, tenantId],
  )
  return rows[0]?.id
}
