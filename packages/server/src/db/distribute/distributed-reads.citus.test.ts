// Tests statements that read several tenants' rows on a Citus cluster of several PostgreSQL servers
// (test/support/citus-cluster.ts): counts, searches, the list of unexpected money, the backlogs, and ledger verification.

import { beforeEach, describe, expect, test } from 'vitest'
import { coordinator, runOn } from '../../../test/support/citus-cluster.ts'
import { distributedDatabase } from '../../../test/support/distributed-database.ts'
import { insertPendingPayment, later, makeTenant, now } from '../../../test/support/make.ts'
import { insertPaidAtEarlierAttempt } from '../../../test/support/paid-earlier-attempt.ts'
import { refundOf, tenantWithAllRows } from '../../../test/support/tenant-with-all-rows.ts'
import { endpointSql, eventSql } from '../../../test/support/trigger-statements.ts'
import {
  countUnexpectedMoney,
  findUnexpectedMoney,
  listUnexpectedMoney,
  lockUnexpectedMoney,
} from '../../inbox/unexpected-money-list.sql.ts'
import { pollRowsOfOwner } from '../../live/polled-rows.sql.ts'
import { type Backlog, readBacklog } from '../../metrics/backlog.sql.ts'
import type { Payment } from '../../payments/payment.ts'
import { countPayments } from '../../payments/read/count-payments.sql.ts'
import type { PaymentFilter } from '../../payments/read/payment-filter.sql.ts'
import { findPaymentByIdOrCode, listPayments } from '../../payments/read/payment-list.sql.ts'
import { recordEvents } from '../../payments/record/record-event.ts'
import { countVisibleRefunds } from '../../payments/refund/refund-list.sql.ts'
import { midtrans } from '../../providers/midtrans/midtrans.ts'
import { sumPayments } from '../../reports/report.sql.ts'
import { newId } from '../../values/id.ts'
import { verifyLedger } from '../../verification/verify-ledger.ts'
import { listDeliveries } from '../../webhooks/delivery/delivery.sql.ts'
import type { Db } from '../db.ts'
import { firstPage } from '../list-order.ts'
import { inScope, scopeOfTenant } from '../tenant-scope.ts'

const createdIn = { from: new Date(0), before: new Date('2100-01-01') }
const filterOf = (tenantId: string): PaymentFilter => ({
  ...{ tenantId, modes: ['live'], statuses: ['paid', 'pending'], methodTypes: ['virtual_account'] },
  ...{
    providers: ['midtrans'],
    createdIn,
    search: { text: undefined, channel: undefined, amount: undefined },
  },
})

