// Tests a callback that this release cannot parse although its signature is valid. A status inquiry finds that
// the payment is paid. The callback is processed once the adapter can parse it.

import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { componentOf, signatureOf } from '../../src/providers/doku/signature.ts'
import type { AnyProvider, CallbackReading } from '../../src/providers/provider.ts'
import { providers } from '../../src/providers/registry.ts'
import { testApp } from '../support/app.ts'
import { managersOf } from '../support/management-api.ts'
import { http, simulate, until } from '../support/merchant.ts'
import { merchantWith } from '../support/merchant-of-provider.ts'

/** Parses a callback as a later release of the service would. Undefined until the test simulates this release. */
let mended: ((body: Buffer) => CallbackReading) | undefined
const doku = providers.get('doku') as AnyProvider
const { app, demo } = await testApp({
  overrides: {
    providers: new Map([
      ...providers,
      [
        'doku',
        {
          ...doku,
          readCallback: (account, request) => mended?.(request.body) ?? doku.readCallback(account, request),
        } satisfies AnyProvider,
      ],
    ]),
  },
})
const { owner } = await managersOf(demo)
const shop = await merchantWith(app, demo, 'doku')
const loaded = await app.accountOf(shop.accountId)
const credentials = loaded?.account.credentials as { client_id: string; secret_key: string }

/** Sends a DOKU notification with the given body and a valid signature. */
async function notify(body: object) {
  const raw = Buffer.from(JSON.stringify(body))
  const path = `/v1/callbacks/doku/${shop.accountId}`
  const component = {
    clientId: credentials.client_id,
    requestId: randomUUID(),
    timestamp: app.clock().toISOString().replace(/\.\d+/, ''),
    target: path,
    body: raw,
  }
  return http('POST', demo.base_url + path, {
    raw,
    headers: {
      'content-type': 'application/json',
      'client-id': component.clientId,
      'request-id': component.requestId,
      'request-timestamp': component.timestamp,
      signature: signatureOf(credentials.secret_key, componentOf(component)),
    },
  })
}

const notification = (invoice_number: string, amount: unknown) => ({
  order: { invoice_number, amount },
  transaction: { status: 'SUCCESS', original_request_id: invoice_number, date: '2026-11-20T03:04:05Z' },
  service: { id: 'VIRTUAL_ACCOUNT' },
  channel: { id: 'VIRTUAL_ACCOUNT_BCA' },
})

const unreadable = async () =>
  (await owner('GET', '/v1/provider-callbacks?mode=test&status=unreadable')).data.items
async function gauge(): Promise<number> {
  // The metrics cache the values that they read from the database for five seconds.
  const text = await (await fetch(`${demo.base_url}/metrics`)).text()
  return Number(/^gapura_callbacks_unreadable (\d+)$/m.exec(text)?.[1])
}
const inquired = (code: string) =>
  until('a status inquiry about the payment is made', async () =>
    (await unreadable()).find(
      ({ reason }: { reason: string }) => reason.includes(code) && reason.includes('inquired about'),
    ),
  )

test('an unreadable callback gets an error response and triggers a status inquiry', async () => {
  const { data: payment } = await shop.create()
  await simulate(demo, payment, 'paid', { silently: true })
  const message = notification(payment.payment_code, '10,000')
  const answer = await notify(message)
  expect([answer.status, answer.text]).toEqual([500, '{"message":"FAILED"}'])

  await until('the payment is paid', async () => (await shop.get(payment.id)).data.status === 'paid')
  const timeline = (await shop.call('GET', `/v1/payments/${payment.id}/timeline`)).data
  expect(timeline.at(-1)).toMatchObject({ to: 'paid', cause: 'inquiry' })
  expect((await shop.ledger(payment.id)).data).toMatchObject([{ entry_type: 'credit', amount: 10_000_000 }])
  const callback = await inquired(payment.payment_code)
  expect(callback).toMatchObject({
    status: 'unreadable',
    payment_id: payment.id,
    body: JSON.stringify(message),
    reason: expect.stringContaining(`inquired about ${payment.payment_code} (provider: paid; payment: paid)`),
  })
  await expect.poll(gauge).toBe((await unreadable()).length)
})

