// Checks all documentation pages in the form in which a browser receives them: links, languages and download
// size.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { pages } from './contents.ts'
import { indonesianLabels } from './contents-indonesian.ts'
import { addressIn, languages } from './language.ts'
import { groupsOf } from './reference/document.ts'
import { site } from './site.ts'

const openapi = readFileSync(join(import.meta.dirname, '../../../../openapi/openapi.json'), 'utf8')
const addresses = { service: 'http://127.0.0.1:18080', sandbox: 'http://127.0.0.1:18081' }
const docs = site({ openapi, addresses, editUrl: 'https://git.example.com/gapura/edit/main' })
const groups = groupsOf(JSON.parse(openapi))
const paths = [
  '',
  ...pages.map(({ slug }) => slug),
  'reference',
  ...groups.map(({ slug }) => `reference/${slug}`),
]

const textOf = async (resource: ReturnType<typeof docs.page>): Promise<string> =>
  String(await (await resource)?.bytes('identity'))

/** The address and HTML of every documentation page in every language. */
const served = await Promise.all(
  languages.flatMap(language =>
    paths.map(async path => {
      const address = addressIn(language, path)
      return { language, path, address, html: await textOf(docs.page(address.slice('/docs/'.length))) }
    }),
  ),
)
const idsOf = new Map(
  served.map(({ address, html }) => [address, [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)]),
)

test('in every language, every link within the site leads to an existing page and heading', () => {
  const dead = served.flatMap(({ address, html }) =>
    [...html.matchAll(/\shref="([#/][^"]*)"/g)]
      .map(([, href = '']) => href)
      .filter(href => !/^\/(docs\/assets\/|openapi\.json$)/.test(href))
      .filter(href => {
        const [page, fragment] = href.split('#')
        const ids = idsOf.get(page || address)
        return !ids || (fragment !== undefined && !ids.includes(decodeURIComponent(fragment)))
      })
      .map(href => `${address}: ${href}`),
  )
  expect(dead).toEqual([])
})

test('no documentation page has two elements with the same HTML id', () => {
  for (const [address, ids] of idsOf) expect(new Set(ids).size, address).toBe(ids.length)
})

test('every heading on a documentation page, except the title, is a link to itself', () => {
  for (const { address, html } of served) {
    const headings = [...html.matchAll(/<h[2-6] id="([^"]+)"><a href="([^"]+)"/g)]
    // On the API reference's overview page, the heading of each group of operations links to the group's page.
    for (const [, id, href] of headings)
      expect(href === `#${id}` || href?.startsWith('/docs'), `${address} ${href}`).toBe(true)
    const article = /<article[\s\S]*<\/article>/.exec(html)?.[0] ?? ''
    expect(article.match(/<h[2-6][ >]/g)?.length ?? 0, address).toBe(headings.length)
  }
})

test('every documentation page states its language and links to its translations', () => {
  for (const { language, path, html } of served) {
    expect(html).toContain(`<html lang="${language}">`)
    for (const other of languages)
      expect(html).toContain(`<link rel="alternate" hreflang="${other}" href="${addressIn(other, path)}">`)
    expect(html).toMatch(
      new RegExp(`<a class="language" href="${addressIn(language === 'en' ? 'id' : 'en', path)}"`),
    )
  }
})

test('every documentation page has an Indonesian label in the navigation', () => {
  expect(Object.keys(indonesianLabels).sort()).toEqual(pages.map(({ slug }) => slug).sort())
})

test('every operation in the API reference has a unique address, which ends with its operationId', () => {
  for (const { slug, operations } of groups) {
    const ids = idsOf.get(`/docs/reference/${slug}`)
    for (const { operationId } of operations) expect(ids).toContain(operationId)
  }
  expect(groups.flatMap(({ operations }) => operations).length).toBeGreaterThan(80)
})