describe.skipIf(!coordinator)('on a Citus cluster, a read returns the matching rows from all shards', () => {
  const { cluster, servicePool } = distributedDatabase()
  let db: Db
  beforeEach(async () => {
    db = await servicePool()
  })
  const sql = <Row extends object>(...statements: string[]) => runOn<Row>(cluster().url, ...statements)

  async function pay(payment: Payment, fields: object = {}): Promise<Payment> {
    const { tenantId, id: paymentId, amount: amountPaid, paymentCode: reference } = payment
    const event = { type: 'paid', amountPaid, paidAt: later(1), reference, ...fields } as const
    await db.transaction(tx =>
      recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], later(2)),
    )
    return payment
  }
  async function verify() {
    const differences: Record<string, unknown>[] = []
    const found = await verifyLedger({ db, providers: new Map([['midtrans', midtrans]]) as never }, [], {
      onDifference: difference => void differences.push(difference),
      onPage: () => {},
    })
    return {
      ...found,
      of: (tenantId: string) => differences.filter(each => each.tenant_id === tenantId),
      differences,
    }
  }
  /**
   * Runs a statement without triggers, directly on the shard with the tenant's rows. For this, the name of `table` in
   * the statement is replaced by the shard's name.
   */
  async function tamper(table: string, tenantId: string, statement: string): Promise<void> {
    const [shard] = await sql<{ id: string; port: number }>(
      `select shardid as id, nodeport as port from citus_shards
       where shardid = get_shard_id_for_distribution_column('${table}', '${tenantId}'::uuid)`,
    )
    const node = cluster().nodes.find(({ port }) => port === shard?.port)
    await runOn(
      cluster().urlOf(node as never),
      'set citus.enable_manual_changes_to_shards = on',
      'set session_replication_role = replica',
      statement.replaceAll(`${table} `, `${table}_${shard?.id} `),
    )
  }

  test('on a cluster, payments are counted per tenant, and refunds per tenant or in total', async () => {
    const tenants = [await makeTenant(db), await makeTenant(db)]
    for (const tenantId of tenants) {
      const payment = await pay(await insertPendingPayment(db, { tenantId, amount: 1_000n }))
      await insertPendingPayment(db, { tenantId })
      await refundOf(db, payment)
    }
    const [tenantId = ''] = tenants
    const paymentsOf = (over: Partial<PaymentFilter>) =>
      inScope(scopeOfTenant(tenantId), () => countPayments(db, { ...filterOf(tenantId), ...over }))
    expect(await paymentsOf({})).toEqual({ count: 2, isExact: true })
    expect(await paymentsOf({ statuses: ['paid'] })).toEqual({ count: 1, isExact: true })
    expect(await paymentsOf({ statuses: ['failed'] })).toEqual({ count: 0, isExact: true })
    const refundsOf = (viewer: string | null, isWaiting: boolean) =>
      countVisibleRefunds(db, { viewer, mode: null, status: null, isWaiting, createdIn })
    expect(await refundsOf(tenantId, false)).toEqual({ count: 1, isExact: true })
    expect(await refundsOf(null, false)).toEqual({ count: 2, isExact: true })
    await sql(`update refunds set next_check_at = now() where tenant_id = '${tenantId}'`)
    expect(await refundsOf(null, true)).toEqual({ count: 1, isExact: true })
  }, 60_000)

  test("on a cluster, a payment paid at an earlier charge attempt counts toward this attempt's provider", async () => {
    const tenants = [await makeTenant(db), await makeTenant(db)]
    for (const tenantId of tenants) {
      await insertPaidAtEarlierAttempt(db, tenantId)
      await insertPendingPayment(db, { tenantId, provider: 'xendit' })
    }
    const rows = await sumPayments(
      db,
      { viewer: null, mode: null },
      createdIn,
      ['provider', 'tenant'],
      10_000,
    )
    const counts = rows.filter(({ tenant = '' }) => tenants.includes(tenant))
    expect(counts.map(({ provider, count }) => [provider, count])).toEqual([
      ['midtrans', 1n],
      ['midtrans', 1n],
      ['xendit', 1n],
      ['xendit', 1n],
    ])
    const [total] = await sumPayments(db, { viewer: tenants[0] ?? null, mode: 'live' }, createdIn, [], 1)
    expect(total).toMatchObject({ count: 2n, amount: '20000000', amount_paid: '10000000' })
  }, 60_000)

  test("on a cluster, a payment and its webhook deliveries are found by the payment's code", async () => {
    const tenantId = await makeTenant(db, { callbackUrl: 'http://127.0.0.1:9/hook' })
    const { id, paymentCode } = await pay(await insertPendingPayment(db, { tenantId, amount: 1_000n }))
    expect((await findPaymentByIdOrCode(db, paymentCode.toLowerCase()))?.id).toBe(id)
    expect((await findPaymentByIdOrCode(db, id))?.paymentCode).toBe(paymentCode)
    const filter = { status: null, type: null, mode: null, payment: paymentCode }
    const deliveries = await listDeliveries(db, tenantId, filter as never, firstPage(), 10)
    expect(deliveries.length).toBe(1)
  }, 60_000)

  test("on a cluster, the Owner's live feed reads the callbacks and refunds of all shards", async () => {
    const payment = await pay(await insertPendingPayment(db, { tenantId: await makeTenant(db) }))
    await refundOf(db, payment)
    const callbackId = newId()
    await sql(
      `insert into provider_callbacks (id, provider_account_id, provider, headers, body)
       values ('${callbackId}', '${newId()}', 'midtrans', '{}', '')`,
    )
    const rows = await pollRowsOfOwner(db)
    expect(rows).toContainEqual({ kind: 'callback', id: callbackId, paymentId: null, state: 'received' })
    expect(rows).toContainEqual(expect.objectContaining({ kind: 'refund', paymentId: payment.id }))
  }, 60_000)

  test("on a cluster, a search by customer name or partial payment code returns a tenant's sorted payments", async () => {
    const tenantId = await makeTenant(db)
    const codes = ['GP261120-7Q4M2ZK8XW', 'GP261120-ABCDEFGHJK']
    const ids: string[] = []
    for (const paymentCode of codes)
      ids.push((await insertPendingPayment(db, { tenantId, paymentCode, customerName: 'Zainab' })).id)
    await insertPendingPayment(db, { tenantId: await makeTenant(db), customerName: 'Zainab' })
    const search = async (text: string, order: 'newest' | 'oldest') => {
      const filter = { ...filterOf(tenantId), search: { text, channel: undefined, amount: undefined } }
      const { rows } = await inScope(scopeOfTenant(tenantId), () =>
        listPayments(db, filter, firstPage(order), 10),
      )
      return rows.map(({ id }) => id)
    }
    expect(await search('zain', 'newest')).toEqual(ids.toReversed())
    expect(await search('zain', 'oldest')).toEqual(ids)
    expect(await search('4m2zk', 'newest')).toEqual(ids.slice(0, 1))
    expect(await search('nowhere', 'newest')).toEqual([])
  }, 60_000)

  test('on a cluster, unexpected money is listed with its payment and refund, even without a tenant', async () => {
    const payments: Payment[] = []
    for (let n = 0; n < 2; n++) {
      const payment = await insertPendingPayment(db, { tenantId: await makeTenant(db), amount: 1_000n })
      payments.push(await pay(payment))
      await pay(payment, { amountPaid: 700n, receipt: 'again' })
    }
    await sql(
      `insert into unexpected_money (id, kind, provider, provider_account_id, mode, reference, receipt, amount, credited,
         paid_at, created_at)
       values ('${newId()}', 'unknown_reference', 'midtrans', '${newId()}', 'live', 'unknown', '', 5, false, now(), now())`,
    )
    const any = { status: null, kind: null, provider: null, mode: null, paymentId: null }
    const listed = await listUnexpectedMoney(db, any, firstPage('oldest'), 10)
    expect(listed.map(({ tenantId, paymentCode, amount }) => [tenantId, paymentCode, amount])).toEqual([
      ...payments.map(({ tenantId, paymentCode }) => [tenantId, paymentCode, 700n]),
      [null, null, 5n],
    ])
    expect(await countUnexpectedMoney(db, any)).toEqual({ count: 3, isExact: true })
    const [first] = listed as [(typeof listed)[0]]
    await refundOf(db, payments[0] as Payment)
    await tamper(
      'refunds',
      first.tenantId as string,
      `update refunds set refunded_money_id = '${first.id}', origin = 'operator', idempotency_key = null`,
    )
    const ofPayment = await listUnexpectedMoney(db, { ...any, paymentId: first.paymentId }, firstPage(), 10)
    expect(ofPayment).toMatchObject([{ ...first, refundId: expect.any(String), refundStatus: 'pending' }])
    expect(await findUnexpectedMoney(db, first.id)).toEqual(ofPayment[0])
    expect(await db.transaction(tx => lockUnexpectedMoney(tx, first.id))).toEqual(ofPayment[0])
  }, 60_000)

  test('on a cluster, each backlog has the total size and the highest age over all shards', async () => {
    // Other tests have left due payments and webhooks behind, so this test first clears them.
    await sql(
      'update payments set next_check_at = null',
      'delete from webhook_queue',
      'delete from provider_callbacks',
    )
    const ages: (keyof Backlog)[] = ['unknownAge', 'checksOverdue', 'webhooksOverdue', 'callbacksAge']
    for (const minutes of [1, 60]) {
      const ago = `now() - interval '${minutes} minutes'`
      const tenantId = await makeTenant(db)
      for (const set of [
        `status = 'unknown', next_check_at = null, updated_at = ${ago}`,
        `next_check_at = ${ago}`,
      ]) {
        const { id } = await insertPendingPayment(db, { tenantId })
        await sql(`update payments set ${set} where tenant_id = '${tenantId}' and id = '${id}'`)
      }
      await sql(endpointSql(tenantId, 1))
      await sql(eventSql(tenantId))
      await sql(`update additional_deliveries set next_attempt_at = ${ago} where tenant_id = '${tenantId}'`)
      await sql(
        `insert into webhook_queue (tenant_id, event_id, status, attempts_left, next_attempt_at)
         values ('${tenantId}', '${newId()}', 'pending', 4, now() - interval '2 minutes')`,
        `insert into provider_callbacks (id, provider_account_id, provider, headers, body, received_at)
         values ('${newId()}', '${newId()}', 'midtrans', '{}', '', ${ago})`,
      )
    }
    const after = await readBacklog(db)
    expect(after).toMatchObject({ unknown: 2, webhooks: 4, callbacks: 2, checks: 2 })
    for (const key of ages) expect([key, Math.round(after[key] / 600)]).toEqual([key, 6])
    await sql('update additional_endpoints set enabled = false')
    expect(Math.round((await readBacklog(db)).webhooksOverdue / 60)).toBe(2)
  }, 60_000)

  test('ledger verification on a cluster finds changed entries, balances, orders and fees on their shards', async () => {
    const tenants: string[] = []
    for (let n = 0; n < 4; n++) tenants.push(await tenantWithAllRows(db, async () => {}))
    const before = await verify()
    const kindsOf = (found: typeof before, tenantId: string) => found.of(tenantId).map(({ kind }) => kind)
    // The test data contains two faults for each tenant: a ledger seal with an invented hash, and a settlement whose
    // amount differs from the payment's amount.
    for (const tenantId of tenants)
      expect(kindsOf(before, tenantId)).toEqual(['sealed_entries_differ', 'settlement_differs'])
    expect(before.entries).toBeGreaterThanOrEqual(12)

    const [one = '', two = '', three = '', four = ''] = tenants
    await tamper(
      'ledger_entries',
      one,
      `update ledger_entries set amount = amount + 1 where tenant_id = '${one}' and version = 1`,
    )
    await tamper(
      'balances',
      two,
      `update balances set balance = balance + 1 where tenant_id = '${two}' and mode = 'live'`,
    )
    await tamper('payments', three, `update payments set amount = amount + 100 where tenant_id = '${three}'`)
    await tamper('fee_charges', four, `update fee_charges set net = net + 1 where tenant_id = '${four}'`)
    const after = await verify()
    expect(kindsOf(after, one)).toContain('entry_does_not_follow')
    expect(kindsOf(after, one)).toContain('credit_differs')
    expect(kindsOf(after, two)).toContain('balance_differs')
    expect(kindsOf(after, three)).toContain('order_differs')
    expect(kindsOf(after, four)).toContain('fee_differs')
  }, 120_000)

  test('ledger verification on a cluster compares settlements and callbacks with the ledger entries of all tenants', async () => {
    const accountId = newId()
    const payments: Payment[] = []
    for (let n = 0; n < 3; n++) {
      const fields = { tenantId: await makeTenant(db), providerAccountId: accountId, amount: 1_000n }
      payments.push(await pay(await insertPendingPayment(db, fields)))
    }
    const settlementId = newId()
    await sql(
      `insert into provider_accounts (id, provider_code, mode, name, credentials_sealed)
       values ('${accountId}', 'midtrans', 'live', 'an account', 'sealed')`,
      `insert into settlements (id, provider_account_id, date, lines, amount, uploaded_at)
       values ('${settlementId}', '${accountId}', '2026-11-20', 3, 3000, now())`,
      ...payments.map(
        ({ tenantId, id, paymentCode }, line) =>
          `insert into settlement_lines (settlement_id, line, date, reference, status, amount, tenant_id, payment_id)
           values ('${settlementId}', ${line}, '2026-11-20', '${paymentCode}', 'paid', 1000, '${tenantId}', '${id}')`,
      ),
    )
    const ofAccount = async () =>
      (await verify()).differences.filter(each => each.provider_account_id === accountId)
    expect(await ofAccount()).toEqual([])
    await sql(
      `update settlement_lines set amount = 1100 where settlement_id = '${settlementId}' and line = 1`,
    )
    expect(await ofAccount()).toMatchObject([
      { kind: 'settlement_total_differs', total: 'amount', expected: '3100', found: '3000' },
      { kind: 'settlement_differs', payment_id: payments[1]?.id, expected: '1100', found: '1000' },
    ])

    const [{ tenantId, id, paymentCode }] = payments as [Payment]
    const body = JSON.stringify({
      ...{
        order_id: paymentCode,
        transaction_id: 't-1',
        gross_amount: '11.00',
        payment_type: 'bank_transfer',
      },
      ...{ status_code: '200', transaction_status: 'settlement' },
    })
    await sql(
      `insert into provider_callbacks (id, provider_account_id, provider, headers, body, status, tenant_id, payment_id,
         received_at)
       values ('${newId()}', '${accountId}', 'midtrans', '{}', convert_to('${body}', 'UTF8'), 'applied', '${tenantId}',
         '${id}', '${now.toISOString()}')`,
    )
    expect((await verify()).of(tenantId)).toMatchObject([{ kind: 'callback_differs', found: '1000' }])
  }, 120_000)
})
