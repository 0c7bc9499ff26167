// Tests exports in spreadsheet formats: CSV in the spreadsheet style, and XLSX workbooks.

import { strFromU8, unzipSync } from 'fflate'
import readWorkbook from 'read-excel-file/node'
import { beforeAll, expect, test } from 'vitest'
import { xlsxType } from '../../src/api/export-style.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { merchantOf, simulate, until } from '../support/merchant.ts'

let { demo }: TestApp = {} as TestApp
let paid: { id: string; payment_code: string }

beforeAll(async () => {
  ;({ demo } = await testApp())
  const shop = merchantOf(demo)
  paid = (await shop.create({ amount: 12_345_600, customer_name: '=1+1' })).data
  await simulate(demo, paid, 'paid')
  await until('the payment is paid', async () => (await shop.get(paid.id)).data.status === 'paid')
})

const download = async (path: string, accept: string): Promise<Buffer> => {
  const response = await fetch(demo.base_url + path, {
    headers: { authorization: `ApiKey ${demo.client.test_key}`, accept },
  })
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}
const sheetOf = (workbook: Buffer): string =>
  strFromU8(unzipSync(workbook)['xl/worksheets/sheet1.xml'] as Uint8Array)

test('a CSV export for spreadsheets has a byte order mark, amounts in rupiah, and times without a time zone', async () => {
  const csv = (await download('/v1/payments?style=spreadsheet', 'text/csv')).toString()
  expect(csv.charCodeAt(0)).toBe(0xfeff)
  const [head = '', row = ''] = csv.slice(1).split('\r\n')
  const columns = head.split(',')
  expect(columns).toContain('amount_rupiah')
  expect(row.split(',')[columns.indexOf('amount_rupiah')]).toBe('123456.00')
  expect(row.split(',')[columns.indexOf('paid_at_wib')]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  expect(row.split(',')[columns.indexOf('customer_name')]).toBe("'=1+1")
})

test('a CSV export without a requested style has amounts in cents and no byte order mark', async () => {
  const csv = (await download('/v1/payments', 'text/csv')).toString()
  expect(csv.startsWith('id,payment_code,')).toBe(true)
  expect(csv).toContain(',12345600,')
})

test('an Excel export contains a customer name that begins with = as text, not as a formula', async () => {
  const sheet = sheetOf(await download('/v1/payments', xlsxType))
  expect(sheet).toContain('<v>123456.00</v>')
  expect(sheet).toContain('t="inlineStr"><is><t xml:space="preserve">=1+1</t>')
})

test('an independent XLSX library can read text, rupiah amounts, and Jakarta times from the exported workbook', async () => {
  const [sheet] = await readWorkbook(await download('/v1/payments', xlsxType))
  const [head = [], row = []] = sheet?.data ?? []
  const cell = (name: string) => row[head.indexOf(name)]
  expect(cell('customer_name')).toBe('=1+1')
  expect(cell('amount_rupiah')).toBe(123_456)
  const { data } = await merchantOf(demo).get(paid.id)
  const paidAt = new Date(data.paid_at).getTime() + 7 * 3_600_000
  expect((cell('paid_at_wib') as unknown as Date).getTime()).toBeCloseTo(paidAt, -4)
})

test('the ledger can be exported as CSV and as an Excel workbook', async () => {
  const csv = (await download('/v1/account/ledger', 'text/csv')).toString()
  expect(csv.split('\r\n')[0]).toBe(
    'id,mode,entry_type,amount_cents,balance_after_cents,payment_id,reference_id,reason,created_at',
  )
  expect(csv).toContain(`,credit,12345600,`)
  expect(sheetOf(await download('/v1/account/ledger', xlsxType))).toContain(paid.payment_code)
})
