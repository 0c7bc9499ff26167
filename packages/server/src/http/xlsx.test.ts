import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import type { SheetColumn } from './spreadsheet.ts'
import { xlsxWriter } from './xlsx.ts'

const columns: SheetColumn[] = [
  { title: 'name', kind: 'text', field: 'name' },
  { title: 'amount_rupiah', kind: 'rupiah', field: 'amount' },
  { title: 'paid_at_wib', kind: 'time', field: 'paid_at' },
]
const paid = { name: 'Budi', amount: 10_000_050, paid_at: '2026-11-20T17:00:00.000Z' }

function filesOf(rows: object[], maxRows?: number): Record<string, string> {
  const writer = xlsxWriter(columns, maxRows)
  const bytes = [...rows.map(row => writer.row(row as Record<string, unknown>)), writer.end()]
  return Object.fromEntries(
    Object.entries(unzipSync(Buffer.concat(bytes))).map(([name, content]) => [name, strFromU8(content)]),
  )
}

test('an Excel workbook has exact amounts in rupiah and times in Jakarta time', () => {
  const sheet = filesOf([paid])['xl/worksheets/sheet1.xml']
  expect(sheet).toContain('<c r="B2" s="2"><v>100000.50</v></c>')
  // Excel stores a date as a number of days. The number for 21 November 2026 is 46347.
  expect(sheet).toContain('<c r="C2" s="3"><v>46347.00000000</v></c>')
})

test.each(['=1+1', '+62812', '-5', '@SUM(A1)', '=HYPERLINK("http://example.com")'])(
  'text that looks like a formula is stored as a string in an Excel workbook: %s',
  name => {
    const sheet = filesOf([{ ...paid, name }])['xl/worksheets/sheet1.xml'] as string
    expect(sheet).toContain(`t="inlineStr"><is><t xml:space="preserve">${name}</t>`)
    expect(sheet).not.toContain('<f>')
  },
)

test('an Excel workbook is valid XML, whatever text its cells contain', () => {
  const sheet = filesOf([{ ...paid, name: '</t><c>&amp; \u0000\u000b\ud800 “a”' }])[
    'xl/worksheets/sheet1.xml'
  ]
  expect(sheet).toContain('&lt;/t&gt;&lt;c&gt;&amp;amp;  “a”')
})

test('if an Excel sheet is full, the rows continue on a new sheet with the same column titles', () => {
  const files = filesOf([paid, paid, paid], 3)
  expect(files['xl/worksheets/sheet1.xml']?.split('<row ')).toHaveLength(4)
  expect(files['xl/worksheets/sheet2.xml']?.split('<row ')).toHaveLength(3)
  expect(files['xl/workbook.xml']).toContain('<sheet name="Sheet2" sheetId="2" r:id="rId2"/>')
})

test('each cell in an Excel workbook has its cell address, such as Z2 or AA2', () => {
  const many = Array.from(
    { length: 54 },
    (_, n): SheetColumn => ({ title: `t${n}`, kind: 'text', field: 'n' }),
  )
  const writer = xlsxWriter(many)
  const files = unzipSync(Buffer.concat([writer.row({ n: 'x' }), writer.end()]))
  const sheet = strFromU8(files['xl/worksheets/sheet1.xml'] as Uint8Array)
  const addresses = [...sheet.matchAll(/<c r="([A-Z]+)2"/g)].map(([, letters]) => letters)
  expect([0, 25, 26, 27, 51, 52, 53].map(n => addresses[n])).toEqual(['A', 'Z', 'AA', 'AB', 'AZ', 'BA', 'BB'])
})
