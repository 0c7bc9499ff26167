import { batchedRead } from '../db/batch/batched-read.ts'
import { batchedWrite } from '../db/batch/batched-write.ts'
import type { Db, Tx } from '../db/db.ts'
import { groupsByShard, isDistributed, shardedStatement } from '../db/distributed-database.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import type { Balance } from '../ledger/transfer.ts'
import type { Mode } from '../values/mode.ts'
import type { Cents } from '../values/money.ts'
import type { Payment, ShownPayment, Status } from './payment.ts'

const shownColumns = `
  p.tenant_id as "tenantId", p.id, p.mode, p.payment_code as "paymentCode", p.idempotency_key as "idempotencyKey",
  p.amount, p.currency, p.method_type as "methodType", p.method_detail as "methodDetail", p.method_data as "methodData",
  p.status, p.provider, p.provider_payment_id as "providerPaymentId", p.customer_name as "customerName",
  p.customer_email as "customerEmail", p.customer_phone as "customerPhone", p.items, p.expires_at as "expiresAt",
  p.paid_at as "paidAt", p.amount_paid as "amountPaid", p.failure_reason as "failureReason",
  p.amount_refunded as "amountRefunded", p.amount_reversed as "amountReversed",
  p.created_at as "createdAt", p.updated_at as "updatedAt"`

export const paymentColumns = `${shownColumns},
  p.fingerprint, p.fingerprint_version as "fingerprintVersion", p.channel, p.transition_count as "transitionCount", p.provider_account_id as "providerAccountId",
  p.attempt, p.return_url as "returnUrl", p.customer_ip as "customerIp", p.expiry_minutes as "expiryMinutes",
  p.paid_reference as "paidReference", p.receipt, p.reversed_at as "reversedAt",
  p.unconfirmed_since as "unconfirmedSince", p.amount_received as "amountReceived", p.next_check_at as "nextCheckAt",
  p.fee_terms as "feeTerms"`

function paymentFinder<Row extends ShownPayment>(name: string, columns: string) {
  const find = batchedRead<PaymentKey, Row>(name, {
    key: { tenant_id: ['uuid', key => key.tenantId], id: ['uuid', key => key.paymentId] },
    select: (restrict, only) =>
      `select ${columns} from ${restrict('payments')} p
       where p.tenant_id = k.tenant_id and p.id = k.id ${only('p.tenant_id')} limit 1`,
    shardOf: key => key.tenantId,
  })

  /** Finds the payment with this id. If `mode` is null, the payment may be in live or test mode. */
  return async (db: Db, tenantId: string, id: string, mode: Mode | null): Promise<Row | undefined> => {
    // Compares ids in lower case: PostgreSQL returns UUIDs in lower case, but callers may send them in upper case.
    const [payment] = await find(db, { tenantId, paymentId: id.toLowerCase() })
    return mode === null || payment?.mode === mode ? payment : undefined
  }
}

export const findPaymentInBatch = paymentFinder<Payment>('find_payments', paymentColumns)
/**
 * Finds a payment with only the columns that the API shows. Omitting the internal columns makes this frequent query ten
 * percent cheaper.
 */
export const findShownPaymentInBatch = paymentFinder<ShownPayment>('find_shown_payments', shownColumns)

type KeyOfRequest = Pick<Payment, 'tenantId' | 'mode' | 'idempotencyKey'>

const findByKey = batchedRead<KeyOfRequest, Payment>('find_payments_by_key', {
  key: {
    tenant_id: ['uuid', key => key.tenantId],
    mode: ['text', key => key.mode],
    key: ['text', key => key.idempotencyKey],
  },
  select: (restrict, only) => `
    select ${paymentColumns} from ${restrict('payments')} p
    where p.tenant_id = k.tenant_id and p.mode = k.mode and p.idempotency_key = k.key ${only('p.tenant_id')} limit 1`,
  shardOf: key => key.tenantId,
})

export const findPaymentByKeyInBatch = async (
  db: Db,
  tenantId: string,
  mode: Mode,
  idempotencyKey: string,
): Promise<Payment | undefined> => (await findByKey(db, { tenantId, mode, idempotencyKey }))[0]

/**
 * Payments are inserted in the order of their idempotency keys. Two concurrent batches thus lock the same
 * keys in the same order and cannot deadlock.
 */
