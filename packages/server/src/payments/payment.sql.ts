import { batchedRead } from '../db/batch/batched-read.ts'
import { batchedWrite } from '../db/batch/batched-write.ts'
import type { Db, Tx } from '../db/db.ts'
import {
  groupsByShard,
  holdShard,
  insertOnAvailableWorker,
  isDistributed,
  isOnOneShard,
  shardedStatement,
} from '../db/distributed-database.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import type { Balance } from '../ledger/transfer.ts'
import type { Mode } from '../values/mode.ts'
import type { Cents } from '../values/money.ts'
import type { Payment, ShownPayment, Status } from './payment.ts'
import { newPaymentCode } from './payment-code.ts'
import { insertedRecord, insertedRowOf } from './payment-row.ts'

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
    select: restrict =>
      `select ${columns} from ${restrict('payments')} p where p.tenant_id = k.tenant_id and p.id = k.id limit 1`,
  })

  /** Finds the payment with this ID. If `mode` is null, the payment may be in live or test mode. */
  return async (db: Db, tenantId: string, id: string, mode: Mode | null): Promise<Row | undefined> => {
    // Compares ids in lower case, because PostgreSQL returns UUIDs in lower case but callers may send them in upper
    // case.
    const [payment] = await find(db, { tenantId, paymentId: id.toLowerCase() })
    return mode === null || payment?.mode === mode ? payment : undefined
  }
}

export const findPaymentInBatch = paymentFinder<Payment>('find_payments', paymentColumns)
/**
 * Finds a payment. Only the columns that the API shows are read, which makes this frequent query ten percent cheaper.
 */
export const findShownPaymentInBatch = paymentFinder<ShownPayment>('find_shown_payments', shownColumns)

type KeyOfRequest = Pick<Payment, 'tenantId' | 'mode' | 'idempotencyKey'>

const findByKey = batchedRead<KeyOfRequest, Payment>('find_payments_by_key', {
  key: {
    tenant_id: ['uuid', key => key.tenantId],
    mode: ['text', key => key.mode],
    key: ['text', key => key.idempotencyKey],
  },
  select: restrict => `
    select ${paymentColumns} from ${restrict('payments')} p
    where p.tenant_id = k.tenant_id and p.mode = k.mode and p.idempotency_key = k.key limit 1`,
})

export const findPaymentByKeyInBatch = async (
  db: Db,
  tenantId: string,
  mode: Mode,
  idempotencyKey: string,
): Promise<Payment | undefined> => (await findByKey(db, { tenantId, mode, idempotencyKey }))[0]

/**
 * Payments are inserted in idempotency key order. Two concurrent batches thus lock the same keys in the same order
 * and cannot deadlock.
 */
const insertOf = (tenant: string, join = '') => `
     insert into payments as i (
       tenant_id, id, mode, payment_code, idempotency_key, fingerprint, fingerprint_version, amount, currency, method_type, channel,
       method_detail, status, provider, provider_account_id, customer_name, customer_email, customer_phone, items,
       return_url, customer_ip, expiry_minutes, expires_at, next_check_at, fee_terms, created_at, updated_at)
     select
       ${tenant}, id, p.mode, "paymentCode", "idempotencyKey", decode(fingerprint, 'hex'), "fingerprintVersion", amount, currency, "methodType",
       channel, "methodDetail", status, provider, "providerAccountId", "customerName", "customerEmail", "customerPhone",
       items, "returnUrl", "customerIp", "expiryMinutes", "expiresAt", "nextCheckAt", "feeTerms", "createdAt", "updatedAt"
     from jsonb_to_recordset(:payments::jsonb) as p (${insertedRecord})
     ${join}
     order by "tenantId", p.mode, "idempotencyKey"
     on conflict (tenant_id, mode, idempotency_key) do nothing
     returning i.tenant_id, i.id, i.payment_code, i.provider, i.provider_account_id, i.created_at`

const insertRows = preparedStatement<{ id: string }>(
  `with inserted as (${insertOf('"tenantId"')}
   )
   insert into payment_references (reference, tenant_id, payment_id, provider_account_id, provider, started_at)
   select payment_code, tenant_id, id, provider_account_id, provider, created_at from inserted order by payment_code
   returning payment_id as id`,
)

