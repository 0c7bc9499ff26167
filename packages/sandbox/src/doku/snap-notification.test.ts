import { createHash, createHmac, createVerify } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { dokuPaths, idr, referenceOf, request } from '../../test/support/doku-merchant.ts'
import type { Json } from '../../test/support/merchant.ts'
import { type Received, startReceiver } from '../../test/support/receiver.ts'
import {
  askToken,
  type Caller,
  callSnap,
  dokuCredentials,
  register,
  simulate,
} from '../../test/support/snap-merchant.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

const TOKEN_PATH = '/authorization/v1/access-token/b2b'
const OURS = 'token-of-the-merchant'
const granted = { status: 200, body: JSON.stringify({ responseCode: '2007300', accessToken: OURS }) }

let sandbox: RunningSandbox
let receiver: Awaited<ReturnType<typeof startReceiver>>
let providerKey: string
let caller: Caller
let tokenAnswer = granted
let answering = 200

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, scanMs: 10, retryScale: 0.0000001 })
  receiver = await startReceiver(({ path }) =>
    path.endsWith(TOKEN_PATH) ? tokenAnswer : { status: answering },
  )
  const registered = await register(sandbox.url, 'doku', dokuCredentials, `${receiver.url}/callbacks/2`)
  providerKey = registered.body.credentials.provider_public_key
  const { client_id: partnerId, secret_key: secret } = dokuCredentials
  const base = `${sandbox.url}/doku`
  const { body } = await askToken(base, TOKEN_PATH, partnerId)
  caller = { base, token: body.accessToken, secret, partnerId }
})
afterAll(async () => {
  await sandbox.close()
  await receiver.close()
})
beforeEach(() => {
  receiver.received.length = 0
  tokenAnswer = granted
  answering = 200
})

// QR codes have other notifications, which qris-notification.test.ts tests.
const kinds = ['va', 'debit'] as const
type Kind = (typeof kinds)[number]
type Made = { reference: string; answer: Json }

async function made(kind: Kind): Promise<Made> {
  const body = request(kind)
  const answer = await callSnap(caller, dokuPaths[kind], body)
  expect(answer.status).toBe(200)
  return { reference: referenceOf(body), answer: answer.body }
}

const notifyPaths = {
  va: '/v1/transfer-va/payment',
  debit: '/v1.0/debit/notify',
}

function holds({ headers, text }: Received, path: string): boolean {
  const hashed = createHash('sha256')
    .update(JSON.stringify(JSON.parse(text)))
    .digest('hex')
  const signed = `POST:${path}:${OURS}:${hashed}:${headers['x-timestamp']}`
  const expected = createHmac('sha512', dokuCredentials.secret_key).update(signed).digest('base64')
  return headers['x-signature'] === expected
}

test.each(kinds)(
  'before the sandbox sends a notification for a paid DOKU %s order, it requests a token from the merchant and adds it to the notification',
  async kind => {
    const { reference } = await made(kind)
    await simulate(sandbox.url, { payment_code: reference, outcome: 'paid' })
    const [asked, told] = receiver.received as [Received, Received]
    expect(asked.path).toBe(`/callbacks/2${TOKEN_PATH}`)
    expect(asked.body).toEqual({ grantType: 'client_credentials' })
    const timestamp = String(asked.headers['x-timestamp'])
    expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    const verified = createVerify('sha256')
      .update(`${asked.headers['x-client-key']}|${timestamp}`)
      .verify(providerKey, String(asked.headers['x-signature']), 'base64')
    expect([asked.headers['x-client-key'], verified]).toEqual(['BRN-0210-1', true])
    expect(told.path).toBe(`/callbacks/2${notifyPaths[kind]}`)
    expect(told.headers).toMatchObject({ authorization: `Bearer ${OURS}`, 'x-partner-id': 'BRN-0210-1' })
    expect(holds(told, notifyPaths[kind])).toBe(true)
  },
)

