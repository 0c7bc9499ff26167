import { expect, test } from 'vitest'
import { codeBlock, codeBlocks, type Fence, readFence } from './code-block.ts'

const fence = (info: string, text = 'x'): Fence => readFence(info, text)
const blocks = (...infos: string[]) =>
  codeBlocks(
    infos.map(info => fence(info)),
    'id',
  )

test("a code fence's language and attributes are parsed, with or without quotes", () => {
  expect(fence('sh')).toEqual({ language: 'sh', text: 'x' })
  expect(fence('ts title="my shop.ts" tab=TypeScript')).toEqual({
    language: 'ts',
    text: 'x',
    title: 'my shop.ts',
    tab: 'TypeScript',
  })
  expect(fence('sh terminal=service')).toMatchObject({ terminal: 'service' })
  expect(fence('text diagram')).toMatchObject({ diagram: true })
})

test.each(['sh', 'ts', 'js', 'json', 'yaml', 'sql', 'diff'])(
  'code in the language %s is highlighted in the documentation',
  language => {
    const text = '# a "b" 1\n-- c\nconst a = "b"\nselect 1\n+ added\n'
    expect(codeBlock({ language, text })).toContain('class="hljs-')
  },
)

test("HTML in code and captions is escaped, whether or not the code's language is highlighted", () => {
  const evil = `"</code><script>alert('1')</script>`
  for (const info of ['ts', 'text', 'no-such-language', ''])
    expect(codeBlock(fence(info, evil))).not.toContain('<script>')
  expect(codeBlock({ language: 'sh', text: '', title: evil })).not.toContain('<script>')
  expect(codeBlocks([{ language: 'sh', text: '', tab: evil }], 'id')).not.toContain('<script>')
})

test("a code block shows its file name or its terminal's name in a title bar", () => {
  expect(codeBlock(fence('ts title="shop.ts"'))).toContain('<figcaption>shop.ts</figcaption>')
  expect(codeBlock(fence('sh terminal=service'))).toContain('<figcaption>Terminal: service</figcaption>')
  expect(codeBlock(fence('sh'))).not.toContain('figcaption')
})

test('a text or JSON block after commands is shown as their output', () => {
  for (const language of ['text', 'json']) {
    expect(blocks('sh', language)).toMatch(/class="code">.*class="code output"><figcaption>Output</s)
    expect(blocks('ts', language)).not.toContain('output')
    expect(blocks(language)).not.toContain('output')
  }
})

test("a file, a diagram or another tab's code after shell commands is not shown as output", () => {
  expect(blocks('sh', 'json title="order.json"')).not.toContain('output')
  expect(blocks('sh', 'text diagram')).not.toContain('output')
  expect(blocks('sh tab=curl', 'text tab=TypeScript')).not.toContain('output')
})

test('a text block whose fence contains the word diagram is shown as a diagram, without a copy button', () => {
  expect(blocks('text diagram')).toContain('class="code diagram"')
})

test('a text block of a named terminal is shown as output, even without commands', () => {
  expect(blocks('text terminal=service')).toContain('<figcaption>Output: service</figcaption>')
})

test('code blocks with tabs become radio buttons with one panel for each tab', () => {
  const html = blocks('sh tab=curl', 'text tab=curl', 'ts tab=TypeScript')
  const inputs = [
    ...html.matchAll(/<input type="radio" name="([^"]+)" id="([^"]+)" value="([^"]+)"( checked)?>/g),
  ]
  expect(inputs.map(([, name, , value, checked]) => [name, value, checked])).toEqual([
    ['id-0', 'curl', ' checked'],
    ['id-0', 'TypeScript', undefined],
  ])
  for (const [, , id] of inputs) expect(html).toContain(`<label for="${id}">`)
  const [curl = '', typescript = ''] = html.split('<div class="panel"').slice(1)
  expect(curl.match(/<figure/g)).toHaveLength(2)
  expect(typescript.match(/<figure/g)).toHaveLength(1)
})

test('two groups of tabs with a code block between them switch independently of each other', () => {
  const html = blocks('sh tab=a', 'sh tab=b', 'sh', 'sh tab=a', 'sh tab=b')
  expect(new Set(html.match(/name="[^"]+"/g)).size).toBe(2)
  expect(html.match(/ checked/g)).toHaveLength(2)
})
