// Tests how users choose over HTTP which emails about problems they receive.

import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { createUser } from '../../src/auth/users/create-user.ts'
import type { Permission } from '../../src/auth/users/permission.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { callsAs } from '../support/management-api.ts'
import { http, logIn } from '../support/merchant.ts'

let service: TestApp
beforeAll(async () => {
  service = await testApp()
})

const PATH = '/v1/account/notifications'

/** Creates a user and returns functions that call the API as that user. */
async function newUser(role: 'client' | 'partner' | 'owner', permission: Permission) {
  const { app, demo } = service
  const user = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' }
  await createUser(app, null, demo[role].tenant_id, { ...user, permissions: [permission] })
  return callsAs(demo, await logIn(demo, user))
}

test.each([
  ['client', 'admin', ['key_expiring', 'receiver_failing']],
  ['client', 'developer', ['key_expiring', 'receiver_failing']],
  ['client', 'finance', []],
  ['client', 'viewer', []],
  ['partner', 'admin', ['key_expiring']],
  [
    'owner',
    'admin',
    ['key_expiring', 'outcome_unknown', 'provider_down', 'success_rate_falling', 'unexpected_money'],
  ],
  ['owner', 'finance', ['outcome_unknown', 'provider_down', 'success_rate_falling', 'unexpected_money']],
  ['owner', 'support', []],
] as const)(
  'for a new user of a tenant with the role %s and with the permission %s, exactly these notification emails are turned on: %j',
  async (role, permission, kinds) => {
    const { status, data } = await (await newUser(role, permission))('GET', PATH)
    expect(status).toBe(200)
    expect(data).toEqual(Object.fromEntries(kinds.map(kind => [kind, true])))
  },
)

test('a user can turn each kind of notification email off and on without affecting other users', async () => {
  const [user, colleague] = [await newUser('client', 'developer'), await newUser('client', 'developer')]
  const change = async (choices: object) => (await user('PATCH', PATH, choices)).data
  expect(await change({ receiver_failing: false })).toEqual({ receiver_failing: false, key_expiring: true })
  expect(await change({ key_expiring: false })).toEqual({ receiver_failing: false, key_expiring: false })
  expect(await change({ receiver_failing: true })).toEqual({ receiver_failing: true, key_expiring: false })
  expect(await change({})).toEqual({ receiver_failing: true, key_expiring: false })
  expect((await user('GET', PATH)).data).toEqual({ receiver_failing: true, key_expiring: false })
  expect((await colleague('GET', PATH)).data).toEqual({ receiver_failing: true, key_expiring: true })
})

test("concurrent changes to a user's different notification settings are all stored", async () => {
  const user = await newUser('owner', 'finance')
  const kinds = ['unexpected_money', 'outcome_unknown', 'provider_down', 'success_rate_falling']
  await Promise.all(kinds.map(kind => user('PATCH', PATH, { [kind]: false })))
  expect((await user('GET', PATH)).data).toEqual(Object.fromEntries(kinds.map(kind => [kind, false])))
})

test.each(['new_device', 'password_reset', 'second_factor'])(
  'notifications of the kind %s cannot be turned off, because mails about security are always sent',
  async kind => {
    const user = await newUser('client', 'admin')
    const before = (await user('GET', PATH)).data
    expect(before).not.toHaveProperty(kind)
    expect(await user('PATCH', PATH, { [kind]: false })).toMatchObject({ status: 200, data: before })
  },
)

test.each([
  ['client', 'admin', 'unexpected_money'],
  ['client', 'viewer', 'key_expiring'],
  ['owner', 'finance', 'receiver_failing'],
] as const)(
  'a %s’s user with the permission %s never gets mails about %s, and cannot turn them on or off',
  async (role, permission, kind) => {
    const user = await newUser(role, permission)
    const { status, error } = await user('PATCH', PATH, { [kind]: true })
    const message = `bad request: ${kind}: is a kind of email that users with your role and permissions never get`
    expect([status, error.message]).toEqual([400, message])
  },
)

test('a notification setting that is neither true nor false is rejected with an error that names the field', async () => {
  const user = await newUser('client', 'admin')
  const { status, error } = await user('PATCH', PATH, { key_expiring: 'off' })
  expect(status).toBe(400)
  expect(error.message).toBe('bad request: key_expiring: must be true or false')
})

test('an API key cannot read or change notification settings, because it does not belong to a user', async () => {
  const { demo } = service
  for (const method of ['GET', 'PATCH']) {
    const auth = `ApiKey ${demo.client.test_key}`
    const { status } = await http(method, demo.base_url + PATH, {
      auth,
      ...(method === 'PATCH' && { body: { key_expiring: false } }),
    })
    expect([method, status]).toEqual([method, 401])
  }
})

test('the audit log records which notification emails a user turned off', async () => {
  const user = await newUser('client', 'admin')
  await user('PATCH', PATH, { key_expiring: false })
  const { data } = await user('GET', '/v1/audit-log?limit=1')
  expect(data.items[0]).toMatchObject({
    action: 'user.choose_notifications',
    before: { turned_off: [] },
    after: { turned_off: ['key_expiring'] },
  })
})