const insertRows = preparedStatement<{ id: string }>(
  `with inserted as (
     insert into payments (
       tenant_id, id, mode, payment_code, idempotency_key, fingerprint, fingerprint_version, amount, currency, method_type, channel,
       method_detail, status, provider, provider_account_id, customer_name, customer_email, customer_phone, items,
       return_url, customer_ip, expiry_minutes, expires_at, next_check_at, fee_terms, created_at, updated_at)
     select
       "tenantId", id, mode, "paymentCode", "idempotencyKey", decode(fingerprint, 'hex'), "fingerprintVersion", amount, currency, "methodType",
       channel, "methodDetail", status, provider, "providerAccountId", "customerName", "customerEmail", "customerPhone",
       items, "returnUrl", "customerIp", "expiryMinutes", "expiresAt", "nextCheckAt", "feeTerms", "createdAt", "updatedAt"
     from jsonb_to_recordset(:payments::jsonb) as p (
       "tenantId" uuid, id uuid, mode text, "paymentCode" text, "idempotencyKey" text, fingerprint text,
       "fingerprintVersion" smallint, amount bigint,
       currency text, "methodType" text, channel text, "methodDetail" jsonb, status text, provider text,
       "providerAccountId" uuid, "customerName" text, "customerEmail" text, "customerPhone" text, items jsonb,
       "returnUrl" text, "customerIp" text, "expiryMinutes" integer, "expiresAt" timestamptz, "nextCheckAt" timestamptz, "feeTerms" jsonb, "createdAt" timestamptz,
       "updatedAt" timestamptz)
     order by "tenantId", mode, "idempotencyKey"
     on conflict (tenant_id, mode, idempotency_key) do nothing
     returning tenant_id, id, payment_code, provider, provider_account_id, created_at
   )
   insert into payment_references (reference, tenant_id, payment_id, provider_account_id, provider, started_at)
   select payment_code, tenant_id, id, provider_account_id, provider, created_at from inserted order by payment_code
   returning payment_id as id`,
)

/**
 * Inserts the payment and its reference at the provider. Returns false if a payment with the same idempotency
 * key exists. Throws unique_violation on payment_references if another payment has the same payment code.
 */
export const insertPaymentInBatch = batchedWrite('insert_payments', {
  tenantOf: (payment: Payment) => payment.tenantId,
  async run(db, payments) {
    const rows = await insertRows(db, {
      payments: toJson(payments.map(each => ({ ...each, fingerprint: each.fingerprint.toString('hex') }))),
    })
    const inserted = new Set(rows.map(row => row.id))
    return payments.map(({ id }) => inserted.has(id))
  },
})

export type PaymentKey = { tenantId: string; paymentId: string }

const lock = shardedStatement<Payment & { balance: Cents | null }>(
  only => `select ${paymentColumns},
          (select b.balance from balances b
           where b.tenant_id = p.tenant_id and b.mode = p.mode ${only('b.tenant_id')}) as balance
   from payments p
   join unnest(:tenantIds::uuid[], :ids::uuid[]) as k (tenant_id, id)
     on p.tenant_id = k.tenant_id and p.id = k.id ${only('p.tenant_id')}
   order by p.tenant_id, p.id
   for update of p`,
)

/**
 * Locks payments in the order of their keys. Every caller uses this order, so that two concurrent batches
 * cannot deadlock.
 */
export const lockPayments = async (tx: Tx, keys: PaymentKey[]): Promise<Payment[]> =>
  (await lockPaymentsWithBalances(tx, keys)).payments

/**
 * Locks payments and reads the balances of their tenants. The balances are not locked, so a concurrent
 * posting may still change them.
 */
export async function lockPaymentsWithBalances(
  tx: Tx,
  keys: PaymentKey[],
): Promise<{ payments: Payment[]; balances: Balance[] }> {
  const rows: (Payment & { balance: Cents | null })[] = []
  const inOrder = isDistributed(tx) ? keys.toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1)) : keys
  for (const group of groupsByShard(tx, inOrder, key => key.tenantId)) {
    const tenantIds = group.map(key => key.tenantId)
    rows.push(...(await lock(tx, tenantIds, { tenantIds, ids: group.map(key => key.paymentId) })))
  }
  return {
    payments: rows.map(({ balance: _, ...payment }) => payment),
    balances: rows.map(({ tenantId, mode, balance }) => ({ tenantId, mode, balance: balance ?? 0n })),
  }
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

