// Tests requests whose client disconnects before the service has handled them.

import { request } from 'node:http'
import { expect, test, vi } from 'vitest'
import { testApp } from '../support/app.ts'
import { callsAs } from '../support/management-api.ts'
import { http, logIn, until } from '../support/merchant.ts'

const { app, demo } = await testApp({ worker: false })

test('tRPC requests whose clients disconnect while the service identifies the caller do not count as in flight afterwards', async () => {
  const authorization = await logIn(demo, demo.client)
  const owner = callsAs(demo, await logIn(demo, demo.owner))
  // With one slot, a single request that keeps its slot would block the tenant.
  const limits = { requests_in_flight: 1 }
  expect((await owner('PATCH', `/v1/tenants/${demo.client.tenant_id}/limits`, limits)).status).toBe(200)
  // If only one of these requests kept its slot, the tenant would have none left.
  const count = 20
  const held: (() => void)[] = []
  const identified = vi.spyOn(app, 'sessionOf')
  const { sessionOf } = app
  identified.mockImplementation(async id => {
    await new Promise<void>(resolve => held.push(resolve))
    return sessionOf(id)
  })
  const requests = Array.from({ length: count }, () => {
    const headers = { authorization }
    const sent = request(`${demo.base_url}/trpc/methods.activeMethods?input=%7B%7D`, { headers })
    sent.on('error', () => {}).end()
    return sent
  })
  await until('all requests wait', async () => held.length === count)
  for (const each of requests) each.destroy()
  identified.mockRestore()
  const { status } = await http('GET', `${demo.base_url}/healthz`)
  expect(status).toBe(200)
  for (const resume of held) resume()
  const read = async () =>
    (await http('GET', `${demo.base_url}/v1/payments`, { auth: `ApiKey ${demo.client.test_key}` })).status
  await until('a request of the tenant is served', async () => (await read()) === 200)
})
