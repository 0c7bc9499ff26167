// Sets up the data for each example in the OpenAPI document: a new merchant with the data that the example
// assumes. Because the merchant is new, lists contain only this data.

import { createApiKey } from '../../src/auth/api-keys/create-api-key.ts'
import { createUser } from '../../src/auth/users/create-user.ts'
import { exampleId, order } from '../../src/openapi/example-parts.ts'
import { insertUnexpectedMoney } from '../../src/payments/record/unexpected-money.sql.ts'
import { newRecord } from '../../src/payments/record/unexpected-money.ts'
import { replaceEntitlements } from '../../src/routing/replace-entitlements.ts'
import { createTenant } from '../../src/tenants/create-tenant.ts'
import { dayOf } from '../../src/values/day.ts'
import { newId } from '../../src/values/id.ts'
import type { TestApp } from '../support/app.ts'
import { keptDifference } from '../support/difference.ts'
import { sell, stateNow } from '../support/ledger.ts'
import { makeTenant } from '../support/make.ts'
import { http, logIn, merchantOf, simulate, until } from '../support/merchant.ts'
import { anOrder } from '../support/order.ts'
import { receiverUrl } from '../support/receiver-url.ts'
import { rejectedRequest } from '../support/rejected-request.ts'
import { accountScenes } from './account-scenes.ts'
import { endpointScenes } from './endpoint-calls.ts'
import { bookScenes, feeScenes, refundScenes } from './money-scenes.ts'

export type Scene = {
  /** Maps each placeholder in the API examples to the merchant's real value that replaces it. */
  real: Record<string, string>
  /** The Authorization header for each kind of caller. */
  auth: { key: string; user: string; owner: string }
}
export type Stage = Scene & {
  payment(extra?: object): Promise<{ id: string; payment_code: string }>
  /**
   * Simulates an outcome of the merchant's payment at the provider, and waits until the payment has the resulting
   * status.
   */
  happens(outcome: string, status: string, options?: Parameters<typeof simulate>[3]): Promise<void>
  asOwner(method: string, path: string, body?: object): ReturnType<typeof http>
  asUser(method: string, path: string, body?: object): ReturnType<typeof http>
}

