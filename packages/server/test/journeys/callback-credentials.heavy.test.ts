// Tests whether callbacks are accepted after a provider account's credentials were replaced, and from which
// addresses callbacks are accepted. Also tests attacks with a leaked callback token, because this token is the
// same in every callback.

import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startWorker } from '../../src/jobs/worker.ts'
import { signatureOf } from '../../src/providers/midtrans/signature.ts'
import { testApp } from '../support/app.ts'
import { serve } from '../support/compose-app.ts'
import { type Call, managersOf, refusal } from '../support/management-api.ts'
import { http, simulate, until } from '../support/merchant.ts'
import { merchantWith } from '../support/merchant-of-provider.ts'

const HOUR_MS = 3_600_000
const { app, demo, databaseUrl, advance } = await testApp({ worker: false })
let owner: Call
const logIn = async () => {
  ;({ owner } = await managersOf(demo))
}
beforeAll(logIn)

/** Moves the clock forward, and logs in again because access tokens expire after 15 minutes. */
async function forward(ms: number): Promise<void> {
  advance(ms)
  await logIn()
}

/** Starts a worker, which applies received callbacks, until the end of the test. */
async function withWorker(): Promise<void> {
  const worker = await startWorker(app, databaseUrl, { alone: true })
  onTestFinished(() => worker.stop())
}

type Shop = Awaited<ReturnType<typeof merchantWith>>
const pathOf = ({ provider, accountId }: Shop) => `/v1/providers/${provider}/accounts/${accountId}`

/** Creates a merchant that uses the demo's provider account. Returns the merchant with the account's credentials. */
async function shopAt(provider: string): Promise<Shop & { credentials: Record<string, string> }> {
  const shop = await merchantWith(app, demo, provider)
  const credentials = (await app.accountOf(shop.accountId))?.account.credentials as Record<string, string>
  return { ...shop, credentials }
}

const statusOf = async (shop: Shop, { id }: { id: string }) => (await shop.get(id)).data.status

async function change(shop: Shop, body: { credentials?: Record<string, string>; [field: string]: unknown }) {
  const answer = await owner('PATCH', pathOf(shop), body)
  expect(answer.status, answer.text).toBe(200)
  // Waits until every process uses the changed settings of the provider account.
  await until('the change of the account is in use', async () => {
    const { data } = await owner('GET', `/v1/providers/${shop.provider}/accounts`)
    const shown = data.items.find(({ id }: { id: string }) => id === shop.accountId)
    const used = await app.accountOf(shop.accountId)
    const rules = used?.callbackRules
    const credentials = used?.account.credentials as Record<string, string>
    const { callback_sources, previous_credentials } = shown
    return (
      Object.entries(body.credentials ?? {}).every(([name, value]) => credentials[name] === value) &&
      JSON.stringify(rules?.callbackSources) === JSON.stringify(callback_sources) &&
      (rules?.previousCredentials ?? []).filter(({ validUntil }) => validUntil > app.clock()).length ===
        previous_credentials.length
    )
  })
  return answer.data
}

/**
 * Sends a settlement notification to the service, signed with the server key as Midtrans would sign it, and
 * returns the service's response.
 */
function settled(shop: Shop, { payment_code: order_id }: { payment_code: string }, serverKey: string) {
  const message = {
    order_id,
    status_code: '200',
    gross_amount: '100000.00',
    transaction_id: randomUUID(),
    transaction_status: 'settlement',
    payment_type: 'bank_transfer',
  }
  return http('POST', `${demo.base_url}/v1/callbacks/midtrans/${shop.accountId}`, {
    body: { ...message, signature_key: signatureOf(message, serverKey) },
  })
}

