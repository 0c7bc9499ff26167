import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { order } from '../test/order.ts'
import { type Asked, ok, service } from '../test/service.ts'
import { ApiPromise, type CallOptions, Gapura, PagePromise } from './index.ts'

type Parameter = { name?: string; $ref?: string; schema?: object }
type Described = { parameters?: Parameter[] }
const document = JSON.parse(readFileSync(new URL('../../../openapi/openapi.json', import.meta.url), 'utf8'))
const operations = Object.entries<Record<string, Described>>(document.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
    .map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
)

const of = { providerCode: '{provider_code}', accountId: '{account_id}', date: '{date}' }
const reason = 'why'

/**
 * Calls every SDK method that returns a promise. The path parameters are the placeholders from the API
 * document.
 */
const calls = (gapura: Gapura, options: CallOptions = {}): PromiseLike<unknown>[] => {
  const {
    payments,
    auth,
    account,
    webhookEndpoint,
    webhookDeliveries,
    webhookEndpoints,
    tenants,
    tenantPayments,
    apiKeys,
    users,
    entitlements,
    routingRules,
  } = gapura
  const { providers, settlements, providerCallbacks, challengedPayments, unexpectedMoney, unknownPayments } =
    gapura
  const aPayment = { method_type: 'qris', channel: 'qris', amount: 2_500_000 } as const
  const { limits, ledger, reports, audit, requests } = gapura
  return [
    gapura.listActiveMethods(options),
    payments.create(order, options),
    payments.list({}, options),
    payments.get('{payment_id}', options),
    payments.cancel('{payment_id}', options),
    payments.listLedger('{payment_id}', options),
    payments.listTimeline('{payment_id}', options),
    payments.listAttempts('{payment_id}', options),
    payments.resolve('{payment_id}', { decision: 'accept', reason }, options),
    tenantPayments.list('{tenant_id}', {}, options),
    tenantPayments.get('{tenant_id}', '{payment_id}', options),
    tenantPayments.listTimeline('{tenant_id}', '{payment_id}', options),
    tenantPayments.listAttempts('{tenant_id}', '{payment_id}', options),
    tenantPayments.listCallbacks('{tenant_id}', '{payment_id}', options),
    tenantPayments.listDeliveries('{tenant_id}', '{payment_id}', {}, options),
    tenantPayments.listRefunds('{tenant_id}', '{payment_id}', options),
    auth.login({ email: 'budi@example.com', password: 'correct horse' }, options),
    auth.completeLogin({ challenge: 'c', code: '123456' }, options),
    auth.refresh('r1', options),
    auth.logout('r1', options),
    auth.requestPasswordReset({ tenant_id: 't', email: 'budi@example.com' }, options),
    auth.confirmPasswordReset({ token: 't', newPassword: 'correct horse' }, options),
    auth.acceptInvitation({ token: 't', newPassword: 'correct horse' }, options),
    account.get(options),
    account.getBalance({}, options),
    ledger.list({}, options),
    ledger.getSeal({}, options),
    account.listApiKeys({}, options),
    account.listUsers({}, options),
    account.getNotifications(options),
    account.updateNotifications({ key_expiring: false }, options),
    gapura.branding.get(options),
    gapura.branding.set({ display_name: null, color: '#0f766e', logo: null }, options),
    account.listSessions({}, options),
    account.endSession('{session_id}', options),
    account.endOtherSessions(options),
    account.eraseCustomer({ customer_email: 'budi@example.com' }, options),
    account.changePassword({ currentPassword: 'correct horse', newPassword: 'battery staple' }, options),
    webhookEndpoint.get(options),
    webhookEndpoint.setUrl(null, options),
    webhookEndpoint.rotateSecret({}, options),
    webhookEndpoint.sendTest(options),
    webhookEndpoint.listen({}, options),
    webhookDeliveries.list({}, options),
    webhookDeliveries.get('{event_id}', options),
    webhookDeliveries.redeliver('{event_id}', options),
    webhookDeliveries.redeliverFailed({ since: '2026-11-20T00:00:00Z' }, options),
    webhookEndpoints.list({}, options),
    webhookEndpoints.create({ mode: 'test', url: 'https://erp.example.com' }, options),
    webhookEndpoints.get('{endpoint_id}', options),
    webhookEndpoints.update('{endpoint_id}', {}, options),
    webhookEndpoints.delete('{endpoint_id}', options),
    webhookEndpoints.rotateSecret('{endpoint_id}', {}, options),
    webhookEndpoints.listDeliveries('{endpoint_id}', {}, options),
    webhookEndpoints.getDelivery('{endpoint_id}', '{event_id}', options),
    webhookEndpoints.redeliver('{endpoint_id}', '{event_id}', options),
    tenants.list({}, options),
    tenants.create({ name: 'Toko Budi' }, options),
    tenants.get('{tenant_id}', options),
    tenants.update('{tenant_id}', {}, options),
    gapura.fees.get(options),
    gapura.fees.preview(aPayment, options),
    gapura.fees.getTenant('{tenant_id}', options),
    gapura.fees.setTenant('{tenant_id}', { rules: [] }, options),
    gapura.fees.previewTenant('{tenant_id}', aPayment, options),
    gapura.fees.report({}, options),
    gapura.reports.books({}, options),
    gapura.fees.statement({ month: '2026-11' }, options),
    gapura.fees.tenantStatement('{tenant_id}', { month: '2026-11' }, options),
    limits.listTiers(options),
    limits.updateTier('{tier}' as 'starter', {}, options),
    limits.resetTier('{tier}' as 'starter', options),
    limits.getTenant('{tenant_id}', options),
    limits.updateTenant('{tenant_id}', {}, options),
    limits.resetTenant('{tenant_id}', options),
    apiKeys.list('{tenant_id}', {}, options),
    apiKeys.create('{tenant_id}', { mode: 'test' }, options),
    apiKeys.update('{tenant_id}', '{key_id}', {}, options),
    apiKeys.rotate('{tenant_id}', '{key_id}', {}, options),
    apiKeys.revoke('{tenant_id}', '{key_id}', options),
    users.list('{tenant_id}', {}, options),
    users.create('{tenant_id}', { email: 'budi@example.com', password: 'correct horse' }, options),
    users.update('{tenant_id}', '{user_id}', {}, options),
    users.remove('{tenant_id}', '{user_id}', options),
    users.resetSecondFactor('{tenant_id}', '{user_id}', options),
    gapura.secondFactor.get(options),
    gapura.secondFactor.startTotp(options),
    gapura.secondFactor.confirmTotp({ code: '123456', currentPassword: 'correct horse' }, options),
    gapura.secondFactor.removeTotp(options),
    gapura.secondFactor.renewRecoveryCodes(options),
    gapura.secondFactor.confirm('123456', options),
    gapura.secondFactor.removePasskey('{passkey_id}', options),
    gapura.secondFactor.setRequired(true, options),
    users.resendInvitation('{tenant_id}', '{user_id}', options),
    entitlements.get('{tenant_id}', options),
    entitlements.set('{tenant_id}', [], options),
    routingRules.get('{tenant_id}', options),
    routingRules.set('{tenant_id}', [], options),
    routingRules.preview(
      '{tenant_id}',
      { mode: 'test', method_type: 'qris', channel: 'qris', amount: 2_500_000 },
      options,
    ),
    providers.list(options),
    providers.listHealth(options),
    providers.listAccounts('{provider_code}', {}, options),
    providers.createAccount('{provider_code}', { mode: 'test', name: 'x', credentials: {} }, options),
    providers.updateAccount('{provider_code}', '{account_id}', {}, options),
    settlements.upload(of, new Blob(['reference,amount\n']), options),
    settlements.list('{provider_code}', '{account_id}', {}, options),
    settlements.listLines(of, {}, options),
    providerCallbacks.list({}, options),
    providerCallbacks.listRejected({}, options),
    providerCallbacks.reprocess('{id}', {}, options),
    challengedPayments.list({}, options),
    unexpectedMoney.list({}, options),
    unexpectedMoney.get('{id}', options),
    unexpectedMoney.accept('{id}', { reason }, options),
    unexpectedMoney.assign('{id}', { payment_id: 'p', reason }, options),
    unexpectedMoney.refund('{id}', { reason }, options),
    unexpectedMoney.dismiss('{id}', { reason }, options),
    ledger.getVerification(options),
    gapura.reconciliation.listRuns({}, options),
    gapura.reconciliation.listDifferences({}, options),
    gapura.reconciliation.closeDifference('{id}', { reason }, options),
    unknownPayments.list({}, options),
    unknownPayments.inquire('{payment_id}', options),
    unknownPayments.resolve('{payment_id}', { decision: 'not_created', reason }, options),
    reports.payments({}, options),
    reports.reconciliation({}, options),
    audit.list({}, options),
    gapura.refunds.create('{payment_id}', {}, options),
    gapura.refunds.get('{refund_id}', options),
    gapura.refunds.list({}, options),
    gapura.refunds.listOfPayment('{payment_id}', options),
    gapura.refunds.resolve('{refund_id}', { outcome: 'failed', reason }, options),
    requests.list({}, options),
    requests.get('{request_id}', options),
  ]
}

