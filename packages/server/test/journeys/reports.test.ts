import { beforeAll, describe, expect, test } from 'vitest'
import type { Payment } from '../../src/payments/payment.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import { insertTenant } from '../../src/tenants/tenant.sql.ts'
import { dayOf } from '../../src/values/day.ts'
import { firstIdAt, newId } from '../../src/values/id.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { insertPendingPayment } from '../support/make.ts'
import { type Answer, http, logIn, merchantOf } from '../support/merchant.ts'

let { app, demo }: TestApp = {} as TestApp
let owner: string
let partner: string
let client: string
let client2: string

/** The last millisecond of 2026-03-01 in Jakarta. A day in Jakarta ends at 17:00 UTC. */
const lastOfFirst = new Date('2026-03-01T16:59:59.999Z')
const firstOfSecond = new Date('2026-03-01T17:00:00.000Z')
const lastOfSecond = new Date('2026-03-02T16:59:59.999Z')

let made = 0
async function paymentAt(at: Date, overrides: Partial<Payment> = {}): Promise<Payment> {
  made += 1
  const id = `${firstIdAt(at).slice(0, 14)}7000-8000-${String(made).padStart(12, '0')}`
  return insertPendingPayment(app.db, {
    id,
    tenantId: demo.client.tenant_id,
    createdAt: at,
    updatedAt: at,
    ...overrides,
  })
}
const pay = ({ tenantId, id, paymentCode }: Payment, paidAt: Date, amountPaid = 10_000_000n) => {
  const report = {
    tenantId,
    paymentId: id,
    event: { type: 'paid', amountPaid, paidAt, reference: paymentCode } as const,
    cause: 'callback',
  }
  return app.db.transaction(tx => recordEvents(tx, [report], paidAt))
}

beforeAll(async () => {
  ;({ app, demo } = await testApp({ worker: false }))
  ;[owner, partner, client, client2] = (await Promise.all(
    [demo.owner, demo.partner, demo.client, demo.client2].map(who => logIn(demo, who)),
  )) as [string, string, string, string]
  await paymentAt(lastOfFirst)
  await pay(await paymentAt(firstOfSecond), firstOfSecond, 10_000_100n)
  await paymentAt(lastOfSecond, { mode: 'test', amount: 500n })
  await paymentAt(firstOfSecond, { tenantId: demo.client2.tenant_id })
  // Reports must not count this payment, because no provider has accepted it.
  const hidden = await paymentAt(firstOfSecond)
  await app.db.raw(`update payments set status = 'rejected' where tenant_id = ? and id = ?`, [
    hidden.tenantId,
    hidden.id,
  ])
})

const get = (path: string, auth = owner, accept?: string) =>
  http('GET', demo.base_url + path, { auth, headers: accept ? { accept } : {} })
const report = async (query: string, auth = owner) =>
  (await get(`/v1/reports/payments?${query}`, auth)).data?.items
const march = 'from=2026-03-01&to=2026-03-02'
const codeOf = ({ status, error }: Answer) => [status, error?.code]

