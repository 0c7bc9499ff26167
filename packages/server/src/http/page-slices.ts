// Sends a large list page in slices of JSON text, so that other requests are processed between the slices. A slice is
// sent only when the connection has accepted the previous slice.

import { Readable } from 'node:stream'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import type { Context as KoaContext } from 'koa'

/**
 * The size of the slices in which a large list page is sent, in characters of JSON. An ordinary list page
 * fits into one slice.
 */
const SLICE = 64 * 1024

type Page = { items: unknown[]; next_cursor: unknown; [field: string]: unknown }

/**
 * Returns whether the response data is a page of a list. A payment also has a field `items`, but no field
 * `next_cursor`, so it is not a list page.
 */
export const isPage = (data: unknown): data is Page =>
  typeof data === 'object' &&
  data !== null &&
  'next_cursor' in data &&
  Array.isArray((data as Partial<Page>).items)

/**
 * Sends a list page in several parts (slices), so that other requests can run in between. The response has the
 * usual JSON envelope (envelope.ts).
 */
export async function sendInSlices(ctx: KoaContext, page: Page): Promise<void> {
  const slices = await slicesOf(page)
  ctx.status = 200
  ctx.type = 'application/json'
  if (slices.length === 1) {
    ctx.body = slices[0]
    return
  }
  const chunks = slices.map(slice => Buffer.from(slice))
  ctx.body = Readable.from(chunks)
  ctx.length = chunks.reduce((sum, { length }) => sum + length, 0)
}

async function slicesOf({ items, ...others }: Page): Promise<string[]> {
  const slices: string[] = []
  let slice = '{"success":true,"data":{"items":['
  for (const [n, item] of items.entries()) {
    if (slice.length >= SLICE) {
      slices.push(slice)
      slice = ''
      await endOfTurn()
    }
    slice += (n > 0 ? ',' : '') + JSON.stringify(item)
  }
  const rest = Object.entries(others).map(
    ([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`,
  )
  return [...slices, `${slice}]${rest.join('')}}}`]
}
