import { beforeAll, expect, test } from 'vitest'
import { insertUnexpectedMoney } from '../../src/payments/record/unexpected-money.sql.ts'
import { newRecord, type UnexpectedMoney } from '../../src/payments/record/unexpected-money.ts'
import { newId } from '../../src/values/id.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { appCode } from '../support/authenticator-app.ts'
import { operations } from '../support/contract.ts'
import { keptDifference } from '../support/difference.ts'
import { stateNow } from '../support/ledger.ts'
import { invitationTokenIn, mailsTo, resetTokenIn } from '../support/mail.ts'
import { type Answer, http, logIn, merchantOf, receiver, simulate, until } from '../support/merchant.ts'
import { secondFactorOf } from '../support/second-factor.ts'
import { usersOf } from '../support/user.ts'
import { accountCalls } from './account-calls.ts'
import { endpointCalls } from './endpoint-calls.ts'
import { moneyCalls } from './money-calls.ts'
import { supportCalls } from './support-calls.ts'

let { app, demo, dataDir }: TestApp = {} as TestApp
let users: ReturnType<typeof usersOf>
let factor: ReturnType<typeof secondFactorOf>
let owner: string
let client: string

beforeAll(async () => {
  const service = await testApp()
  ;({ app, demo, dataDir } = service)
  users = usersOf(service)
  factor = secondFactorOf(service)
  ;[owner, client] = await Promise.all([logIn(demo, demo.owner), logIn(demo, demo.client)])
})

const as = (auth: string) => (method: string, path: string, body?: object) =>
  http(method, demo.base_url + path, { auth, ...(body && { body }) })
const shop = () => merchantOf(demo)
const create = async (): Promise<{ id: string }> => (await shop().create()).data

/** Pays a payment and waits until its webhook event is delivered. Returns the event's id. */
async function deliveredEvent(): Promise<string> {
  const hook = await receiver(demo)
  const { data } = await shop().create()
  await simulate(demo, data, 'paid')
  const told = await until('the webhook arrives', () => hook.of(data)[0])
  await until(
    'the webhook attempt is recorded',
    async () =>
      (await as(client)('GET', `/v1/webhook-deliveries/${told.body.id}`)).data.status === 'delivered',
  )
  hook.close()
  return told.body.id
}

async function challengedPayment(): Promise<{ id: string }> {
  const { data } = await shop().create()
  await simulate(demo, data, 'challenged')
  await until(
    'the payment is challenged',
    async () => (await shop().get(data.id)).data.status === 'challenged',
  )
  return data
}

async function overpaid(): Promise<{ id: string }> {
  const { data } = await shop().create()
  await simulate(demo, data, 'paid', { amount: 12_000_000 })
  return data
}

const moneyOf = ({ id }: { id: string }): Promise<string> =>
  until('the service has recorded the unexpected money', async () => {
    const { data } = await as(owner)('GET', `/v1/unexpected-money?payment_id=${id}`)
    return data.items[0]?.id
  })

/** Creates a record of unexpected money whose reference belongs to no payment. Returns the record's ID. */
const moneyOfNobody = (): Promise<string> => recordOfNobody({ kind: 'unknown_reference' })
/** Creates a record for a refund whose reference belongs to no payment. Returns the record's id. */
const refundOfNobody = (): Promise<string> => recordOfNobody({ kind: 'refund', returnStatus: 'succeeded' })

async function recordOfNobody(
  what: Pick<UnexpectedMoney, 'kind'> & Partial<UnexpectedMoney>,
): Promise<string> {
  const id = newId()
  await insertUnexpectedMoney(app.db, [
    newRecord(
      {
        id,
        ...what,
        provider: 'midtrans',
        providerAccountId: demo.provider_accounts[0]?.id ?? '',
        mode: 'test',
        reference: `INV-${id}`,
        receipt: '',
        tenantId: null,
        paymentId: null,
        amount: 100n,
        expectedAmount: null,
        credited: false,
        paidAt: new Date(),
        createdAt: new Date(),
      },
      new Date(),
    ),
  ])
  return id
}

