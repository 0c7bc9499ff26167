import { beforeAll, describe, expect, test } from 'vitest'
import type { Payment } from '../../src/payments/payment.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import { firstIdAt } from '../../src/values/id.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { insertPendingPayment } from '../support/make.ts'
import { type Answer, http, logIn, merchantOf, simulate, until } from '../support/merchant.ts'

let { app, demo }: TestApp = {} as TestApp
let user: string
let stranger: string
let owner: string

beforeAll(async () => {
  ;({ app, demo } = await testApp())
  ;[user, stranger, owner] = await Promise.all([
    logIn(demo, demo.client),
    logIn(demo, demo.client2),
    logIn(demo, demo.owner),
  ])
})

const get = (path: string, auth = user) => http('GET', demo.base_url + path, { auth })
const idsIn = ({ data }: Answer): string[] => data.items.map((item: { id: string }) => item.id)
const codeOf = ({ status, error }: Answer) => [status, error?.code]

/** Inserts a pending payment, by default for the demo's Client. */
const pending = (overrides: Partial<Payment> = {}) =>
  insertPendingPayment(app.db, {
    tenantId: demo.client.tenant_id,
    createdAt: new Date(),
    updatedAt: new Date(),
    ...overrides,
  })
const pay = ({ tenantId, id }: Payment) => {
  const reference = 'GP261120-7Q4M2ZK8XW'
  const event = { type: 'paid', amountPaid: 10_000_000n, paidAt: new Date(), reference } as const
  const report = { tenantId, paymentId: id, event, cause: 'callback' }
  return app.db.transaction(tx => recordEvents(tx, [report], new Date()))
}

