// Calls every operation as every kind of caller, and compares the results with the table in access-table.ts.
// Fails if an operation has no row in the table.

import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { createUser } from '../../src/auth/users/create-user.ts'
import { newId } from '../../src/values/id.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { operations } from '../support/contract.ts'
import { stateNow } from '../support/ledger.ts'
import { callsAs } from '../support/management-api.ts'
import { http, logIn, merchantOf, simulate, until } from '../support/merchant.ts'
import { anOrder } from '../support/order.ts'
import { trpcOnly } from '../support/trpc-only.ts'
import { accessTable, type Meets, type Row } from './access-table.ts'
import { newEndpoint } from './endpoint-calls.ts'

let { app, demo }: TestApp = {} as TestApp
let callers: (string | undefined)[]
let paths: Record<string, string>
let freshEndpoint: () => Promise<string>

beforeAll(async () => {
  ;({ app, demo } = await testApp())
  const jwts = await Promise.all(
    [demo.client, demo.partner, demo.owner, demo.client2].map(who => logIn(demo, who)),
  )
  const [client, , owner] = jwts as [string, string, string]
  const makeKey = async (tenantId: string, auth: string) => {
    const { data } = await http('POST', `${demo.base_url}/v1/tenants/${tenantId}/api-keys`, {
      auth,
      body: { mode: 'test' },
    })
    return data as { id: string; key: string }
  }
  const [ofPartner, ofOwner, spare] = await Promise.all([
    makeKey(demo.partner.tenant_id, owner),
    makeKey(demo.owner.tenant_id, owner),
    makeKey(demo.client.tenant_id, client),
  ])
  const keys = [demo.client.test_key, ofPartner.key, ofOwner.key, demo.client2.test_key].map(
    key => `ApiKey ${key}`,
  )
  callers = [undefined, ...keys, ...jwts]

  freshEndpoint = () => newEndpoint(callsAs(demo, client))
  const endpoint_id = await freshEndpoint()
  const { data: payment, headers } = await merchantOf(demo).create()
  const request_id = headers.get('x-request-id') as string
  await until('the request is logged', async () => {
    const { rows } = await app.db.raw('select from api_requests where request_id = ?', [request_id])
    return rows.length > 0
  })
  await simulate(demo, payment, 'paid')
  const event = await until('the event is stored', async () => {
    const { rows } = await app.db.raw('select id from webhook_events where payment_id = ?', [payment.id])
    return rows[0]?.id as string | undefined
  })
  await stateNow(app, demo.client.tenant_id, 'test')
  const { rows } = await app.db.raw('select id from provider_callbacks limit 1')
  // The test uses one ID for three objects: a callback, a record of unexpected money, and a reconciliation
  // difference.
  await app.db.raw(
    `insert into unexpected_money (id, kind, provider, provider_account_id, mode, reference, receipt, amount,
       credited, paid_at, created_at)
     select id, 'unknown_reference', provider, provider_account_id, 'test', 'INV-1', '', 100, false, now(), now()
     from provider_callbacks where id = ?`,
    [rows[0].id],
  )
  await app.db.raw(
    `insert into reconciliation_differences (id, matter, day, mode, kind, "between", reference, provider,
       provider_account_id, detail, found_at, last_found_at)
     select id, 'INV-1', '2026-01-01', 'test', 'missing_here', 'payments_provider', 'INV-1', provider,
       provider_account_id, 'a line of nobody', now(), now()
     from provider_callbacks where id = ?`,
    [rows[0].id],
  )
  const refund = await http('POST', `${demo.base_url}/v1/payments/${payment.id}/refunds`, {
    auth: `ApiKey ${demo.client.test_key}`,
    body: aRefund,
    headers: { 'x-idempotency-key': randomUUID() },
  })
  paths = {
    refund_id: refund.data.id,
    payment_id: payment.id,
    event_id: event,
    endpoint_id,
    request_id,
    id: rows[0].id,
    tenant_id: demo.client.tenant_id,
    key_id: spare.id,
    provider_code: 'midtrans',
    account_id: demo.provider_accounts[0]?.id ?? '',
    date: '2026-01-01',
    tier: 'growth',
    user_id: newId(),
    session_id: newId(),
    passkey_id: newId(),
  }
})

type Request = { body?: object; csv?: string; query?: string; path?: Record<string, string> }

/** Invites another user to the Client's team. */
async function colleague(): Promise<{ user_id: string }> {
  const user = { email: `${randomUUID()}@example.com`, permissions: ['support' as const] }
  return { user_id: (await createUser(app, null, demo.client.tenant_id, user)).id }
}

const aRefund = {
  amount: 100,
  bank_account: { bank: 'BCA', number: '1234567890', holder_name: 'Budi Santoso' },
}

