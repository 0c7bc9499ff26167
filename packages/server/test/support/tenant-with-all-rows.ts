// Creates a tenant with rows in every table that contains tenant data.

import { randomBytes } from 'node:crypto'
import type { Db } from '../../src/db/db.ts'
import { lockPaymentsWithBalances } from '../../src/payments/payment.sql.ts'
import type { Payment } from '../../src/payments/payment.ts'
import { newBatch } from '../../src/payments/record/event-batch.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import { recordRefund } from '../../src/payments/record/record-refund.ts'
import { writeBatch } from '../../src/payments/record/write-batch.ts'
import { newId } from '../../src/values/id.ts'
import { asOwner } from './database.ts'
import { insertPendingPayment, later, makeTenant } from './make.ts'
import { makeRefund } from './make-refund.ts'

/** Records a refund of a paid payment. */
export async function refundOf(db: Db, { tenantId, id: paymentId, mode }: Payment): Promise<void> {
  const [key] = [{ tenantId, paymentId }]
  await db.transaction(async tx => {
    const { payments, balances } = await lockPaymentsWithBalances(tx, [key])
    const batch = newBatch(payments, later(3_000), balances)
    recordRefund(batch, undefined, makeRefund({ tenantId, paymentId, mode, amount: 100n }), 'merchant')
    await writeBatch(tx, batch)
  })
}

const formula = { percent_bps: 0, fixed: 100_000, min: null, max: null, tax_bps: 1_100 }
const aFee = { version: 1, refund_fees: false, ...formula }

/**
 * Creates the tenant and returns its ID. The function `owner` runs statements with the role that owns the
 * tables.
 */
