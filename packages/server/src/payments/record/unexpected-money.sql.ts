import type { Db, Tx } from '../../db/db.ts'
import { isDistributed } from '../../db/distributed-database.ts'
import { preparedStatement } from '../../db/prepared-statement.ts'
import type { PaymentKey } from '../payment.sql.ts'
import type { Payment } from '../payment.ts'
import { isReturn, type UnexpectedMoney } from './unexpected-money.ts'

export const recordColumns = `
  m.id, m.kind, m.status, m.provider, m.provider_account_id as "providerAccountId", m.mode, m.reference,
  coalesce(m.provider_id, m.receipt) as receipt, m.from_amount as "fromAmount", m.round, m.tenant_id as "tenantId",
  m.payment_id as "paymentId", m.amount, m.expected_amount as "expectedAmount", m.credited,
  m.return_status as "returnStatus", m.paid_at as "paidAt", m.created_at as "createdAt", m.decided_at as "decidedAt",
  m.reason`

const selectOfPayments = preparedStatement<UnexpectedMoney>(
  `select ${recordColumns}
   from unnest(:tenantIds::uuid[], :paymentIds::uuid[]) as k (tenant_id, payment_id)
   join unexpected_money m on m.tenant_id = k.tenant_id and m.payment_id = k.payment_id
   order by m.id`,
)

/**
 * Lists the records of unexpected money of these payments. A caller that changes records must lock their payments
 * first. Records change only while their payment is locked, so this lock also protects the records.
 */
export const listRecordsOfPayments = (db: Db | Tx, keys: PaymentKey[]): Promise<UnexpectedMoney[]> =>
  selectOfPayments(db, {
    tenantIds: keys.map(key => key.tenantId),
    paymentIds: keys.map(key => key.paymentId),
  })

/**
 * Describes where the money of a record was received: at which provider account, and with which order reference,
 * as reported by the provider.
 */
export type MoneyOrigin = Pick<UnexpectedMoney, 'kind' | 'reference' | 'providerAccountId'>

const originColumns = 'm.kind, m.reference, m.provider_account_id as "providerAccountId"'

/** Returns the provider account and the order reference under which the money in this record was received. */
export async function findOriginOfMoney(db: Db | Tx, id: string): Promise<MoneyOrigin | undefined> {
  const { rows } = await db.raw<{ rows: MoneyOrigin[] }>(
    `select ${originColumns} from unexpected_money m where m.id = ?`,
    [id],
  )
  return rows[0]
}

/**
 * If the payment became paid because the operator assigned money to it, returns where this money was received.
 * Otherwise, returns undefined. Assigned money that was credited separately is ignored, because it did not make the
 * payment paid.
 */
export async function findAssignedCredit(
  db: Db | Tx,
  { tenantId, id, paidReference }: Pick<Payment, 'tenantId' | 'id' | 'paidReference'>,
): Promise<MoneyOrigin | undefined> {
  if (paidReference === null) return undefined
  const { rows } = await db.raw<{ rows: MoneyOrigin[] }>(
    `select ${originColumns} from unexpected_money m
     where m.tenant_id = :tenantId and m.payment_id = :id and m.kind = 'unknown_reference' and m.credited
       and m.reference = :paidReference
       and not exists (
         select from ledger_entries e
         where e.tenant_id = :tenantId and e.unexpected_money_id = m.id and e.entry_type = 'credit'
           and e.refund_id is null)
     order by m.id limit 1`,
    { tenantId, id, paidReference },
  )
  return rows[0]
}

export type AccountReference = Pick<UnexpectedMoney, 'providerAccountId' | 'reference'>

/**
 * Lists the payments to which the operator assigned money that was received under one of these order
 * references.
 */
export async function listAssignedOfReferences(tx: Tx, keys: AccountReference[]): Promise<PaymentKey[]> {
  const { rows } = await tx.raw<{ rows: PaymentKey[] }>(
    `select distinct tenant_id as "tenantId", payment_id as "paymentId" from unexpected_money
     where payment_id is not null
       and (provider_account_id, reference) in (select * from unnest(:accounts::uuid[], :references::text[]))`,
    { accounts: keys.map(key => key.providerAccountId), references: keys.map(key => key.reference) },
  )
  return rows
}

/** Locks the records of unexpected money with these order references, in id order. */
export async function lockRecordsOfReferences(tx: Tx, keys: AccountReference[]): Promise<UnexpectedMoney[]> {
  const { rows } = await tx.raw<{ rows: UnexpectedMoney[] }>(
    `select ${recordColumns} from unexpected_money m
     where (m.provider_account_id, m.reference) in (select * from unnest(:accounts::uuid[], :references::text[]))
     order by m.id for update`,
    { accounts: keys.map(key => key.providerAccountId), references: keys.map(key => key.reference) },
  )
  return rows
}

