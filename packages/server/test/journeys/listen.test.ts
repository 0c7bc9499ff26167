import { Webhook } from 'standardwebhooks'
import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { logIn, merchantOf, receiver, simulate, until } from '../support/merchant.ts'

let { demo }: TestApp = {} as TestApp
let shop: ReturnType<typeof merchantOf>

beforeAll(async () => {
  ;({ demo } = await testApp())
  shop = merchantOf(demo)
})

const listen = (query: string, who = shop) => who.call('GET', `/v1/account/webhook/events?${query}`)

test('a `gapura listen` client receives each test-mode event once, signed like a webhook delivery', async () => {
  const hook = await receiver(demo)
  const stranger = merchantOf(demo, demo.client2.test_key)
  const [start, elsewhere] = await Promise.all([listen('wait_seconds=0'), listen('wait_seconds=0', stranger)])
  expect(start.data.events).toEqual([])

  const heard: { id: string; headers: Record<string, string>; body: string }[] = []
  let cursor = start.data.cursor
  const hear = (count: number) =>
    until(`${count} events are received`, async () => {
      const { data } = await listen(`cursor=${cursor}`)
      cursor = data.cursor
      return heard.push(...data.events) >= count
    })
  const { data: payment } = await shop.create()
  const first = hear(1)
  await simulate(demo, payment, 'challenged')
  await first
  // The payer pays only after the event `payment.challenged` has arrived. Once the payment is paid, a callback with the
  // status `challenged` changes nothing and triggers no event.
  await simulate(demo, payment, 'paid')
  await hear(2)

  expect(heard.map(({ body }) => JSON.parse(body).type)).toEqual(['payment.challenged', 'payment.paid'])
  expect(new Set(heard.map(({ id }) => id)).size).toBe(2)
  const verifier = new Webhook(hook.secret)
  for (const { id, headers, body } of heard)
    expect(verifier.verify(body, headers)).toMatchObject({ id, data: { id: payment.id } })
  expect((await listen(`wait_seconds=0&cursor=${cursor}`)).data.events).toEqual([])
  expect((await listen(`wait_seconds=0&cursor=${elsewhere.data.cursor}`, stranger)).data.events).toEqual([])
  hook.close()
})

test('webhook events for `gapura listen` cannot be read with a live key', async () => {
  expect((await listen('wait_seconds=0', merchantOf(demo, demo.client.live_key))).status).toBe(403)
  const auth = await logIn(demo, demo.client)
  expect((await shop.call('GET', '/v1/account/webhook/events?wait_seconds=0', { auth })).status).toBe(200)
  for (const query of ['cursor=nonsense', 'wait_seconds=60', 'wait_seconds=x']) {
    const answer = await listen(query)
    expect([answer.status, answer.error.message]).toEqual([
      400,
      expect.stringContaining(query.split('=')[0] as string),
    ])
  }
})

test.each([
  {
    loss: 'the API key is revoked',
    lose: async (key: ListeningKey) => shop.call('DELETE', `${key.path}/${key.id}`, { auth: await owner() }),
    status: 401,
  },
  {
    loss: 'the API key loses its scope',
    lose: async (key: ListeningKey) =>
      shop.call('PATCH', `${key.path}/${key.id}`, { auth: await owner(), body: { scopes: ['refunds'] } }),
    status: 403,
  },
])('webhook events are withheld if $loss while a request waits for them', async ({ lose, status }) => {
  const path = `/v1/tenants/${demo.client.tenant_id}/api-keys`
  const { data: key } = await shop.call('POST', path, {
    auth: await owner(),
    body: { name: 'listener', mode: 'test' },
  })
  const listener = merchantOf(demo, key.key)
  const { data: start } = await listen('wait_seconds=0', listener)
  const answer = listen(`cursor=${start.cursor}&wait_seconds=25`, listener)
  expect((await lose({ path, id: key.id })).status).toBe(200)
  await until(
    'the listener is rejected',
    async () => (await listen('wait_seconds=0', listener)).status === status,
  )
  const { data: payment } = await shop.create()
  await shop.call('POST', `/v1/payments/${payment.id}/cancel`)
  expect(await answer).toMatchObject({ status, success: false })
})

type ListeningKey = { path: string; id: string }
const owner = () => logIn(demo, demo.owner)
