// Tests every operation with every kind of caller against a table written by hand from the specification. An
// operation without a row fails.

import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { operations } from '../support/contract.ts'
import { stateNow } from '../support/ledger.ts'
import { http, logIn, merchantOf, simulate, until } from '../support/merchant.ts'
import { anOrder } from '../support/order.ts'
import { trpcOnly } from '../support/trpc-only.ts'

// The expected result for a caller: the call is allowed (whatever its outcome), not authenticated, forbidden, or not
// found.
type Meets = 'in' | 401 | 403 | 404
type Row = readonly [
  nobody: Meets,
  keyOfClient: Meets,
  keyOfPartner: Meets,
  keyOfOwner: Meets,
  keyOfStranger: Meets,
  client: Meets,
  partner: Meets,
  owner: Meets,
  stranger: Meets,
]

// The requested objects belong to the Client. The Partner is the Client's parent; the stranger is another Client.
const everybody: Row = ['in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in']
const anyTenant: Row = [401, 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in']
const itsPayment: Row = [401, 'in', 404, 404, 404, 'in', 404, 404, 404]
const anyUser: Row = [401, 401, 401, 401, 401, 'in', 'in', 'in', 'in']
const itsRequest: Row = [401, 'in', 404, 404, 404, 'in', 404, 404, 404]
const itsEvent: Row = [401, 401, 401, 401, 401, 'in', 404, 404, 404]
const itself: Row = [401, 401, 401, 401, 401, 'in', 'in', 'in', 404]
const manager: Row = [401, 401, 401, 401, 401, 403, 'in', 'in', 403]
const ownerOnly: Row = [401, 401, 401, 401, 401, 403, 403, 'in', 403]

const table: Record<string, Row> = {
  createPayment: [401, 'in', 403, 403, 'in', 401, 401, 401, 401],
  'keys.createForSession': [401, 401, 401, 401, 401, 'in', 403, 403, 'in'],
  'payments.standing': [401, 401, 401, 401, 401, 'in', 403, 403, 404],
  'session.open': everybody,
  'session.renew': everybody,
  'session.close': everybody,
  listPayments: anyTenant,
  getPayment: itsPayment,
  cancelPayment: itsPayment,
  listPaymentLedger: itsPayment,
  listPaymentTimeline: itsPayment,
  listPaymentAttempts: itsPayment,
  resolvePayment: ownerOnly,
  listActiveMethods: anyTenant,
  login: everybody,
  refresh: everybody,
  logout: everybody,
  requestPasswordReset: everybody,
  confirmPasswordReset: everybody,
  getBalance: anyTenant,
  listLedger: anyTenant,
  listRequests: anyTenant,
  getRequest: itsRequest,
  // This operation returns the caller's own ledger, and only the Client's ledger has entries.
  getLedgerSeal: [401, 'in', 404, 404, 404, 'in', 404, 404, 404],
  getWebhook: anyUser,
  setWebhook: anyUser,
  rotateWebhookSecret: anyUser,
  sendTestWebhook: anyUser,
  listWebhookDeliveries: anyUser,
  redeliverFailedWebhooks: anyUser,
  getWebhookDelivery: itsEvent,
  redeliverWebhook: itsEvent,
  listenForWebhooks: anyTenant,
  listAuditLog: anyUser,
  listProviderCallbacks: ownerOnly,
  listRejectedCallbacks: ownerOnly,
  reprocessProviderCallback: ownerOnly,
  listChallengedPayments: ownerOnly,
  listUnexpectedMoney: ownerOnly,
  getUnexpectedMoney: ownerOnly,
  acceptUnexpectedMoney: ownerOnly,
  assignUnexpectedMoney: ownerOnly,
  refundUnexpectedMoney: ownerOnly,
  dismissUnexpectedMoney: ownerOnly,
  listUnknownPayments: ownerOnly,
  inquireUnknownPayment: ownerOnly,
  resolveUnknownPayment: ownerOnly,
  getLedgerVerification: ownerOnly,
  listReconciliationRuns: ownerOnly,
  listReconciliationDifferences: ownerOnly,
  closeReconciliationDifference: ownerOnly,
  reportPayments: anyUser,
  reportReconciliation: anyUser,
  uploadSettlement: ownerOnly,
  listSettlements: ownerOnly,
  listTierLimits: ownerOnly,
  updateTierLimits: ownerOnly,
  resetTierLimits: ownerOnly,
  getTenantLimits: ownerOnly,
  updateTenantLimits: ownerOnly,
  resetTenantLimits: ownerOnly,
  listTenants: manager,
  createTenant: manager,
  getTenant: manager,
  updateTenant: manager,
  getAccount: anyUser,
  listApiKeys: manager,
  createApiKey: itself,
  revokeApiKey: itself,
  rotateApiKey: itself,
  listOwnApiKeys: anyUser,
  listOwnUsers: anyUser,
  changePassword: anyUser,
  listUsers: manager,
  createUser: manager,
  getEntitlements: manager,
  setEntitlements: manager,
  getRoutingRules: manager,
  previewRoute: manager,
  setRoutingRules: manager,
  listProviders: ownerOnly,
  listProviderHealth: ownerOnly,
  listProviderAccounts: ownerOnly,
  createProviderAccount: ownerOnly,
  updateProviderAccount: ownerOnly,
}

let { app, demo }: TestApp = {} as TestApp
let callers: (string | undefined)[]
let paths: Record<string, string>

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

  const { data: payment, headers } = await merchantOf(demo).create()
  const request_id = headers.get('x-request-id') as string
  await until('its request', async () => {
    const { rows } = await app.db.raw('select from api_requests where request_id = ?', [request_id])
    return rows.length > 0
  })
  await simulate(demo, payment, 'paid')
  const event = await until('its event', async () => {
    const { rows } = await app.db.raw('select id from webhook_events where payment_id = ?', [payment.id])
    return rows[0]?.id as string | undefined
  })
  await stateNow(app, demo.client.tenant_id, 'test')
  const { rows } = await app.db.raw('select id from provider_callbacks limit 1')
  // The paths use one id for a callback, a record of unexpected money and a difference.
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
  paths = {
    payment_id: payment.id,
    event_id: event,
    request_id,
    id: rows[0].id,
    tenant_id: demo.client.tenant_id,
    key_id: spare.id,
    provider_code: 'midtrans',
    account_id: demo.provider_accounts[0]?.id ?? '',
    date: '2026-01-01',
    tier: 'growth',
  }
})

