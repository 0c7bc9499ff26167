import type { Db, Tx } from '../db/db.ts'
import { joined } from '../db/joined.ts'
import { statement } from '../db/statement.ts'
import type { Mode } from '../mode.ts'
import type { Payment, Status } from './payment.ts'

export const paymentColumns = `
  p.tenant_id as "tenantId", p.id, p.mode, p.payment_code as "paymentCode", p.idempotency_key as "idempotencyKey",
  p.fingerprint, p.amount, p.currency, p.method_type as "methodType", p.channel, p.method_detail as "methodDetail",
  p.method_data as "methodData", p.status, p.transition_count as "transitionCount", p.provider,
  p.provider_account_id as "providerAccountId", p.attempt, p.provider_payment_id as "providerPaymentId",
  p.customer_name as "customerName", p.customer_email as "customerEmail", p.customer_phone as "customerPhone",
  p.items, p.expiry_minutes as "expiryMinutes", p.expires_at as "expiresAt", p.paid_at as "paidAt",
  p.amount_paid as "amountPaid", p.failure_reason as "failureReason",
  p.paid_reference as "paidReference", p.receipt, p.reversed_at as "reversedAt", p.amount_received as "amountReceived", p.next_check_at as "nextCheckAt",
  p.created_at as "createdAt", p.updated_at as "updatedAt"`

/** A row for each key that leads to one. By a lateral join, so that no plan made while the table was small scans it. */
const selectPayments = statement<Payment>(
  `select ${paymentColumns}
   from unnest(:tenantIds::uuid[], :ids::uuid[]) as k (tenant_id, id)
   cross join lateral (select * from payments where tenant_id = k.tenant_id and id = k.id limit 1) p`,
)

const findOne = joined(async (db, keys: PaymentKey[]) => {
  const rows = await selectPayments(db, {
    tenantIds: keys.map(key => key.tenantId),
    ids: keys.map(key => key.paymentId),
  })
  const found = new Map(rows.map(row => [`${row.tenantId} ${row.id}`, row]))
  return keys.map(({ tenantId, paymentId }) => found.get(`${tenantId} ${paymentId}`))
})

/** mode: null looks in both. */
export async function findPayment(
  db: Db,
  tenantId: string,
  id: string,
  mode: Mode | null,
): Promise<Payment | undefined> {
  const payment = await findOne(db, { tenantId, paymentId: id })
  return mode === null || payment?.mode === mode ? payment : undefined
}

const selectPaymentsByKey = statement<Payment>(
  `select ${paymentColumns}
   from unnest(:tenantIds::uuid[], :modes::text[], :keys::text[]) as k (tenant_id, mode, key)
   cross join lateral (
     select * from payments where tenant_id = k.tenant_id and mode = k.mode and idempotency_key = k.key limit 1
   ) p`,
)

type HeldKey = Pick<Payment, 'tenantId' | 'mode' | 'idempotencyKey'>
const placeOf = ({ tenantId, mode, idempotencyKey }: HeldKey): string =>
  `${tenantId} ${mode} ${idempotencyKey}`

const findOneByKey = joined(async (db, keys: HeldKey[]) => {
  const rows = await selectPaymentsByKey(db, {
    tenantIds: keys.map(key => key.tenantId),
    modes: keys.map(key => key.mode),
    keys: keys.map(key => key.idempotencyKey),
  })
  const found = new Map(rows.map(row => [placeOf(row), row]))
  return keys.map(key => found.get(placeOf(key)))
})

export const findPaymentByKey = (
  db: Db,
  tenantId: string,
  mode: Mode,
  idempotencyKey: string,
): Promise<Payment | undefined> => findOneByKey(db, { tenantId, mode, idempotencyKey })

/** In the order of their keys, so that two batches never wait for each other's keys in a ring. */
const insertRows = statement<{ id: string }>(
  `with inserted as (
     insert into payments (
       tenant_id, id, mode, payment_code, idempotency_key, fingerprint, amount, currency, method_type, channel,
       method_detail, status, provider, provider_account_id, customer_name, customer_email, customer_phone, items,
       expiry_minutes, expires_at, next_check_at, created_at, updated_at)
     select
       "tenantId", id, mode, "paymentCode", "idempotencyKey", decode(fingerprint, 'hex'), amount, currency, "methodType",
       channel, "methodDetail", status, provider, "providerAccountId", "customerName", "customerEmail", "customerPhone",
       items, "expiryMinutes", "expiresAt", "nextCheckAt", "createdAt", "updatedAt"
     from jsonb_to_recordset(:payments::jsonb) as p (
       "tenantId" uuid, id uuid, mode text, "paymentCode" text, "idempotencyKey" text, fingerprint text, amount bigint,
       currency text, "methodType" text, channel text, "methodDetail" jsonb, status text, provider text,
       "providerAccountId" uuid, "customerName" text, "customerEmail" text, "customerPhone" text, items jsonb,
       "expiryMinutes" integer, "expiresAt" timestamptz, "nextCheckAt" timestamptz, "createdAt" timestamptz,
       "updatedAt" timestamptz)
     order by "tenantId", mode, "idempotencyKey"
     on conflict (tenant_id, mode, idempotency_key) do nothing
     returning tenant_id, id, payment_code, provider, provider_account_id, created_at
   )
   insert into payment_references (reference, tenant_id, payment_id, provider_account_id, provider, started_at)
   select payment_code, tenant_id, id, provider_account_id, provider, created_at from inserted order by payment_code
   returning payment_id as id`,
)

const insertOne = joined(async (db, payments: Payment[]) => {
  const rows = await insertRows(db, {
    payments: toJson(payments.map(each => ({ ...each, fingerprint: each.fingerprint.toString('hex') }))),
  })
  const inserted = new Set(rows.map(row => row.id))
  return payments.map(({ id }) => inserted.has(id))
})

