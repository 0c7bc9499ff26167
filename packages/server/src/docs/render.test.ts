import { expect, test } from 'vitest'
import { render } from './render.ts'

const file = 'docs/guides/webhooks.md'
const html = (markdown: string) => render(markdown, file).html

test.each([
  ['a block', '<script>alert(1)</script>'],
  ['a tag within a line', 'before <img src=x onerror=alert(1)> after'],
  ['text after a comment', '<!-- a --><script>alert(1)</script>'],
  ['a heading', '## A <script>alert(1)</script>'],
  ['a table', '| a |\n| - |\n| <script>alert(1)</script> |'],
  ['the text of a link', '[<script>alert(1)</script>](idempotency.md)'],
  ['the address of a link', '[a](<https://example.com/"onmouseover="alert(1)>)'],
  ['an image', '![<img src=x onerror=alert(1)>](x.png)'],
  ['code', '`<script>alert(1)</script>`'],
  ['a language', '```"><script>alert(1)</script>\nx\n```'],
])('raw HTML in a documentation page is shown as text: %s', (_, markdown) => {
  // The table of contents shows the HTML of the headings, so the test checks it too.
  const { html, headings } = render(markdown, file)
  const all = html + headings.map(heading => heading.html).join('')
  expect(all).not.toMatch(/<script|<img|"onmouseover|<!--/)
})

test('an HTML comment on its own line does not appear in a documentation page', () => {
  expect(html('<!-- for the linter -->\n\nText.')).toBe('<p>Text.</p>\n')
})

test('a link in a documentation page that would run a script is shown as text', () => {
  expect(html('[a](javascript:alert(1))')).toBe('<p>a</p>\n')
})

test('links between Markdown files become links between pages on the site', () => {
  expect(html('[a](idempotency.md#b)')).toBe('<p><a href="/docs/idempotency#b">a</a></p>\n')
})

test("a documentation page's headings get the same unique anchors as on GitHub", () => {
  const { html, headings } = render('# A\n## `a` b, c?\n## Same\n## Same\n### 1. Zürich_x – y', file)
  expect(headings.map(({ level, id }) => [level, id])).toEqual([
    [1, 'a'],
    [2, 'a-b-c'],
    [2, 'same'],
    [2, 'same-1'],
    [3, '1-zürich_x--y'],
  ])
  expect(html).toContain('<h2 id="same-1"><a href="#same-1">Same</a></h2>')
})

test('a heading with a Markdown link is rendered as text and links to its own anchor', () => {
  expect(html('## See [a](idempotency.md)')).toBe('<h2 id="see-a"><a href="#see-a">See a</a></h2>\n')
})

test('a documentation table wider than the page scrolls inside its own element', () => {
  expect(html('| a |\n| - |\n| b |')).toMatch(/^<div class="table"><table>.*<\/table><\/div>\n$/s)
})

test('code blocks with tabs form one group unless text separates them', () => {
  const curl = '```sh tab=curl\na\n```'
  const typescript = '```ts tab=TypeScript\nb\n```'
  expect(html(`${curl}\n\n\n${typescript}`).match(/class="tabs"/g)).toHaveLength(1)
  expect(html(`${curl}\n\nor\n\n${typescript}`).match(/class="tabs"/g)).toHaveLength(2)
})

test('a code block within a list is highlighted', () => {
  expect(html('- a\n\n  ```sh title="b"\n  c\n  ```')).toContain('<figcaption>b</figcaption>')
})

test('a documentation page shows a Mermaid sequence diagram as a numbered list', () => {
  expect(html('```mermaid\nsequenceDiagram\n  A->>B: c\n```')).toContain('<ol class="sequence">')
})
