import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Payment } from '../../src/payments/payment.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import { firstIdAt, newId } from '../../src/values/id.ts'
import type { Mode } from '../../src/values/mode.ts'
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

/** Inserts a pending payment, by default of the demo's Client. */
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

describe('the list of payments', () => {
  test('contains only payments of the caller’s tenant: for an API key those of its mode, and for a user live ones unless the request names a mode', async () => {
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

  test('never contains a payment that no provider has accepted', async () => {
    const shop = merchantOf(demo)
    const { data: accepted } = await shop.create()
    expect((await shop.create({ customer_name: 'SANDBOX REJECT' }, 'rejected-1')).status).toBe(502)
    expect(idsIn(await shop.call('GET', '/v1/payments?limit=1'))).toEqual([accepted.id])
    expect(idsIn(await shop.call('GET', '/v1/payments?q=rejected-1'))).toEqual([])
  })

  test('contains only payments that match all given filters', async () => {
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
    // At midnight in UTC, it is 07:00 in Jakarta on the first of March.
    expect(await list('from=2026-03-02&to=2026-03-31')).toEqual([])
    expect(await list('to=2026-02-28')).toEqual([])
    expect(await list('to=2026-03-01&status=paid')).toEqual([paid.id])
    expect(await list('to=2026-03-01&method_type=qris')).toEqual([qris.id])
    expect(await list('to=2026-03-01&method_type=qris&status=paid')).toEqual([])
    expect(await list('to=2026-03-01&provider=midtrans')).toEqual([next.id, paid.id, qris.id])
  })

  test('can be searched by exact values and by the start of the customer’s name in any letter case', async () => {
    const found = await pending({
      idempotencyKey: '50%_off',
      providerPaymentId: 'prov-7',
      customerName: 'Siti Rahma',
      customerEmail: 'Siti.R@example.com',
      customerPhone: '+6281200',
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
      '+62812',
      ' Siti ',
    ])
      expect(await search(q), q).toEqual([found.id])
    for (const q of ['50%', '%', '_iti', 'rahma', 'prov-', '\\', "'"]) expect(await search(q), q).toEqual([])
    expect(await search('siti', stranger)).toEqual([foreign.id])
    expect(await search(found.paymentCode, stranger)).toEqual([])
    expect(await search(found.id, stranger)).toEqual([])
    expect(idsIn(await get('/v1/payments?q=siti&status=paid'))).toEqual([])
    expect(idsIn(await get('/v1/payments?q=siti&mode=test'))).toEqual([])
  })

  test('finds all matching customer names, even if more names match than are read at once', async () => {
    const tenantId = demo.client2.tenant_id
    const wanted = await pending({ tenantId, customerName: 'Many, but the last in order' })
    await pay(wanted)
    await app.db.raw(
      `insert into payments (tenant_id, id, mode, payment_code, idempotency_key, fingerprint, amount, currency, method_type,
         channel, method_detail, method_data, status, provider, provider_account_id, customer_name, expiry_minutes, expires_at,
         created_at, updated_at)
       select tenant_id, gen_random_uuid(), mode, 'GP260101-' || lpad(n::text, 10, '0'), 'many-' || n, fingerprint, amount, currency,
         method_type, channel, method_detail, method_data, 'expired', provider, provider_account_id, 'Many ' || n, 60, now(), created_at, now()
       from payments, generate_series(1, 1200) n where tenant_id = ? and id = ?`,
      [tenantId, wanted.id],
    )
    const list = async (query: string) => idsIn(await get(`/v1/payments?limit=100&${query}`, stranger))
    expect(await list('q=many&status=paid')).toEqual([wanted.id])
    expect(await list('q=many-7')).toHaveLength(1)
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
  ])('rejects an invalid query and names the invalid part: %s', async (query, name) => {
    const answer = await get(`/v1/payments?${query}`)
    expect(codeOf(answer)).toEqual([400, 'BAD_REQUEST'])
    expect(answer.error.message).toMatch(new RegExp(`^bad request: ${name}: `))
  })
})

describe('the timeline of a payment', () => {
  test('contains every externally visible change in order', async () => {
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

  test('is not found for another tenant or mode', async () => {
    const { id } = await pending()
    const path = `/v1/payments/${id}/timeline`
    for (const auth of [stranger, owner, `ApiKey ${demo.client.test_key}`])
      expect(codeOf(await get(path, auth))).toEqual([404, 'NOT_FOUND'])
    expect(codeOf(await get('/v1/payments/none/timeline'))).toEqual([404, 'NOT_FOUND'])
    expect((await get(path)).status).toBe(200)
  })
})

describe('the list of ledger entries', () => {
  test('contains the tenant’s entries of one mode, newest first, with the balance after each entry', async () => {
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

  test('is not shown to a key of the other mode, and rejects the cursor of another list', async () => {
    const forbidden = await get('/v1/account/ledger?mode=live', `ApiKey ${demo.client.test_key}`)
    expect(codeOf(forbidden)).toEqual([403, 'FORBIDDEN'])
    await pay(await pending({ mode: 'live' }))
    const { next_cursor } = (await get('/v1/account/ledger?limit=1&mode=live')).data
    const answer = await get(`/v1/account/ledger?mode=test&cursor=${next_cursor}`)
    expect(answer.error.message).toMatch(/^bad request: cursor: /)
  })
})

test('no list is returned without a credential or with the wrong kind of credential', async () => {
  const open = ['/v1/payments', '/v1/account/ledger']
  const closed = ['/v1/webhook-deliveries', '/v1/provider-callbacks', '/v1/provider-callbacks/rejected']
  for (const path of [...open, ...closed])
    expect(codeOf(await http('GET', demo.base_url + path))).toEqual([401, 'UNAUTHORIZED'])
  for (const path of closed)
    expect(codeOf(await get(path, `ApiKey ${demo.client.test_key}`))).toEqual([401, 'UNAUTHORIZED'])
})

describe('a list whose items are built in or replaced all at once', () => {
  const shortLists: [path: string, key: (item: Record<string, unknown>) => unknown][] = [
    ['/v1/providers', ({ code }) => code],
    ['/entitlements', each => each.provider_account_id],
    // The rules of this test differ only in max_amount, so this field identifies a rule.
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
    '%s is complete without a limit, and the same in pages of one item',
    async (path, key) => {
      const { data: whole } = await get(pathOf(path), owner)
      expect(whole.next_cursor).toBeNull()
      expect(whole.items.length).toBeGreaterThan(1)
      for (const limit of [1, 7, 100]) {
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

  test.each(shortLists)('%s rejects an invalid limit or cursor', async path => {
    for (const query of ['limit=0', 'limit=101', 'limit=ten', 'cursor=none', 'cursor=']) {
      const answer = await get(`${pathOf(path)}?${query}`, owner)
      expect(codeOf(answer)).toEqual([400, 'BAD_REQUEST'])
      expect(answer.error.message).toMatch(new RegExp(`^bad request: ${query.split('=')[0]}: `))
    }
  })

  test('rejects a cursor from before the list was replaced', async () => {
    const path = pathOf('/routing-rules')
    const { data: page } = await get(`${path}?limit=2`, owner)
    const { data: rules } = await get(path, owner)
    // Replaces the list with its own items, unchanged.
    expect((await put('/routing-rules', rules.items)).data).toEqual(rules)
    const answer = await get(`${path}?limit=2&cursor=${page.next_cursor}`, owner)
    expect(answer.error.message).toBe(
      'bad request: cursor: refers to an item that no longer exists; restart without a cursor',
    )
  })
})

// Assumption: items that are added while a list is read are newer than all items that existed at the start.
describe('lists read in pages of any size', () => {
  const tenantId = () => demo.client2.tenant_id
  const lists: [string, (mode: Mode) => Promise<unknown>][] = [
    ['/v1/payments?mode=test', mode => pending({ tenantId: tenantId(), mode })],
    ['/v1/payments?mode=test&q=budi', mode => pending({ tenantId: tenantId(), mode })],
    ['/v1/account/ledger?mode=test', async mode => pay(await pending({ tenantId: tenantId(), mode }))],
    ['/v1/webhook-deliveries?mode=test', async mode => pay(await pending({ tenantId: tenantId(), mode }))],
    [
      '/v1/provider-callbacks?mode=all',
      () =>
        app.db.raw(
          `insert into provider_callbacks (id, provider_account_id, provider, headers, body, status)
           values (?, ?, 'midtrans', '{}', 'x', 'ignored')`,
          [newId(), demo.provider_accounts[0]?.id ?? ''],
        ),
    ],
  ]
  test.each(lists)('of %s contain every row once, newest first, while rows are added', async (path, add) => {
    const auth = path.startsWith('/v1/provider-callbacks') ? owner : stranger
    for (let n = 0; n < 7; n++) await add('test')
    const walk = async (limit: number, between: () => Promise<unknown>) => {
      const ids: string[] = []
      let cursor: string | null = ''
      do {
        const { data }: Answer = await get(`${path}&limit=${limit}${cursor && `&cursor=${cursor}`}`, auth)
        expect(data.items.length).toBeLessThanOrEqual(limit)
        ids.push(...data.items.map((item: { id: string }) => item.id))
        cursor = data.next_cursor
        await between()
      } while (cursor !== null)
      return ids
    }
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), fc.boolean(), async (limit, adding) => {
        const before = await walk(100, async () => {})
        const walked = await walk(limit, async () => adding && (await add('test')))
        expect(walked).toEqual(before)
        if (!path.includes('ledger')) expect(walked).toEqual(walked.toSorted().reverse())
      }),
      { numRuns: 8 },
    )
  })
})