/**
 * Inserts the payment and its order reference. Returns false if the idempotency key is in use. Throws
 * unique_violation on payment_references if the payment code is in use.
 */
export const insertPaymentInBatch = batchedWrite('insert_payments', {
  tenantOf: (payment: Payment) => payment.tenantId,
  async run(db, payments) {
    const rows = await (isDistributed(db) ? insertOnShards : insertTogether)(db, payments)
    const inserted = new Set(rows.map(row => row.id))
    return payments.map(({ id }) => inserted.has(id))
  },
})

const insertTogether = (db: Db, payments: Payment[]) => insertRows(db, { payments: rowsOf(payments) })

const rowsOf = (payments: Payment[]): string => JSON.stringify(payments.map(insertedRowOf))

const usedKeys = preparedStatement<Pick<Payment, 'mode' | 'idempotencyKey'>>(
  `select p.mode, p.idempotency_key as "idempotencyKey" from payments p
   join unnest(:modes::text[], :keys::text[]) as k (mode, key) on p.mode = k.mode and p.idempotency_key = k.key
   where p.tenant_id = :tenantId`,
)

const insertReference = preparedStatement(
  `insert into payment_references (reference, tenant_id, payment_id, provider_account_id, provider, started_at)
   values (:paymentCode, :tenantId, :id, :providerAccountId, :provider, :createdAt)`,
)

const insertOfTenant = preparedStatement<{ id: string }>(
  insertOf('b.tenant_id', 'join balances b on b.tenant_id = :tenantId and b.mode = p.mode'),
)

/**
 * Inserts one tenant's payments on a distributed database, where a payment and its reference (the row with its payment
 * code) are on different shards. The reference is committed first, so that every payment has a reference and payment
 * codes are unique.
 *
 * After a crash, a reference may remain without its payment, but then no charge was sent. If the reference's worker
 * node is unavailable, the payment gets a new payment code.
 */
async function insertOnShards(db: Db, payments: Payment[]): Promise<{ id: string }[]> {
  const tenantId = payments[0]?.tenantId as string
  const keyOf = ({ mode, idempotencyKey }: Pick<Payment, 'mode' | 'idempotencyKey'>) =>
    `${mode} ${idempotencyKey}`
  const modes = payments.map(each => each.mode)
  const used = await usedKeys(db, { tenantId, modes, keys: payments.map(each => each.idempotencyKey) })
  const known = new Set(used.map(keyOf))
  const added = payments.filter(payment => !known.has(keyOf(payment)))
  for (const payment of added) {
    const { id, providerAccountId, provider, createdAt } = payment
    await insertOnAvailableWorker(
      () =>
        insertReference(db, {
          paymentCode: payment.paymentCode,
          ...{ tenantId, id, providerAccountId, provider, createdAt },
        }),
      () => {
        payment.paymentCode = newPaymentCode(createdAt)
      },
    )
  }
  return added.length === 0 ? [] : insertOfTenant(db, { tenantId, payments: rowsOf(added) })
}

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

/** Locks payments in key order. Every caller uses this order, so two concurrent batches cannot deadlock. */
export const lockPayments = async (tx: Tx, keys: PaymentKey[]): Promise<Payment[]> =>
  (await lockPaymentsWithBalances(tx, keys)).payments

/**
 * Locks payments and reads the balances of their tenants. The balances are not locked, so a concurrent posting may
 * still change them.
 */
