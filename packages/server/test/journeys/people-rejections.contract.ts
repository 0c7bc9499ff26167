// Sends requests about users that the service rejects only in certain situations, for example because the user is
// the last admin. Prism checks that the responses match the OpenAPI document.

import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/values/id.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { http, logIn } from '../support/merchant.ts'
import { secondFactorOf } from '../support/second-factor.ts'

let service: TestApp
let factor: ReturnType<typeof secondFactorOf>
let owner: string
beforeAll(async () => {
  service = await testApp()
  factor = secondFactorOf(service)
  owner = await logIn(service.demo, service.demo.owner)
})

test('a login’s second step is rejected if the tenant was suspended after the first step', async () => {
  const enrolled = await factor.enrolledUser()
  const challenge = await factor.challengeFor(enrolled.user)
  const path = `${service.demo.base_url}/v1/tenants/${enrolled.user.tenantId}`
  expect((await http('PATCH', path, { auth: owner, body: { status: 'suspended' } })).status).toBe(200)
  expect((await factor.complete(challenge, enrolled.recoveryCodes[0] ?? '')).status).toBe(403)
})

test("removing or demoting a tenant's last admin is rejected with the documented error", async () => {
  const user = await factor.users.makeUser()
  const path = `${service.demo.base_url}/v1/tenants/${user.tenantId}/users/${user.id}`
  const update = { auth: owner, body: { permissions: ['viewer'] } }
  expect((await http('PATCH', path, update)).status).toBe(409)
  expect((await http('DELETE', path, { auth: owner })).status).toBe(409)
})

test('the last passkey cannot be removed if the tenant requires a second factor', async () => {
  const { user, accessToken } = await factor.enrolledUser()
  const call = factor.call(accessToken)
  expect((await call('PUT', '/v1/account/security', { second_factor_required: true })).status).toBe(200)
  const id = newId()
  const { db } = service.app
  await db.raw(
    `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
     values (:id, :userId, :id::text, '', 0, '{}', 'Laptop', now())`,
    { id, userId: user.id },
  )
  expect((await call('DELETE', '/v1/account/second-factor/totp')).status).toBe(200)
  expect((await call('DELETE', `/v1/account/second-factor/passkeys/${id}`)).status).toBe(409)
})