test('a repeated unreadable callback is stored only once but triggers a status inquiry each time', async () => {
  const { data: payment } = await shop.create()
  const message = notification(payment.payment_code, { value: 100_000 })
  expect((await notify(message)).status).toBe(500)
  await inquired(payment.payment_code)
  expect((await shop.get(payment.id)).data.status).toBe('pending')

  await simulate(demo, payment, 'paid', { silently: true })
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => notify(message)))
  expect(answers.map(({ status }) => status)).toEqual([500, 500, 500, 500, 500])
  await until('the payment is paid', async () => (await shop.get(payment.id)).data.status === 'paid')
  const { rows } = await app.db.raw('select status from provider_callbacks where sha256(body) = ?', [
    createHash('sha256').update(JSON.stringify(message)).digest(),
  ])
  expect(rows).toEqual([{ status: 'unreadable' }])
})

test("an unreadable callback about another account's payment triggers no status inquiry and is listed for the Owner", async () => {
  const other = await merchantWith(app, demo, 'midtrans')
  const { data: payment } = await other.create()
  await simulate(demo, payment, 'paid', { silently: true })
  expect((await notify(notification(payment.payment_code, '10,000'))).status).toBe(500)
  const [callback] = await until('the callback was processed', async () => {
    const items = await unreadable()
    return items[0]?.reason.includes('the callback names no payment of this account') && items
  })
  expect(callback.payment_id).toBeNull()
  expect((await other.get(payment.id)).data.status).toBe('pending')
})

test('the response to a callback has the headers that the provider adapter specifies', async () => {
  const headers = { 'X-TIMESTAMP': '2026-11-20T10:04:05+07:00' }
  mended = () => ({
    irrelevant: 'a test',
    acknowledgement: { contentType: 'application/json', headers, body: '{}' },
  })
  try {
    const answer = await notify(notification('GP-1', 100_000))
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('x-timestamp')]).toEqual([
      200,
      'application/json; charset=utf-8',
      '2026-11-20T10:04:05+07:00',
    ])
  } finally {
    mended = undefined
  }
})

test('reprocessing a callback that can now be parsed removes it from the list of unreadable callbacks', async () => {
  const { data: payment } = await shop.create()
  expect((await notify(notification(payment.payment_code, '100,000'))).status).toBe(500)
  const { id } = await inquired(payment.payment_code)
  const reprocess = (dry_run: boolean) => owner('POST', `/v1/provider-callbacks/${id}/reprocess`, { dry_run })

  expect((await reprocess(false)).data).toMatchObject({ outcome: 'unreadable', payment_id: null })
  await inquired(payment.payment_code)
  expect((await shop.get(payment.id)).data.status).toBe('pending')

  mended = body => ({
    updates: [
      {
        reference: JSON.parse(body.toString()).order.invoice_number,
        providerPaymentId: 'p-1',
        fact: { type: 'paid', amountPaid: 10_000_000n },
      },
    ],
    acknowledgement: { contentType: 'application/json', body: '{}' },
  })
  try {
    expect((await reprocess(true)).data).toMatchObject({ outcome: 'applied', to: 'paid', dry_run: true })
    expect((await unreadable()).map((each: { id: string }) => each.id)).toContain(id)
    expect((await reprocess(false)).data).toMatchObject({ outcome: 'applied', to: 'paid' })
  } finally {
    mended = undefined
  }
  expect((await shop.get(payment.id)).data.status).toBe('paid')
  expect((await unreadable()).map((each: { id: string }) => each.id)).not.toContain(id)
  const { rows } = await app.db.raw('select from unreadable_callbacks where callback_id = ?', [id])
  expect(rows).toEqual([])
})

test('the status inquiry for an unreadable callback is repeated until the provider responds', async () => {
  const { data: payment } = await shop.create()
  const place = await app.db.raw('select base_url from provider_accounts where id = ?', [shop.accountId])
  const [{ base_url }] = place.rows
  const setHost = (url: string) =>
    owner('PATCH', `/v1/providers/doku/accounts/${shop.accountId}`, { base_url: url })
  await setHost('http://127.0.0.1:1')
  await until(
    'the service uses the changed account',
    async () => (await app.accountOf(shop.accountId))?.account.baseUrl === 'http://127.0.0.1:1',
  )
  expect((await notify(notification(payment.payment_code, '10,000'))).status).toBe(500)
  await until('the inquiry for the callback was retried', async () =>
    (await unreadable()).some(({ reason }: { reason: string }) =>
      reason.includes(`${payment.payment_code} (provider: no answer; payment: pending)`),
    ),
  )
  await simulate(demo, payment, 'paid', { silently: true })
  await setHost(base_url)
  await until('the payment is paid', async () => (await shop.get(payment.id)).data.status === 'paid')
})
