// Tests the operations listener, an HTTP listener that serves only health checks and metrics. It runs in processes that
// do not serve the API.

import { expect, test } from 'vitest'
import { startOperatorListener } from '../../src/http/operator-listener.ts'
import { testApp } from '../support/app.ts'
import { atEnd } from '../support/at-end.ts'
import { until } from '../support/merchant.ts'

async function operations({ worker = true, stopping = false } = {}) {
  const { app } = await testApp({ worker: false })
  const state = { worker, stopping }
  const listener = await startOperatorListener(app, { host: '127.0.0.1', port: 0, readiness: () => state })
  atEnd(() => listener.stop())
  const get = async (path: string) => {
    const answer = await fetch(listener.url + path)
    return { status: answer.status, text: await answer.text() }
  }
  return { app, state, get }
}

test('the separate operations port serves only health checks and metrics, and requests to it need no token', async () => {
  const { get } = await operations()
  expect(await get('/healthz')).toEqual({ status: 200, text: '{"status":"ok"}' })
  expect((await get('/readyz')).status).toBe(200)
  const metrics = await get('/metrics')
  expect(metrics.status).toBe(200)
  expect(metrics.text).toMatch(/^gapura_database_up 1$/m)
  expect(metrics.text).toMatch(/^# TYPE gapura_ledger_entries_total counter$/m)
  for (const path of ['/v1/payments', '/docs', '/']) expect((await get(path)).status).toBe(404)
})

test('a process is not ready if its jobs are not running, if it is stopping, or if the database is unavailable', async () => {
  const { app, state, get } = await operations({ worker: false })
  const ready = async () => {
    const { status, text } = await get('/readyz')
    return [status, JSON.parse(text).checks]
  }
  expect(await ready()).toEqual([503, { database: true, storage: true, worker: false, accepting: true }])
  state.worker = true
  expect((await ready())[0]).toBe(200)
  state.stopping = true
  expect(await ready()).toEqual([503, { database: true, storage: true, worker: true, accepting: false }])
  state.stopping = false
  await app.db.destroy()
  expect(await ready()).toEqual([503, { database: false, storage: true, worker: true, accepting: true }])
  expect((await get('/healthz')).status).toBe(200)
  const metrics = await until('metrics are served without the database', () => get('/metrics'))
  expect(metrics.text).toMatch(/^gapura_database_up 0$/m)
})
