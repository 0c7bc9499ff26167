// Tests how the service serves the dashboard's files. Browser tests cover the dashboard's behavior
// (compatibility/dashboard).

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testApp } from '../support/app.ts'

const { demo } = await testApp({ worker: false })
const assets = readdirSync(join(import.meta.dirname, '../../../dashboard/dist/assets'))
const get = (path: string, headers: Record<string, string> = {}) => fetch(demo.base_url + path, { headers })
const nonceIn = (policy: string | null) => /style-src 'self' 'nonce-([\w+/=]+)'/.exec(policy ?? '')?.[1]

test.each(['/dashboard', '/dashboard/', '/dashboard/payments/01990000-0000-7000-8000-000000000001'])(
  "GET %s returns the dashboard's HTML document with a header that forbids caching",
  async path => {
    const answer = await get(path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.text()).toContain('<div id="root">')
  },
)

test('the root path redirects a browser to the dashboard, but returns NOT_FOUND to other clients', async () => {
  const root = (accept: string) => fetch(demo.base_url, { headers: { accept }, redirect: 'manual' })
  const browser = await root('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8')
  expect([browser.status, browser.headers.get('location')]).toEqual([302, '/dashboard'])
  expect((await root('*/*')).status).toBe(404)
  expect((await root('application/json')).status).toBe(404)
})

test("the dashboard's content security policy allows no inline scripts, and only styles with the response's nonce", async () => {
  const [first, second] = await Promise.all([get('/dashboard'), get('/dashboard')])
  const policy = first.headers.get('content-security-policy')
  expect(policy).not.toContain('unsafe')
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("connect-src 'self';")
  const nonce = nonceIn(policy)
  expect(nonce).toMatch(/^[\w+/]{22}==$/)
  expect(nonceIn(second.headers.get('content-security-policy'))).not.toBe(nonce)
  const html = await first.text()
  expect(html).toContain(`nonce="${nonce}"`)
  expect(html).not.toContain('__nonce__')
  expect(html).not.toMatch(/<style|<script(?![^>]* src=)| on\w+=| style=/)
})

test("the dashboard's scripts and styles are compressed, cached forever, and loaded only from the same origin", async () => {
  const html = await (await get('/dashboard')).text()
  const asked = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path as string)
  expect(asked.length).toBeGreaterThan(2)
  for (const path of asked) {
    expect(path).toMatch(/^\/dashboard\/assets\//)
    const answer = await get(path, { 'accept-encoding': 'br' })
    expect([path, answer.status, answer.headers.get('content-encoding')]).toEqual([path, 200, 'br'])
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  }
})

test.each(['nothing.js', '..%2f..%2fpackage.json', '..%2f.made-of', '%2e%2e%2findex.html', 'constructor'])(
  'GET /dashboard/assets/%s returns NOT_FOUND, because only built assets are served',
  async name => {
    const answer = await get(`/dashboard/assets/${name}`)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ success: false, error: { code: 'NOT_FOUND' } })
  },
)

test('every built dashboard asset has a file type that the service serves', async () => {
  expect(assets.length).toBeGreaterThan(20)
  const answers = await Promise.all(assets.map(name => get(`/dashboard/assets/${name}`)))
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
})