describe('payment reports sum up the payments of a period for the tenants that the user may see', () => {
  test('a payment report covers whole days in Jakarta time, and omits payments that no provider accepted', async () => {
    expect(await report(`${march}&group_by=day`, client)).toEqual([
      {
        day: '2026-03-01',
        count: 1,
        amount: 10_000_000,
        amount_paid: 0,
        amount_refunded: 0,
        amount_reversed: 0,
      },
      {
        day: '2026-03-02',
        count: 1,
        amount: 10_000_000,
        amount_paid: 10_000_100,
        amount_refunded: 0,
        amount_reversed: 0,
      },
    ])
    expect(await report('from=2026-03-02&to=2026-03-02', client)).toEqual([
      { count: 1, amount: 10_000_000, amount_paid: 10_000_100, amount_refunded: 0, amount_reversed: 0 },
    ])
    expect(await report('from=2026-03-03&to=2026-03-04', client)).toEqual([
      { count: 0, amount: 0, amount_paid: 0, amount_refunded: 0, amount_reversed: 0 },
    ])
  })

  test('a payment report is a list page without a next page', async () => {
    const { data } = await get(`/v1/reports/payments?${march}`)
    expect(data).toEqual({ items: [expect.anything()], next_cursor: null })
  })

  test('payment reports can be grouped by several fields at once', async () => {
    const of = { method_type: 'virtual_account', provider: 'midtrans', tenant: demo.client.tenant_id }
    const grouped = `${march}&mode=all&group_by=day,status,method_type,provider,tenant,mode`
    expect(await report(grouped, client)).toEqual(
      [
        {
          day: '2026-03-01',
          status: 'pending',
          mode: 'live',
          count: 1,
          amount: 10_000_000,
          amount_paid: 0,
          amount_refunded: 0,
          amount_reversed: 0,
        },
        {
          day: '2026-03-02',
          status: 'paid',
          mode: 'live',
          count: 1,
          amount: 10_000_000,
          amount_paid: 10_000_100,
          amount_refunded: 0,
          amount_reversed: 0,
        },
        {
          day: '2026-03-02',
          status: 'pending',
          mode: 'test',
          count: 1,
          amount: 500,
          amount_paid: 0,
          amount_refunded: 0,
          amount_reversed: 0,
        },
      ].map(item => ({ ...item, ...of, tenant_name: 'Demonstration client' })),
    )
    expect(await report(`${march}&mode=test`, client)).toEqual([
      { count: 1, amount: 500, amount_paid: 0, amount_refunded: 0, amount_reversed: 0 },
    ])
  })

  test('payment reports cover live payments unless a mode is given, and never mix modes', async () => {
    const live = {
      count: 2,
      amount: 20_000_000,
      amount_paid: 10_000_100,
      amount_refunded: 0,
      amount_reversed: 0,
    }
    const test = { count: 1, amount: 500, amount_paid: 0, amount_refunded: 0, amount_reversed: 0 }
    expect(await report(march, client)).toEqual([live])
    expect(await report(`${march}&mode=live`, client)).toEqual([live])
    expect(await report(`${march}&mode=all`, client)).toEqual([
      { mode: 'live', ...live },
      { mode: 'test', ...test },
    ])
    const days = await report(`${march}&mode=all&group_by=day`, client)
    expect(days.map(({ day, mode }: { day: string; mode: string }) => [day, mode])).toEqual([
      ['2026-03-01', 'live'],
      ['2026-03-02', 'live'],
      ['2026-03-02', 'test'],
    ])
    const { text } = await get(`/v1/reports/payments?${march}&mode=all`, client, 'text/csv')
    expect(text.split('\r\n')[0]).toBe('mode,count,amount,amount_paid,amount_refunded,amount_reversed')
  })

  test('the Owner’s payment report covers all tenants, a Partner’s covers its Clients, and a Client’s covers only itself', async () => {
    const tenants = async (auth: string) =>
      (await report(`${march}&group_by=tenant`, auth)).map(({ tenant }: { tenant: string }) => tenant).sort()
    const both = [demo.client.tenant_id, demo.client2.tenant_id].sort()
    expect(await tenants(owner)).toEqual(both)
    expect(await tenants(partner)).toEqual([demo.client.tenant_id])
    expect(await tenants(client)).toEqual([demo.client.tenant_id])
    expect(await tenants(client2)).toEqual([demo.client2.tenant_id])
  })

  test('payment reports are sent as CSV on request, and cells that a spreadsheet would execute are escaped', async () => {
    const tenantId = newId()
    const name = '=HYPERLINK("http://x","y")'
    const fields = { role: 'client', tier: 'starter', name, parentId: null, status: 'active' } as const
    await app.db.transaction(tx => insertTenant(tx, { id: tenantId, ...fields }))
    await paymentAt(new Date('2026-04-01T00:00:00Z'), { tenantId })
    const april = '/v1/reports/payments?from=2026-04-01&to=2026-04-01&group_by=tenant,status'
    const csv = await get(april, owner, 'text/csv')
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.text).toBe(
      `tenant,tenant_name,status,count,amount,amount_paid,amount_refunded,amount_reversed\r\n${tenantId},"'=HYPERLINK(""http://x"",""y"")",pending,1,10000000,0,0,0\r\n`,
    )
    const none = '/v1/reports/payments?from=2026-05-01&to=2026-05-01&group_by=day'
    expect((await get(none, owner, 'text/csv')).text).toBe(
      'day,count,amount,amount_paid,amount_refunded,amount_reversed\r\n',
    )
    for (const accept of ['*/*', 'application/json', 'application/json, text/csv;q=0.5', 'text/html'])
      expect((await get(april, owner, accept)).data.items).toHaveLength(1)
    const wrong = await get('/v1/reports/payments?group_by=color', owner, 'text/csv')
    expect(codeOf(wrong)).toEqual([400, 'BAD_REQUEST'])
  })

  test('payment reports show reversals as a separate amount, whereas the reconciliation report counts them as debits', async () => {
    const at = new Date()
    await pay(await paymentAt(at), at)
    const reversed = await paymentAt(at)
    await pay(reversed, at, 10_000_100n)
    const { tenantId, id: paymentId } = reversed
    const event = { type: 'reversed', reason: 'deny', unexpectedMoneyId: newId() } as const
    await app.db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], at))
    const today = dayOf(at)
    expect(await report(`from=${today}&to=${today}`, client)).toEqual([
      {
        count: 2,
        amount: 20_000_000,
        amount_paid: 20_000_100,
        amount_refunded: 0,
        amount_reversed: 10_000_100,
      },
    ])
    const { data } = await get(`/v1/reports/reconciliation?date=${today}&source=books`, client)
    expect(data.items).toMatchObject([
      {
        paid: { count: 2, amount: 20_000_100 },
        credited: { count: 2, amount: 20_000_100 },
        debited: { count: 1, amount: 10_000_100 },
      },
    ])
  })

  test('a total too large for an exact JSON number is capped and marked', async () => {
    const at = new Date('2026-06-01T00:00:00Z')
    for (let n = 0; n < 91; n++) await paymentAt(at, { amount: 100_000_000_000_000n })
    await paymentAt(at, { amount: 500n, tenantId: demo.client2.tenant_id })
    const { data } = await get('/v1/reports/payments?from=2026-06-01&to=2026-06-01&group_by=tenant')
    const none = { amount_paid: 0, amount_refunded: 0, amount_reversed: 0 }
    const totals = Object.fromEntries(
      data.items.map(({ tenant, tenant_name: _, ...row }: Record<string, unknown>) => [tenant, row]),
    )
    expect(totals).toEqual({
      [demo.client.tenant_id]: { count: 91, amount: Number.MAX_SAFE_INTEGER, ...none, is_capped: true },
      [demo.client2.tenant_id]: { count: 1, amount: 500, ...none },
    })
    const csv = await fetch(
      `${demo.base_url}/v1/reports/payments?from=2026-06-01&to=2026-06-01&group_by=tenant`,
      { headers: { authorization: await logIn(demo, demo.owner), accept: 'text/csv' } },
    )
    const [header = '', ...lines] = (await csv.text()).trimEnd().split('\r\n')
    expect(header).toMatch(/,is_capped$/)
    const capped = Object.fromEntries(lines.map(line => [line.split(',')[0], line.split(',').at(-1)]))
    expect(capped).toEqual({ [demo.client.tenant_id]: 'true', [demo.client2.tenant_id]: '' })
  })

  test.each([
    ['from=2026-13-01', 'from'],
    ['from=2026-03-01T00:00:00Z', 'from'],
    ['to=tomorrow', 'to'],
    ['from=2026-03-02&to=2026-03-01', 'to'],
    ['from=2025-01-01&to=2026-03-01', 'to'],
    ['group_by=day,color', 'group_by'],
    ['group_by=day&group_by=status', 'group_by'],
    ['mode=demo', 'mode'],
  ])('payment reports reject an invalid query and name the invalid part: %s', async (query, name) => {
    const answer = await get(`/v1/reports/payments?${query}`)
    expect(codeOf(answer)).toEqual([400, 'BAD_REQUEST'])
    expect(answer.error.message).toMatch(new RegExp(`^bad request: ${name}: `))
  })

  test('payment reports cover the last thirty days by default', async () => {
    await merchantOf(demo, demo.client2.live_key).create()
    expect(await report('', client2)).toEqual([
      { count: 1, amount: 10_000_000, amount_paid: 0, amount_refunded: 0, amount_reversed: 0 },
    ])
  })
})

test('only users can read payment reports, not API keys', async () => {
  for (const path of ['/v1/reports/payments', '/v1/reports/reconciliation']) {
    expect(codeOf(await get(path, `ApiKey ${demo.client.test_key}`))).toEqual([401, 'UNAUTHORIZED'])
    expect(codeOf(await http('GET', demo.base_url + path))).toEqual([401, 'UNAUTHORIZED'])
  }
})