/** Calls each SDK method that returns a stream instead of a promise, and returns the streams. */
const streams = ({ payments, reports }: Gapura, options: CallOptions = {}): AsyncGenerator<unknown>[] => [
  payments.csv({}, options),
  reports.reconciliationLines({}, options),
  reports.reconciliationCsv({}, options),
]

const client = async () => {
  const { baseUrl, asked } = await service(ok({ items: [], next_cursor: null }))
  return { gapura: new Gapura({ accessToken: 'token', baseUrl }), asked }
}

const called = ({ method, path }: Asked) => `${method} ${decodeURIComponent(path.split('?')[0] ?? '')}`

test('the SDK has a method for every operation in the API document', async () => {
  const { gapura, asked } = await client()
  await Promise.all(calls(gapura))
  expect(asked.map(called).sort()).toEqual(operations.map(({ name }) => name).sort())
})

test('the SDK sends an idempotency key with every request whose operation accepts one', async () => {
  const { gapura, asked } = await client()
  await Promise.all(calls(gapura))
  const keyed = operations.filter(({ operation }) =>
    operation.parameters?.some(each => /^X-?Idempotency-?Key/.test(nameOf(each))),
  )
  expect(
    asked
      .filter(({ headers }) => headers['x-idempotency-key'])
      .map(called)
      .sort(),
  ).toEqual(keyed.map(({ name }) => name).sort())
})

