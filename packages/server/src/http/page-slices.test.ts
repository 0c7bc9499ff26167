import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { expect, onTestFinished, test } from 'vitest'
import { isPage, sendInSlices } from './page-slices.ts'

type Page = Parameters<typeof sendInSlices>[1]

/**
 * Returns the server's response. `turns` is the number of times that other code could run while the server built the
 * page.
 */
async function answered(page: Page, method = 'GET') {
  let turns = 0
  const koa = new Koa().use(async ctx => {
    let isMade = false
    const count = () => {
      if (isMade) return
      turns++
      setImmediate(count)
    }
    setImmediate(count)
    await sendInSlices(ctx, page)
    isMade = true
  })
  const server = koa.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { method })
  return { length: Number(response.headers.get('content-length')), text: await response.text(), turns }
}

const pageOf = (count: number, name: string): Page => ({
  items: Array.from({ length: count }, (_, n) => ({ id: `${n}`, name })),
  next_cursor: null,
})
const jsonOf = (page: Page) => JSON.stringify({ success: true, data: page })

test('a list page has the same JSON and Content-Length in one part or in several', async () => {
  for (const page of [
    pageOf(0, ''),
    pageOf(1, 'a'),
    pageOf(20, 'Toko “Budi”'),
    pageOf(40, '“é”'.repeat(5_000)),
  ]) {
    const { text, length } = await answered(page)
    expect(text).toBe(jsonOf(page))
    expect(length).toBe(Buffer.byteLength(text))
    expect(await answered(page, 'HEAD')).toMatchObject({ text: '', length })
  }
})

test('other requests are processed while a large list page is serialized', async () => {
  const { turns } = await answered(pageOf(40, 'x'.repeat(50_000)))
  expect(turns).toBeGreaterThan(10)
})

test.each([
  [null, false],
  ['items', false],
  [{ next_cursor: null }, false],
  [{ items: 3, next_cursor: null }, false],
  // A payment is not a page of a list, although it also has a field `items`. Its fields therefore stay in the order of
  // the API document.
  [{ id: '1', items: [], amount: 3 }, false],
  [{ items: [], next_cursor: null }, true],
])('the response data %j counts as a page of a list: %s', (data, expected) => {
  expect(isPage(data)).toBe(expected)
})
