// Checks the links on the Indonesian pages. translations.test.ts compares the content of the Indonesian pages with
// the English pages.

import { expect, test } from 'vitest'
import { render } from './render.ts'

test("an Indonesian heading also has the English heading's anchor", () => {
  const english = render('# A\n\n## Retries', 'docs/guides/webhooks.md')
  const { html } = render('# A\n\n## Percobaan ulang', 'docs/id/guides/webhooks.md', {
    language: 'id',
    aliases: english.headings.map(({ id }) => id),
  })
  expect(html).toContain('<span id="retries"></span><h2 id="percobaan-ulang">')
})

test('links on an Indonesian page lead to Indonesian pages', () => {
  const html = (href: string) => render(`[a](${href})`, 'docs/id/guides/webhooks.md', { language: 'id' }).html
  expect(html('idempotency.md#b')).toContain('href="/docs/id/idempotency#b"')
  expect(html('../architecture.md')).toContain('href="/docs/id/architecture"')
  expect(html('/docs/reference')).toContain('href="/docs/id/reference"')
  expect(html('../../openapi/openapi.json')).toContain('href="/openapi.json"')
})
