import { expect, test } from 'vitest'
import { failure, service } from '../test/service.ts'
import { ConnectionError, Gapura, InternalError } from './index.ts'

const summary = { type: 'summary', date: '2026-11-20', balanced: true, counts: {} }
const progress = { type: 'progress', done: 0, total: 1 }
const pieces =
  (...parts: string[]) =>
  (response: import('node:http').ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson', 'x-request-id': 'req-1' })
    const write = () => {
      const part = parts.shift()
      if (part === undefined) response.end()
      else response.write(part, () => setTimeout(write, 5))
    }
    write()
  }
const linesOf = (...lines: object[]) => lines.map(line => `${JSON.stringify(line)}\n`).join('')

async function listen(answer: Parameters<typeof service>[0]) {
  const { baseUrl } = await service(answer)
  const { reports } = new Gapura({ accessToken: 'token', baseUrl, maxRetries: 0 })
  const told: object[] = []
  const listening = (async () => {
    for await (const line of reports.reconciliationLines({ date: '2026-11-20', source: 'settlement' }))
      told.push(line)
  })()
  return { told, listening }
}

test('the lines of a reconciliation are returned as they arrive, no matter where the network splits the stream', async () => {
  const text = linesOf(progress, { type: 'difference', reference: 'é№' }, summary)
  const bytes = [...Buffer.from(text)].map(byte => Uint8Array.of(byte))
  const asked: { url: string; headers: Headers }[] = []
  const { reports } = new Gapura({
    accessToken: 'token',
    baseUrl: 'https://pay.example.com',
    fetch: async (url, { headers }) => {
      asked.push({ url, headers: new Headers(headers) })
      const byteByByte = new ReadableStream({
        start(controller) {
          for (const byte of bytes) controller.enqueue(byte)
          controller.close()
        },
      })
      return new Response(byteByByte)
    },
  })
  const told: object[] = []
  for await (const line of reports.reconciliationLines({ date: '2026-11-20', source: 'settlement' }))
    told.push(line)
  expect(told).toEqual([progress, { type: 'difference', reference: 'é№' }, summary])
  expect(asked[0]?.url).toBe(
    'https://pay.example.com/v1/reports/reconciliation?date=2026-11-20&source=settlement',
  )
  expect(asked[0]?.headers.get('accept')).toBe('application/x-ndjson')
  expect(asked[0]?.headers.get('authorization')).toBe('Bearer token')
})

test('if a reconciliation stream contains an error line, the SDK throws it after the earlier lines', async () => {
  const error = { type: 'error', error: { code: 'INTERNAL_ERROR', message: 'internal error: req-1' } }
  const { told, listening } = await listen(pieces(linesOf(progress, error)))
  await expect(listening).rejects.toMatchObject({ name: 'InternalError', requestId: 'req-1' })
  await expect(listening).rejects.toBeInstanceOf(InternalError)
  expect(told).toEqual([progress])
})

test('the SDK throws a ConnectionError if a reconciliation stream breaks or ends without its summary', async () => {
  const cut = await listen(pieces(linesOf(progress)))
  await expect(cut.listening).rejects.toBeInstanceOf(ConnectionError)
  const broken = await listen(response => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.write(linesOf(progress), () => response.destroy())
  })
  await expect(broken.listening).rejects.toBeInstanceOf(ConnectionError)
})

test('an error before a reconciliation stream starts is thrown as the error class for its code', async () => {
  const { listening } = await listen(
    failure(403, 'FORBIDDEN', 'forbidden: only the Owner can request status inquiries from providers'),
  )
  await expect(listening).rejects.toMatchObject({ name: 'ForbiddenError', status: 403 })
})

test('if a program stops iterating over a reconciliation early, the SDK closes the connection', async () => {
  let closed = () => {}
  const ended = new Promise<void>(resolve => {
    closed = resolve
  })
  const { baseUrl } = await service(response => {
    response.on('close', closed)
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).write(linesOf(progress))
  })
  for await (const line of new Gapura({ accessToken: 'token', baseUrl }).reports.reconciliationLines()) {
    expect(line).toEqual(progress)
    break
  }
  await ended
})

test("if a signal aborts a reconciliation stream, the stream throws the signal's reason and closes its connection", async () => {
  const why = new Error('the shop closed')
  const controller = new AbortController()
  let closed = () => {}
  const ended = new Promise<void>(resolve => {
    closed = resolve
  })
  const { baseUrl } = await service(response => {
    response.on('close', closed)
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).write(linesOf(progress))
  })
  const { reports } = new Gapura({ accessToken: 'token', baseUrl })
  const told: object[] = []
  const listening = (async () => {
    for await (const line of reports.reconciliationLines({}, { signal: controller.signal })) {
      told.push(line)
      setImmediate(() => controller.abort(why))
    }
  })()
  await expect(listening).rejects.toBe(why)
  await ended
  expect(told).toEqual([progress])
})

test('the SDK returns a reconciliation as CSV in chunks, unchanged', async () => {
  const { baseUrl, asked } = await service(pieces('kind,refe', 'rence\r\namount,A\r\n'))
  let csv = ''
  for await (const piece of new Gapura({ accessToken: 'token', baseUrl }).reports.reconciliationCsv())
    csv += piece
  expect(csv).toBe('kind,reference\r\namount,A\r\n')
  expect(asked[0]?.headers.accept).toBe('text/csv')
})
