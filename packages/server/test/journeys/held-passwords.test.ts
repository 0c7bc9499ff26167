// Tests that changes which wait for their new password to be hashed hold no database connection.

import { expect, onTestFinished, test } from 'vitest'
import { createUser } from '../../src/auth/users/create-user.ts'
import { createDb } from '../../src/db/db.ts'
import { newId } from '../../src/values/id.ts'
import { testApp } from '../support/app.ts'
import { atEnd } from '../support/at-end.ts'
import { holdNewPasswords } from '../support/hold-new-passwords.ts'
import { callsAs, newTenant, refusal } from '../support/management-api.ts'
import { logIn, until } from '../support/merchant.ts'

const { app, demo, databaseUrl } = await testApp({ worker: false })
const own = createDb(databaseUrl, { max: 1 })
atEnd(() => own.destroy())

const TENANTS = 5
const password = 'correct horse'

/** Creates a Client with two logged-in users. Each may make two changes at the same time. */
async function twoAdmins() {
  const { id, call } = await newTenant(app, demo, 'client')
  const second = { email: `${newId()}@example.com`, password }
  await createUser(app, null, id, second)
  return { id, calls: [call, callsAs(demo, await logIn(demo, second))] }
}

test("creating many users with idempotency keys leaves a database connection for another tenant's read", async () => {
  const tenants = []
  for (let n = 0; n < TENANTS; n++) tenants.push(await twoAdmins())
  const read = callsAs(demo, await logIn(demo, demo.client2))
  const release = holdNewPasswords()
  onTestFinished(release)
  const wanted = { email: demo.client.email, password }
  const changes = tenants.flatMap(({ id, calls }) =>
    calls.flatMap(call =>
      [1, 2].map(() => call('POST', `/v1/tenants/${id}/users`, wanted, { 'x-idempotency-key': newId() })),
    ),
  )
  expect(changes.length).toBeGreaterThan(app.db.client.pool.max)
  await until('every change has claimed its idempotency key', async () => {
    const { rows } = await own.raw('select count(*)::int as claims from management_requests')
    return rows[0].claims === changes.length
  })
  expect((await read('GET', '/v1/account/users')).status).toBe(200)
  await release()
  const inUse = [409, 'CONFLICT', `conflict: email: ${wanted.email} is already in use`]
  expect((await Promise.all(changes)).map(refusal)).toEqual(changes.map(() => inUse))
})

test('a repeated request to create a user with a password creates the user only once', async () => {
  const { id, call } = await newTenant(app, demo, 'client')
  const key = { 'x-idempotency-key': newId() }
  const wanted = { email: `${newId()}@example.com`, password }
  const create = () => call('POST', `/v1/tenants/${id}/users`, wanted, key)
  const first = await create()
  expect(first.status).toBe(200)
  const second = await create()
  expect([second.data, second.headers.get('idempotency-replayed')]).toEqual([first.data, 'true'])
  await logIn(demo, wanted)
})