test('each documentation page is at most 300 kB when gzipped, including the assets it loads', async () => {
  const sizes = new Map<string, number>()
  const sizeOf = (text: string) => gzipSync(text).length
  for (const { address, html } of served) {
    const assets = [...html.matchAll(/\/docs\/assets\/[^/]+\/((?:page|search|style|icon)\.(?:js|css|svg))/g)]
    let sum = sizeOf(html)
    for (const [, name = ''] of assets) {
      if (!sizes.has(name)) sizes.set(name, sizeOf(await textOf(docs.asset(name))))
      sum += sizes.get(name) ?? 0
    }
    expect(assets.length, address).toBe(4)
    expect(sum, address).toBeLessThanOrEqual(300_000)
  }
})

/** Matches the addresses in the guides' Markdown files, which are a local installation's addresses. */
const fileAddress = /http:\/\/127\.0\.0\.1:808[01](?!\d)/

describe('documentation pages contain the addresses of the service that serves them', () => {
  test('documentation pages and the search index contain the addresses of the installation that serves them', async () => {
    for (const { html, path, address } of served)
      if (path !== 'scaling') expect(html, address).not.toMatch(fileAddress)
    for (const language of languages) {
      const index = await textOf(docs.asset(`search-${language}.json`))
      const { documentIds, storedFields } = JSON.parse(index) as {
        documentIds: Record<string, string>
        storedFields: Record<string, { text: string }>
      }
      for (const [id, { text }] of Object.entries(storedFields)) {
        const address = documentIds[id] ?? ''
        if (!address.includes('/scaling')) expect(text, address).not.toMatch(fileAddress)
      }
    }
    for (const path of ['quick-start', 'id/quick-start']) {
      const html = await textOf(docs.page(path))
      expect(html).toContain('http://127.0.0.1:18080/dashboard')
      expect(html).toContain('http://127.0.0.1:18081/simulate')
    }
    const reference = (await textOf(docs.page('reference/payments'))).replace(/<[^>]*>/g, '')
    expect(reference).toContain('http://127.0.0.1:18080/v1/payments')
    expect(reference).toContain('baseUrl: &#x27;http://127.0.0.1:18080&#x27;')
  })

  test('if an installation has no sandbox, guides about a local installation keep their addresses such as 127.0.0.1', async () => {
    const live = site({ openapi, addresses: { service: 'https://pay.example.com' } })
    expect(await textOf(live.page('quick-start'))).toContain('http://127.0.0.1:8080/dashboard')
    expect(await textOf(live.page('sdk'))).toContain('https://pay.example.com')
    expect(await textOf(live.page('sdk'))).not.toMatch(fileAddress)
    expect(await textOf(live.page('reference/payments'))).toContain('https://pay.example.com/v1/payments')
  })

  test('a guide that starts services on other ports keeps the addresses of these services', async () => {
    expect(await textOf(docs.page('scaling'))).toMatch(fileAddress)
  })
})

describe('edit links', () => {
  test("a documentation page's edit link leads to its file in the configured repository", async () => {
    expect(await textOf(docs.page('webhooks'))).toContain(
      'href="https://git.example.com/gapura/edit/main/docs/guides/webhooks.md"',
    )
  })

  test('a page has no edit link if it is generated or if no repository is configured', async () => {
    expect(await textOf(site({ openapi, addresses }).page('webhooks'))).not.toContain('class="edit"')
    expect(await textOf(docs.page('reference/payments'))).not.toContain('class="edit"')
  })
})

describe('the search index', () => {
  test.each(languages)(
    'the search index in the language %s leads only to pages and headings that exist',
    async language => {
      const { documentIds } = JSON.parse(await textOf(docs.asset(`search-${language}.json`))) as {
        documentIds: Record<string, string>
      }
      const addresses = Object.values(documentIds)
      expect(addresses.length).toBeGreaterThan(300)
      const dead = addresses.filter(each => {
        const [page = '', id] = each.split('#')
        return !idsOf.has(page) || (id !== undefined && !idsOf.get(page)?.includes(id))
      })
      expect(dead).toEqual([])
      for (const { slug, operations } of groups)
        for (const { operationId } of operations)
          expect(addresses).toContain(`${addressIn(language, `reference/${slug}`)}#${operationId}`)
    },
  )
})