// Updates only the columns of payments that can change after a payment's creation.
const update = shardedStatement(
  only => `with moved as (
     insert into payment_transitions (tenant_id, payment_id, number, at, from_status, to_status, cause, detail)
     select * from unnest(
       :ofTenants::uuid[], :ofPayments::uuid[], :numbers::integer[], :ats::timestamptz[], :froms::text[], :tos::text[],
       :causes::text[], :details::text[])
     -- Citus would insert these rows with COPY, which PostgreSQL rejects under row security, if it did not return them.
     returning payment_id
   )
   update payments p
   set status = c.status, transition_count = c.transition_count,
       method_data = coalesce(c.method_data::jsonb, p.method_data),
       provider = c.provider, provider_account_id = c.provider_account_id, attempt = c.attempt,
       provider_payment_id = c.provider_payment_id, paid_reference = c.paid_reference, receipt = c.receipt,
       reversed_at = c.reversed_at, unconfirmed_since = c.unconfirmed_since, expires_at = c.expires_at, paid_at = c.paid_at,
       amount_paid = c.amount_paid, failure_reason = c.failure_reason,
       amount_received = c.amount_received, next_check_at = c.next_check_at, updated_at = c.updated_at
   from unnest(
     :tenantIds::uuid[], :ids::uuid[], :statuses::text[], :transitionCounts::integer[], :methodDatas::text[],
     :providers::text[], :providerAccountIds::uuid[], :attempts::smallint[], :providerPaymentIds::text[],
     :paidReferences::text[], :receipts::text[], :reversedAts::timestamptz[], :unconfirmedSinces::timestamptz[],
     :expiresAts::timestamptz[], :paidAts::timestamptz[], :amountsPaid::bigint[], :failureReasons::text[], :amountsReceived::bigint[],
     :nextCheckAts::timestamptz[], :updatedAts::timestamptz[])
     as c (tenant_id, id, status, transition_count, method_data, provider, provider_account_id, attempt,
           provider_payment_id, paid_reference, receipt, reversed_at, unconfirmed_since, expires_at, paid_at,
           amount_paid, failure_reason, amount_received, next_check_at, updated_at)
   where p.tenant_id = c.tenant_id and p.id = c.id ${only('p.tenant_id')}`,
)

/** A payment as it was before and after a batch of events. */
export type Change = { before: Payment; payment: Payment }

/** Stores the changed payments and their status transitions. */
export async function updatePayments(tx: Tx, changes: Change[], transitions: Transition[]): Promise<void> {
  const of = <Name extends keyof Payment>(name: Name) => changes.map(({ payment }) => payment[name])
  const tenantIds = of('tenantId')
  await update(tx, tenantIds, {
    ofTenants: transitions.map(each => each.tenantId),
    ofPayments: transitions.map(each => each.paymentId),
    numbers: transitions.map(each => each.number),
    ats: transitions.map(each => each.at),
    froms: transitions.map(each => each.from),
    tos: transitions.map(each => each.to),
    causes: transitions.map(each => each.cause),
    details: transitions.map(each => each.detail),
    tenantIds,
    ids: of('id'),
    statuses: of('status'),
    transitionCounts: of('transitionCount'),
    methodDatas: changes.map(newMethodData),
    providers: of('provider'),
    providerAccountIds: of('providerAccountId'),
    attempts: of('attempt'),
    providerPaymentIds: of('providerPaymentId'),
    paidReferences: of('paidReference'),
    receipts: of('receipt'),
    reversedAts: of('reversedAt'),
    unconfirmedSinces: of('unconfirmedSince'),
    expiresAts: of('expiresAt'),
    paidAts: of('paidAt'),
    amountsPaid: of('amountPaid'),
    failureReasons: of('failureReason'),
    amountsReceived: of('amountReceived'),
    nextCheckAts: of('nextCheckAt'),
    updatedAts: of('updatedAt'),
  })
}

