// Sends each operation the requests that it must reject. Prism checks that the responses match the OpenAPI
// document, and failure-examples.contract.ts compares the error messages.

import { beforeAll, expect, test } from 'vitest'
import { createApiKey } from '../../src/auth/api-keys/create-api-key.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { operations } from '../support/contract.ts'
import { rejectsOnlyUndecodable } from '../support/contract-coverage.ts'
import { http, logIn, merchantOf, simulate, until } from '../support/merchant.ts'
import { type User, usersOf } from '../support/user.ts'

type Documented = ReturnType<typeof operations>[number] & { requestBody?: { content: object } }
const documented: Documented[] = operations()

type Callers = { key: string; user: string; owner: string }
let service: TestApp
let users: ReturnType<typeof usersOf>
let callers: Callers
beforeAll(async () => {
  service = await testApp()
  users = usersOf(service)
  const { demo } = service
  const [user, owner] = await Promise.all([logIn(demo, demo.client), logIn(demo, demo.owner)])
  callers = { key: `ApiKey ${demo.client.test_key}`, user, owner }
})

/** Returns a credential that the given operation accepts, or undefined if the operation needs no credential. */
function authOf({ security, responses }: Documented, { key, user, owner }: Callers): string | undefined {
  if (security.length === 0) return undefined
  const forbidden = responses[403]
  if (forbidden && '$ref' in forbidden && forbidden.$ref.includes('Owner')) return owner
  return security.some(each => 'ApiKeyAuth' in each) ? key : user
}

/** Returns the operation's URL, with each path parameter replaced by the given value. */
const at = ({ path }: Documented, value: string) =>
  service.demo.base_url + path.replace('{provider_code}', 'midtrans').replace(/\{\w+\}/g, value)

const ID = '01990000-0000-7000-8000-000000000000'

const documenting = (status: number) =>
  documented
    .filter(({ responses }) => responses[status])
    .map(operation => [operation.operationId, operation] as const)
const isUpload = ({ requestBody }: Documented) =>
  requestBody !== undefined && 'text/csv' in requestBody.content

test.each(documenting(400).filter(([, operation]) => !rejectsOnlyUndecodable(operation)))(
  '%s rejects a malformed request with the documented status 400',
  async (_, operation) => {
    const auth = authOf(operation, callers)
    const { status, text } = await http(
      operation.method,
      `${at(operation, 'x')}?cursor=none&limit=x&mode=x`,
      {
        ...(auth && { auth }),
        ...(operation.method !== 'GET' && { raw: '[]' }),
      },
    )
    expect(status, text).toBe(400)
  },
)

test.each(documenting(413).filter(([, operation]) => !isUpload(operation)))(
  '%s rejects a body that exceeds the size limit, as documented',
  async (_, operation) => {
    const auth = authOf(operation, callers)
    const body = { reason: 'x'.repeat(300_000) }
    const { status, text } = await http(operation.method, at(operation, ID), { ...(auth && { auth }), body })
    expect(status, text).toBe(413)
  },
)

test("every operation rejects a suspended tenant's API key and users as documented", async () => {
  const { app, demo } = service
  const user = await users.makeUser()
  const [session, { key }] = await Promise.all([
    users.startSession(user),
    createApiKey(app, null, user.tenantId, { name: 'web shop', mode: 'test' }),
  ])
  const token = `Bearer ${session.access_token}`
  const suspended = { key: `ApiKey ${key}`, user: token, owner: token }
  const path = `${demo.base_url}/v1/tenants/${user.tenantId}`
  expect((await http('PATCH', path, { auth: callers.owner, body: { status: 'suspended' } })).status).toBe(200)
  await until('the tenant is suspended', async () => (await users.call(session.access_token)).status === 403)

  for (const [operationId, operation] of documenting(403)) {
    const auth = authOf(operation, suspended)
    if (auth === undefined) continue
    const { status } = await http(operation.method, at(operation, ID), {
      auth,
      ...(operation.method !== 'GET' && { body: {} }),
    })
    expect(status, operationId).toBe(403)
  }
  expect((await users.logIn(user)).status).toBe(403)
  expect((await users.refresh(session.refresh_token)).status).toBe(403)
})

test('after many wrong passwords, a login or a password change is rejected with the documented status 429', async () => {
  const user = await users.makeUser()
  const session = await users.startSession(user)
  const attempts = [
    (guess: User) => users.logIn(guess),
    ({ password }: User) => users.changePassword(session.access_token, password, 'another long password'),
  ]
  for (const attempt of attempts) {
    await attempt({ ...user, password: 'wrong' })
    await service.app.db.raw('update login_throttles set failures = 40')
    expect((await attempt(user)).status).toBe(429)
  }
})

test('refunding or dismissing unexpected money that is already refunded is rejected', async () => {
  const { demo } = service
  const payment = (await merchantOf(demo).create()).data
  await simulate(demo, payment, 'paid', { amount: 12_000_000 })
  const records = `${demo.base_url}/v1/unexpected-money`
  const auth = callers.owner
  const record = await until(
    'the service has recorded the unexpected money',
    async () => (await http('GET', `${records}?payment_id=${payment.id}`, { auth })).data.items[0],
  )
  const decide = async (decision: string) => {
    const account = { bank: 'BCA', number: '1234567890', holder_name: 'Budi Santoso' }
    const body = { reason: 'customer contacted', ...(decision === 'refund' && { bank_account: account }) }
    return (await http('POST', `${records}/${record.id}/${decision}`, { auth, body })).status
  }
  expect([await decide('refund'), await decide('refund'), await decide('dismiss')]).toEqual([200, 409, 409])
})
