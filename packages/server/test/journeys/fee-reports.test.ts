// Tests the fee report and the monthly fee statement over HTTP. One test recomputes a statement from the payments.

import readWorkbook from 'read-excel-file/node'
import { beforeAll, describe, expect, test } from 'vitest'
import { xlsxType } from '../../src/api/export-style.ts'
import { sumFees } from '../../src/fees/fee-report.sql.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import { withReportSlot } from '../../src/reports/report-slots.ts'
import type { Mode } from '../../src/values/mode.ts'
import { testApp } from '../support/app.ts'
import { insertPendingPayment } from '../support/make.ts'
import { managersOf } from '../support/management-api.ts'
import { logIn } from '../support/merchant.ts'

const { app, demo } = await testApp({ worker: false })
const { owner, partner, client, client2 } = await managersOf(demo)
const tenantId = demo.client.tenant_id
const formula = { version: 1, refund_fees: false, percent_bps: 70, min: null, max: null, tax_bps: 1_100 }
const feeTerms = { operator: { ...formula, fixed: 400_000 }, partner: { ...formula, fixed: 500_000 } }

async function pay(
  amount: bigint,
  paidAt: string,
  mode: Mode = 'live',
  tenantId = demo.client.tenant_id,
): Promise<void> {
  const at = new Date(paidAt)
  const { id: paymentId, paymentCode: reference } = await insertPendingPayment(app.db, {
    tenantId,
    amount,
    mode,
    feeTerms,
  })
  const event = { type: 'paid', amountPaid: amount, paidAt: at, reference } as const
  await app.db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], at))
}

beforeAll(async () => {
  await pay(15_000_000n, '2026-11-01T00:00:00+07:00')
  await pay(333n, '2026-11-30T23:59:59+07:00')
  await pay(99_999n, '2026-11-12T12:00:00+07:00', 'test')
  // Payments that must not be in November's fee statement, because they belong to the previous or next month.
  await pay(15_000_000n, '2026-10-31T23:59:59+07:00')
  await pay(15_000_000n, '2026-12-01T00:00:00+07:00')
})

/**
 * Computes payment fees in a different way than the service's code: uses floating-point numbers in rupiah, and rounds
 * each part of the fee separately.
 */
function recompute(amounts: number[]) {
  const fees = amounts.map(amount => {
    const net = Math.round(amount * 0.007 + Number.EPSILON) + 500_000
    const tax = Math.round(net * 0.11)
    if (net + tax <= amount) return { net, tax }
    const cut = Math.round((amount * tax) / (net + tax))
    return { net: amount - cut, tax: cut }
  })
  const sum = (of: 'net' | 'tax') => fees.reduce((total, fee) => total + fee[of], 0)
  return { count: fees.length, net: sum('net'), tax: sum('tax'), total: sum('net') + sum('tax') }
}

describe("a month's fee statement lists one tenant's fees", () => {
  test("a month's fee statement contains exactly the fees for payments that were paid in that month (Jakarta time)", async () => {
    const expected = recompute([15_000_000, 333])
    const { data } = await client('GET', '/v1/account/fee-statement?month=2026-11')
    expect(data).toEqual({
      ...{ tenant_id: tenantId, tenant_name: data.tenant_name, month: '2026-11', mode: 'live' },
      ...{ from: '2026-11-01', currency: 'IDR' },
      items: [{ method_type: 'virtual_account', channel: 'bca', ...expected }],
      ...expected,
    })
  })

  test("the Partner and the Owner can read a Client's fee statement", async () => {
    const { data: own } = await client('GET', '/v1/account/fee-statement?month=2026-11')
    const path = `/v1/tenants/${tenantId}/fee-statement?month=2026-11`
    for (const call of [owner, partner]) expect((await call('GET', path)).data).toEqual(own)
    expect((await owner('GET', `${path}&mode=test`)).data).toMatchObject(recompute([99_999]))
    expect((await client2('GET', path)).status).toBe(403)
  })

  test("a Partner's own fees are summed up without those of its Clients", async () => {
    const viewer = demo.partner.tenant_id
    await pay(15_000_000n, '2025-03-05T00:00:00+07:00', 'live', viewer)
    await pay(30_000_000n, '2025-03-05T00:00:00+07:00')
    const march = {
      from: new Date('2025-03-01T00:00:00+07:00'),
      before: new Date('2025-04-01T00:00:00+07:00'),
    }
    const rows = await sumFees(app.db, { viewer, tenant: viewer, mode: 'live' }, march, ['tenant'], 1)
    expect(rows).toMatchObject([{ tenant: viewer, count: 1n }])
    const { data } = await owner('GET', `/v1/tenants/${viewer}/fee-statement?month=2025-03`)
    expect(data).toMatchObject({ count: 1, items: [{ count: 1 }] })
  })

  test('the last month that can be requested has an empty fee statement', async () => {
    const { status, data } = await client('GET', '/v1/account/fee-statement?month=9999-12')
    expect([status, data.items]).toEqual([200, []])
  })

  test.each(['2026-13', '2026-1', '0000-01', 'now', ''])(
    'a fee statement for the month "%s" is rejected',
    async month => {
      const { status, error } = await client('GET', `/v1/account/fee-statement?month=${month}`)
      expect([status, error.message]).toEqual([400, expect.stringMatching(/^bad request: month: /)])
    },
  )
})