// Locks the payments in the order of their keys, as `lockPayments` does.
const updateIfUnchanged = shardedStatement<PaymentKey>(
  only => `with unchanged as (
     select p.tenant_id, p.id, c.number, c.at, c.from_status, c.to_status, c.cause, c.detail, c.method_data,
            c.provider_payment_id, c.failure_reason, c.next_check_at
     from payments p
     join unnest(
       :tenantIds::uuid[], :ids::uuid[], :numbers::integer[], :ats::timestamptz[], :froms::text[], :tos::text[],
       :causes::text[], :details::text[], :methodDatas::text[], :providerPaymentIds::text[], :failureReasons::text[],
       :nextCheckAts::timestamptz[])
       as c (tenant_id, id, number, at, from_status, to_status, cause, detail, method_data, provider_payment_id,
             failure_reason, next_check_at)
       on p.tenant_id = c.tenant_id and p.id = c.id and p.transition_count = c.number - 1
          and p.status = c.from_status ${only('p.tenant_id')}
     order by p.tenant_id, p.id
     for update of p
   ), updated as (
     update payments p
     set status = c.to_status, transition_count = c.number,
         method_data = coalesce(c.method_data::jsonb, p.method_data), provider_payment_id = c.provider_payment_id,
         failure_reason = c.failure_reason, next_check_at = c.next_check_at, updated_at = c.at
     from unchanged c
     where p.tenant_id = c.tenant_id and p.id = c.id ${only('p.tenant_id')}
   )
   insert into payment_transitions (tenant_id, payment_id, number, at, from_status, to_status, cause, detail)
   select tenant_id, id, number, at, from_status, to_status, cause, detail from unchanged
   returning tenant_id as "tenantId", payment_id as "paymentId"`,
)

/** The change of a payment by one event, with the transition to record. */
export type SingleChange = Change & { transition: Transition }

/**
 * Stores each change whose payment is still stored as `before`, and returns the keys of these payments. One statement
 * locks, compares and changes the payments. Stores only the fields that the outcome of a charge changes.
 */
export async function updateUnchangedPayments(db: Db, changes: SingleChange[]): Promise<PaymentKey[]> {
  const of = <Name extends keyof Payment>(name: Name) => changes.map(({ payment }) => payment[name])
  const ofTransition = <Name extends keyof Transition>(name: Name) =>
    changes.map(({ transition }) => transition[name])
  const tenantIds = of('tenantId')
  return updateIfUnchanged(db, tenantIds, {
    tenantIds,
    ids: of('id'),
    numbers: of('transitionCount'),
    ats: of('updatedAt'),
    froms: ofTransition('from'),
    tos: of('status'),
    causes: ofTransition('cause'),
    details: ofTransition('detail'),
    methodDatas: changes.map(newMethodData),
    providerPaymentIds: of('providerPaymentId'),
    failureReasons: of('failureReason'),
    nextCheckAts: of('nextCheckAt'),
  })
}

// Payment instructions are set only once. Most updates leave them out, which saves time.
const newMethodData = ({ before, payment }: Change): string | null =>
  payment.methodData === before.methodData ? null : JSON.stringify(payment.methodData)

const toJson = (rows: object[]): string =>
  JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? value.toString() : value))

export type PaymentReference = {
  reference: string
  providerAccountId: string
  tenantId: string
  paymentId: string
}

const find = shardedStatement<PaymentReference>(
  only => `select r.reference, r.provider_account_id as "providerAccountId", r.tenant_id as "tenantId", r.payment_id as "paymentId"
   from unnest(:references::text[], :accounts::uuid[]) as k (reference, account)
   cross join lateral (
     select * from payment_references
     where reference = k.reference and provider_account_id = k.account ${only('reference')} limit 1
   ) r`,
)

/** Finds the payment of each reference. A reference of another provider account finds no payment. */
export async function findPaymentsByReference(
  db: Db | Tx,
  lookups: Pick<PaymentReference, 'reference' | 'providerAccountId'>[],
): Promise<PaymentReference[]> {
  const found: PaymentReference[] = []
  for (const group of groupsByShard(db, lookups, each => each.reference)) {
    const references = group.map(each => each.reference)
    const accounts = group.map(each => each.providerAccountId)
    found.push(...(await find(db, references, { references, accounts })))
  }
  return found
}
