// Compares every Indonesian page with its English page.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Marked, type Token } from 'marked'
import { expect, test } from 'vitest'
import { pages } from './contents.ts'
import { addressOf } from './link.ts'
import { render } from './render.ts'
import { translationOf } from './site.ts'

const repository = join(import.meta.dirname, '../../../..')
const read = (file: string): string => readFileSync(join(repository, file), 'utf8')

const translated = pages.filter(({ file }) => existsSync(join(repository, translationOf(file))))

function tokensOf(markdown: string): Token[] {
  const marked = new Marked()
  const all: Token[] = []
  marked.walkTokens(marked.lexer(markdown), token => void all.push(token))
  return all
}

type Outline = { headings: number[]; languages: string[]; pages: string[] }

/** What both pages must have in common: the levels of the headings, the code blocks, and where the links lead. */
function outlineOf(file: string): Outline {
  const tokens = tokensOf(read(file))
  return {
    headings: render(read(file), file).headings.map(({ level }) => level),
    languages: tokens.flatMap(token =>
      token.type === 'code' ? [(token.lang ?? '').split(/\s/)[0] ?? ''] : [],
    ),
    pages: tokens
      .flatMap(token => (token.type === 'link' ? [addressOf(token.href, file) ?? 'not served'] : []))
      .map(address => address.split('#')[0] ?? '')
      .sort(),
  }
}

// Without a test, vitest would report this file as a failure while no page is translated yet.
test('every file in docs/id is the translation of a page', () => {
  const files = existsSync(join(repository, 'docs/id'))
    ? readdirSync(join(repository, 'docs/id'), { recursive: true, encoding: 'utf8' }).filter(name =>
        name.endsWith('.md'),
      )
    : []
  const known = new Set(pages.map(({ file }) => translationOf(file)))
  expect(files.map(name => `docs/id/${name}`).filter(name => !known.has(name))).toEqual([])
})

test.for(translated)(
  'the Indonesian page of $file has the same headings, code blocks and links',
  ({ file }) => {
    expect(outlineOf(translationOf(file))).toEqual(outlineOf(file))
  },
)

test('a link to a heading works in both languages: the Indonesian heading also has the English anchor', () => {
  const english = render('# A\n\n## Retries', 'docs/guides/webhooks.md')
  const { html } = render('# A\n\n## Percobaan ulang', 'docs/id/guides/webhooks.md', {
    language: 'id',
    aliases: english.headings.map(({ id }) => id),
  })
  expect(html).toContain('<span id="retries"></span><h2 id="percobaan-ulang">')
})

test('links of an Indonesian page lead to pages in Indonesian', () => {
  const html = (href: string) => render(`[a](${href})`, 'docs/id/guides/webhooks.md', { language: 'id' }).html
  expect(html('idempotency.md#b')).toContain('href="/docs/id/idempotency#b"')
  expect(html('../../architecture.md')).toContain('href="/docs/id/architecture"')
  expect(html('/docs/reference')).toContain('href="/docs/id/reference"')
  expect(html('../../../openapi/openapi.json')).toContain('href="/openapi.json"')
})
