import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { operations } from '../support/contract.ts'
import { type Answer, http, logIn, merchantOf, receiver, simulate, until } from '../support/merchant.ts'

let { app, demo }: TestApp = {} as TestApp
let owner: string
let client: string

beforeAll(async () => {
  ;({ app, demo } = await testApp())
  ;[owner, client] = await Promise.all([logIn(demo, demo.owner), logIn(demo, demo.client)])
})

const as = (auth: string) => (method: string, path: string, body?: object) =>
  http(method, demo.base_url + path, { auth, ...(body && { body }) })
const shop = () => merchantOf(demo)

/** An event that was delivered. */
async function deliveredEvent(): Promise<string> {
  const hook = await receiver(demo)
  const { data } = await shop().create()
  await simulate(demo, data, 'paid')
  const told = await until('the webhook', () => hook.of(data)[0])
  await until(
    'its attempt is written down',
    async () =>
      (await as(client)('GET', `/v1/webhook-deliveries/${told.body.id}`)).data.status === 'delivered',
  )
  hook.close()
  return told.body.id
}

/** One call of each operation that succeeds; a new operation without a row here fails the test below. */
const calls: Record<string, () => Promise<Answer>> = {
  createPayment: () => shop().create({ items: [{ id: '1', name: 'Book', price: 10_000_000, quantity: 1 }] }),
  getPayment: async () => shop().get((await shop().create()).data.id),
  cancelPayment: async () => shop().cancel((await shop().create()).data.id),
  listPaymentLedger: async () => {
    const { data } = await shop().create()
    await simulate(demo, data, 'paid')
    await until('it is paid', async () => (await shop().get(data.id)).data.status === 'paid')
    return shop().ledger(data.id)
  },
  listActiveMethods: () => shop().call('GET', '/v1/active-methods'),
  getBalance: () => shop().call('GET', '/v1/account/balance'),
  login: () =>
    http('POST', `${demo.base_url}/v1/auth/login`, {
      body: { email: demo.client.email, password: demo.client.password },
    }),
  getWebhook: () => as(client)('GET', '/v1/account/webhook'),
  setWebhook: () => as(client)('PUT', '/v1/account/webhook', { callback_url: 'http://127.0.0.1:9/' }),
  getWebhookDelivery: async () => as(client)('GET', `/v1/webhook-deliveries/${await deliveredEvent()}`),
  redeliverWebhook: async () =>
    as(client)('POST', `/v1/webhook-deliveries/${await deliveredEvent()}/redeliver`),
  listAuditLog: () => as(owner)('GET', '/v1/audit-log?limit=5'),
}

test.each(operations().map(({ operationId }) => operationId))(
  '%s succeeds as documented',
  async operationId => {
    expect(app).toBeDefined()
    const call = calls[operationId]
    if (!call) throw new Error(`add a call of ${operationId} to the table`)
    // http() holds the answer's status and body against the document.
    const answer = await call()
    expect([answer.status, answer.success], answer.text).toEqual([200, true])
  },
)
