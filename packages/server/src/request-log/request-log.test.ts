import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ApiRequest, SeenRequest } from './api-request.ts'
import { type RequestLog, requestLog } from './request-log.ts'
import { requestLogMetrics } from './request-log-metrics.ts'

const request = (tenantId: string, status = 201, fields: Partial<SeenRequest> = {}): SeenRequest => ({
  tenantId,
  mode: 'test',
  apiKeyId: 'k',
  requestId: 'r',
  method: 'POST',
  route: '/v1/payments',
  params: {},
  status,
  errorCode: null,
  errorField: null,
  idempotencyKey: null,
  durationMs: 1,
  clientAddress: null,
  userAgent: null,
  paymentId: null,
  paymentCode: null,
  ...fields,
})

let written: ApiRequest[][] = []
let failures: number[] = []
let insert: (rows: ApiRequest[]) => Promise<void>
let log: RequestLog
beforeEach(() => {
  written = []
  failures = []
  insert = async rows => void written.push(rows)
  requestLogMetrics.dropped.reset()
  log = requestLog(rows => insert(rows), { failed: (_, rows) => failures.push(rows) })
})
afterEach(() => log.stop())

const dropped = async () =>
  Object.fromEntries(
    (await requestLogMetrics.dropped.get()).values.map(({ labels, value }) => [labels.why, value]),
  )
const note = (count: number, tenantId: string, status?: number) => {
  for (let n = 0; n < count; n++) log.note(request(tenantId, status))
}

test('the request log is written to the database in batches of at most 500 rows', async () => {
  note(1_200, 'a')
  await log.write()
  expect(written.map(rows => rows.length)).toEqual([500, 500, 200])
})

test('when the request log stops, it writes the requests still in memory to the database', async () => {
  note(3, 'a')
  await log.stop()
  expect(written.flat()).toHaveLength(3)
})

test('if an insert into the request log fails, its rows are dropped and counted', async () => {
  const works = insert
  insert = () => Promise.reject(new Error('the database is away'))
  note(3, 'a')
  await log.write()
  expect([failures, await dropped()]).toEqual([[3], { failed: 3 }])
  insert = works
  note(2, 'a')
  await log.write()
  expect(written.flat()).toHaveLength(2)
})

test('while an insert hangs, the request log limits its rows in memory, in total and per tenant', async () => {
  const works = insert
  const started = Promise.withResolvers<void>()
  const mayProceed = Promise.withResolvers<void>()
  insert = async rows => {
    started.resolve()
    await mayProceed.promise
    await works(rows)
  }
  note(1_000, 'a')
  const writing = log.write()
  await started.promise
  note(6_000, 'a')
  const droppedOfA = await dropped()
  note(6_000, 'b')
  mayProceed.resolve()
  await writing
  await log.stop()
  expect(droppedOfA).toEqual({ tenant_full: 1_000 })
  expect(await dropped()).toEqual({ tenant_full: 1_000, full: 2_000 })
  expect(written.flat()).toHaveLength(10_000)
})

test("the request log contains only a few of a tenant's rate-limited requests per batch", async () => {
  note(100, 'a', 429)
  note(1, 'b', 429)
  note(1, 'a')
  await log.write()
  expect(written.flat()).toHaveLength(7)
  expect(await dropped()).toEqual({ rate_limited: 95 })
})

test("each batch of the request log contains only some of an API key's successful reads of a route", async () => {
  const noteReads = (count: number, read: Partial<SeenRequest> = {}) => {
    for (let n = 0; n < count; n++) log.note(request('a', 200, { method: 'GET', ...read }))
  }
  noteReads(30)
  noteReads(30, { apiKeyId: 'another key' })
  noteReads(30, { route: '/v1/balance' })
  noteReads(30, { method: 'HEAD', route: '/v1/refunds' })
  noteReads(30, { status: 404 })
  note(30, 'a')
  await log.write()
  expect(await dropped()).toEqual({ frequent_read: 40 })
  expect(written.flat()).toHaveLength(140)
  noteReads(20)
  await log.write()
  expect(written.flat()).toHaveLength(160)
})

test('a write of the request log stores all failed reads, but only a limited number of successful reads', async () => {
  for (let n = 0; n < 600; n++) log.note(request(`tenant ${n}`, 200, { method: 'GET', apiKeyId: `key ${n}` }))
  for (let n = 0; n < 600; n++) log.note(request(`tenant ${n}`, 404, { method: 'GET', apiKeyId: `key ${n}` }))
  await log.write()
  expect(written.flat().map(row => row.status)).toEqual([...Array(500).fill(200), ...Array(600).fill(404)])
  expect(await dropped()).toEqual({ frequent_read: 100 })
})