export function scenesOf(service: TestApp) {
  const { app, demo } = service
  const account = demo.provider_accounts.find(
    ({ provider, mode }) => provider === 'midtrans' && mode === 'test',
  )
  if (!account) throw new Error('the demo has no Midtrans account in test mode')

  async function stage(): Promise<Stage> {
    const { id: tenantId } = await createTenant(app, null, {
      name: 'Toko Budi',
      role: 'client',
      tier: 'starter',
      parentId: demo.partner.tenant_id,
    })
    await replaceEntitlements(app, null, tenantId, [{ providerAccountId: account?.id ?? '', priority: 100 }])
    const { id: keyId, key } = await createApiKey(app, null, tenantId, { name: 'web shop', mode: 'test' })
    const who = { email: `${newId()}@example.com`, password: 'correct horse battery staple' }
    const user = await createUser(app, null, tenantId, who)
    const [asUser, asOwner] = await Promise.all([logIn(demo, who), logIn(demo, demo.owner)])
    const shop = merchantOf(demo, key)
    const real: Record<string, string> = {
      [exampleId(10)]: tenantId,
      [exampleId(11)]: user.id,
      [exampleId(13)]: keyId,
      [exampleId(14)]: account?.id ?? '',
      [exampleId(15)]: demo.partner.tenant_id,
      'client@example.com': who.email,
      // A settlement can be uploaded only for a past day.
      '2026-11-19': new Date(Date.now() - 172_800_000).toISOString().slice(0, 10),
      '2026-11-20T00:00:00Z': new Date(Date.now() - 3_600_000).toISOString(),
    }
    return {
      real,
      auth: { key: `ApiKey ${key}`, user: asUser, owner: asOwner },
      async payment(extra = {}) {
        const { data } = await shop.create({ ...anOrder(), ...person, ...extra }, 'order-1001')
        real[exampleId(1)] = data.id
        return data
      },
      async happens(outcome, status, options = {}) {
        const { data } = await shop.get(real[exampleId(1)] ?? '')
        await simulate(demo, data, outcome, options)
        await until(`the payment is ${status}`, async () => (await shop.get(data.id)).data.status === status)
      },
      asOwner: (method, path, body) =>
        http(method, demo.base_url + path, { auth: asOwner, ...(body && { body }) }),
      asUser: (method, path, body) =>
        http(method, demo.base_url + path, { auth: asUser, ...(body && { body }) }),
    }
  }

  const pending = async (scene: Stage) => void (await scene.payment())
  async function paid(scene: Stage) {
    await scene.payment()
    await scene.happens('paid', 'paid')
  }
  /**
   * Adds merchants until the balance is the left node of a pair in the Merkle tree of ledger seals (hashes), as in the
   * documented example.
   */
  async function sealed(scene: Stage) {
    const other = await stage()
    for (const each of [other, scene]) await paid(each)
    await until('the balance is the left node of a pair in the Merkle tree', async () => {
      const { proof } = await stateNow(app, scene.real[exampleId(10)] ?? '', 'test')
      if (proof[0]?.side === 'right') return true
      await sell(app.db, await makeTenant(app.db, { id: `00000000-0000-7${newId().slice(15)}` }), 1)
      return false
    })
  }
  async function challenged(scene: Stage) {
    await scene.payment()
    await scene.happens('paid', 'challenged', { amount: 9_900_000 })
  }
  async function heldByProvider(scene: Stage) {
    await scene.payment()
    await scene.happens('challenged', 'challenged')
  }
  const setUrl = (scene: Stage, url: string | null = 'https://shop.example.com/hooks/gapura') =>
    scene.asUser('PUT', '/v1/account/webhook', { callback_url: url })
  async function freshAccount(scene: Stage) {
    const { data } = await scene.asOwner('POST', '/v1/providers/midtrans/accounts', {
      mode: 'test',
      name: 'Midtrans of PT Toko Budi',
      credentials: { server_key: 'SB-Mid-server-another' },
    })
    scene.real[exampleId(14)] = data.id
  }
  const entitled = async (scene: Stage) => {
    await freshAccount(scene)
    await scene.asOwner('PUT', `/v1/tenants/${scene.real[exampleId(10)]}/entitlements`, {
      items: [{ provider_account_id: scene.real[exampleId(14)], priority: 100 }],
    })
  }

  const upload = (scene: Stage, date: string, reference: string) =>
    http(
      'PUT',
      `${demo.base_url}/v1/providers/midtrans/accounts/${scene.real[exampleId(14)]}/settlements/${date}`,
      {
        auth: scene.auth.owner,
        raw: `reference,amount,fee\r\n${reference},100000.00,4000.00\r\n`,
        headers: { 'content-type': 'text/csv' },
      },
    )

  async function settled(scene: Stage, date = '2026-11-01') {
    await freshAccount(scene)
    await upload(scene, date, 'GP261119-7Q4M2ZK8XW')
  }

  async function told(scene: Stage) {
    await setUrl(scene, await receiverUrl())
    await paid(scene)
    await until('the event is delivered', async () => {
      const { data } = await scene.asUser('GET', '/v1/webhook-deliveries?mode=test')
      scene.real[exampleId(2)] = data.items[0]?.id
      return data.items[0]?.status === 'delivered'
    })
  }

  async function overpaid(scene: Stage) {
    await scene.payment()
    await scene.happens('paid', 'paid', { amount: 12_000_000 })
    await record(scene)
  }
  const record = (scene: Stage) =>
    until('the service has recorded the unexpected money', async () => {
      const { data } = await scene.asOwner(
        'GET',
        `/v1/unexpected-money?payment_id=${scene.real[exampleId(1)]}`,
      )
      if (data.items[0]) scene.real[exampleId(21)] = data.items[0].id
      return data.items[0]
    })

  async function moneyOfNobody(scene: Stage) {
    await scene.payment()
    const id = newId()
    scene.real[exampleId(21)] = id
    await insertUnexpectedMoney(app.db, [
      newRecord(
        {
          id,
          kind: 'unknown_reference',
          provider: 'midtrans',
          providerAccountId: account?.id ?? '',
          mode: 'test',
          reference: 'INV-2026-0042',
          receipt: newId(),
          tenantId: null,
          paymentId: null,
          amount: 12_000_000n,
          expectedAmount: null,
          credited: false,
          paidAt: new Date(),
          createdAt: new Date(),
        },
        new Date(),
      ),
    ])
  }

  async function refundedAtProvider(scene: Stage) {
    await paid(scene)
    const id = newId()
    scene.real[exampleId(21)] = id
    const ofPayment = {
      tenantId: scene.real[exampleId(10)] ?? null,
      paymentId: scene.real[exampleId(1)] ?? null,
      expectedAmount: 10_000_000n,
    }
    const at = { provider: 'midtrans', providerAccountId: account?.id ?? '', mode: 'test' } as const
    const refund = { kind: 'refund', amount: 2_500_000n, credited: false, returnStatus: 'succeeded' } as const
    const record = { ...ofPayment, ...at, ...refund, id, reference: 'GP261120-7Q4M2ZK8XW', receipt: newId() }
    await insertUnexpectedMoney(app.db, [newRecord({ ...record, paidAt: new Date() }, new Date())])
  }

  async function unsettled(scene: Stage) {
    const { id, payment_code } = await scene.payment()
    await scene.happens('paid', 'paid')
    const tenant_id = scene.real[exampleId(10)] ?? ''
    const provider_account_id = account?.id ?? ''
    const about = { tenant_id, payment_id: id, payment_code, provider_account_id }
    scene.real[exampleId(20)] = provider_account_id
    scene.real[exampleId(31)] = await keptDifference(app.db, about)
  }

  /**
   * Creates a payment with an unknown outcome: the provider accepts the charge, but its response cannot be parsed.
   * The service sends the first status inquiry 5 s later.
   */
  async function unknown(scene: Stage) {
    await scene.payment({ customer_name: 'SANDBOX NOT JSON' }).catch(() => undefined)
    const { rows } = await app.db.raw('select id from payments where tenant_id = ?', [
      scene.real[exampleId(10)] ?? '',
    ])
    scene.real[exampleId(1)] = rows[0].id
  }

  async function callback(scene: Stage) {
    await paid(scene)
    await until('the callback was processed', async () => {
      const { data } = await scene.asOwner(
        'GET',
        `/v1/provider-callbacks?payment_id=${scene.real[exampleId(1)]}`,
      )
      scene.real[exampleId(5)] = data.items[0]?.id
      return data.items[0]?.status === 'applied'
    })
  }

  const rejected = async (scene: Scene) =>
    Object.assign(scene.real, await rejectedRequest(demo, scene.auth.key))

  const ruled = (scene: Stage) =>
    scene.asOwner('PUT', `/v1/tenants/${scene.real[exampleId(10)]}/routing-rules`, {
      items: [{ method_type: 'virtual_account', provider_account_id: scene.real[exampleId(14)] }],
    })

  const withoutLimits = (scene: Stage) => scene.asOwner('DELETE', '/v1/limits/starter')

  const session = async (scene: Stage) => {
    const { data } = await http('POST', `${demo.base_url}/v1/auth/login`, {
      body: { email: scene.real['client@example.com'], password: 'correct horse battery staple' },
    })
    scene.real.gp_refresh_Zm9v = data.refresh_token
  }

  const before: Record<string, (scene: Stage) => Promise<unknown>> = {
    ...accountScenes(service),
    ...endpointScenes(paid),
    getPayment: paid,
    listPayments: pending,
    cancelPayment: pending,
    listPaymentLedger: paid,
    listPaymentTimeline: paid,
    listPaymentAttempts: pending,
    ...{ listTenantPayments: pending, listTenantPaymentAttempts: pending, getTenantPayment: paid },
    ...{
      listTenantPaymentTimeline: paid,
      listTenantPaymentCallbacks: paid,
      listTenantPaymentDeliveries: told,
    },
    resolvePayment: challenged,
    listLedger: paid,
    getLedgerSeal: sealed,
    getBalance: paid,
    refresh: session,
    logout: session,
    getWebhook: setUrl,
    rotateWebhookSecret: setUrl,
    async 'ten previous secrets'(scene) {
      for (let n = 0; n < 10; n++) await scene.asUser('POST', '/v1/account/webhook/rotate-secret')
    },
    sendTestWebhook: setUrl,
    listWebhookDeliveries: told,
    getWebhookDelivery: told,
    redeliverWebhook: told,
    async 'a webhook event that cannot be delivered'(scene) {
      await setUrl(scene, 'http://127.0.0.1:9/')
      const { data } = await scene.asUser('POST', '/v1/account/webhook/test')
      scene.real[exampleId(2)] = data.id
    },
    async 'an event without an address'(scene) {
      await paid(scene)
      const { data } = await scene.asUser('GET', '/v1/webhook-deliveries?mode=test')
      scene.real[exampleId(2)] = data.items[0].id
    },
    async redeliverFailedWebhooks(scene) {
      await paid(scene)
      await setUrl(scene)
    },
    async listenForWebhooks(scene) {
      await scene.payment()
      // The operation returns only events that occur after the request. The scene therefore pays the payment when the
      // request first reads the events.
      const onQuery = ({ sql }: { sql: string }) => {
        if (!/from webhook_events e\s+where tenant_id = \S+ and id > /.test(sql)) return
        app.db.off('query', onQuery)
        void scene.happens('paid', 'paid')
      }
      app.db.on('query', onQuery)
    },
    listRequests: rejected,
    getRequest: rejected,
    listAuditLog: setUrl,
    listProviderAccounts: freshAccount,
    updateProviderAccount: freshAccount,
    listProviderHealth: freshAccount,
    uploadSettlement: freshAccount,
    listSettlementLines: scene => settled(scene, scene.real['2026-11-19']),
    listSettlements: settled,
    getRoutingRules: ruled,
    getEntitlements: entitled,
    setEntitlements: freshAccount,
    ...bookScenes(service),
    ...feeScenes(paid),
    ...refundScenes(demo, paid),
    listTierLimits: withoutLimits,
    updateTierLimits: withoutLimits,
    resetTierLimits: withoutLimits,
    resetTenantLimits: withoutLimits,
    updateTenantLimits: withoutLimits,
    async getTenantLimits(scene) {
      await withoutLimits(scene)
      await scene.asOwner('PATCH', `/v1/tenants/${scene.real[exampleId(10)]}/limits`, {
        requests_per_second: 200,
      })
    },
    async previewRoute(scene) {
      await entitled(scene)
      await ruled(scene)
    },
    reportPayments: paid,
    async reportReconciliation(scene) {
      await paid(scene)
      await upload(scene, dayOf(new Date()), 'INV-2026-0042')
    },
    listChallengedPayments: heldByProvider,
    listUnexpectedMoney: overpaid,
    getUnexpectedMoney: overpaid,
    acceptUnexpectedMoney: overpaid,
    refundUnexpectedMoney: overpaid,
    assignUnexpectedMoney: moneyOfNobody,
    dismissUnexpectedMoney: refundedAtProvider,
    listReconciliationRuns: scene =>
      until('the first daily reconciliation run for live payments is complete', async () => {
        const { data } = await scene.asOwner('GET', '/v1/reconciliation-runs?mode=live&limit=1')
        return data.items[0]?.state === 'complete'
      }),
    listReconciliationDifferences: unsettled,
    closeReconciliationDifference: unsettled,
    async 'a difference that is closed'(scene) {
      await unsettled(scene)
      await scene.asOwner('POST', `/v1/reconciliation-differences/${scene.real[exampleId(31)]}/close`, {
        reason: 'the provider settles it tomorrow',
      })
    },
    listUnknownPayments: unknown,
    inquireUnknownPayment: unknown,
    resolveUnknownPayment: unknown,
    listProviderCallbacks: callback,
    reprocessProviderCallback: callback,
    async listRejectedCallbacks(scene) {
      await simulate(demo, await scene.payment(), 'paid', { bad_signature: true })
    },
  }

  return async (operationId: string): Promise<Scene> => {
    const scene = await stage()
    await before[operationId]?.(scene)
    return scene
  }
}

const { amount: _, currency: __, ...person } = order
