// Tests that a management request (one that is not about a payment) can be repeated safely if it has an
// X-Idempotency-Key header.

import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { deleteExpired } from '../../src/retention/delete-expired.ts'
import { newId } from '../../src/values/id.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { refusal } from '../support/management-api.ts'
import { type Answer, http, logIn } from '../support/merchant.ts'

let service: TestApp
let auth: { owner: string; partner: string; client: string; client2: string }
beforeAll(async () => {
  service = await testApp({ worker: false })
  const { demo } = service
  const [owner, partner, client, client2] = await Promise.all(
    [demo.owner, demo.partner, demo.client, demo.client2].map(who => logIn(demo, who)),
  )
  auth = { owner, partner, client, client2 } as typeof auth
})

const post = (as: keyof typeof auth, path: string, key: string, body: object = {}): Promise<Answer> =>
  http('POST', service.demo.base_url + path, {
    auth: auth[as],
    body,
    headers: { 'x-idempotency-key': key },
  })
const replayed = ({ headers }: Answer) => headers.get('idempotency-replayed')
const countOf = async (sql: string, values: string[] = []) =>
  Number((await service.app.db.raw(`select count(*) as n from ${sql}`, values)).rows[0].n)
const keysNamed = (name: string) => countOf('api_keys where name = ?', [name])
const apiKeys = () => `/v1/tenants/${service.demo.client.tenant_id}/api-keys`

/**
 * POST operations that do not accept an optional idempotency key, each with the reason. Every new POST operation must
 * either accept a key or be added here.
 */
const withoutKey: Record<string, string> = {
  createPayment: 'requires an idempotency key that never expires',
  createRefund: 'requires an idempotency key that never expires',
  cancelPayment: 'a cancelled payment cannot be cancelled again',
  login: 'starts a session each time',
  completeLogin: 'the challenge can be used once',
  acceptInvitation: 'the token can be used once',
  startTotp: 'a new secret replaces the unconfirmed secret',
  confirmTotp: 'a code can be used once',
  confirmSecondFactor: 'a code can be used once',
  renewRecoveryCodes: 'recovery codes are stored only as hashes',
  refresh: 'a used refresh token is accepted again for ten seconds',
  logout: 'a repeated logout has the same result',
  requestPasswordReset: 'anyone can call it, so there is no user',
  confirmPasswordReset: 'the token can be used once',
  changePassword: 'a password is not stored, not even encrypted',
}

type Parameter = { name?: string; required?: boolean; $ref?: string }
type Documented = { operationId: string; description: string; parameters?: Parameter[] }

const file = new URL('../../../../openapi/openapi.json', import.meta.url)
const document = JSON.parse(readFileSync(file, 'utf8'))
const paths: Record<string, { post?: Documented }> = document.paths
const posts = Object.values(paths).flatMap(({ post }) => post ?? [])
const isKey = ({ $ref, ...parameter }: Parameter) => {
  const { name, required } = $ref ? document.components.parameters[$ref.split('/').at(-1) ?? ''] : parameter
  return name === 'X-Idempotency-Key' && required !== true
}
const optional = ({ parameters = [] }: Documented) => parameters.some(isKey)

test('every POST operation accepts an idempotency key or is listed in this test with the reason', () => {
  expect(
    posts
      .filter(each => !optional(each))
      .map(({ operationId }) => operationId)
      .sort(),
  ).toEqual(Object.keys(withoutKey).sort())
})

test('no operation that accepts an idempotency key is described as not idempotent', () => {
  const wrong = posts.filter(each => optional(each) && /not idempotent/i.test(each.description))
  expect(wrong.map(({ operationId }) => operationId)).toEqual([])
})

test('a repeated create request returns the first response, including its secret, and creates nothing new', async () => {
  const [key, name] = [newId(), newId()]
  const first = await post('client', apiKeys(), key, { mode: 'test', name })
  expect([first.status, replayed(first)]).toEqual([200, null])
  const second = await post('client', apiKeys(), key, { name, mode: 'test' })
  expect([second.status, second.data, replayed(second)]).toEqual([200, first.data, 'true'])
  expect(await keysNamed(name)).toBe(1)
  expect(
    await countOf(`management_requests where response_sealed like '%' || ? || '%'`, [first.data.key]),
  ).toBe(0)
})