test('the SDK can iterate over the items on all pages of every list in the API document', async () => {
  const { gapura } = await client()
  const made = calls(gapura)
  const iterated = made.filter(call => call instanceof PagePromise)
  await Promise.all(made)
  // Lists are the operations with the shared `limit` parameter. Operations with only a cursor, or with a `limit` of
  // their own, are not lists.
  const lists = operations.filter(({ operation }) =>
    operation.parameters?.some(each => nameOf(each) === 'LimitParameter'),
  )
  expect(iterated).toHaveLength(lists.length)
})

const nameOf = ({ name, $ref }: Parameter): string => name ?? $ref?.split('/').at(-1) ?? ''

test("each SDK method can return its HTTP response, and rejects with the abort signal's reason", async () => {
  const { gapura, asked } = await client()
  const why = new Error('the shop closed')
  const options = { signal: AbortSignal.abort(why) }
  const made = [...calls(gapura, options), ...streams(gapura, options).map(stream => stream.next())]
  expect(made.filter(call => call instanceof ApiPromise)).toHaveLength(operations.length)
  for (const outcome of await Promise.allSettled(made)) expect(outcome).toMatchObject({ reason: why })
  expect(asked).toHaveLength(0)
})

test('the SDK calls setRequired and setRefundProofAbove each send only their own security setting, not the other one', async () => {
  const { gapura, asked } = await client()
  await gapura.secondFactor.setRequired(false)
  await gapura.secondFactor.setRefundProofAbove(50_000_000)
  expect(asked.map(({ method, path, body }) => [method, path, JSON.parse(body)])).toEqual([
    ['PUT', '/v1/account/security', { second_factor_required: false }],
    ['PUT', '/v1/account/security', { refund_proof_above: 50_000_000 }],
  ])
})