describe('the payment list can be filtered and searched', () => {
  test("the payment list contains only the caller's payments, in the API key's mode or the requested mode", async () => {
    const [live, other] = [await pending({ mode: 'live' }), await pending({ mode: 'test' })]
    const foreign = await pending({ tenantId: demo.client2.tenant_id })
    expect(idsIn(await get('/v1/payments?limit=2&mode=all'))).toEqual([other.id, live.id])
    expect(idsIn(await get('/v1/payments?limit=1&mode=live'))).toEqual([live.id])
    expect(idsIn(await get('/v1/payments?limit=1'))).toEqual([live.id])
    expect(idsIn(await get('/v1/payments?limit=1', `ApiKey ${demo.client.live_key}`))).toEqual([live.id])
    expect(idsIn(await get('/v1/payments?limit=1', `ApiKey ${demo.client.test_key}`))).toEqual([other.id])
    expect(idsIn(await get('/v1/payments?limit=1', stranger))).toEqual([foreign.id])
    expect((await get('/v1/payments', owner)).data).toEqual({ items: [], next_cursor: null })
    expect(codeOf(await get('/v1/payments?mode=live', `ApiKey ${demo.client.test_key}`))).toEqual([
      403,
      'FORBIDDEN',
    ])
  })

  test('the payment list never contains payments that no provider has accepted', async () => {
    const shop = merchantOf(demo)
    const { data: accepted } = await shop.create()
    expect((await shop.create({ customer_name: 'SANDBOX REJECT' }, 'rejected-1')).status).toBe(502)
    expect(idsIn(await shop.call('GET', '/v1/payments?limit=1'))).toEqual([accepted.id])
    expect(idsIn(await shop.call('GET', '/v1/payments?q=rejected-1'))).toEqual([])
  })

  test('the payment list contains only payments that match all given filters', async () => {
    const tenantId = demo.client2.tenant_id
    const at = new Date('2026-03-01T00:00:00.000Z')
    const id = (n: number) => `${firstIdAt(at).slice(0, 14)}7000-8000-${String(n).padStart(12, '0')}`
    const march = { tenantId, createdAt: at, updatedAt: at }
    const qris = await pending({
      ...march,
      id: id(1),
      methodType: 'qris',
      channel: 'qris',
      methodDetail: { type: 'qris' },
      methodData: { type: 'qris', qr_string: '', qr_image_url: '' },
    })
    const paid = await pending({ ...march, id: id(2) })
    await pay(paid)
    const next = await pending({ ...march, id: id(3), createdAt: new Date(at.getTime() + 1) })
    const list = async (query: string) => idsIn(await get(`/v1/payments?${query}`, stranger))
    expect(await list('from=2026-03-01&to=2026-03-01')).toEqual([next.id, paid.id, qris.id])
    expect(await list('from=2026-03-01T00:00:00Z&to=2026-03-01T00:00:00Z')).toEqual([paid.id, qris.id])
    expect(await list('from=2026-03-01T00:00:00.001Z&to=2026-03-01')).toEqual([next.id])
    // These payments were created at midnight UTC. The filter uses days in Jakarta, where it was already 07:00 on the
    // first of March.
    expect(await list('from=2026-03-02&to=2026-03-31')).toEqual([])
    expect(await list('to=2026-02-28')).toEqual([])
    expect(await list('to=2026-03-01&status=paid')).toEqual([paid.id])
    expect(await list('to=2026-03-01&method_type=qris')).toEqual([qris.id])
    expect(await list('to=2026-03-01&method_type=qris&status=paid')).toEqual([])
    expect(await list('to=2026-03-01&provider=midtrans')).toEqual([next.id, paid.id, qris.id])
  })

  test('a search in the payment list matches the start of any word (case-insensitive)', async () => {
    const found = await pending({
      idempotencyKey: '50%_off',
      providerPaymentId: 'prov-7',
      customerName: 'Siti Rahma',
      customerEmail: 'Siti.R@warung.example',
      customerPhone: '+6289900',
    })
    const foreign = await pending({ tenantId: demo.client2.tenant_id, customerName: 'Siti Rahma' })
    const search = async (q: string, auth = user) =>
      idsIn(await get(`/v1/payments?q=${encodeURIComponent(q)}`, auth))
    for (const q of [
      found.id,
      found.id.toUpperCase(),
      found.paymentCode,
      '50%_off',
      'prov-7',
      'siti r',
      'SITI RAHMA',
      'siti.r@',
      '+62899',
      ' Siti ',
      'rahma',
      'rahma siti',
      'prov-',
      'siti.r@warung.example',
      '@warung',
      '089900',
      found.paymentCode.slice(0, 12),
      found.paymentCode.slice(9, 15),
      found.paymentCode.slice(-5),
      found.paymentCode.slice(-5).toLowerCase(),
    ])
      expect(await search(q), q).toEqual([found.id])
    for (const q of ['50%', '%', '_iti', 'ahma', 'siti budi', '\\', "'"])
      expect(await search(q), q).toEqual([])
    expect(await search('siti', stranger)).toEqual([foreign.id])
    expect(await search(found.paymentCode, stranger)).toEqual([])
    expect(await search(found.id, stranger)).toEqual([])
    expect(idsIn(await get('/v1/payments?q=siti&status=paid'))).toEqual([])
    expect(idsIn(await get('/v1/payments?q=siti&mode=test'))).toEqual([])
  })

  test('a search finds a payment by its virtual account number, store code, or amount', async () => {
    const va = await pending({
      methodData: { type: 'virtual_account', bank: 'BCA', va_number: '880812345678' },
      amount: 12_345_600n,
    })
    const store = await pending({
      methodType: 'over_the_counter',
      methodDetail: { type: 'over_the_counter', store: 'ALFAMART' },
      methodData: { type: 'over_the_counter', store_name: 'Alfamart', payment_code: '81277405' },
      amount: 6_543_200n,
    })
    const search = async (q: string) => idsIn(await get(`/v1/payments?q=${encodeURIComponent(q)}`))
    for (const q of ['880812345678', '8808 1234 5678', '88081234', '123456', 'Rp123.456', 'Rp 123.456,00'])
      expect(await search(q), q).toEqual([va.id])
    for (const q of ['5678', '345678', '1234 5678', '12345678']) expect(await search(q), q).toEqual([va.id])
    for (const q of ['81277405', '65432', '65,432', '7405']) expect(await search(q), q).toEqual([store.id])
  })

  test('a search for a customer name finds all matching payments, even if it needs several database reads', async () => {
    const tenantId = demo.client2.tenant_id
    const wanted = await pending({ tenantId, customerName: 'Many, but the last in order' })
    await pay(wanted)
    await app.db.raw(
      `insert into payments (tenant_id, id, mode, payment_code, idempotency_key, fingerprint, amount, currency, method_type,
         channel, method_detail, method_data, status, provider, provider_account_id, customer_name, expiry_minutes, expires_at,
         created_at, updated_at)
       select tenant_id, overlay(gen_random_uuid()::text placing left(id::text, 13) from 1)::uuid, mode, 'GP260101-' || lpad(n::text, 10, '0'), 'many-' || n, fingerprint, amount, currency,
         method_type, channel, method_detail, method_data, 'expired', provider, provider_account_id, 'Many ' || n, 60, now(), created_at, now()
       from payments, generate_series(1, 1200) n where tenant_id = ? and id = ?`,
      [tenantId, wanted.id],
    )
    const list = async (query: string) => idsIn(await get(`/v1/payments?limit=100&${query}`, stranger))
    expect(await list('q=many&status=paid')).toEqual([wanted.id])
    expect(await list('q=many-1200')).toHaveLength(1)
    expect(await list('q=many')).toHaveLength(100)
  })

  test.each([
    ['status=charging', 'status'],
    ['status=paid&status=failed', 'status'],
    ['method_type=cash', 'method_type'],
    ['provider=acme', 'provider'],
    ['mode=demo', 'mode'],
    ['from=yesterday', 'from'],
    ['to=2026-02-30', 'to'],
    ['from=2026-03-02&to=2026-03-01', 'to'],
    ['q=%00', 'q'],
    [`q=${'x'.repeat(256)}`, 'q'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=ten', 'limit'],
    ['cursor=none', 'cursor'],
    ['order=desc', 'order'],
    ['order=newest&order=oldest', 'order'],
  ])(
    'the list of payments rejects an invalid query, and the error names the parameter: %s',
    async (query, name) => {
      const answer = await get(`/v1/payments?${query}`)
      expect(codeOf(answer)).toEqual([400, 'BAD_REQUEST'])
      expect(answer.error.message).toMatch(new RegExp(`^bad request: ${name}: `))
    },
  )
})

describe("a payment's timeline contains every change that the API shows, and only the payment's tenant can read it", () => {
  test("a payment's timeline contains every change shown by the API, in order", async () => {
    const shop = merchantOf(demo)
    const { data } = await shop.create()
    for (const outcome of ['challenged', 'paid'] as const) {
      await simulate(demo, data, outcome)
      await until(outcome, async () => (await shop.get(data.id)).data.status === outcome)
    }
    const timeline = (await shop.call('GET', `/v1/payments/${data.id}/timeline`)).data
    expect(timeline).toEqual([
      { at: data.created_at, from: null, to: 'pending', cause: 'create', detail: null },
      {
        at: expect.any(String),
        from: 'pending',
        to: 'challenged',
        cause: 'callback',
        detail: expect.any(String),
      },
      { at: expect.any(String), from: 'challenged', to: 'paid', cause: 'callback', detail: null },
    ])
  })

  test("another tenant, or an API key for another mode, cannot read a payment's timeline", async () => {
    const { id } = await pending()
    const path = `/v1/payments/${id}/timeline`
    for (const auth of [stranger, owner, `ApiKey ${demo.client.test_key}`])
      expect(codeOf(await get(path, auth))).toEqual([404, 'NOT_FOUND'])
    expect(codeOf(await get('/v1/payments/none/timeline'))).toEqual([404, 'NOT_FOUND'])
    expect((await get(path)).status).toBe(200)
  })
})

describe('the list of ledger entries covers one tenant in one mode', () => {
  test("the list of ledger entries contains one tenant's entries in one mode with their balances, newest first", async () => {
    for (let n = 0; n < 3; n++) await pay(await pending({ mode: 'live' }))
    const { data } = await get('/v1/account/ledger?limit=3')
    const balances = data.items.map((entry: { balance_after: number }) => entry.balance_after)
    expect(balances[0]).toBe((await get('/v1/account/balance')).data.balance)
    expect([balances[0] - balances[1], balances[1] - balances[2]]).toEqual([10_000_000, 10_000_000])
    expect(idsIn(await get('/v1/account/ledger', `ApiKey ${demo.client.live_key}`)).slice(0, 3)).toEqual(
      idsIn({ data } as Answer),
    )
    expect(idsIn(await get('/v1/account/ledger', owner))).toEqual([])
  })

  test('the list of ledger entries rejects an API key or a cursor from the other mode', async () => {
    const forbidden = await get('/v1/account/ledger?mode=live', `ApiKey ${demo.client.test_key}`)
    expect(codeOf(forbidden)).toEqual([403, 'FORBIDDEN'])
    await pay(await pending({ mode: 'live' }))
    const { next_cursor } = (await get('/v1/account/ledger?limit=1&mode=live')).data
    const answer = await get(`/v1/account/ledger?mode=test&cursor=${next_cursor}`)
    expect(answer.error.message).toMatch(/^bad request: cursor: /)
  })
})

test('a list request without a credential that may read the list gets UNAUTHORIZED', async () => {
  const open = ['/v1/payments', '/v1/account/ledger']
  const closed = ['/v1/webhook-deliveries', '/v1/provider-callbacks', '/v1/provider-callbacks/rejected']
  for (const path of [...open, ...closed])
    expect(codeOf(await http('GET', demo.base_url + path))).toEqual([401, 'UNAUTHORIZED'])
  for (const path of closed)
    expect(codeOf(await get(path, `ApiKey ${demo.client.test_key}`))).toEqual([401, 'UNAUTHORIZED'])
})

describe('short lists, such as providers and routing rules, can be read page by page', () => {
  const shortLists: [path: string, key: (item: Record<string, unknown>) => unknown][] = [
    ['/v1/providers', ({ code }) => code],
    ['/entitlements', each => each.provider_account_id],
    // The routing rules of this test differ only in max_amount, so the test identifies each rule by this
    // field.
    ['/routing-rules', ({ max_amount }) => max_amount],
  ]
  const pathOf = (path: string) =>
    path.startsWith('/v1') ? path : `/v1/tenants/${demo.client2.tenant_id}${path}`
  const put = (path: string, items: object[]) =>
    http('PUT', demo.base_url + pathOf(path), { auth: owner, body: { items } })

  beforeAll(async () => {
    const [account] = demo.provider_accounts
    const rule = { position: 1, provider_account_id: account?.id }
    const { status } = await put(
      '/routing-rules',
      Array.from({ length: 120 }, (_, n) => ({ ...rule, max_amount: 1_000 - n })),
    )
    expect(status).toBe(200)
  })

  test.each(shortLists)(
    'the list %s has the same items whether it is read in pages or at once',
    async (path, key) => {
      const { data: whole } = await get(pathOf(path), owner)
      expect(whole.next_cursor).toBeNull()
      expect(whole.items.length).toBeGreaterThan(1)
      for (const limit of [Math.ceil(whole.items.length / 10), 100]) {
        const walked = []
        let cursor: string | null = ''
        do {
          const { data }: Answer = await get(
            `${pathOf(path)}?limit=${limit}${cursor && `&cursor=${cursor}`}`,
            owner,
          )
          expect(data.items.length).toBe(Math.min(limit, whole.items.length - walked.length))
          walked.push(...data.items)
          cursor = data.next_cursor
        } while (cursor !== null)
        expect(walked).toEqual(whole.items)
      }
      expect(new Set(whole.items.map(key)).size).toBe(whole.items.length)
    },
  )

  test.each(shortLists)('the list %s rejects an invalid limit or cursor', async path => {
    for (const query of ['limit=0', 'limit=101', 'limit=ten', 'cursor=none', 'cursor=']) {
      const answer = await get(`${pathOf(path)}?${query}`, owner)
      expect(codeOf(answer)).toEqual([400, 'BAD_REQUEST'])
      expect(answer.error.message).toMatch(new RegExp(`^bad request: ${query.split('=')[0]}: `))
    }
  })

  test('a list rejects a cursor if the item to which it refers no longer exists', async () => {
    const path = pathOf('/routing-rules')
    const { data: page } = await get(`${path}?limit=2`, owner)
    const { data: rules } = await get(path, owner)
    // Replaces the routing rules with new rules that have the same values, so that the cursor refers to a
    // rule that no longer exists.
    expect((await put('/routing-rules', rules.items)).data).toEqual(rules)
    const answer = await get(`${path}?limit=2&cursor=${page.next_cursor}`, owner)
    expect(answer.error.message).toBe(
      'bad request: cursor: refers to an item that no longer exists; restart without a cursor',
    )
  })
})