describe("after a provider account's credentials are replaced, the old credentials still verify callbacks during a grace period", () => {
  test('a callback received before the account’s credentials were replaced is applied after the replacement', async () => {
    const shop = await shopAt('midtrans')
    const { server_key: old = '' } = shop.credentials
    const [applied, reprocessed] = [(await shop.create()).data, (await shop.create()).data]
    for (const payment of [applied, reprocessed]) expect((await settled(shop, payment, old)).status).toBe(200)
    await change(shop, { credentials: { server_key: 'Mid-server-next' }, previous_credentials_hours: 0 })
    expect((await settled(shop, applied, old)).status).toBe(401)

    const { items } = (await owner('GET', '/v1/provider-callbacks?mode=test&status=received')).data
    // The provider's callback about the pending payment may be received later than the callback about the settlement.
    const { id } = items.find(
      ({ body }: { body: string }) =>
        body.includes(reprocessed.payment_code) && body.includes('"settlement"'),
    )
    const answer = await owner('POST', `/v1/provider-callbacks/${id}/reprocess`, { dry_run: false })
    expect(answer.data).toMatchObject({ outcome: 'applied', to: 'paid' })
    await withWorker()
    await until('the callback is applied', async () => (await statusOf(shop, applied)) === 'paid')
    await change(shop, { credentials: shop.credentials, previous_credentials_hours: 0 })
  })

  test('replaced credentials stay valid for the number of hours given in the request', async () => {
    const shop = await shopAt('midtrans')
    const { server_key: first = '' } = shop.credentials
    const second = 'Mid-server-second'
    const { data: payment } = await shop.create()
    const replaced = await change(shop, { credentials: { server_key: second } })
    expect(replaced.previous_credentials).toHaveLength(1)
    const [{ replaced_at, valid_until }] = replaced.previous_credentials
    expect(Date.parse(valid_until) - Date.parse(replaced_at)).toBe(24 * HOUR_MS)
    // The new credentials are the same as the current ones, so nothing is replaced.
    expect((await change(shop, { credentials: { server_key: second } })).previous_credentials).toHaveLength(1)
    const twice = await change(shop, {
      credentials: { server_key: 'Mid-server-third' },
      previous_credentials_hours: 48,
    })
    expect(twice.previous_credentials).toHaveLength(2)
    expect(JSON.stringify(twice)).not.toContain('Mid-server')

    const verifies = async (key: string) => (await settled(shop, payment, key)).status
    expect([await verifies(first), await verifies(second), await verifies('Mid-server-other')]).toEqual([
      200, 200, 401,
    ])
    await forward(24 * HOUR_MS)
    expect([await verifies(first), await verifies(second)]).toEqual([401, 200])
    await forward(24 * HOUR_MS)
    expect([await verifies(second), await verifies('Mid-server-third')]).toEqual([401, 200])
    const { items } = (await owner('GET', '/v1/providers/midtrans/accounts')).data
    const shown = items.find(({ id }: { id: string }) => id === shop.accountId)
    expect(shown.previous_credentials).toEqual([])
    await change(shop, { credentials: shop.credentials, previous_credentials_hours: 0 })
  })

  test('callbacks can use at most five earlier sets of credentials', async () => {
    const shop = await shopAt('midtrans')
    for (let n = 0; n < 7; n++) await change(shop, { credentials: { server_key: `Mid-server-${n}` } })
    const { rows } = await app.db.raw(
      'select count(*)::integer as count from previous_provider_credentials where provider_account_id = ?',
      [shop.accountId],
    )
    expect(rows).toEqual([{ count: 5 }])
    const payment = { payment_code: 'INV-1' }
    expect((await settled(shop, payment, 'Mid-server-1')).status).toBe(200)
    expect((await settled(shop, payment, 'Mid-server-0')).status).toBe(401)
    const ended = await change(shop, { previous_credentials_hours: 0 })
    expect(ended.previous_credentials).toEqual([])
    expect((await settled(shop, payment, 'Mid-server-1')).status).toBe(401)
    await change(shop, { credentials: shop.credentials, previous_credentials_hours: 0 })
  })

  test.each([
    [{ previous_credentials_hours: 721 }, 'previous_credentials_hours: must be at most 720'],
    [{ previous_credentials_hours: -1 }, 'previous_credentials_hours: must be at least 0'],
    [
      { previous_credentials_hours: 5 },
      'previous_credentials_hours: must be 0 if no new credentials are passed; 0 invalidates all previous credentials',
    ],
    [
      { callback_sources: ['192.0.2.0/33'] },
      'callback_sources.0: must be an IPv4 or IPv6 address, or a network in CIDR notation such as 192.0.2.0/24',
    ],
    [{ inquire_above: -1 }, 'inquire_above: must be at least 0'],
    [{ inquire_above: 0.5 }, 'inquire_above: must be a whole number'],
  ])(
    'a request to update a provider account with %j is rejected with an error that names the invalid field',
    async (body, message) => {
      const shop = await shopAt('midtrans')
      expect(refusal(await owner('PATCH', pathOf(shop), body))).toEqual([
        400,
        'BAD_REQUEST',
        `bad request: ${message}`,
      ])
    },
  )
})

