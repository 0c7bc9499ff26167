// Tests code blocks on a documentation page in a real browser: copying and tabs.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { render } from '../../packages/server/src/docs/render.ts'
import { barriers, base, type Visit, visit } from './browser.ts'

const file = 'docs/guides/quick-start.md'
const markdown = `# Code

\`\`\`sh tab=curl
curl -s 'http://127.0.0.1' | node -p "1 < 2 && 'a'"
\`\`\`

\`\`\`text tab=curl
a
\`\`\`

\`\`\`ts tab=TypeScript title="pay.ts"
const paid: boolean = 1 < 2 && true
\`\`\`

Text.

\`\`\`sh tab=curl
second
\`\`\`

\`\`\`ts tab=TypeScript
second()
\`\`\`

\`\`\`text diagram
a → b
\`\`\`

\`\`\`sh
${'a-very-long-command '.repeat(30)}
\`\`\`
`

/**
 * Opens a page that contains only the code blocks in `markdown`, so that the test does not depend on a guide's
 * wording.
 */
async function openCode(options: Parameters<typeof visit>[1] = {}): Promise<Visit> {
  const visited = await visit('/docs/architecture', options)
  const context = visited.page.context()
  await context.route(`${base}/docs/architecture`, async route => {
    const response = await route.fetch()
    const article = `<article>${render(markdown, file).html}</article>`
    const body = (await response.text()).replace(/<article>[\s\S]*<\/article>/, () => article)
    await route.fulfill({ response, body })
  })
  await visited.page.reload()
  return visited
}

const shown = (page: Page): Promise<string[]> =>
  page
    .locator('.panel')
    .filter({ visible: true })
    .evaluateAll(all => all.map(each => each.getAttribute('data-tab') ?? ''))

test("a code block's copy button copies the exact code, and screen readers announce that the code was copied", async () => {
  const { page, complaints, end } = await openCode({ permissions: ['clipboard-read', 'clipboard-write'] })
  const figure = page.locator('figure.code').first()
  await figure.hover()
  await figure.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' })
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `curl -s 'http://127.0.0.1' | node -p "1 < 2 && 'a'"`,
  )
  expect(await page.locator('.output, .diagram').getByRole('button').count()).toBe(0)
  expect(complaints).toEqual([])
  await end()
})

test('without clipboard access, the copy button selects the code, so that the reader can copy it', async () => {
  const { page, end } = await openCode()
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await page.locator('figure.code').last().getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('status').filter({ hasText: 'Selected' }).waitFor({ state: 'attached' })
  expect(await page.evaluate(() => getSelection()?.toString())).toMatch(/^a-very-long-command/)
  await end()
})

test('a code tab that the reader selects is also selected in other tab groups and after a reload', async () => {
  const { page, complaints, end } = await openCode()
  expect(await shown(page)).toEqual(['curl', 'curl'])
  await page.getByText('TypeScript', { exact: true }).last().click()
  expect(await shown(page)).toEqual(['TypeScript', 'TypeScript'])
  await page.reload()
  expect(await shown(page)).toEqual(['TypeScript', 'TypeScript'])
  expect(await barriers(page)).toEqual([])
  expect(complaints).toEqual([])
  await end()
})

test("the arrow keys move between a code block's tabs", async () => {
  const { page, end } = await openCode()
  await page.getByRole('radio', { name: 'curl' }).first().focus()
  await page.keyboard.press('ArrowRight')
  expect((await shown(page))[0]).toBe('TypeScript')
  await end()
})

test("without JavaScript, a code block's tabs work, and a printed page has the content of all tabs", async () => {
  const { page, end } = await openCode({ javaScriptEnabled: false })
  await page.getByText('TypeScript', { exact: true }).first().click()
  expect(await shown(page)).toEqual(['TypeScript', 'curl'])
  await page.emulateMedia({ media: 'print' })
  expect(await shown(page)).toEqual(['curl', 'TypeScript', 'curl', 'TypeScript'])
  await end()
})

test('code that is wider than the page scrolls within its block, also with the arrow keys', async () => {
  const { page, end } = await openCode({ viewport: { width: 360, height: 740 } })
  const long = page.locator('pre').last()
  await page.locator('pre[tabindex="0"]').last().waitFor()
  await long.focus()
  await page.keyboard.press('ArrowRight')
  await page.waitForFunction(() => [...document.querySelectorAll('pre')].some(each => each.scrollLeft > 0))
  expect(await page.locator('pre').nth(1).getAttribute('tabindex')).toBeNull()
  await end()
})
