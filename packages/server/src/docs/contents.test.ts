// Checks that every documentation page exists and that no link is broken.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Marked } from 'marked'
import { describe, expect, test } from 'vitest'
import { pages } from './contents.ts'
import { addressOf, fileOf } from './link.ts'
import { render } from './render.ts'

const repository = join(import.meta.dirname, '../../../..')

const read = (file: string): string => readFileSync(join(repository, file), 'utf8')

/**
 * For each documentation page, the IDs of the headings to which links can lead. The set of IDs is empty if the file of
 * the page does not exist.
 */
const idsOf = new Map(
  pages.map(({ slug, file }) => {
    const { headings } = render(existsSync(join(repository, file)) ? read(file) : '', file)
    return [`/docs/${slug}`, new Set(headings.map(({ id }) => id))]
  }),
)

test('every page in the table of contents exists, and the table of contents lists every guide', () => {
  const files = pages.map(({ file }) => file)
  expect(files.filter(file => !existsSync(join(repository, file)))).toEqual([])
  const guides = readdirSync(join(repository, 'docs/guides')).filter(name => name !== 'README.md')
  expect(guides.filter(name => !files.includes(`docs/guides/${name}`))).toEqual([])
})

test('no documentation page has the same address as another page or resource on the site', () => {
  const slugs = pages.map(({ slug }) => slug)
  expect(new Set(slugs).size).toBe(slugs.length)
  for (const slug of slugs) expect(slug).toMatch(/^(?!reference$|assets$|id$)[a-z][a-z-]*$/)
})

describe.each([...pages, { slug: '', file: 'docs/guides/README.md' }])('the page $file', ({ slug, file }) => {
  test('a documentation page starts with its title and contains no second title', () => {
    const markdown = read(file)
    expect(markdown).toMatch(/^# /)
    expect(render(markdown, file).headings.filter(({ level }) => level === 1)).toHaveLength(1)
  })

  test('a documentation page has no broken link', () => {
    const dead = hrefsOf(read(file)).filter(href => !leadsSomewhere(href, file, `/docs/${slug}`))
    expect(dead).toEqual([])
  })
})

function hrefsOf(markdown: string): string[] {
  const marked = new Marked()
  const hrefs: string[] = []
  marked.walkTokens(marked.lexer(markdown), token => {
    if (token.type === 'link' || token.type === 'image') hrefs.push(token.href)
  })
  return hrefs
}

/**
 * Returns whether a link's target exists: a page or heading in the documentation, or a file in the repository.
 * External links are not checked.
 */
function leadsSomewhere(href: string, file: string, here: string): boolean {
  const address = addressOf(href, file)
  if (address === undefined) return existsSync(join(repository, fileOf(href.split('#')[0] ?? '', file)))
  if (/^(https?|mailto):/.test(address)) return true
  const [path = '', fragment] = address.split('#')
  const ids = idsOf.get(path || here)
  // `idsOf` contains only the headings of guides. site.heavy.test.ts checks links to headings on all other pages, such
  // as the API reference.
  if (!ids) return ['/docs', '/openapi.json'].includes(path) || path.startsWith('/docs/reference')
  return fragment === undefined || ids.has(decodeURIComponent(fragment))
}
