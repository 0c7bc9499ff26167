import type { Db, Tx } from '../db/db.ts'
import type { Payment } from './payment.ts'
import type { UnexpectedMoney } from './unexpected-money.ts'

/**
 * Money that waits for the Owner is here once for each receipt, however often it is told; of sums that grow the
 * largest, until somebody decides or the ledger has it. What is credited without asking (late, overpaid) has a record
 * of its own, so that a part of it which was told before cannot hide it. It is kept by the account that was given its
 * reference, which is another than the payment's own where an earlier try of it was paid. In the order of the unique
 * index, so that two batches never wait for each other in a ring.
 */
export async function insertUnexpectedMoney(db: Db | Tx, arrivals: UnexpectedMoney[]): Promise<void> {
  await db.raw(
    `insert into unexpected_money as m (
       id, kind, provider, provider_account_id, mode, reference, receipt, tenant_id, payment_id, amount,
       expected_amount, credited, paid_at, created_at)
     select distinct on (account, a.reference, a.receipt, a.kind in ('late', 'overpaid'), a.kind = 'reversal')
            a.id, a.kind, coalesce(r.provider, a.provider), coalesce(r.provider_account_id, a."providerAccountId") as account,
            a.mode, a.reference, a.receipt, a."tenantId", a."paymentId", a.amount, a."expectedAmount", a.credited,
            a."paidAt", a."createdAt"
     from jsonb_to_recordset(?) as a (
       id uuid, kind text, provider text, "providerAccountId" uuid, mode text, reference text, receipt text,
       "tenantId" uuid, "paymentId" uuid, amount bigint, "expectedAmount" bigint, credited boolean,
       "paidAt" timestamptz, "createdAt" timestamptz)
     left join payment_references r
       on r.reference = a.reference and r.tenant_id = a."tenantId" and r.payment_id = a."paymentId"
     order by account, a.reference, a.receipt, a.kind in ('late', 'overpaid'), a.kind = 'reversal', a.amount desc
     on conflict (provider_account_id, reference, receipt, (kind in ('late', 'overpaid')), (kind = 'reversal'))
     do update set amount = excluded.amount
     where m.status = 'open' and not m.credited and m.amount < excluded.amount`,
    [JSON.stringify(arrivals, (_, value) => (typeof value === 'bigint' ? value.toString() : value))],
  )
}

export type Part = Pick<UnexpectedMoney, 'reference' | 'receipt' | 'amount'>

/** What is on record of payments that were paid too little. */
export async function listParts(tx: Tx, payments: Payment[]): Promise<Part[]> {
  const { rows } = await tx.raw<{ rows: Part[] }>(
    `select m.reference, m.receipt, m.amount
     from unexpected_money m
     join unnest(?::uuid[], ?::uuid[]) as k (tenant_id, payment_id)
       on m.tenant_id = k.tenant_id and m.payment_id = k.payment_id
     where m.kind = 'underpaid'`,
    [payments.map(each => each.tenantId), payments.map(each => each.id)],
  )
  return rows
}

export type PaidReceipt = { tenantId: string; paymentId: string; reference: string; receipt: string | null }

/**
 * The part of a payment that came before it was paid, by the same receipt: the credit has it now. Parts without a
 * receipt are the same money as any (ADR 15). Where the report that paid has no receipt, nothing says that parts which
 * have one are in its sum: they stay open, which neither credits them twice nor hides them.
 */
export async function settleUnderpaid(tx: Tx, paid: PaidReceipt[], at: Date): Promise<void> {
  await tx.raw(
    `update unexpected_money m
     set status = 'accepted', credited = true, decided_at = :at, reason = 'the payment became paid with it'
     from jsonb_to_recordset(:paid) as p ("tenantId" uuid, "paymentId" uuid, reference text, receipt text)
     where m.tenant_id = p."tenantId" and m.payment_id = p."paymentId" and m.kind = 'underpaid' and m.status = 'open'
       and m.reference = p.reference and m.receipt in ('', coalesce(p.receipt, ''))`,
    { paid: JSON.stringify(paid), at },
  )
}

/** Whether the part of its amount that a payment knows of went back to the payer. */
export async function isPartGivenBack(
  tx: Tx,
  { tenantId, id, paidReference, receipt }: Pick<Payment, 'tenantId' | 'id' | 'paidReference' | 'receipt'>,
): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: unknown[] }>(
    `select from unexpected_money
     where tenant_id = ? and payment_id = ? and reference = ? and receipt = ? and kind = 'underpaid'
       and status = 'refunded'`,
    [tenantId, id, paidReference, receipt ?? ''],
  )
  return rows.length > 0
}
