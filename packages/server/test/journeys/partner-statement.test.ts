// Tests the monthly statement of a Partner: the margins that it earned, and how they relate to the credits in its
// ledger.

import { beforeAll, describe, expect, test } from 'vitest'
import { creditPartnerMargins } from '../../src/fees/credit-partner-margins.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import type { MoneyReturn } from '../../src/providers/provider.ts'
import { testApp } from '../support/app.ts'
import { insertPendingPayment, makeTenant } from '../support/make.ts'
import { managersOf } from '../support/management-api.ts'
import { http, logIn } from '../support/merchant.ts'

const { app, demo } = await testApp({ worker: false })
const { owner, partner, client } = await managersOf(demo)
const partnerId = demo.partner.tenant_id
const tenantId = demo.client.tenant_id
const formula = { version: 1, percent_bps: 0, min: null, max: null, tax_bps: 1_100 }
const feeTerms = {
  operator: { ...formula, refund_fees: true, fixed: 100_000 },
  partner: { ...formula, refund_fees: true, fixed: 150_001 },
}
/**
 * The margin of a payment, in cents: what the Client pays (150,001 + 16,500 tax) minus what the Partner pays to
 * the operator (100,000 + 11,000 tax).
 */
const margin = { net: 50_001, tax: 5_500, total: 55_501 }

async function pay(
  at: string,
  { of = tenantId, refunded = 0n, channel = 'bca', mode = 'live' as 'live' | 'test' } = {},
) {
  const fields = { tenantId: of, amount: 1_000_000n, mode, feeTerms, channel }
  const { id: paymentId, paymentCode: reference } = await insertPendingPayment(app.db, fields)
  const event = { type: 'paid', amountPaid: 1_000_000n, paidAt: new Date(at), reference } as const
  const returns: MoneyReturn[] = [{ kind: 'refund', id: 'r', amount: refunded, status: 'succeeded' }]
  const reportedReturns = refunded > 0n ? { reportedReturns: { reference, returns } } : {}
  await app.db.transaction(tx =>
    recordEvents(
      tx,
      [{ tenantId: of, paymentId, event, cause: 'callback', ...reportedReturns }],
      new Date(at),
    ),
  )
}
const credit = (at: string) => creditPartnerMargins({ db: app.db, clock: () => new Date(at) })
const own = async (month: string, query = '') =>
  (await partner('GET', `/v1/account/fee-statement?month=${month}${query}`)).data

let second: string
beforeAll(async () => {
  second = await makeTenant(app.db, { parentId: partnerId, name: 'Zebra Store' })
  await pay('2026-10-31T23:59:59.999+07:00')
  await pay('2026-11-01T00:00:00+07:00')
  await credit('2026-11-01T00:05:00+07:00')
  await pay('2026-11-10T12:00:00+07:00', { of: second, channel: 'bni' })
  await pay('2026-11-11T12:00:00+07:00', { of: second, channel: 'bni', refunded: 500_000n })
  await pay('2026-11-12T12:00:00+07:00', { mode: 'test' })
  await credit('2026-11-20T12:00:00+07:00')
  await pay('2026-11-30T23:59:59.999+07:00')
  await pay('2026-12-01T00:00:00+07:00')
  await credit('2026-12-01T00:05:00+07:00')
})