const insertRecords = (references: string) => `insert into unexpected_money as m (
       id, kind, status, provider, provider_account_id, mode, reference, receipt, provider_id, from_amount, round,
       tenant_id, payment_id, amount, expected_amount, credited, return_status, paid_at, created_at, decided_at, reason)
     select a.id, a.kind, a.status, coalesce(r.provider, a.provider),
            coalesce(r.provider_account_id, a."providerAccountId") as account, a.mode, a.reference, a.key, a."providerId",
            a."fromAmount", a.round, a."tenantId", a."paymentId", a.amount, a."expectedAmount", a.credited,
            a."returnStatus", a."paidAt", a."createdAt", a."decidedAt", a.reason
     from jsonb_to_recordset(:records) as a (
       id uuid, kind text, status text, provider text, "providerAccountId" uuid, mode text, reference text, key text,
       "providerId" text, "fromAmount" bigint, round integer, "tenantId" uuid, "paymentId" uuid, amount bigint,
       "expectedAmount" bigint, credited boolean, "returnStatus" text, "paidAt" timestamptz, "createdAt" timestamptz,
       "decidedAt" timestamptz, reason text)
     left join ${references}
       on r.reference = a.reference and r.tenant_id = a."tenantId" and r.payment_id = a."paymentId"
     order by account, a.reference, a.key, a.kind in ('late', 'overpaid'), a.kind = 'reversal'
     on conflict (provider_account_id, reference, receipt, (kind in ('late', 'overpaid')), (kind = 'reversal'))
     do update set amount = excluded.amount
     where m.status = 'open' and not m.credited and m.amount < excluded.amount`

const insert = insertRecords('payment_references r')
const insertWithReferences = insertRecords(`jsonb_to_recordset(:references) as r (
       reference text, tenant_id uuid, payment_id uuid, provider text, provider_account_id uuid)`)

const findReference = preparedStatement<object>(
  `select reference, tenant_id, payment_id, provider, provider_account_id from payment_references
   where reference = :reference`,
)

/**
 * Inserts records of unexpected money in the order of their unique index, so that two batches cannot deadlock. A record
 * names the provider account that made the charge, even if the payment was later charged at another account. If two
 * batches insert the same record, the larger amount is kept.
 */
export async function insertUnexpectedMoney(db: Db | Tx, records: UnexpectedMoney[]): Promise<void> {
  const values = { records: toJson(records.map(record => ({ ...record, ...keyOf(record) }))) }
  if (!isDistributed(db)) {
    await db.raw(insert, values)
    return
  }
  // Each order reference is looked up with its own statement. If one statement read order references from all shards,
  // Citus would afterward reject a change to a reference table. A reference table is a table with a copy on every node.
  const references = new Set(records.map(({ reference }) => reference))
  const found: object[] = []
  for (const reference of references) found.push(...(await findReference(db, { reference })))
  await db.raw(insertWithReferences, { ...values, references: JSON.stringify(found) })
}

/**
 * Updates the columns of a record that are allowed to change: the amount, the decision, the assigned payment, and
 * the provider's ID for a refund or chargeback.
 */
export async function updateUnexpectedMoney(tx: Tx, records: UnexpectedMoney[]): Promise<void> {
  await tx.raw(
    `update unexpected_money m
     set status = a.status, credited = a.credited, amount = a.amount, return_status = a."returnStatus",
         provider_id = case when m.return_status is null then m.provider_id else a.receipt end,
         tenant_id = a."tenantId", payment_id = a."paymentId", expected_amount = a."expectedAmount",
         decided_at = a."decidedAt", reason = a.reason
     from jsonb_to_recordset(?) as a (
       id uuid, status text, credited boolean, amount bigint, "returnStatus" text, receipt text, "tenantId" uuid,
       "paymentId" uuid, "expectedAmount" bigint, "decidedAt" timestamptz, reason text)
     where m.id = a.id`,
    [toJson(records)],
  )
}

/**
 * Returns the record's key in a unique index (migrations 0011 and 0028), so that money with one receipt ID has at most
 * one open record:
 *
 * - First record about a receipt: the key is the receipt ID.
 * - Later records about a receipt: the key also contains `round` and `fromAmount`.
 * - Refunds and chargebacks: the key contains the receipt ID and `round`.
 * - Unconfirmed money: the key is separate, because the provider may confirm the receipt while its record is open.
 */
function keyOf(record: UnexpectedMoney): { key: string; providerId: string | null } {
  const { kind, receipt, round, fromAmount, amount } = record
  if (isReturn(record)) return { key: `${kind} ${receipt} #${round}`, providerId: receipt }
  if (kind === 'unconfirmed')
    return { key: `${kind} ${receipt} #${round} to ${fromAmount + (amount ?? 0n)}`, providerId: receipt }
  if (round === 1 && fromAmount === 0n) return { key: receipt, providerId: null }
  return { key: `${receipt} #${round} from ${fromAmount}`, providerId: receipt }
}

const toJson = (rows: object[]): string =>
  JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