export async function lockPaymentsWithBalances(
  tx: Tx,
  keys: PaymentKey[],
): Promise<{ payments: Payment[]; balances: Balance[] }> {
  const rows: (Payment & { balance: Cents | null })[] = []
  const inOrder = isDistributed(tx) ? keys.toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1)) : keys
  for (const group of groupsByShard(tx, inOrder, key => key.tenantId)) {
    const tenantIds = group.map(key => key.tenantId)
    if (isDistributed(tx)) await holdShard(tx, tenantIds[0] as string)
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

const insertTransitions = (
  onShard: (text: string, usual?: string) => string,
): string => `insert into payment_transitions as m (tenant_id, payment_id, number, at, from_status, to_status, cause, detail)
     select ${onShard('p.tenant_id, payment_id, number, at, from_status, to_status, cause, detail', '*')} from unnest(
       :ofTenants::uuid[], :ofPayments::uuid[], :numbers::integer[], :ats::timestamptz[], :froms::text[], :tos::text[],
       :causes::text[], :details::text[])
     ${onShard(`as t (of_tenant, payment_id, number, at, from_status, to_status, cause, detail)
     join payments p on p.tenant_id = :onlyKey and p.id = t.payment_id`)}
     -- Citus would insert these rows with COPY, which PostgreSQL rejects under row security, if it did not return them.
     returning m.payment_id`

// Updates only the columns that can change after a payment is created.
const updateRows = (only: string): string => `update payments p
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
   where p.tenant_id = c.tenant_id and p.id = c.id ${only}`

const update = preparedStatement(
  `with moved as (${insertTransitions((_, usual = '') => usual)}) ${updateRows('')}`,
)

// On Citus, `update` is split into two statements: one stores the status transitions, and the other updates the
// payments. Citus would run the parts of a single statement one after the other and copy rows to the worker.
const insertTransitionsOnShard = preparedStatement(insertTransitions(text => text))
const updateOnShard = preparedStatement(updateRows('and p.tenant_id = :onlyKey'))

export type Change = { before: Payment; payment: Payment }

/** Stores the payments' new state and their status transitions. */
export async function updatePayments(tx: Tx, changes: Change[], transitions: Transition[]): Promise<void> {
  const of = <Name extends keyof Payment>(name: Name) => changes.map(({ payment }) => payment[name])
  const tenantIds = of('tenantId')
  const moved = {
    ofTenants: transitions.map(each => each.tenantId),
    ofPayments: transitions.map(each => each.paymentId),
    numbers: transitions.map(each => each.number),
    ats: transitions.map(each => each.at),
    froms: transitions.map(each => each.from),
    tos: transitions.map(each => each.to),
    causes: transitions.map(each => each.cause),
    details: transitions.map(each => each.detail),
  }
  const changed = {
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
  }
  if (!isOnOneShard(tx, tenantIds)) return void (await update(tx, { ...moved, ...changed }))
  const onlyKey = tenantIds[0] as string
  await insertTransitionsOnShard(tx, { ...moved, onlyKey })
  await updateOnShard(tx, { ...changed, onlyKey })
}

// Locks the payments in key order, as `lockPayments` does.
const updateIfUnchanged = preparedStatement<PaymentKey>(
  `with unchanged as (
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
          and p.status = c.from_status
     order by p.tenant_id, p.id
     for update of p
   ), updated as (
     update payments p
     set status = c.to_status, transition_count = c.number,
         method_data = coalesce(c.method_data::jsonb, p.method_data), provider_payment_id = c.provider_payment_id,
         failure_reason = c.failure_reason, next_check_at = c.next_check_at, updated_at = c.at
     from unchanged c
     where p.tenant_id = c.tenant_id and p.id = c.id
   )
   insert into payment_transitions (tenant_id, payment_id, number, at, from_status, to_status, cause, detail)
   select tenant_id, id, number, at, from_status, to_status, cause, detail from unchanged
   returning tenant_id as "tenantId", payment_id as "paymentId"`,
)

/**
 * The change that an event makes to a payment, together with the status transition that is recorded for the
 * change.
 */
export type SingleChange = Change & { transition: Transition }

/**
 * Stores changes to payments and returns the keys of the changed payments. A payment that has changed since it was read
 * as `before` is skipped. A single statement locks, compares and updates the payments. It stores only the fields that a
 * charge's outcome can change.
 */
export async function updateUnchangedPayments(db: Db, changes: SingleChange[]): Promise<PaymentKey[]> {
  const of = <Name extends keyof Payment>(name: Name) => changes.map(({ payment }) => payment[name])
  const ofTransition = <Name extends keyof Transition>(name: Name) =>
    changes.map(({ transition }) => transition[name])
  return updateIfUnchanged(db, {
    tenantIds: of('tenantId'),
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

// Payment instructions are set only once, so an update omits them if they have not changed. This saves time.
const newMethodData = ({ before, payment }: Change): string | null =>
  payment.methodData === before.methodData ? null : JSON.stringify(payment.methodData)

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

/**
 * For each order reference in `lookups`, finds the payment that has this reference at the given provider
 * account.
 */
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