/**
 * Creates a payment with an unknown outcome: the provider accepted the charge, but the response could not be
 * parsed. The service sends the first status inquiry 5 s later.
 */
async function unknownPayment(): Promise<string> {
  const key = `unknown-${newId()}`
  await shop().create({ customer_name: 'SANDBOX NOT JSON' }, key)
  const { rows } = await app.db.raw('select id from payments where idempotency_key = ?', [key])
  return rows[0].id
}

async function paidPayment(): Promise<{ id: string }> {
  const { data } = await shop().create()
  await simulate(demo, data, 'paid')
  await until('the payment is paid', async () => (await shop().get(data.id)).data.status === 'paid')
  return data
}

/** A manual refund, in which the Owner (the operator) transfers the money to the payer's bank account. */
const manual = { reason: 'too much', bank_account: { bank: 'BCA', number: '1234', holder_name: 'Budi' } }
async function refundOfPaid() {
  const data = await paidPayment()
  return shop().call('POST', `/v1/payments/${data.id}/refunds`, {
    body: { amount: 100, ...manual },
    headers: { 'x-idempotency-key': newId() },
  })
}

const foundDifference = () =>
  keptDifference(app.db, {
    tenant_id: demo.client.tenant_id,
    payment_id: newId(),
    payment_code: 'GP261120-7Q4M2ZK8XW',
    provider_account_id: demo.provider_accounts[0]?.id ?? '',
  })

const clientPath = (rest = '') => `/v1/tenants/${demo.client.tenant_id}${rest}`
const freshKey = async () => (await as(client)('POST', clientPath('/api-keys'), { mode: 'test' })).data.id
const fresh = async () => `Bearer ${(await users.startSession()).access_token}`
const enrolledToken = async () => `Bearer ${(await factor.enrolledUser()).accessToken}`
const invited = async () =>
  (await as(client)('POST', clientPath('/users'), { email: `${newId()}@example.com` })).data.id
const freshAccount = () =>
  as(owner)('POST', '/v1/providers/midtrans/accounts', {
    mode: 'test',
    name: 'another',
    credentials: { server_key: 'SB-Mid-server-another' },
  })

const settlements = () => `/v1/providers/midtrans/accounts/${demo.provider_accounts[0]?.id}/settlements`

