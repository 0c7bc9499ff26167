import { rest } from '../api/rest.ts'
import type { Inputs } from '../api/trpc.ts'
import { countOn, noRows, rowsOf } from './row-count.ts'

type Given = {
  filters: Inputs['payments']['list']
  signal: AbortSignal
  onRows: (rows: number) => void
}

/**
 * Exports all matching payments as CSV. Throws an error if the response is incomplete, because users could mistake a
 * partial list for the full list.
 */
export async function exportPayments({ filters, signal, onRows }: Given): Promise<Blob> {
  const { body } = await rest(`/v1/payments?${queryOf(filters)}`, { headers: { accept: 'text/csv' }, signal })
  const parts: Uint8Array<ArrayBuffer>[] = []
  let count = noRows
  for (const reader = (body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) return new Blob(parts, { type: 'text/csv;charset=utf-8' })
    parts.push(value)
    count = countOn(count, value)
    onRows(rowsOf(count))
  }
}

const queryOf = (filters: object): URLSearchParams =>
  new URLSearchParams(
    Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
