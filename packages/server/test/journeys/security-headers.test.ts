// Tests the headers for browsers and caches that every response must have.

import { afterEach, expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { exchange } from '../support/raw-http.ts'

const { app, demo } = await testApp({ worker: false })
const { publicUrl } = app
afterEach(() => {
  app.publicUrl = publicUrl
})

const authorization = `ApiKey ${demo.client.test_key}`
const headersOf = async (path: string) =>
  Object.fromEntries((await fetch(demo.base_url + path, { headers: { authorization } })).headers)

const paths = [
  '/v1/active-methods',
  '/v1/payments/none',
  '/v1/nothing',
  '/trpc/methods.activeMethods?input=%7B%7D',
  '/trpc/nothing',
  '/healthz',
  '/readyz',
  '/metrics',
  '/nothing',
  '/openapi.json',
  '/.well-known/jwks.json',
  '/docs',
  '/docs/reference',
  '/docs/nothing',
  '/docs/assets/x/nothing',
  '/qr/nothing.svg',
  '/return/nothing',
  '/return/assets/return.js',
  '/return/brands/0f766e.css',
  '/branding/nothing/logo/nothing',
  '/dashboard',
  '/dashboard/payments',
  '/dashboard/assets/nothing',
]

test.each(paths)(
  'the response to a request for %s forbids framing, scripts, content sniffing and embedding by other sites',
  async path => {
    const headers = await headersOf(path)
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers).not.toHaveProperty('x-powered-by')
    expect(headers).not.toHaveProperty('server')
  },
)

test('a request that the HTTP parser rejects also gets a response with the security headers', async () => {
  const [answer] = await exchange(demo.base_url, 'NONSENSE\r\n\r\n')
  expect(answer?.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
  })
})

test.each(paths.filter(path => /^\/(v1|trpc)\//.test(path)))(
  'the response to a request for %s has a header that forbids caching',
  async path => {
    expect((await headersOf(path))['cache-control']).toBe('no-store')
  },
)

test('documentation pages are isolated from other browser windows and cannot use device features such as the camera', async () => {
  for (const path of ['/docs', '/docs/reference', '/docs/nothing']) {
    const headers = await headersOf(path)
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    expect(headers['permissions-policy']).toMatch(/camera=\(\).*payment=\(\)/)
    expect(headers['cache-control']).not.toBe('no-store')
  }
})

test('the HSTS header is sent only if callers reach the service over HTTPS', async () => {
  for (const path of paths) expect(await headersOf(path)).not.toHaveProperty('strict-transport-security')
  app.publicUrl = 'https://pay.example.com'
  for (const path of paths)
    expect((await headersOf(path))['strict-transport-security']).toBe('max-age=31536000')
})
