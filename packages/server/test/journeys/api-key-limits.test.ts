import { beforeAll, describe, expect, test } from 'vitest'
import {
  isInScope,
  type KeyScope,
  keyScopes,
  type NeededScope,
  scopesIn,
} from '../../src/auth/api-keys/scope.ts'
import { appRouter, proceduresOf } from '../../src/router.ts'
import { newId } from '../../src/values/id.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { type Call, callsAs } from '../support/management-api.ts'
import { atOnce, http, logIn, merchantOf, until } from '../support/merchant.ts'

let demo: TestApp['demo']
let user: Call
beforeAll(async () => {
  ;({ demo } = await testApp())
  user = callsAs(demo, await logIn(demo, demo.client))
})

const path = (rest = '') => `/v1/tenants/${demo.client.tenant_id}/api-keys${rest}`
const newKey = async (limits: object) =>
  (await user('POST', path(), { mode: 'test', ...limits })).data as { id: string; key: string }
const balance = (key: string) => merchantOf(demo, key).call('GET', '/v1/account/balance')

/**
 * The scope that an API key needs for each operation. If several scopes are listed, the key needs one of them. The
 * table is maintained by hand. If an operation has no row, the test fails.
 */
const scopeOf: Record<string, NeededScope> = {
  createPayment: 'payments:write',
  cancelPayment: 'payments:write',
  listPayments: 'payments:read',
  getPayment: 'payments:read',
  listPaymentLedger: 'payments:read',
  listPaymentTimeline: 'payments:read',
  listPaymentAttempts: 'payments:read',
  listActiveMethods: 'payments:read',
  listenForWebhooks: 'payments:read',
  listRequests: 'payments:read',
  getRequest: 'payments:read',
  getBalance: 'reports',
  listLedger: 'reports',
  getLedgerSeal: 'reports',
  createRefund: 'refunds',
  listPaymentRefunds: ['refunds', 'payments:read'],
  listRefunds: ['refunds', 'payments:read'],
  getRefund: ['refunds', 'payments:read'],
  getOwnFeeSchedule: 'payments:read',
  previewOwnFee: 'payments:read',
  getOwnFeeStatement: 'reports',
}
const operations = proceduresOf(appRouter).flatMap(([, { _def }]) => {
  const { openapi, access } = _def.meta ?? {}
  return openapi && (access === 'api_key' || access === 'tenant') ? [openapi] : []
})

describe('an API key can call only operations in its scopes', () => {
  test('the scope table has exactly one row for each operation that can be called with an API key', () => {
    expect(Object.keys(scopeOf).toSorted()).toEqual(
      operations.map(({ operationId = '' }) => operationId).toSorted(),
    )
  })

  test("an API key with one scope can call only that scope's operations", async () => {
    const held: (KeyScope | undefined)[] = [undefined, ...keyScopes]
    for (const scope of held) {
      const { key } = await newKey({ scopes: scope ? [scope] : [] })
      await atOnce(4, operations, async ({ operationId = '', method, path }) => {
        const needed = scopeOf[operationId] as NeededScope
        const url = demo.base_url + path.replace(/\{\w+\}/g, newId())
        const { status, error, text } = await http(method, `${url}?wait_seconds=0`, {
          auth: `ApiKey ${key}`,
          ...(method === 'POST' && { raw: '{"' }),
        })
        const mayCall = scope === undefined || isInScope([scope], needed)
        expect([operationId, scope, status === 403], text).toEqual([operationId, scope, !mayCall])
        if (!mayCall) expect(error.message).toContain(`the scope ${scopesIn(needed).join(' or ')};`)
      })
    }
  })

  test('the scope payments:write includes payments:read, and no other scope includes another', () => {
    const included = keyScopes.flatMap(held =>
      keyScopes.filter(needed => needed !== held && isInScope([held], needed)).map(needed => [held, needed]),
    )
    expect(included).toEqual([['payments:write', 'payments:read']])
  })

  test("changes to an API key's scopes apply within a second, and rotation keeps the key's scopes and allowed addresses", async () => {
    const { id, key } = await newKey({ scopes: ['reports'], allowed_ips: ['127.0.0.1'] })
    expect((await balance(key)).status).toBe(200)
    const changed = await user('PATCH', path(`/${id}`), { scopes: ['payments:read'] })
    expect(changed.data).toMatchObject({ scopes: ['payments:read'], allowed_ips: ['127.0.0.1/32'] })
    await until('the changed scopes are in force', async () => (await balance(key)).status === 403)
    const { data } = await user('POST', path(`/${id}/rotate`), {})
    expect(data).toMatchObject({ scopes: ['payments:read'], allowed_ips: ['127.0.0.1/32'] })
    expect((await balance(data.key)).status).toBe(403)
  })

  test('the error about an unknown scope or a malformed IP network names the field', async () => {
    const wrong = await user('POST', path(), { mode: 'test', scopes: ['everything'] })
    expect([wrong.status, wrong.error.message]).toEqual([400, expect.stringContaining('scopes.0')])
    const malformed = await user('POST', path(), { mode: 'test', allowed_ips: ['300.1.1.1/8'] })
    expect([malformed.status, malformed.error.message]).toEqual([
      400,
      expect.stringContaining('allowed_ips.0'),
    ])
  })
})

describe('an API key can be used only from its allowed IP addresses', () => {
  test.each([
    [['127.0.0.1'], 200],
    [['203.0.113.0/24', '127.0.0.0/8'], 200],
    [['10.1.2.3/0'], 200],
    [['203.0.113.7', '2001:db8::/32'], 403],
  ] as const)(
    'if an API key allows only the addresses %j, a request with this key from 127.0.0.1 returns %i',
    async (allowed_ips, status) => {
      const { key } = await newKey({ allowed_ips })
      const answer = await balance(key)
      expect(answer.status).toBe(status)
      if (status === 403)
        expect([answer.error.code, answer.error.message]).toEqual([
          'FORBIDDEN',
          'forbidden: this API key cannot be used from the IP address 127.0.0.1',
        ])
    },
  )

  test("a forged X-Forwarded-For header does not bypass an API key's allowed IP addresses", async () => {
    const { key } = await newKey({ allowed_ips: ['203.0.113.7'] })
    const { status } = await merchantOf(demo, key).call('GET', '/v1/account/balance', {
      headers: { 'x-forwarded-for': '203.0.113.7' },
    })
    expect(status).toBe(403)
  })
})