export async function tenantWithAllRows(
  db: Db,
  owner: (work: (db: Db) => Promise<unknown>) => Promise<unknown> = work => asOwner(db, work),
): Promise<string> {
  const tenantId = await makeTenant(db, { callbackUrl: 'http://127.0.0.1:9/' })
  const accountId = newId()
  const payment = await insertPendingPayment(db, {
    ...{ tenantId, providerAccountId: accountId },
    feeTerms: { operator: aFee, partner: null },
  })
  const event = {
    type: 'paid',
    amountPaid: payment.amount,
    paidAt: later(1_000),
    reference: payment.paymentCode,
  } as const
  await db.transaction(tx =>
    recordEvents(tx, [{ tenantId, paymentId: payment.id, event, cause: 'callback' }], later(2_000)),
  )
  await refundOf(db, payment)
  const ids = { tenantId, accountId, paymentId: payment.id, one: newId(), hash: randomBytes(32) }
  for (const sql of [
    `insert into webhook_attempts (tenant_id, event_id, number, started_at, duration_ms)
     select tenant_id, id, 1, now(), 1 from webhook_events where tenant_id = :tenantId`,
    `insert into additional_endpoints (tenant_id, id, mode, slot, url, description, event_types, schedule,
       secret_sealed, created_at)
     values (:tenantId, :one, 'live', 1, 'https://example.com', '', '{}', 'short', 'sealed', now())`,
    `insert into additional_deliveries (tenant_id, event_id, endpoint_id, next_attempt_at)
     select tenant_id, id, :one, now() from webhook_events where tenant_id = :tenantId`,
    `insert into additional_attempts (tenant_id, event_id, endpoint_id, number, started_at, duration_ms)
     select tenant_id, id, :one, 1, now(), 1 from webhook_events where tenant_id = :tenantId`,
    `insert into provider_accounts (id, provider_code, mode, name, credentials_sealed)
     values (:accountId, 'midtrans', 'test', 'an account', 'sealed')`,
    'insert into entitlements (tenant_id, provider_account_id) values (:tenantId, :accountId)',
    `insert into previous_webhook_secrets (tenant_id, secret_sealed, expires_at) values (:tenantId, 'sealed', now())`,
    `insert into fee_schedules (tenant_id, layer, version, effective_from, refunds_fees, rules, created_at)
     values (:tenantId, 'operator', 1, now(), false, '[]', now())`,
    `insert into routing_rules (tenant_id, id, position, provider_account_id)
     values (:tenantId, :one, 1, :accountId)`,
    `insert into unexpected_money (id, kind, provider, provider_account_id, mode, reference, receipt, tenant_id,
       payment_id, amount, credited, paid_at, created_at)
     values (:one, 'second_payment', 'midtrans', :accountId, 'live', 'a reference', '', :tenantId, :paymentId, 1, false,
       now(), now())`,
    `insert into settlements (id, provider_account_id, date, uploaded_at)
     values (:one, :accountId, '2026-11-20', now())`,
    `insert into settlement_lines (settlement_id, line, date, reference, status, amount, tenant_id, payment_id)
     values (:one, 1, '2026-11-20', 'a reference', 'paid', 1, :tenantId, :paymentId)`,
    `insert into reconciliation_runs (day, mode, id, started_at) values ('2026-11-20', 'live', :one, now())
     on conflict do nothing`,
    `insert into reconciliation_checks (day, mode, tenant_id, payment_id, provider_account_id)
     values ('2026-11-20', 'live', :tenantId, :paymentId, :accountId)`,
    `insert into reconciliation_differences (id, matter, day, mode, kind, "between", tenant_id, payment_id, reference,
       provider, provider_account_id, detail, found_at, last_found_at)
     values (:one, :one, '2026-11-20', 'live', 'amount', 'payments_ledger', :tenantId, :paymentId, 'a reference',
       'midtrans', :accountId, 'a detail', now(), now())`,
    `insert into api_keys (id, tenant_id, mode, name, key_hash, display_prefix)
     values (:one, :tenantId, 'test', 'a key', :hash, 'gpr_test')`,
    `insert into api_requests (tenant_id, id, mode, api_key_id, request_id, method, route, path, status, duration_ms)
     values (:tenantId, :one, 'test', :one, 'a request', 'GET', '/v1/payments', '/v1/payments', 200, 1)`,
    'insert into customer_erasures (tenant_id, erased_to) values (:tenantId, :one)',
    `insert into notices (id, tenant_id, kind, subject, detail, since, seen_at)
     values (:one, :tenantId, 'receiver_failing', '', '{}', now(), now())`,
    `insert into tenant_branding (tenant_id, display_name) values (:tenantId, 'a name')`,
    'insert into tenant_limits (tenant_id, requests_per_second) values (:tenantId, 100)',
    `insert into users (id, tenant_id, email, password_hash)
     values (:one, :tenantId, :one || '@example.com', 'a hash')`,
    `insert into session_keys (id, key_hash, tenant_id, user_id, session_id, created_at, expires_at)
     values (:one, :hash, :tenantId, :one, :one, now(), now())`,
    `insert into management_requests (tenant_id, user_id, key, request_hash, expires_at)
     values (:tenantId, :one, 'a-key', :hash, now())`,
    `insert into audit_log (id, actor_tenant_id, action, tenant_id)
     values (:one, :tenantId, 'api_key.create', :tenantId)`,
    `insert into ledger_seals (tenant_id, mode, from_version, to_version, previous_hash, hash, round)
     select tenant_id, mode, 1, 1, decode(repeat('00', 32), 'hex'), :hash, nextval('ledger_rounds')
     from ledger_entries where tenant_id = :tenantId and version = 1`,
    `insert into book_transfers (tenant_id, id, mode, from_account, to_account, amount, payment_id, reference_id, reason,
       created_at)
     values (:tenantId, :one, 'live', '00000000-0000-0000-0000-000000000003', '00000000-0000-0000-0000-000000000004', 1,
       :paymentId, 'a reference', 'a reason', now())`,
    `insert into provider_callbacks (id, provider_account_id, provider, headers, body, tenant_id, payment_id)
     values (:one, :accountId, 'midtrans', '{}', '', :tenantId, :paymentId)`,
  ])
    await db.raw(sql, ids)
  // The owner of the tables inserts this row, because the service may only read book_backfills.
  await owner(each => each.raw(`insert into book_backfills values (?, 'live', 1, 1)`, [tenantId]))
  return tenantId
}