describe('the monthly statement of a Partner contains the margins that the Partner has earned', () => {
  test("the statement lists the month's margins by Client, method and channel, each with its tax", async () => {
    const statement = await own('2026-11')
    expect(statement).toMatchObject({ tenant_id: partnerId, items: [], count: 0, total: 0 })
    expect(statement.margins.items).toEqual([
      {
        ...{ tenant_id: tenantId, tenant_name: expect.any(String) },
        ...{ method_type: 'virtual_account', channel: 'bca', count: 2 },
        ...{ net: 100_002, tax: 11_000, total: 111_002 },
      },
      {
        ...{ tenant_id: second, tenant_name: 'Zebra Store' },
        // Half of a payment was refunded, which returned 75,001 cents of the Client's fee and 50,000 cents of the
        // Partner's cost. The net margin is therefore 25,001 cents lower.
        ...{ method_type: 'virtual_account', channel: 'bni', count: 2 },
        ...{ net: 2 * margin.net - 25_001, tax: 2 * margin.tax - 2_750, total: 2 * margin.total - 27_751 },
      },
    ])
    const { count, net, tax, total } = statement.margins
    expect({ count, net, tax, total }).toEqual({ count: 4, net: 175_003, tax: 19_250, total: 194_253 })
  })

  test("a month's margins equal the month's ledger credits, except for margins credited in a later month", async () => {
    const entries = (await partner('GET', '/v1/account/ledger?mode=live&limit=100')).data.items
    const creditedIn = (month: string) =>
      entries
        .filter((each: { created_at: string }) => {
          const at = new Date(Date.parse(each.created_at) + 7 * 3_600_000).toISOString()
          return at.startsWith(month)
        })
        .reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)
    const [october, november, december] = [await own('2026-10'), await own('2026-11'), await own('2026-12')]
    for (const { month, margins } of [october, november, december]) {
      expect(margins.credited, month).toBe(creditedIn(month))
      expect(margins.uncredited_before + margins.total, month).toBe(
        margins.credited + margins.uncredited_after,
      )
    }
    expect(october.margins).toMatchObject({
      ...{
        uncredited_before: 0,
        total: margin.total,
        credits: 0,
        credited: 0,
        uncredited_after: margin.total,
      },
    })
    expect(november.margins).toMatchObject({
      ...{ uncredited_before: margin.total, credits: 2, uncredited_after: margin.total },
    })
    expect(december.margins).toMatchObject({
      ...{ uncredited_before: margin.total, total: margin.total, credits: 1, uncredited_after: 0 },
    })
  })

  test('the statement of a month in test mode contains only margins from test payments', async () => {
    const { margins } = await own('2026-11', '&mode=test')
    expect(margins).toMatchObject({
      ...margin,
      count: 1,
      credits: 1,
      credited: margin.total,
      uncredited_after: 0,
    })
  })

  test('fee statements contain margins for the Owner and the Partner, but not for Clients', async () => {
    const { data } = await owner('GET', `/v1/tenants/${partnerId}/fee-statement?month=2026-11`)
    expect(data).toEqual(await own('2026-11'))
    for (const statement of [
      (await client('GET', '/v1/account/fee-statement?month=2026-11')).data,
      (await partner('GET', `/v1/tenants/${tenantId}/fee-statement?month=2026-11`)).data,
    ]) {
      expect(statement.count).toBe(2)
      expect(statement).not.toHaveProperty('margins')
    }
  })

  test("the Partner's margins equal the fees of its Clients minus the operator's part of these fees", async () => {
    const { data } = await partner('GET', '/v1/reports/fees?from=2026-11-01&to=2026-11-30')
    const { margins } = await own('2026-11')
    expect(data.items[0].partner_margin).toBe(margins.total)
  })

  test("a Partner's CSV statement contains a line for each margin and lines with totals", async () => {
    const { margins } = await own('2026-11')
    const csv = await http('GET', `${demo.base_url}/v1/account/fee-statement?month=2026-11`, {
      auth: await logIn(demo, demo.partner),
      headers: { accept: 'text/csv' },
    })
    const name = margins.items[0].tenant_name
    expect(csv.text.split('\r\n')).toEqual([
      'method_type,channel,count,net,tax,total,line,client_id,client_name',
      `virtual_account,bca,2,100002,11000,111002,margin,${tenantId},${name}`,
      `virtual_account,bni,2,75001,8250,83251,margin,${second},Zebra Store`,
      `,,,,,${margin.total},uncredited_before,,`,
      `,,2,,,${margins.credited},credited,,`,
      `,,,,,${margin.total},uncredited_after,,`,
      '',
    ])
  })
})
