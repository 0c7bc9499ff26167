// Tests the accessibility check. To save time, it checks the colors of each kind of text only once. These tests show
// that it still finds violations.

import { expect, test } from 'vitest'
import { barriers, visit } from './browser.ts'

async function openPage(content: string) {
  const html = `<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1>${content}</main></html>`
  return visit(encodeURIComponent(html), { colorScheme: 'light' }, 'data:text/html,')
}

async function barriersOf(content: string): Promise<string[]> {
  const { page, end } = await openPage(content)
  const found = await barriers(page)
  await end()
  return found
}

test('the accessibility check finds text with too little contrast, even if the text checked before had enough contrast', async () => {
  expect(await barriersOf('<p>Paid</p>')).toEqual([])
  expect(await barriersOf('<p style="color: #ccc">Paid</p>')).toEqual(['color-contrast: p'])
})

test('the accessibility check checks text again if its background has changed', async () => {
  expect(await barriersOf('<p>Paid</p>')).toEqual([])
  expect(await barriersOf('<section style="background: #222"><p>Paid</p></section>')).toEqual([
    'color-contrast: p',
  ])
})

test('the accessibility check reports text that has too little contrast only in dark mode', async () => {
  const { page, end } = await openPage(
    '<style>@media (prefers-color-scheme: dark) { p { color: #ddd } }</style><p>Paid</p>',
  )
  expect(await barriers(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await barriers(page, 'color')).toEqual(['color-contrast: p'])
  await end()
})

test('the accessibility check reports hidden text with too little contrast once the text becomes visible', async () => {
  const { page, end } = await openPage('<p hidden style="color: #bbb">Paid</p>')
  expect(await barriers(page)).toEqual([])
  await page.evaluate(() => document.querySelector('p')?.removeAttribute('hidden'))
  expect(await barriers(page)).toEqual(['color-contrast: p'])
  await end()
})

test('the accessibility check also reports violations unrelated to colors, such as an image without a text alternative', async () => {
  expect(await barriersOf('<img src="data:,">')).toEqual(['image-alt: img'])
})
