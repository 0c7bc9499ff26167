// Opens each kind of documentation page in both languages, in a wide and a narrow window. With PICTURES=1, stores a
// screenshot of each page in test-output/docs.

import { expect, test } from 'vitest'
import { overflow, takePicture, visit } from './browser.ts'

const windows = [
  { width: 1280, height: 860 },
  { width: 390, height: 844 },
]
const languages = [
  { base: '/docs', code: 'en', search: 'Search', query: 'refund' },
  { base: '/docs/id', code: 'id', search: 'Cari', query: 'webhook' },
]
const paths = ['', '/quick-start', '/webhooks', '/reference', '/reference/payments', '/no-such-page']
const nameOf = (path: string) => path.slice(1).replace('/', ', ') || 'home'

test.each(
  languages.flatMap(language => paths.map(path => [language.base + path, nameOf(path), language.code])),
)('the documentation page %s fits windows of 1280 and 390 pixels', async (path, name, code) => {
  const { page, end } = await visit(path, { colorScheme: 'light' })
  for (const size of windows) {
    await page.setViewportSize(size)
    await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))))
    expect(await overflow(page)).toBe(0)
    await takePicture(page, 'docs', `${name}, ${code}, ${size.width}`)
  }
  await end()
})

test.each(languages)(
  'the documentation’s search results fit windows of 1280 and 390 pixels on the site at $base',
  async language => {
    for (const size of windows) {
      const { page, end } = await visit(`${language.base}/webhooks`, { viewport: size, colorScheme: 'light' })
      await page.getByRole('button', { name: language.search }).click()
      await page.keyboard.type(language.query)
      await page.getByRole('option').first().waitFor()
      expect(await overflow(page)).toBe(0)
      await takePicture(page, 'docs', `search, ${language.code}, ${size.width}`, { whole: false })
      await end()
    }
  },
)