/** Valid bodies and queries for each operation, so that an authorized caller's request succeeds. */
const requests: Record<string, () => Promise<Request> | Request> = {
  createPayment: () => ({ body: anOrder() }),
  eraseCustomer: () => ({ body: { customer_email: 'nobody@example.com' } }),
  createRefund: () => ({ body: aRefund }),
  resolveRefund: () => ({ body: { outcome: 'succeeded', bank_reference: 'TRF-1' } }),
  'payments.standing': () => ({
    query: `?input=${encodeURIComponent(JSON.stringify({ payment_id: paths.payment_id }))}`,
  }),
  'support.find': () => ({
    query: `?input=${encodeURIComponent(JSON.stringify({ payment_code: 'GP261120-7Q4M2ZK8XW' }))}`,
  }),
  'live.recent': () => ({ query: `?input=${encodeURIComponent('{"ms":1000}')}` }),
  'methods.channels': () => ({ query: `?input=${encodeURIComponent('{"mode":"test"}')}` }),
  'refunds.listDetails': () => ({ query: `?input=${encodeURIComponent('{}')}` }),
  'fees.pricedTenants': () => ({ query: `?input=${encodeURIComponent('{}')}` }),
  'fees.history': () => ({
    query: `?input=${encodeURIComponent(JSON.stringify({ tenant_id: paths.tenant_id }))}`,
  }),
  'keys.createForSession': () => ({ body: {} }),
  'session.open': () => ({ body: { email: demo.client.email, password: demo.client.password } }),
  'session.renew': () => ({ body: {} }),
  'session.close': () => ({ body: {} }),
  resolvePayment: () => ({ body: { decision: 'accept', reason: 'looked at' } }),
  login: () => ({ body: { email: demo.client.email, password: demo.client.password } }),
  refresh: async () => {
    const body = { email: demo.client.email, password: demo.client.password }
    const { data } = await http('POST', `${demo.base_url}/v1/auth/login`, { body })
    return { body: { refresh_token: data.refresh_token } }
  },
  logout: () => ({ body: { refresh_token: 'none' } }),
  requestPasswordReset: () => ({ body: { tenant_id: demo.client.tenant_id, email: 'nobody@example.com' } }),
  confirmPasswordReset: () => ({ body: { token: 'none', new_password: 'long enough' } }),
  changePassword: () => ({ body: { current_password: 'wrong', new_password: 'long enough' } }),
  setBranding: () => ({ body: { display_name: null, color: null, logo: null } }),
  setWebhook: () => ({ body: { callback_url: null } }),
  redeliverFailedWebhooks: () => ({ body: { since: new Date().toISOString() } }),
  createWebhookEndpoint: () => ({ body: { mode: 'live', url: 'http://127.0.0.1:9/' } }),
  updateWebhookEndpoint: () => ({ body: { schedule: 'long' } }),
  deleteWebhookEndpoint: async () => ({ path: { endpoint_id: await freshEndpoint() } }),
  reprocessProviderCallback: () => ({ body: { dry_run: true } }),
  acceptUnexpectedMoney: () => ({ body: { reason: 'looked at' } }),
  assignUnexpectedMoney: () => ({ body: { reason: 'looked at', payment_id: paths.payment_id } }),
  refundUnexpectedMoney: () => ({ body: { ...aRefund, reason: 'looked at' } }),
  dismissUnexpectedMoney: () => ({ body: { reason: 'looked at' } }),
  resolveUnknownPayment: () => ({ body: { decision: 'not_created', reason: 'looked at' } }),
  closeReconciliationDifference: () => ({ body: { reason: 'looked at' } }),
  listenForWebhooks: () => ({ query: '?wait_seconds=0' }),
  getLedgerSeal: () => ({ query: '?mode=test' }),
  reportPayments: () => ({ query: '?from=2026-01-01&to=2026-01-02&group_by=day' }),
  reportReconciliation: () => ({ query: '?date=2026-01-01' }),
  createTenant: () => ({ body: { name: 'Another', tier: 'starter' } }),
  updateTenant: () => ({ body: { name: 'Renamed' } }),
  getOwnFeeStatement: () => ({ query: '?month=2026-11' }),
  getTenantFeeStatement: () => ({ query: '?month=2026-11' }),
  previewOwnFee: () => ({ query: '?method_type=virtual_account&channel=bca&amount=10000000' }),
  previewTenantFee: () => ({ query: '?method_type=virtual_account&channel=bca&amount=10000000' }),
  setFeeSchedule: () => ({ body: { rules: [] } }),
  updateTierLimits: () => ({ body: { requests_per_second: 300 } }),
  updateTenantLimits: () => ({ body: { burst_seconds: 3 } }),
  createApiKey: () => ({ body: { mode: 'test' } }),
  updateApiKey: () => ({ body: { scopes: ['reports'] } }),
  createUser: () => ({ body: { email: `${randomUUID()}@example.com`, password: 'long enough' } }),
  updateUser: async () => ({ body: { permissions: ['viewer'] }, path: await colleague() }),
  removeUser: async () => ({ path: await colleague() }),
  resendInvitation: async () => ({ path: await colleague() }),
  resetSecondFactor: async () => ({ path: await colleague() }),
  completeLogin: () => ({ body: { challenge: 'none', code: '000000' } }),
  'session.complete': () => ({ body: { challenge: 'none', code: '000000' } }),
  'session.passkeyOptions': () => ({ body: { challenge: 'none' } }),
  'session.completeWithPasskey': () => ({ body: { challenge: 'none', response: {} } }),
  'secondFactor.startPasskey': () => ({ body: {} }),
  'secondFactor.finishPasskey': () => ({ body: { challenge: 'none', response: {}, name: 'Laptop' } }),
  'secondFactor.passkeyOptions': () => ({ body: {} }),
  'secondFactor.confirmPasskey': () => ({ body: { challenge: 'none', response: {} } }),
  confirmTotp: () => ({ body: { code: '000000' } }),
  confirmSecondFactor: () => ({ body: { code: '000000' } }),
  setSecurity: () => ({ body: { second_factor_required: false } }),
  acceptInvitation: () => ({ body: { token: 'none', new_password: 'long enough' } }),
  'session.requestPasswordReset': () => ({ body: { email: 'nobody@example.com' } }),
  setEntitlements: () => ({
    body: { items: demo.provider_accounts.map(({ id }) => ({ provider_account_id: id, priority: 1 })) },
  }),
  previewRoute: () => ({ query: '?mode=test&method_type=virtual_account&channel=bca&amount=10000000' }),
  setRoutingRules: () => ({ body: { items: [] } }),
  createProviderAccount: () => ({
    body: { mode: 'test', name: 'Another', credentials: { server_key: 'SB-Mid-server-x' } },
  }),
  updateProviderAccount: () => ({ body: { name: 'Renamed' } }),
  uploadSettlement: () => ({ csv: 'reference,amount\n' }),
}