/**
 * Inserts the payment together with the reference under which its provider will know it. False where the
 * idempotency key is taken. Throws unique_violation on payment_references where the code is.
 */
export const insertPayment = (db: Db, payment: Payment): Promise<boolean> => insertOne(db, payment)

export type PaymentKey = { tenantId: string; paymentId: string }

/** In the order of their keys, whoever locks them, so that two batches never wait for each other in a ring. */
export async function lockPayments(tx: Tx, keys: PaymentKey[]): Promise<Payment[]> {
  const { rows } = await tx.raw<{ rows: Payment[] }>(
    `select ${paymentColumns}
     from payments p
     join unnest(?::uuid[], ?::uuid[]) as k (tenant_id, id) on p.tenant_id = k.tenant_id and p.id = k.id
     order by p.tenant_id, p.id
     for update of p`,
    [keys.map(key => key.tenantId), keys.map(key => key.paymentId)],
  )
  return rows
}

export type Transition = {
  tenantId: string
  paymentId: string
  number: number
  at: Date
  from: Status
  to: Status
  cause: string
  detail: string | null
}

/** Writes what events changed, with the transitions that led there. */
export async function updatePayments(tx: Tx, payments: Payment[], transitions: Transition[]): Promise<void> {
  await tx.raw(
    `with moved as (
       insert into payment_transitions (tenant_id, payment_id, number, at, from_status, to_status, cause, detail)
       select "tenantId", "paymentId", number, at, "from", "to", cause, detail
       from jsonb_to_recordset(:transitions) as t (
         "tenantId" uuid, "paymentId" uuid, number integer, at timestamptz, "from" text, "to" text, cause text, detail text)
     )
     update payments p
     set status = c.status, transition_count = c."transitionCount", method_data = c."methodData",
         provider = c.provider, provider_account_id = c."providerAccountId", attempt = c.attempt,
         provider_payment_id = c."providerPaymentId", paid_reference = c."paidReference", receipt = c.receipt,
         reversed_at = c."reversedAt", expires_at = c."expiresAt", paid_at = c."paidAt",
         amount_paid = c."amountPaid", failure_reason = c."failureReason",
         amount_received = c."amountReceived", next_check_at = c."nextCheckAt", updated_at = c."updatedAt"
     from jsonb_to_recordset(:payments) as c (
       "tenantId" uuid, id uuid, status text, "transitionCount" integer, "methodData" jsonb, provider text,
       "providerAccountId" uuid, attempt smallint, "providerPaymentId" text, "paidReference" text, receipt text,
       "reversedAt" timestamptz,
       "expiresAt" timestamptz, "paidAt" timestamptz, "amountPaid" bigint, "failureReason" text,
       "amountReceived" bigint, "nextCheckAt" timestamptz, "updatedAt" timestamptz)
     where p.tenant_id = c."tenantId" and p.id = c.id`,
    { payments: toJson(payments.map(changeable)), transitions: toJson(transitions) },
  )
}

/** The columns that may change after creation; the rest would only weigh down the statement. */
const changeable = (payment: Payment) => ({
  tenantId: payment.tenantId,
  id: payment.id,
  status: payment.status,
  transitionCount: payment.transitionCount,
  methodData: payment.methodData,
  provider: payment.provider,
  providerAccountId: payment.providerAccountId,
  attempt: payment.attempt,
  providerPaymentId: payment.providerPaymentId,
  paidReference: payment.paidReference,
  receipt: payment.receipt,
  reversedAt: payment.reversedAt,
  expiresAt: payment.expiresAt,
  paidAt: payment.paidAt,
  amountPaid: payment.amountPaid,
  failureReason: payment.failureReason,
  amountReceived: payment.amountReceived,
  nextCheckAt: payment.nextCheckAt,
  updatedAt: payment.updatedAt,
})

const toJson = (rows: object[]): string =>
  JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? value.toString() : value))

export type Reference = { reference: string; providerAccountId: string; tenantId: string; paymentId: string }

/** Where each reference leads, if to a payment that was given to this account. */
export async function findReferences(
  db: Db | Tx,
  references: Pick<Reference, 'reference' | 'providerAccountId'>[],
): Promise<Reference[]> {
  const { rows } = await db.raw<{ rows: Reference[] }>(
    `select r.reference, r.provider_account_id as "providerAccountId", r.tenant_id as "tenantId", r.payment_id as "paymentId"
     from payment_references r
     join unnest(?::text[], ?::uuid[]) as k (reference, account) on r.reference = k.reference and r.provider_account_id = k.account`,
    [references.map(each => each.reference), references.map(each => each.providerAccountId)],
  )
  return rows
}

/**
 * Takes up to `limit` payments whose check is due, and puts their next check off to `until`: who dies while
 * checking leaves them to the next sweep.
 */
export async function claimDuePayments(db: Db, now: Date, until: Date, limit: number): Promise<Payment[]> {
  const { rows } = await db.raw<{ rows: Payment[] }>(
    `with due as (
       select tenant_id, id from payments
       where next_check_at <= :now order by next_check_at limit :limit for update skip locked
     )
     update payments p set next_check_at = :until
     from due where p.tenant_id = due.tenant_id and p.id = due.id
     returning ${paymentColumns}`,
    { now, until, limit },
  )
  return rows
}

/** Null: never. Only while the payment has not moved: an event that came in between has set its own. */
export async function postponeCheck(db: Db, payment: Payment, nextCheckAt: Date | null): Promise<void> {
  await db.raw(
    'update payments set next_check_at = ? where tenant_id = ? and id = ? and transition_count = ?',
    [nextCheckAt, payment.tenantId, payment.id, payment.transitionCount],
  )
}
