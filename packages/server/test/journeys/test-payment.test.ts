// The payment that a user creates in the dashboard, by tRPC: what it is, and that it is never one of money.

import { createTRPCClient, httpBatchLink } from '@trpc/client'
import { beforeAll, expect, test } from 'vitest'
import type { AppRouter } from '../../src/api/router.ts'
import { newId } from '../../src/id.ts'
import { testApp } from '../support/app.ts'
import { anOrder, http, logIn, merchantOf } from '../support/merchant.ts'

const { app, demo } = await testApp({ worker: false })

const callsOf = (authorization: string) =>
  createTRPCClient<AppRouter>({
    links: [httpBatchLink({ url: `${demo.base_url}/trpc`, headers: { authorization } })],
  })
/** What anybody may send, live mode included. */
const order = (extra: object = {}) => ({ ...anOrder(), idempotency_key: newId(), ...extra }) as never

let jwt: string
let client: ReturnType<typeof callsOf>
beforeAll(async () => {
  jwt = await logIn(demo, demo.client)
  client = callsOf(jwt)
})

const rowOf = async (id: string) => {
  const { rows } = await app.db.raw('select tenant_id, mode, idempotency_key from payments where id = ?', [
    id,
  ])
  return rows[0]
}

test('a user of a Client creates a payment with instructions to pay it, which its test key sees, too', async () => {
  const payment = await client.payments.createTest.mutate(order())
  expect(payment).toMatchObject({ status: 'pending', amount: 10_000_000 })
  expect(payment.method_data).toMatchObject({ va_number: expect.stringMatching(/^\d+$/) })
  expect((await merchantOf(demo).get(payment.id)).data).toEqual(payment)
})

test.each([
  ['live mode', { mode: 'live' }],
  ['another tenant', { tenant_id: newId(), tenantId: newId() }],
])('whoever names %s gets a payment of the user’s tenant in test mode', async (_, extra) => {
  const { id } = await client.payments.createTest.mutate(order(extra))
  expect(await rowOf(id)).toMatchObject({ tenant_id: demo.client.tenant_id, mode: 'test' })
  expect((await merchantOf(demo, demo.client.live_key).get(id)).status).toBe(404)
})

test('the key decides as the header does: the same order again is the same payment, another order is refused', async () => {
  const idempotency_key = newId()
  const first = await client.payments.createTest.mutate(order({ idempotency_key }))
  expect(await client.payments.createTest.mutate(order({ idempotency_key }))).toEqual(first)
  expect((await merchantOf(demo).create({}, idempotency_key)).data).toEqual(first)
  await expect(
    client.payments.createTest.mutate(order({ idempotency_key, amount: 20_000_000 })),
  ).rejects.toMatchObject({ data: { code: 'IDEMPOTENCY_CONFLICT', httpStatus: 409 } })
})

test.each([
  ['no key', { idempotency_key: undefined }, 'idempotency_key'],
  [
    'a key with a space',
    { idempotency_key: 'order 1' },
    'idempotency_key: must be 1 to 255 visible ASCII characters',
  ],
  ['the detail of another method', { method_type: 'qris' }, 'method_detail.type: must equal method_type'],
])('%s is refused by its field', async (_, extra, message) => {
  await expect(client.payments.createTest.mutate(order(extra))).rejects.toMatchObject({
    message: expect.stringContaining(message),
    data: { code: 'BAD_REQUEST', httpStatus: 400 },
  })
})

test.each([
  ['a Partner', () => logIn(demo, demo.partner), 'FORBIDDEN', 403],
  ['the Owner', () => logIn(demo, demo.owner), 'FORBIDDEN', 403],
  [
    'an API key, which creates payments by REST',
    async () => `ApiKey ${demo.client.test_key}`,
    'UNAUTHORIZED',
    401,
  ],
  ['a live API key', async () => `ApiKey ${demo.client.live_key}`, 'UNAUTHORIZED', 401],
  ['nobody', async () => '', 'UNAUTHORIZED', 401],
])('%s may not', async (_, authorization, code, httpStatus) => {
  const calls = callsOf(await authorization())
  await expect(calls.payments.createTest.mutate(order())).rejects.toMatchObject({
    data: { code, httpStatus },
  })
})

test('it is no operation of /v1: neither its document nor its paths know it', async () => {
  const document = await (await fetch(`${demo.base_url}/openapi.json`)).text()
  expect(document).toContain('createPayment')
  expect(document).not.toMatch(/create_?-?test/i)
  const answer = await http('POST', `${demo.base_url}/v1/payments/createTest`, { auth: jwt, body: anOrder() })
  expect(answer.status).toBeGreaterThanOrEqual(400)
})