/**
 * The test calls these operations with an invalid token, code, or password, so they return BAD_REQUEST even to
 * authorized callers. If any other operation returns BAD_REQUEST, this test contains a mistake.
 */
const decidedByBody = new Set([
  'confirmPasswordReset',
  'changePassword',
  'acceptInvitation',
  'completeLogin',
  'session.complete',
  'session.passkeyOptions',
  'session.completeWithPasskey',
  'secondFactor.startPasskey',
  'secondFactor.finishPasskey',
  'secondFactor.confirmPasskey',
  'confirmTotp',
  'confirmSecondFactor',
])

/**
 * These operations need no login. In this test, they return 401 for another reason: the login challenge in the request
 * does not exist.
 */
const decidedByChallenge = new Set([
  'completeLogin',
  'session.complete',
  'session.passkeyOptions',
  'session.completeWithPasskey',
])

test.each([...operations(), ...trpcOnly()].map(operation => [operation.operationId, operation] as const))(
  'the operation %s is allowed or denied for every kind of caller as access-table.ts specifies',
  async (operationId, { method, path }) => {
    const row = accessTable[operationId]
    if (!row) throw new Error(`add a row for ${operationId} to the table`)
    const met: Meets[] = []
    for (const auth of callers) {
      const { body, csv, query = '', path: own = {} } = (await requests[operationId]?.()) ?? {}
      const ids: Record<string, string> = { ...paths, ...own }
      const url = demo.base_url + path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '') + query
      const answer = await http(method, url, {
        ...(auth && { auth }),
        ...(body && { body }),
        ...(csv && { raw: csv }),
        headers: { 'x-idempotency-key': randomUUID(), ...(csv && { 'content-type': 'text/csv' }) },
      })
      expect(answer.status, answer.text).toBeLessThan(500)
      const isOfBody = decidedByChallenge.has(operationId) && answer.status === 401
      met.push(
        isOfBody
          ? 'in'
          : answer.status === 401 || answer.status === 403 || answer.status === 404
            ? answer.status
            : 'in',
      )
      expect(answer.error?.code !== 'BAD_REQUEST' || decidedByBody.has(operationId), answer.text).toBe(true)
    }
    expect(met).toEqual([...row])
  },
)

test('if the caller is not authorized, the body of the request is not parsed', async () => {
  const refused: Meets[] = [401, 403]
  for (const { operationId, method, path } of operations()) {
    if (!['POST', 'PUT', 'PATCH'].includes(method)) continue
    const url = demo.base_url + path.replace(/\{(\w+)\}/g, (_, name: string) => paths[name] ?? '')
    const expected = accessTable[operationId] as Row
    for (const [index, auth] of callers.entries()) {
      const status = expected[index] as Meets
      if (!refused.includes(status)) continue
      const answer = await http(method, url, {
        ...(auth && { auth }),
        raw: '{"amount":',
        headers: { 'content-type': 'application/json' },
      })
      expect([operationId, index, answer.status], answer.text).toEqual([operationId, index, status])
    }
  }
})
