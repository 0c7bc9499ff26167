import { type ExportFormat, exportFormats } from '../api/export-format.ts'
import { rest } from '../api/rest.ts'
import type { Inputs } from '../api/trpc.ts'
import { countOn, noRows, rowsOf } from './row-count.ts'

type Given = {
  filters: Inputs['payments']['list']
  /** The file format: CSV for spreadsheets, or an Excel workbook. */
  format: ExportFormat
  signal: AbortSignal
  onRows: (rows: number) => void
}

/**
 * Exports all payments that match the filters. For CSV, calls `onRows` with the number of rows received so far. The
 * compressed rows of a workbook cannot be counted. Throws an error if the response is incomplete, so that a partial
 * list is not mistaken for a full one.
 */
export async function exportPayments({ filters, format, signal, onRows }: Given): Promise<Blob> {
  const asked = format === 'csv' ? { ...filters, style: 'spreadsheet' } : filters
  const { body } = await rest(`/v1/payments?${queryOf(asked)}`, {
    headers: { accept: exportFormats[format] },
    signal,
  })
  const parts: Uint8Array<ArrayBuffer>[] = []
  let count = noRows
  for (const reader = (body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) return new Blob(parts, { type: exportFormats[format] })
    parts.push(value)
    if (format === 'xlsx') continue
    count = countOn(count, value)
    onRows(rowsOf(count))
  }
}

const queryOf = (filters: object): URLSearchParams =>
  new URLSearchParams(
    Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
