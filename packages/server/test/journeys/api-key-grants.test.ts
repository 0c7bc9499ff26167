// Tests that a user can give an API key only scopes that the user's own permissions allow.

import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createUser } from '../../src/auth/users/create-user.ts'
import type { Permission } from '../../src/auth/users/permission.ts'
import { newId } from '../../src/values/id.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { type Call, callsAs, refusal } from '../support/management-api.ts'
import { http, logIn } from '../support/merchant.ts'

let service: TestApp
let admin: Call
let developer: Call
let financial: Call
beforeAll(async () => {
  service = await testApp({ worker: false })
  const { demo } = service
  admin = callsAs(demo, await logIn(demo, demo.client))
  developer = await userWith(demo.client.tenant_id, ['developer'])
  financial = await userWith(demo.client.tenant_id, ['developer', 'finance'])
})

async function userWith(tenantId: string, permissions: Permission[]): Promise<Call> {
  const { app, demo } = service
  const user = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' }
  await createUser(app, null, tenantId, { ...user, permissions })
  return callsAs(demo, await logIn(demo, user))
}

const path = (rest = '') => `/v1/tenants/${service.demo.client.tenant_id}/api-keys${rest}`
const create = (as: Call, body: object = {}) => as('POST', path(), { mode: 'test', ...body })
const mayRefund = async (key: string) => {
  const url = `${service.demo.base_url}/v1/payments/${newId()}/refunds`
  const { status } = await http('POST', url, {
    auth: `ApiKey ${key}`,
    body: {},
    headers: { 'x-idempotency-key': newId() },
  })
  return status !== 403
}

const withoutMoney = ['payments:read', 'payments:write', 'reports']
const refused = (start: string) => [
  403,
  'FORBIDDEN',
  `forbidden: ${start} can only be given by a user with the permission admin or finance; your permissions are developer`,
]
const unrestricted = 'an API key without scopes includes the scope refunds, which'

describe('a developer without the permission finance cannot give an API key access to refunds or payouts', () => {
  test.each(['refunds', 'payouts'])('cannot create an API key with the scope %s', async scope => {
    const answer = await create(developer, { scopes: ['payments:write', scope] })
    expect(refusal(answer)).toEqual(refused(`scopes: the scope ${scope}`))
  })

  test('a developer without the permission finance cannot create an unrestricted API key', async () => {
    const answer = await create(developer, { scopes: [] })
    expect(refusal(answer)).toEqual(refused(`scopes: ${unrestricted}`))
  })

  test('a developer without the permission finance can create an API key for payments', async () => {
    const { data } = await create(developer, { scopes: ['payments:write'] })
    expect([data.scopes, await mayRefund(data.key)]).toEqual([['payments:write'], false])
  })

  test('without the permission finance, a new API key has all scopes except refunds and payouts by default', async () => {
    const { data } = await create(developer)
    expect([data.scopes, await mayRefund(data.key)]).toEqual([withoutMoney, false])
  })

  test('a developer without the permission finance cannot give an API key the scope refunds or remove all its scopes', async () => {
    const { id } = (await create(developer)).data
    const patch = (scopes: string[]) => developer('PATCH', path(`/${id}`), { scopes })
    expect(refusal(await patch(['payments:read', 'refunds']))).toEqual(refused('scopes: the scope refunds'))
    expect(refusal(await patch([]))).toEqual(refused(`scopes: ${unrestricted}`))
    expect((await patch(['reports'])).data.scopes).toEqual(['reports'])
    expect((await patch(withoutMoney)).data.scopes).toEqual(withoutMoney)
  })

  test('a developer can restrict an existing API key further, even if the key can refund payments', async () => {
    const { id } = (await create(admin)).data
    const patch = (change: object) => developer('PATCH', path(`/${id}`), change)
    expect((await patch({ allowed_ips: ['203.0.113.7'] })).status).toBe(200)
    expect((await patch({ scopes: ['payments:read', 'refunds'] })).data.scopes).toEqual([
      'payments:read',
      'refunds',
    ])
    expect(refusal(await patch({ scopes: ['refunds', 'payouts'] }))).toEqual(
      refused('scopes: the scope payouts'),
    )
  })

  test('a developer cannot rotate an API key that can refund payments, because the response contains the new key', async () => {
    const rotate = async (limits: object) => {
      const { id } = (await create(admin, limits)).data
      return [id, await developer('POST', path(`/${id}/rotate`), {})] as const
    }
    const [id, all] = await rotate({})
    expect(refusal(all)).toEqual(refused(unrestricted))
    const [, refunds] = await rotate({ scopes: ['refunds'] })
    expect(refusal(refunds)).toEqual(refused('the scope refunds'))
    const { items } = (await admin('GET', '/v1/account/api-keys')).data
    expect(items.find((key: { id: string }) => key.id === id)).toMatchObject({
      revoked_at: null,
      expires_at: null,
    })
    const [, payments] = await rotate({ scopes: ['payments:write'] })
    expect([payments.status, payments.data.scopes]).toEqual([200, ['payments:write']])
  })

  test("a Partner's developer cannot give a Client's API key the scope refunds", async () => {
    const partner = await userWith(service.demo.partner.tenant_id, ['developer'])
    expect(refusal(await create(partner, { scopes: ['refunds'] }))).toEqual(
      refused('scopes: the scope refunds'),
    )
    expect((await create(partner)).data.scopes).toEqual(withoutMoney)
  })
})

describe('a user with the permission finance or admin', () => {
  test('can create, change and rotate API keys that can refund payments', async () => {
    for (const user of [admin, financial]) {
      const { data } = await create(user)
      expect([data.scopes, await mayRefund(data.key)]).toEqual([[], true])
      expect((await user('PATCH', path(`/${data.id}`), { scopes: ['refunds'] })).data.scopes).toEqual([
        'refunds',
      ])
      expect((await user('PATCH', path(`/${data.id}`), { scopes: [] })).data.scopes).toEqual([])
      expect((await user('POST', path(`/${data.id}/rotate`), {})).data.scopes).toEqual([])
    }
  })

  test("a user of the Owner or of the Client's Partner can create an unrestricted API key for a Client", async () => {
    const { demo } = service
    for (const who of [demo.owner, demo.partner]) {
      const { status, data } = await create(callsAs(demo, await logIn(demo, who)))
      expect([status, data.scopes]).toEqual([200, []])
    }
  })
})