describe("callbacks are accepted only from a provider account's allowed IP addresses", () => {
  test('a callback from an IP address that is not allowed is rejected, and the Owner sees the reason', async () => {
    const shop = await shopAt('tripay')
    const { data: payment } = await shop.create({ method_detail: { type: 'virtual_account', bank: 'BRI' } })
    const changed = await change(shop, { callback_sources: ['192.0.2.7', '2001:db8::1/32'] })
    expect(changed.callback_sources).toEqual(['192.0.2.7/32', '2001:db8::/32'])
    const [refused] = await simulate(demo, payment, 'paid')
    expect(refused?.status).toBe(401)
    const { items } = (await owner('GET', '/v1/provider-callbacks/rejected?mode=test&provider=tripay')).data
    expect(items[0]).toMatchObject({
      provider_account_id: shop.accountId,
      reason: 'callbacks of this account are not accepted from 127.0.0.1',
    })

    await change(shop, { callback_sources: ['127.0.0.0/8'] })
    const [accepted] = await simulate(demo, payment, 'paid')
    expect(accepted?.status).toBe(200)
    await withWorker()
    await until('the payment is paid', async () => (await statusOf(shop, payment)) === 'paid')
    await change(shop, { callback_sources: [] })
  })

  test('the source address of a callback is the client address that a trusted proxy reports', async () => {
    const shop = await shopAt('midtrans')
    await change(shop, { callback_sources: ['192.0.2.7'] })
    const server = await serve(app, { trustedProxies: ['127.0.0.1'] })
    onTestFinished(() => server.stop())
    const from = async (address: string) => {
      const message = { order_id: 'x', status_code: '201', gross_amount: '1.00' }
      const response = await fetch(`${server.url}/v1/callbacks/midtrans/${shop.accountId}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({
          ...message,
          ...{ transaction_id: 't', transaction_status: 'pending', payment_type: 'qris' },
          signature_key: signatureOf(message, shop.credentials.server_key ?? ''),
        }),
      })
      return response.status
    }
    expect([await from('192.0.2.7'), await from('192.0.2.8')]).toEqual([200, 401])
    await change(shop, { callback_sources: [] })
  })
})

describe('a leaked callback token does not let an attacker credit a large amount', () => {
  const amount = 1_100_000_000

  /**
   * Sends a forged callback that reports an unpaid payment as paid. An attacker who knows Xendit's token can do
   * this, because the token is the same in every callback for an account.
   */
  const forged = (
    shop: Shop & { credentials: Record<string, string> },
    payment_code: string,
    cents: number,
  ) =>
    http('POST', `${demo.base_url}/v1/callbacks/xendit/${shop.accountId}`, {
      headers: { 'x-callback-token': shop.credentials.callback_token ?? '' },
      body: {
        event: 'payment.capture',
        business_id: 'b',
        created: app.clock().toISOString(),
        data: {
          type: 'PAY',
          status: 'SUCCEEDED',
          country: 'ID',
          currency: 'IDR',
          payment_id: `py-${randomUUID()}`,
          channel_code: 'BRI_VIRTUAL_ACCOUNT',
          reference_id: payment_code,
          request_amount: cents / 100,
          capture_method: 'AUTOMATIC',
          captures: [
            {
              capture_id: `cptr-${randomUUID()}`,
              capture_amount: cents / 100,
              capture_timestamp: app.clock().toISOString(),
            },
          ],
          payment_details: {},
          payment_request_id: `pr-${randomUUID()}`,
        },
        api_version: 'v3',
      },
    })
  const order = { amount, method_detail: { type: 'virtual_account', bank: 'BRI' } }

  test('a forged callback for a large amount credits nothing until the provider confirms the payment', async () => {
    const shop = await shopAt('xendit')
    const { data: payment } = await shop.create(order)
    expect((await forged(shop, payment.payment_code, amount)).status).toBe(200)
    await forward(61_000)
    await withWorker()
    const { items } = await until('the callback is processed', async () => {
      const { data } = await owner('GET', `/v1/provider-callbacks?payment_id=${payment.id}&status=ignored`)
      return data.items.length > 0 && data
    })
    expect(items[0].reason).toBe('status inquiry: a report of pending changes nothing')
    expect(await statusOf(shop, payment)).toBe('pending')
    expect((await shop.ledger(payment.id)).data).toEqual([])

    // Now the payer really pays, so the provider sends the same message that the attacker forged earlier.
    await simulate(demo, payment, 'paid')
    await until('the payment is paid', async () => (await statusOf(shop, payment)) === 'paid')
    expect((await shop.ledger(payment.id)).data).toMatchObject([{ entry_type: 'credit', amount }])
    const timeline = (await shop.call('GET', `/v1/payments/${payment.id}/timeline`)).data
    expect(timeline.at(-1)).toMatchObject({ to: 'paid', cause: 'inquiry' })
  })

  test.each([
    ['a smaller amount', 1_000_000_000, {}],
    ['any amount if inquiries are disabled', amount, { inquire_above: null }],
    ['any amount if callbacks come only from listed addresses', amount, { callback_sources: ['127.0.0.1'] }],
  ])(
    "a callback that an attacker forged with the provider's static token credits %s, because such callbacks are credited without a status inquiry",
    async (_, sum, settings) => {
      const shop = await shopAt('xendit')
      await change(shop, settings)
      const { data: payment } = await shop.create({ ...order, amount: sum })
      expect((await forged(shop, payment.payment_code, sum)).status).toBe(200)
      await withWorker()
      await until('the payment is paid', async () => (await statusOf(shop, payment)) === 'paid')
      await change(shop, { inquire_above: 1_000_000_000, callback_sources: [] })
    },
  )
})
