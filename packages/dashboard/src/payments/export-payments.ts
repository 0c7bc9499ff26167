import type { Inputs } from '../api/trpc.ts'
import { accessToken, distrust } from '../session/session.ts'
import { countOn, noRows, rowsOf } from './row-count.ts'

type Given = {
  filters: Inputs['payments']['list']
  signal: AbortSignal
  onRows: (rows: number) => void
}

/** All payments that match, as CSV. Throws where it did not come whole: a part of a list would pass for the list. */
export async function exportPayments({ filters, signal, onRows }: Given): Promise<Blob> {
  const response = await fetch(`/v1/payments?${queryOf(filters)}`, {
    headers: { accept: 'text/csv', authorization: `Bearer ${await accessToken()}` },
    signal,
  })
  if (response.status === 401) distrust()
  const isCsv = response.headers.get('content-type')?.startsWith('text/csv')
  if (!response.ok || !isCsv || !response.body) throw new Error(await refusalIn(response))
  const parts: Uint8Array<ArrayBuffer>[] = []
  let count = noRows
  for (const reader = response.body.getReader(); ; ) {
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

async function refusalIn(response: Response): Promise<string> {
  const said = (await response.json().catch(() => null)) as { error?: { message?: string } } | null
  return said?.error?.message ?? `HTTP ${response.status}`
}
