// Tests that a caller who loses access while a request arrives or waits cannot complete the request.

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createApiKey } from '../../src/auth/api-keys/create-api-key.ts'
import { revokeApiKey } from '../../src/auth/api-keys/revoke-api-key.ts'
import { testApp } from '../support/app.ts'
import { countLockWaits } from '../support/lock-order.ts'
import { callsAs, newTenant } from '../support/management-api.ts'
import { http, logIn, until } from '../support/merchant.ts'
import { anOrder } from '../support/order.ts'
import { usersOf } from '../support/user.ts'

const { app, demo } = await testApp({ worker: false })

/** Sends a request, but holds back the last byte of its body while `meanwhile` runs. Returns the response's status. */
async function sendLate(
  path: string,
  headers: Record<string, string>,
  body: object,
  meanwhile: () => Promise<unknown>,
): Promise<number | undefined> {
  const text = JSON.stringify(body)
  const asked = request(demo.base_url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers },
  })
  const answered = once(asked, 'response') as Promise<[IncomingMessage]>
  asked.write(text.slice(0, -1))
  await pause(600)
  await meanwhile()
  asked.end(text.slice(-1))
  const [response] = await answered
  response.resume()
  return response.statusCode
}

test('a request whose API key is revoked while its body arrives is rejected', async () => {
  const { id, key } = await createApiKey(app, null, demo.client.tenant_id, { name: 'leaked', mode: 'test' })
  const authorization = `ApiKey ${key}`
  const order = (idempotencyKey: string, meanwhile: () => Promise<unknown>) =>
    sendLate(
      '/v1/payments/create',
      { authorization, 'x-idempotency-key': idempotencyKey },
      anOrder({}),
      meanwhile,
    )
  expect(await order('in-time', async () => {})).toBe(200)
  const revoked = async () => {
    await revokeApiKey(app, null, demo.client.tenant_id, id)
    await until(
      'the key is rejected',
      async () =>
        (await http('GET', `${demo.base_url}/v1/account/balance`, { auth: authorization })).status === 401,
    )
  }
  expect(await order('late', revoked)).toBe(401)
  const { rows } = await app.db.raw("select from payments where idempotency_key = 'late'")
  expect(rows).toEqual([])
})

test.each(['/v1/tenants/:tenant/api-keys', '/trpc/keys.create'])(
  'a request to %s whose user logs out while its body arrives is rejected',
  async path => {
    const tenant = await newTenant(app, demo, 'client')
    const authorization = await logIn(demo, tenant)
    const loggedOut = async () => {
      await http('DELETE', `${demo.base_url}/v1/account/sessions`, { auth: await logIn(demo, tenant) })
      await until(
        'the session has ended',
        async () =>
          (await http('GET', `${demo.base_url}/v1/account`, { auth: authorization })).status === 401,
      )
    }
    const status = await sendLate(
      path.replace(':tenant', tenant.id),
      { authorization },
      { tenant_id: tenant.id, name: 'late', mode: 'test' },
      loggedOut,
    )
    expect(status).toBe(401)
    const { rows } = await app.db.raw("select from api_keys where tenant_id = ? and name = 'late'", [
      tenant.id,
    ])
    expect(rows).toEqual([])
  },
)

test('a change by a user who logged out while the change waited in a queue is rejected', async () => {
  const tenant = await newTenant(app, demo, 'client')
  const { access_token, refresh_token } = (await usersOf({ app, demo }).logIn(tenant)).data
  const asUser = callsAs(demo, `Bearer ${access_token}`)
  const change = () =>
    asUser('POST', '/v1/webhook-endpoints', { url: 'https://93.184.215.14/hook', mode: 'test' })
  const changes = await app.db.transaction(async tx => {
    await tx.raw('lock table additional_endpoints in exclusive mode')
    // Two changes of a user run at a time. They wait for the table, and the third change waits for them.
    const sent = [change(), change()]
    await until('two changes wait for the table', async () => (await countLockWaits(app.db)) === 2)
    sent.push(change())
    await pause(600)
    await http('POST', `${demo.base_url}/v1/auth/logout`, { body: { refresh_token } })
    await until('the session has ended', async () => (await asUser('GET', '/v1/account')).status === 401)
    return sent
  })
  const statuses = (await Promise.all(changes)).map(({ status }) => status)
  expect(statuses[2]).toBe(401)
})
