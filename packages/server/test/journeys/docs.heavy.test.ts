// Tests the documentation site as the service serves it to browsers and proxies.

import { readFile } from 'node:fs/promises'
import { get as rawGet } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { testApp } from '../support/app.ts'

const openapiFile = join(import.meta.dirname, '../../../../openapi/openapi.json')

let base: string

beforeAll(async () => {
  base = (await testApp({ worker: false })).demo.base_url
})

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(base + path, { method, headers, redirect: 'manual' })

/**
 * Sends the path and headers unchanged, as a browser would. fetch is not used, because it would normalize the
 * path and bypass caches.
 */
function getExactly(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; length: number }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base)
    rawGet({ hostname, port, path, headers, agent: false }, response => {
      let length = 0
      response.on('data', chunk => (length += chunk.length))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, length }))
    }).on('error', reject)
  })
}

const assetsOf = (html: string): string[] =>
  [...html.matchAll(/(?:href|src)="(\/docs\/assets\/[^"]+)"/g)].map(([, path]) => path as string)

describe('documentation pages are served under /docs', () => {
  test('a documentation page is public and needs no credential', async () => {
    for (const path of ['/docs', '/docs/', '/docs/architecture', '/docs/reference', '/docs/id/webhooks']) {
      const answer = await get(path)
      expect(answer.status, path).toBe(200)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await answer.text()).toMatch(/^<!doctype html>/)
    }
  })

  test('a documentation page may load resources only from this service, and other sites cannot frame it', async () => {
    for (const path of ['/docs', '/docs/architecture', '/docs/reference/payments', '/docs/no-such-page']) {
      const { headers } = await get(path)
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    }
  })

  test('a browser revalidates a documentation page on each use, and downloads it again only if it has changed', async () => {
    const first = await get('/docs/architecture', { 'accept-encoding': 'identity' })
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const again = (etag: string) => getExactly('/docs/architecture', { 'if-none-match': etag })
    expect(await again(first.headers.get('etag') ?? '')).toEqual({ status: 304, length: 0 })
    expect(await again('"another"')).toMatchObject({ status: 200 })
  })

  test('a documentation page responds to HEAD in the same way as to GET, but without the body', async () => {
    const head = await get('/docs/architecture', {}, 'HEAD')
    const whole = await get('/docs/architecture')
    for (const name of ['content-type', 'etag', 'content-security-policy', 'content-encoding'])
      expect(head.headers.get(name)).toBe(whole.headers.get(name))
    expect(await head.text()).toBe('')
  })

  test('a documentation page is compressed with an encoding that the browser accepts, and has a Vary header', async () => {
    const page = await (await get('/docs/architecture', { 'accept-encoding': 'identity' })).text()
    const etags = new Set<string | null>()
    for (const [accepted, sent] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip, deflate', 'gzip'],
      ['identity', null],
      ['br;q=0, gzip;q=0', null],
    ] as const) {
      const answer = await get('/docs/architecture', { 'accept-encoding': accepted })
      expect(answer.headers.get('content-encoding'), accepted).toBe(sent)
      expect(answer.headers.get('vary')).toContain('Accept-Encoding')
      expect(await answer.text()).toBe(page)
      etags.add(answer.headers.get('etag'))
    }
    expect(etags.size).toBe(3)
  })
})

test('the API document is sent compressed, and is sent again only if it has changed', async () => {
  const answer = await get('/openapi.json', { 'accept-encoding': 'br' })
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(answer.headers.get('content-encoding')).toBe('br')
  expect(await answer.text()).toBe(await readFile(openapiFile, 'utf8'))
  const headers = { 'accept-encoding': 'br', 'if-none-match': answer.headers.get('etag') ?? '' }
  expect(await getExactly('/openapi.json', headers)).toEqual({ status: 304, length: 0 })
})

describe('documentation assets are served with their content type and cache headers', () => {
  test('every asset that a documentation page loads exists, has the right content type, and is cached forever', async () => {
    const html = (await (await get('/docs')).text()) + (await (await get('/docs/reference')).text())
    const paths = new Set(assetsOf(html))
    expect([...paths].map(path => path.split('/').at(-1)).sort()).toEqual([
      'icon.svg',
      'page.js',
      'search.js',
      'style.css',
    ])
    for (const path of paths) {
      const answer = await get(path)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      const type = {
        js: 'text/javascript; charset=utf-8',
        css: 'text/css; charset=utf-8',
        svg: 'image/svg+xml',
      }
      expect(answer.headers.get('content-type')).toBe(type[path.split('.').at(-1) as keyof typeof type])
      expect((await answer.text()).length).toBeGreaterThan(100)
    }
  })

  test("the documentation's search files exist in both languages, and browsers revalidate them", async () => {
    for (const name of ['search-en.json', 'search-id.json']) {
      const answer = await get(`/docs/assets/search/${name}`)
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(answer.headers.get('cache-control')).toBe('no-cache')
      expect(Object.keys((await answer.json()) as object)).toContain('storedFields')
    }
    expect((await get('/docs/assets/search/minisearch.js')).status).toBe(200)
  })

  test("if the version in a documentation asset's URL is not the current version, the response must not be cached", async () => {
    const answer = await get('/docs/assets/0123456789ab/style.css')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-cache')
  })
})

describe('documentation paths that do not exist return 404', () => {
  test("an unknown documentation path returns 404 with a page that links to the documentation's home page", async () => {
    for (const path of [
      '/docs/no-such-page',
      '/docs/a/b/c',
      '/docs/assets/1/no-such-file',
      '/docs/README.md',
    ]) {
      const answer = await get(path)
      expect(answer.status, path).toBe(404)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await answer.text()).toContain('href="/docs"')
    }
  })

  test.each([
    '/docs/../package.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/%2e%2e%2fREADME',
    '/docs/assets/x/..%2f..%2fpackage.json',
    '/docs/assets/../../package.json',
    '/docs/assets/x/style%2fbase.css',
    '/docs/constructor',
    '/docs/__proto__',
    '/docs/assets/x/constructor',
    '/docs/architecture%00',
    '/docs/%ff',
    '/docs/id/..%2fguides',
  ])('a path outside the documentation returns no file: %s', async path => {
    expect((await getExactly(path)).status).toBe(404)
  })

  test("an unknown path outside /docs, or a POST request to a page, returns the API's error envelope", async () => {
    for (const [path, method, code] of [
      ['/docsy', 'GET', 'NOT_FOUND'],
      ['/v1/docs', 'GET', 'NOT_FOUND'],
      ['/docs', 'POST', 'METHOD_NOT_ALLOWED'],
      ['/docs/architecture', 'POST', 'METHOD_NOT_ALLOWED'],
    ] as const) {
      const answer = await get(path, {}, method)
      expect(answer.headers.get('content-type')).toContain('application/json')
      expect(await answer.json()).toMatchObject({ success: false, error: { code } })
    }
  })
})