type Request = { body?: object; csv?: string; query?: string }

/** Bodies and queries with which an authorized caller succeeds. */
const requests: Record<string, () => Promise<Request> | Request> = {
  createPayment: () => ({ body: anOrder() }),
  'payments.standing': () => ({
    query: `?input=${encodeURIComponent(JSON.stringify({ payment_id: paths.payment_id }))}`,
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
  setWebhook: () => ({ body: { callback_url: null } }),
  redeliverFailedWebhooks: () => ({ body: { since: new Date().toISOString() } }),
  reprocessProviderCallback: () => ({ body: { dry_run: true } }),
  acceptUnexpectedMoney: () => ({ body: { reason: 'looked at' } }),
  assignUnexpectedMoney: () => ({ body: { reason: 'looked at', payment_id: paths.payment_id } }),
  refundUnexpectedMoney: () => ({ body: { reason: 'looked at' } }),
  dismissUnexpectedMoney: () => ({ body: { reason: 'looked at' } }),
  resolveUnknownPayment: () => ({ body: { decision: 'not_created', reason: 'looked at' } }),
  closeReconciliationDifference: () => ({ body: { reason: 'looked at' } }),
  listenForWebhooks: () => ({ query: '?wait_seconds=0' }),
  getLedgerSeal: () => ({ query: '?mode=test' }),
  reportPayments: () => ({ query: '?from=2026-01-01&to=2026-01-02&group_by=day' }),
  reportReconciliation: () => ({ query: '?date=2026-01-01' }),
  createTenant: () => ({ body: { name: 'Another', tier: 'starter' } }),
  updateTenant: () => ({ body: { name: 'Renamed' } }),
  updateTierLimits: () => ({ body: { requests_per_second: 300 } }),
  updateTenantLimits: () => ({ body: { burst_seconds: 3 } }),
  createApiKey: () => ({ body: { mode: 'test' } }),
  createUser: () => ({ body: { email: `${randomUUID()}@example.com`, password: 'long enough' } }),
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
 * The operations that an authorized caller may call with a wrong token or password in the body. Their 401 does not mean
 * that the caller is rejected.
 */
const decidedByBody = new Set(['confirmPasswordReset', 'changePassword'])

test.each([...operations(), ...trpcOnly()].map(operation => [operation.operationId, operation] as const))(
  '%s admits and rejects every kind of caller as the table says',
  { timeout: 60_000 },
  async (operationId, { method, path }) => {
    const row = table[operationId]
    if (!row) throw new Error(`add a row for ${operationId} to the table`)
    const met: Meets[] = []
    for (const auth of callers) {
      const { body, csv, query = '' } = (await requests[operationId]?.()) ?? {}
      const url = demo.base_url + path.replace(/\{(\w+)\}/g, (_, name: string) => paths[name] ?? '') + query
      const answer = await http(method, url, {
        ...(auth && { auth }),
        ...(body && { body }),
        ...(csv && { raw: csv }),
        headers: { 'x-idempotency-key': randomUUID(), ...(csv && { 'content-type': 'text/csv' }) },
      })
      expect(answer.status, answer.text).toBeLessThan(500)
      met.push(answer.status === 401 || answer.status === 403 || answer.status === 404 ? answer.status : 'in')
      expect(answer.error?.code !== 'BAD_REQUEST' || decidedByBody.has(operationId), answer.text).toBe(true)
    }
    expect(met).toEqual([...row])
  },
)

test('the body of an unauthorized request is not parsed', async () => {
  const refused: Meets[] = [401, 403]
  for (const { operationId, method, path } of operations()) {
    if (!['POST', 'PUT', 'PATCH'].includes(method)) continue
    const url = demo.base_url + path.replace(/\{(\w+)\}/g, (_, name: string) => paths[name] ?? '')
    const expected = table[operationId] as Row
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
