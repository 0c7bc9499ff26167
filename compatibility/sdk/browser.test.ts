// Tests the SDK on a page from another origin in a real browser, because the browser enforces CORS.

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type * as Sdk from '../../packages/sdk/src/index.ts'
import { launchChromium } from '../support/chromium.ts'
import { atEnd, newProject, place } from './project.ts'

declare const sdk: typeof Sdk

let page: Page
let paymentId: string
const sentByServer = randomUUID()
const sentByPage = randomUUID()

const order = {
  amount: 10_000_000,
  currency: 'IDR',
  method_type: 'qris',
  method_detail: { type: 'qris' },
} as const

beforeAll(async () => {
  const project = await newProject('module', { 'page.js': `export * from '@gapura/sdk'` })
  const bundle = await build({
    entryPoints: [join(project, 'page.js')],
    bundle: true,
    format: 'iife',
    globalName: 'sdk',
    write: false,
  })
  const html = `<!doctype html><meta charset="utf-8"><script>${bundle.outputFiles[0]?.text}</script>`
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html))
  atEnd(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')

  // The test creates two payments, so that a list with a page size of one has a second page.
  await createPayment(randomUUID())
  paymentId = await createPayment(sentByServer)
  const browser = await launchChromium()
  atEnd(() => browser.close())
  page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})

/**
 * Throws an error with only the first line of the given error's message. The other lines are the web page's
 * stack trace, which refers to no source file.
 */
function firstLineOf(error: Error): never {
  throw new Error(error.message.split('\n')[0])
}

/** Creates a payment from Node, as a shop's server does. CORS restricts only browsers. */
async function createPayment(idempotencyKey: string): Promise<string> {
  const { baseUrl, apiKey } = place()
  const headers = {
    authorization: `ApiKey ${apiKey}`,
    'content-type': 'application/json',
    'x-idempotency-key': idempotencyKey,
  }
  const response = await fetch(`${baseUrl}/v1/payments/create`, {
    method: 'POST',
    headers,
    body: JSON.stringify(order),
  })
  return ((await response.json()) as { data: { id: string } }).data.id
}

test('a web page from another origin can get and list payments and read the request id', async () => {
  const seen = await page
    .evaluate(
      async ({ baseUrl, apiKey, paymentId }) => {
        const gapura = new sdk.Gapura({ baseUrl, apiKey, maxRetries: 0 })
        const { data, requestId } = await gapura.payments.get(paymentId).withResponse()
        const listed: string[] = []
        for await (const payment of gapura.payments.list({ limit: 1 })) {
          listed.push(payment.id)
          if (listed.length === 2) break
        }
        const methods = await gapura.listActiveMethods()
        return { id: data.id, requestId, listed, providers: methods.providers.length }
      },
      { ...place(), paymentId },
    )
    .catch(firstLineOf)
  expect(seen).toEqual({
    id: paymentId,
    requestId: expect.stringMatching(/^[\w.:-]+$/),
    listed: [expect.any(String), expect.any(String)],
    providers: expect.any(Number),
  })
})

test('a web page from another origin can read why the service rejected its request', async () => {
  const refusal = await page.evaluate(async ({ baseUrl }) => {
    const gapura = new sdk.Gapura({ baseUrl, apiKey: 'gp_test_none', maxRetries: 0 })
    const error = await gapura.payments.list().then(
      () => undefined,
      (reason: Sdk.GapuraError) => reason,
    )
    return { name: error?.name, status: error?.status, requestId: error?.requestId }
  }, place())
  expect(refusal).toEqual({
    name: 'UnauthorizedError',
    status: 401,
    requestId: expect.stringMatching(/^[\w.:-]+$/),
  })
})

test('a web page from another origin cannot create a payment, because the browser does not send its request', async () => {
  const outcome = await page
    .evaluate(
      async ({ baseUrl, apiKey, order, sentByPage }) => {
        const gapura = new sdk.Gapura({ baseUrl, apiKey, maxRetries: 0 })
        return gapura.payments.create(order, { idempotencyKey: sentByPage }).then(
          () => 'created',
          (error: Sdk.GapuraError) => error.code,
        )
      },
      { ...place(), order, sentByPage },
    )
    .catch(firstLineOf)
  expect(outcome).toBe('CONNECTION_FAILED')
  expect(await paymentsOf(sentByPage)).toEqual([])
  expect(await paymentsOf(sentByServer)).toHaveLength(1)
})

async function paymentsOf(idempotencyKey: string): Promise<unknown[]> {
  const { baseUrl, apiKey } = place()
  const response = await fetch(`${baseUrl}/v1/payments?q=${idempotencyKey}`, {
    headers: { authorization: `ApiKey ${apiKey}` },
  })
  return ((await response.json()) as { data: { items: unknown[] } }).data.items
}