describe('the fee report shows each caller its own fees or its share of the fees', () => {
  const path = '/v1/reports/fees?from=2026-11-01&to=2026-11-30&group_by=channel'

  test('the fee report shows a Client its fees, and shows the Owner and the Partner their shares', async () => {
    const { count, net, tax, total: fee } = recompute([15_000_000, 333])
    const row = { channel: 'bca', count, net, tax, fee }
    expect((await client('GET', path)).data.items).toEqual([row])
    const { data } = await partner('GET', path)
    expect(data.items).toEqual([{ ...row, operator_fee: 560_550 + 333, partner_margin: 111_000 }])
    expect((await owner('GET', path)).data.items).toEqual(data.items)
    expect((await client2('GET', path)).data.items).toEqual([])
  })

  test('the fee report is a list page without a next page', async () => {
    expect((await client('GET', path)).data).toEqual({ items: [expect.anything()], next_cursor: null })
  })

  test('the fee report lists the fees of test mode and live mode separately and never adds them together', async () => {
    const { data } = await client('GET', `${path}&mode=all`)
    expect(data.items.map(({ mode }: { mode: Mode }) => mode)).toEqual(['live', 'test'])
  })

  test('the fee report rejects an unknown field in group_by, and a period that ends before it starts', async () => {
    expect((await client('GET', '/v1/reports/fees?group_by=color')).error.message).toMatch(/group_by: /)
    expect((await client('GET', '/v1/reports/fees?from=2026-11-02&to=2026-11-01')).error.message).toMatch(
      /to: /,
    )
  })
})

describe('fee reports and statements can be downloaded as spreadsheet files', () => {
  const report = '/v1/reports/fees?from=2026-11-01&to=2026-11-30&group_by=channel'
  const statement = '/v1/account/fee-statement?month=2026-11'
  const ofTenant = `/v1/tenants/${tenantId}/fee-statement?month=2026-11`
  const { count, net, tax, total } = recompute([15_000_000, 333])
  const rupiah = (cents: number) => cents / 100

  async function download(path: string, accept: string, user: { email: string; password: string }) {
    const headers = { authorization: await logIn(demo, user), accept }
    const response = await fetch(demo.base_url + path, { headers })
    expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([200, accept])
    expect(response.headers.get('vary')).toContain('Accept')
    return Buffer.from(await response.arrayBuffer())
  }
  async function sheetOf(path: string, user: { email: string; password: string }) {
    const [sheet] = await readWorkbook(await download(path, xlsxType, user))
    return sheet?.data
  }

  test("an independent XLSX library can read the fee report's workbook, with amounts in rupiah", async () => {
    expect(await sheetOf(report, demo.partner)).toEqual([
      [
        'channel',
        'count',
        'net_rupiah',
        'tax_rupiah',
        'fee_rupiah',
        'operator_fee_rupiah',
        'partner_margin_rupiah',
      ],
      ['bca', count, ...[net, tax, total, 560_550 + 333, 111_000].map(rupiah)],
    ])
  })

  test('the XLSX fee statement is the same for a Client and its Partner', async () => {
    const expected = [
      ['method_type', 'channel', 'count', 'net_rupiah', 'tax_rupiah', 'total_rupiah'],
      ['virtual_account', 'bca', count, ...[net, tax, total].map(rupiah)],
    ]
    expect(await sheetOf(statement, demo.client)).toEqual(expected)
    expect(await sheetOf(ofTenant, demo.partner)).toEqual(expected)
  })

  test('the fee workbook for a month without fees contains only the column headings', async () => {
    expect(await sheetOf('/v1/account/fee-statement?month=2020-01', demo.client)).toHaveLength(1)
  })

  test('a CSV fee report has amounts in cents, or in rupiah in the spreadsheet style', async () => {
    const machine = (await download(statement, 'text/csv', demo.client)).toString()
    expect(machine).toBe(
      `method_type,channel,count,net,tax,total\r\nvirtual_account,bca,${count},${net},${tax},${total}\r\n`,
    )
    const people = (await download(`${statement}&style=spreadsheet`, 'text/csv', demo.client)).toString()
    const amounts = [net, tax, total].map(cents => rupiah(cents).toFixed(2))
    expect(people).toBe(
      `\ufeffmethod_type,channel,count,net_rupiah,tax_rupiah,total_rupiah\r\nvirtual_account,bca,${count},${amounts}\r\n`,
    )
  })

  test('a fee statement request with an unknown value for the file style is rejected', async () => {
    expect((await client('GET', `${statement}&style=pretty`)).error.message).toMatch(/^bad request: style: /)
  })
})

test('fee reports and fee statements count toward the tenant’s limit on concurrent reports', async () => {
  const paths = [
    '/v1/reports/fees',
    '/v1/account/fee-statement?month=2026-11',
    `/v1/tenants/${demo.partner.tenant_id}/fee-statement?month=2026-11`,
  ]
  const end = Promise.withResolvers<void>()
  const running = [1, 2].map(() => withReportSlot(demo.partner.tenant_id, () => end.promise))
  for (const path of paths)
    expect(await partner('GET', path)).toMatchObject({
      status: 429,
      error: { message: expect.stringContaining('you can run at most 2 reports at a time') },
    })
  expect((await client('GET', '/v1/reports/fees')).status).toBe(200)
  end.resolve()
  await Promise.all(running)
  for (const path of paths) expect((await partner('GET', path)).status).toBe(200)
})
