// Sends the rows of a report as a file. The file is not streamed, because the number of rows is limited.

import type { Context as KoaContext } from 'koa'
import { xlsxType } from '../api/export-style.ts'
import type { SheetForm } from '../api/trpc.ts'
import { csvFormOf, sheetColumnsOf } from './spreadsheet.ts'
import { xlsxWriter } from './xlsx.ts'

/**
 * Sends a report's rows as CSV or as an Excel workbook, depending on the Accept header. If the caller prefers JSON,
 * sends nothing and returns false.
 */
export function sendRows(
  ctx: KoaContext,
  form: SheetForm,
  rows: readonly Record<string, unknown>[],
): boolean {
  ctx.vary('Accept')
  switch (ctx.accepts('application/json', 'text/csv', xlsxType)) {
    case 'text/csv': {
      const { head, lineOf } = csvFormOf(form, ctx.query.style)
      ctx.type = 'text/csv; charset=utf-8'
      ctx.body = head + rows.map(lineOf).join('')
      return true
    }
    case xlsxType: {
      const workbook = xlsxWriter(sheetColumnsOf(form))
      ctx.type = xlsxType
      ctx.body = Buffer.concat([...rows.map(workbook.row), workbook.end()])
      return true
    }
    default:
      return false
  }
}