test("DOKU's SNAP notification has the fields in DOKU's published example", async () => {
  const orders = [await made('va'), await made('debit')]
  for (const { reference } of orders)
    await simulate(sandbox.url, { payment_code: reference, outcome: 'paid' })
  const bodies = receiver.received.filter(({ path }) => !path.endsWith(TOKEN_PATH)).map(({ body }) => body)
  const [va, debit] = orders as [Made, Made]
  expect(bodies[0]).toMatchObject({
    ...account(va.answer),
    trxId: va.reference,
    paymentRequestId: expect.any(String),
    paidAmount: idr('11500.00'),
  })
  expect(JSON.stringify(bodies[0])).not.toContain('Status')
  expect(bodies[1]).toMatchObject({
    originalPartnerReferenceNo: debit.reference,
    originalReferenceNo: debit.answer.referenceNo,
    latestTransactionStatus: '00',
    amount: idr('11500.00'),
  })
})

test('for a virtual account, DOKU sends a notification only about a successful payment', async () => {
  const said = async (kind: Kind, outcome: string) =>
    (await simulate(sandbox.url, { payment_code: (await made(kind)).reference, outcome })).callbacks.length
  for (const outcome of ['failed', 'expired', 'cancelled', 'challenged'])
    expect(await said('va', outcome)).toBe(0)
  for (const outcome of ['failed', 'cancelled']) expect(await said('debit', outcome)).toBe(1)
  for (const outcome of ['expired', 'challenged']) expect(await said('debit', outcome)).toBe(0)
})

test.each(kinds)(
  'if a test changes fields of a DOKU notification for a %s order, its signature stays valid, unless the test requests an invalid signature',
  async kind => {
    const { reference } = await made(kind)
    for (const over of [
      { currency: 'USD' },
      { status: '99' },
      { unknown_fields: true },
      { bad_signature: true },
    ]) {
      await simulate(sandbox.url, { payment_code: reference, outcome: 'paid', ...over })
    }
    const told = receiver.received.filter(({ path }) => !path.endsWith(TOKEN_PATH))
    expect(told.map(one => holds(one, notifyPaths[kind]))).toEqual([true, true, true, false])
    expect(told[0]?.text).toContain('"currency":"USD"')
    expect(told[1]?.text).toContain('Status":"99"')
    expect(told[2]?.body).toHaveProperty('sandbox_new_object')
  },
)

test.each([
  ['is rejected', { status: 401, body: '{"responseCode":"4017300","accessToken":"none"}' }],
  ['returns no token', { status: 200, body: '{}' }],
  ['returns no JSON', { status: 200, body: 'OK' }],
])(
  "DOKU sends the merchant no notification while its request for the merchant's token %s, and sends it after a later token request succeeds",
  async (_, answer) => {
    tokenAnswer = answer
    const { reference } = await made('debit')
    const { callbacks } = await simulate(sandbox.url, { payment_code: reference, outcome: 'paid' })
    expect(callbacks).toMatchObject([{ status: 0 }])
    expect(receiver.received.every(({ path }) => path.endsWith(TOKEN_PATH))).toBe(true)
    tokenAnswer = granted
    const sent = () => receiver.received.filter(({ path }) => path.endsWith('/debit/notify'))
    while (sent().length === 0) await receiver.waitFor(receiver.received.length + 1)
    expect(sent()).toHaveLength(1)
  },
)

test('a DOKU notification is retried up to three times, each time with a new token', async () => {
  answering = 500
  const { reference } = await made('debit')
  await simulate(sandbox.url, { payment_code: reference, outcome: 'paid' })
  await receiver.waitFor(8)
  const asked = receiver.received.filter(({ path }) => path.endsWith(TOKEN_PATH))
  expect(asked).toHaveLength(4)
})

function account({ virtualAccountData }: Json): Json {
  const { partnerServiceId, customerNo, virtualAccountNo } = virtualAccountData
  return { partnerServiceId, customerNo, virtualAccountNo }
}