test('only one of several concurrent management requests with the same idempotency key is executed', async () => {
  const [key, name] = [newId(), newId()]
  const made = await Promise.all(
    Array.from({ length: 5 }, () => post('client', apiKeys(), key, { mode: 'test', name })),
  )
  const succeeded = made.filter(({ status }) => status === 200)
  expect(new Set(succeeded.map(({ data }) => data.key)).size).toBe(1)
  for (const each of made.filter(({ status }) => status !== 200))
    expect([each.status, each.error.code, each.headers.get('retry-after')]).toEqual([
      409,
      'IDEMPOTENCY_CONFLICT',
      '1',
    ])
  expect(await keysNamed(name)).toBe(1)
})

test('reusing an idempotency key with a different body or operation returns a conflict error', async () => {
  const key = newId()
  expect((await post('client', apiKeys(), key, { mode: 'test', name: 'a' })).status).toBe(200)
  const conflict = [
    409,
    'IDEMPOTENCY_CONFLICT',
    'idempotency conflict: this X-Idempotency-Key was used with a different body',
  ]
  expect(refusal(await post('client', apiKeys(), key, { mode: 'test', name: 'b' }))).toEqual(conflict)
  expect(refusal(await post('client', '/v1/account/webhook/rotate-secret', key))).toEqual(conflict)
})

test('users of different tenants can use the same idempotency key without a conflict', async () => {
  const key = newId()
  const path = '/v1/account/webhook/rotate-secret'
  const [a, b] = [await post('client', path, key), await post('client2', path, key)]
  expect([a.status, b.status, replayed(b)]).toEqual([200, 200, null])
  expect(b.data.secret).not.toBe(a.data.secret)
  expect((await post('client', path, key)).data).toEqual(a.data)
})

test('after a management request fails, its idempotency key can be used with a corrected body', async () => {
  const key = newId()
  expect((await post('client', apiKeys(), key, { mode: 'neither' })).status).toBe(400)
  expect((await post('client', apiKeys(), key, { mode: 'test' })).status).toBe(200)
})

test("a Partner's repeated request creates a tenant only once and returns the same response", async () => {
  const [key, name] = [newId(), newId()]
  const first = await post('partner', '/v1/tenants', key, { name })
  expect(first.status).toBe(200)
  expect((await post('partner', '/v1/tenants', key, { name })).data).toEqual(first.data)
  expect(await countOf('tenants where name = ?', [name])).toBe(1)
  expect(await countOf('webhook_endpoints where tenant_id = ?', [first.data.id])).toBe(1)
  expect(await countOf(`audit_log where action = 'tenant.create' and subject_id = ?`, [first.data.id])).toBe(
    1,
  )
})

test('a management request whose response cannot be stored is undone completely and can be repeated', async () => {
  const [key, name] = [newId(), newId()]
  const { app } = service
  const { encrypt } = app.secrets
  app.secrets.encrypt = async (text, context) => {
    if (context.startsWith('management request')) throw new Error('the process ends here')
    return encrypt(text, context)
  }
  try {
    expect((await post('client', apiKeys(), key, { mode: 'test', name })).status).toBe(500)
    expect(await keysNamed(name)).toBe(0)
  } finally {
    app.secrets.encrypt = encrypt
  }
  expect((await post('client', apiKeys(), key, { mode: 'test', name })).status).toBe(200)
  expect(await keysNamed(name)).toBe(1)
})

test('a request to the management API with an invalid idempotency key is rejected', async () => {
  expect(refusal(await post('client', apiKeys(), 'a b', { mode: 'test' }))).toEqual([
    400,
    'BAD_REQUEST',
    'bad request: X-Idempotency-Key: must be 1 to 255 visible ASCII characters',
  ])
})

test('a management request runs again once its idempotency key has expired', async () => {
  const { app } = service
  const [key, name] = [newId(), newId()]
  await post('client', apiKeys(), key, { mode: 'test', name })
  await app.db.raw(`update management_requests set expires_at = now() - interval '1 minute' where key = ?`, [
    key,
  ])
  expect(replayed(await post('client', apiKeys(), key, { mode: 'test', name }))).toBeNull()
  expect(await keysNamed(name)).toBe(2)
  await app.db.raw(`update management_requests set expires_at = now() - interval '1 day' where key = ?`, [
    key,
  ])
  await deleteExpired(app, new AbortController().signal)
  expect(await countOf('management_requests where key = ?', [key])).toBe(0)
})