/** Maps each operation to a function that calls it successfully. The test below fails if an operation is missing. */
const calls: Record<string, () => Promise<Answer>> = {
  createPayment: () => shop().create({ items: [{ id: '1', name: 'Book', price: 10_000_000, quantity: 1 }] }),
  getPayment: async () => shop().get((await shop().create()).data.id),
  cancelPayment: async () => shop().cancel((await shop().create()).data.id),
  listPaymentLedger: async () => shop().ledger((await paidPayment()).id),
  listPayments: () => shop().call('GET', '/v1/payments?limit=1'),
  listPaymentTimeline: async () => shop().call('GET', `/v1/payments/${(await create()).id}/timeline`),
  listPaymentAttempts: async () => shop().call('GET', `/v1/payments/${(await create()).id}/attempts`),
  resolvePayment: async () =>
    as(owner)('POST', `/v1/payments/${(await challengedPayment()).id}/resolve`, {
      decision: 'accept',
      reason: 'looks right',
    }),
  listActiveMethods: () => shop().call('GET', '/v1/active-methods'),
  listLedger: () => shop().call('GET', '/v1/account/ledger?limit=1'),
  getLedgerSeal: async () => {
    await paidPayment()
    await stateNow(app, demo.client.tenant_id, 'test')
    return shop().call('GET', '/v1/account/ledger/seal')
  },
  getBalance: () => shop().call('GET', '/v1/account/balance'),
  login: () =>
    http('POST', `${demo.base_url}/v1/auth/login`, {
      body: { email: demo.client.email, password: demo.client.password },
    }),
  completeLogin: async () => {
    const enrolled = await factor.enrolledUser()
    const challenge = await factor.challengeFor(enrolled.user)
    return factor.complete(challenge, enrolled.recoveryCodes[0] ?? '')
  },
  getSecondFactor: () => as(client)('GET', '/v1/account/second-factor'),
  startTotp: async () => as(await fresh())('POST', '/v1/account/second-factor/totp'),
  confirmTotp: async () => {
    const call = as(await fresh())
    const { data } = await call('POST', '/v1/account/second-factor/totp')
    const code = appCode(data.secret, app.clock())
    return call('POST', '/v1/account/second-factor/totp/confirm', { code })
  },
  removeTotp: async () => as(await enrolledToken())('DELETE', '/v1/account/second-factor/totp'),
  renewRecoveryCodes: async () =>
    as(await enrolledToken())('POST', '/v1/account/second-factor/recovery-codes'),
  confirmSecondFactor: async () => {
    const { accessToken, recoveryCodes } = await factor.enrolledUser()
    return as(`Bearer ${accessToken}`)('POST', '/v1/account/second-factor/confirm', {
      code: recoveryCodes[0],
    })
  },
  removePasskey: async () => {
    const { user, accessToken } = await factor.enrolledUser()
    const id = newId()
    await app.db.raw(
      `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
       values (:id, :userId, :id::text, '', 0, '{}', 'Laptop', now())`,
      { id, userId: user.id },
    )
    return as(`Bearer ${accessToken}`)('DELETE', `/v1/account/second-factor/passkeys/${id}`)
  },
  setSecurity: async () =>
    as(await enrolledToken())('PUT', '/v1/account/security', { second_factor_required: true }),
  resetSecondFactor: async () => as(owner)('DELETE', clientPath(`/users/${await invited()}/second-factor`)),
  refresh: async () => {
    const { refresh_token } = await users.startSession()
    return users.refresh(refresh_token)
  },
  logout: async () => {
    const { refresh_token } = await users.startSession()
    return users.post('logout', { refresh_token })
  },
  requestPasswordReset: async () => users.requestReset(await users.makeUser()),
  confirmPasswordReset: async () => {
    const user = await users.makeUser()
    await users.requestReset(user)
    const mail = await until('the mail arrives', async () => (await mailsTo(dataDir, user.email))[0])
    return users.confirmReset(resetTokenIn(mail), 'a whole new password')
  },
  getWebhook: () => as(client)('GET', '/v1/account/webhook'),
  setWebhook: () => as(client)('PUT', '/v1/account/webhook', { callback_url: 'http://127.0.0.1:9/' }),
  rotateWebhookSecret: () => as(client)('POST', '/v1/account/webhook/rotate-secret'),
  sendTestWebhook: async () => {
    await as(client)('PUT', '/v1/account/webhook', { callback_url: 'http://127.0.0.1:9/' })
    return as(client)('POST', '/v1/account/webhook/test')
  },
  listWebhookDeliveries: () => as(client)('GET', '/v1/webhook-deliveries?mode=test&limit=2'),
  redeliverFailedWebhooks: async () => {
    await as(client)('PUT', '/v1/account/webhook', { callback_url: 'http://127.0.0.1:9/' })
    return as(client)('POST', '/v1/webhook-deliveries/redeliver', { since: new Date().toISOString() })
  },
  getWebhookDelivery: async () => as(client)('GET', `/v1/webhook-deliveries/${await deliveredEvent()}`),
  redeliverWebhook: async () =>
    as(client)('POST', `/v1/webhook-deliveries/${await deliveredEvent()}/redeliver`),
  listTenants: () => as(owner)('GET', '/v1/tenants?limit=2'),
  createTenant: () =>
    as(owner)('POST', '/v1/tenants', { name: 'Toko Sari', parent_id: demo.partner.tenant_id }),
  getTenant: () => as(owner)('GET', clientPath()),
  updateTenant: () => as(owner)('PATCH', clientPath(), { name: 'Toko Budi', status: 'active' }),
  listTierLimits: () => as(owner)('GET', '/v1/limits'),
  updateTierLimits: () => as(owner)('PATCH', '/v1/limits/growth', { requests_per_second: 300 }),
  resetTierLimits: () => as(owner)('DELETE', '/v1/limits/growth'),
  getTenantLimits: () => as(owner)('GET', clientPath('/limits')),
  updateTenantLimits: () => as(owner)('PATCH', clientPath('/limits'), { burst_seconds: 3 }),
  resetTenantLimits: () => as(owner)('DELETE', clientPath('/limits')),
  ...accountCalls(() => ({ as, client: as(client), users })),
  ...supportCalls(() => ({
    ...{ client: as(client), owner: as(owner), create, pay: paidPayment },
    ...{ refund: refundOfPaid, clientPath },
  })),
  ...endpointCalls(() => ({ client: as(client), pay: paidPayment })),
  ...moneyCalls(() => ({ client: as(client), owner: as(owner), refund: refundOfPaid, clientPath })),
  getAccount: () => as(client)('GET', '/v1/account'),
  listApiKeys: () => as(owner)('GET', clientPath('/api-keys')),
  createApiKey: () => as(client)('POST', clientPath('/api-keys'), { mode: 'test' }),
  revokeApiKey: async () => as(client)('DELETE', clientPath(`/api-keys/${await freshKey()}`)),
  updateApiKey: async () =>
    as(client)('PATCH', clientPath(`/api-keys/${await freshKey()}`), {
      scopes: ['payments:write'],
      allowed_ips: ['203.0.113.0/24'],
    }),
  rotateApiKey: async () =>
    as(client)('POST', clientPath(`/api-keys/${await freshKey()}/rotate`), { grace_minutes: 5 }),
  listOwnApiKeys: () => as(client)('GET', '/v1/account/api-keys'),
  listOwnUsers: () => as(client)('GET', '/v1/account/users'),
  changePassword: async () => {
    const user = await users.makeUser()
    const { access_token } = await users.startSession(user)
    return users.changePassword(access_token, user.password, 'a whole new password')
  },
  listUsers: () => as(owner)('GET', clientPath('/users')),
  createUser: () =>
    as(owner)('POST', clientPath('/users'), { email: 'sari@example.com', password: 'rahasia sekali' }),
  updateUser: async () =>
    as(owner)('PATCH', clientPath(`/users/${await invited()}`), { permissions: ['finance', 'support'] }),
  removeUser: async () => as(owner)('DELETE', clientPath(`/users/${await invited()}`)),
  resendInvitation: async () => as(owner)('POST', clientPath(`/users/${await invited()}/resend-invitation`)),
  acceptInvitation: async () => {
    const email = `${newId()}@example.com`
    await as(owner)('POST', clientPath('/users'), { email })
    const mail = await until('the mail arrives', async () => (await mailsTo(dataDir, email))[0])
    return users.post('invitations/accept', {
      token: invitationTokenIn(mail),
      new_password: 'rahasia sekali',
    })
  },
  getEntitlements: () => as(owner)('GET', clientPath('/entitlements')),
  setEntitlements: async () =>
    as(owner)('PUT', clientPath('/entitlements'), (await as(owner)('GET', clientPath('/entitlements'))).data),
  getRoutingRules: () => as(owner)('GET', clientPath('/routing-rules')),
  setRoutingRules: async () => {
    const { data } = await as(owner)('GET', clientPath('/entitlements'))
    return as(owner)('PUT', clientPath('/routing-rules'), { items: [{ ...data.items[0], max_amount: 1 }] })
  },
  previewRoute: () =>
    as(owner)('GET', clientPath('/route?mode=test&method_type=virtual_account&channel=bca&amount=10000000')),
  listProviders: () => as(owner)('GET', '/v1/providers'),
  listProviderHealth: () => as(owner)('GET', '/v1/provider-health'),
  listProviderAccounts: () => as(owner)('GET', '/v1/providers/midtrans/accounts'),
  createProviderAccount: () => freshAccount(),
  updateProviderAccount: async () =>
    as(owner)('PATCH', `/v1/providers/midtrans/accounts/${(await freshAccount()).data.id}`, {
      enabled: false,
    }),
  listProviderCallbacks: () => as(owner)('GET', '/v1/provider-callbacks?mode=test&limit=2'),
  listRejectedCallbacks: () => as(owner)('GET', '/v1/provider-callbacks/rejected?mode=test&limit=2'),
  reprocessProviderCallback: async () => {
    const { id } = await challengedPayment()
    const { data } = await as(owner)('GET', `/v1/provider-callbacks?payment_id=${id}`)
    return as(owner)('POST', `/v1/provider-callbacks/${data.items[0].id}/reprocess`)
  },
  reportPayments: () =>
    as(owner)('GET', '/v1/reports/payments?group_by=day,status,method_type,provider,tenant'),
  reportReconciliation: () => as(owner)('GET', '/v1/reports/reconciliation'),
  uploadSettlement: () =>
    http('PUT', `${demo.base_url}${settlements()}/2026-11-01`, {
      auth: owner,
      raw: 'reference,amount\r\nGP261101-0000000000,100000.00\r\n',
      headers: { 'content-type': 'text/csv' },
    }),
  listSettlementLines: async () => {
    await calls.uploadSettlement?.()
    return as(owner)('GET', `${settlements()}/2026-11-01`)
  },
  listSettlements: () => as(owner)('GET', settlements()),
  listenForWebhooks: () => shop().call('GET', '/v1/account/webhook/events?wait_seconds=0'),
  listChallengedPayments: async () => {
    await challengedPayment()
    return as(owner)('GET', '/v1/challenged-payments?mode=test&limit=2')
  },
  listUnexpectedMoney: () => as(owner)('GET', '/v1/unexpected-money?mode=test&limit=2'),
  getUnexpectedMoney: async () => as(owner)('GET', `/v1/unexpected-money/${await moneyOf(await overpaid())}`),
  acceptUnexpectedMoney: async () =>
    as(owner)('POST', `/v1/unexpected-money/${await moneyOf(await overpaid())}/accept`, { reason: 'a tip' }),
  assignUnexpectedMoney: async () =>
    as(owner)('POST', `/v1/unexpected-money/${await moneyOfNobody()}/assign`, {
      payment_id: (await shop().create()).data.id,
      reason: 'the payer said so',
    }),
  refundUnexpectedMoney: async () =>
    as(owner)('POST', `/v1/unexpected-money/${await moneyOf(await overpaid())}/refund`, manual),
  dismissUnexpectedMoney: async () =>
    as(owner)('POST', `/v1/unexpected-money/${await refundOfNobody()}/dismiss`, { reason: 'their test' }),
  listUnknownPayments: () => as(owner)('GET', '/v1/unknown-payments?mode=test&limit=2'),
  inquireUnknownPayment: async () =>
    as(owner)('POST', `/v1/unknown-payments/${await unknownPayment()}/inquire`),
  resolveUnknownPayment: async () =>
    as(owner)('POST', `/v1/unknown-payments/${await unknownPayment()}/resolve`, {
      decision: 'not_created',
      reason: 'not in their dashboard',
    }),
  getLedgerVerification: () => as(owner)('GET', '/v1/ledger-verification'),
  listReconciliationRuns: () => as(owner)('GET', '/v1/reconciliation-runs?mode=all&limit=2'),
  listReconciliationDifferences: async () => {
    await foundDifference()
    return as(owner)('GET', '/v1/reconciliation-differences?mode=all&limit=2')
  },
  closeReconciliationDifference: async () =>
    as(owner)('POST', `/v1/reconciliation-differences/${await foundDifference()}/close`, {
      reason: 'settled a day later',
    }),
  listRequests: () => shop().call('GET', '/v1/account/requests?limit=1'),
  getRequest: async () => {
    const { headers } = await shop().create()
    return until('the request is logged', async () => {
      const answer = await shop().call('GET', `/v1/account/requests/${headers.get('x-request-id')}`)
      return answer.status === 200 && answer
    })
  },
  listAuditLog: () => as(owner)('GET', '/v1/audit-log?limit=5'),
}

test.each(operations().map(({ operationId }) => operationId))(
  'the operation %s succeeds with a response that matches the API document',
  async operationId => {
    expect(app).toBeDefined()
    const call = calls[operationId]
    if (!call) throw new Error(`add a call of ${operationId} to the table`)
    // Each call uses the function http(), which compares the response's status and body with the API
    // document.
    const answer = await call()
    expect([answer.status, answer.success], answer.text).toEqual([200, true])
  },
)
