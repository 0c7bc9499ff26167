import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Router from '@koa/router'
import Koa from 'koa'
import { Counter, Registry } from 'prom-client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { mountMetrics } from './metrics.ts'

const token = '0123456789abcdef'

async function scrape(
  { host = '127.0.0.1', metricsToken }: { host?: string; metricsToken?: string },
  authorization?: string,
  forwarded: Record<string, string> = {},
) {
  const metrics = new Registry()
  new Counter({ name: 'payments_total', help: 'none', registers: [metrics] }).inc(3)
  const router = new Router()
  mountMetrics(router, { metrics }, { host, metricsToken })
  const server = createServer(new Koa().use(router.routes()).callback()).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`
  const answer = await fetch(url, {
    headers: { connection: 'close', ...(authorization && { authorization }), ...forwarded },
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

test('GET /metrics returns text that the Prometheus parser accepts', async () => {
  const { status, headers, text } = await scrape({})
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(text.split('\n')).toContain('payments_total 3')
})

describe('GET /metrics is available only on this machine if no metrics token is configured', () => {
  test.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1', 'localhost'])(
    'without a configured metrics token, metrics are available if the service listens on an address that only this machine can reach: %s',
    async host => expect((await scrape({ host })).status).toBe(200),
  )

  test.each(['0.0.0.0', '::', '10.0.0.5', '192.168.1.2', '2001:db8::1', 'gapura.example.com', '1270.0.1'])(
    'without a configured metrics token, metrics are unavailable if the service listens on an address that other machines can reach: %s',
    async host => {
      const { status, text } = await scrape({ host })
      expect([status, text.includes('payments_total')]).toEqual([404, false])
    },
  )
})

test.each(['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])(
  'a request that a reverse proxy forwarded with the header %s gets no metrics without a configured metrics token',
  async name => {
    const header = { [name]: '203.0.113.7' }
    expect((await scrape({}, undefined, header)).status).toBe(404)
    expect((await scrape({ metricsToken: token }, `Bearer ${token}`, header)).status).toBe(200)
  },
)

describe('GET /metrics requires the metrics token if one is configured', () => {
  test.each(['127.0.0.1', '0.0.0.0'])(
    'if the service listens on %s, a request with the metrics token gets the metrics',
    async host => {
      expect((await scrape({ host, metricsToken: token }, `Bearer ${token}`)).status).toBe(200)
      expect((await scrape({ host, metricsToken: token }, `bearer ${token}`)).status).toBe(200)
    },
  )

  test.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    `Basic ${token}`,
    token,
    `Bearer ${token}0`,
    `Bearer ${token.slice(1)}`,
    `Bearer ${token.toUpperCase()}`,
  ])(
    'a request without the correct metrics token gets no metrics, even if it comes from this machine: Authorization %s',
    async authorization => {
      const { status, headers, text } = await scrape({ metricsToken: token }, authorization)
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
      expect(text).not.toContain('payments_total')
      expect(text).not.toContain(token)
    },
  )
})
