// Tests that the Owner (the operator's tenant) can list very large callbacks, which a provider or an attacker could
// send.

import { expect, test } from 'vitest'
import { insertCallbacks, insertRejectedCallback } from '../../src/callbacks/callback.sql.ts'
import { MAX_PAGE_BYTES } from '../../src/fairness/page-size-limit.ts'
import { newId } from '../../src/values/id.ts'
import { testApp } from '../support/app.ts'
import { managersOf } from '../support/management-api.ts'
import { merchantWith } from '../support/merchant-of-provider.ts'

const { app, demo } = await testApp({ worker: false })
const { owner } = await managersOf(demo)
const shop = await merchantWith(app, demo, 'midtrans')

const COUNT = 60
/**
 * How many bytes a page may have in addition to MAX_PAGE_BYTES, which does not count the JSON around the
 * callbacks.
 */
const ENVELOPE_BYTES = 2_000

const sent = () => ({
  providerAccountId: shop.accountId,
  path: '/v1/callbacks',
  headers: { 'content-type': 'text/plain' },
  body: Buffer.alloc(16_384, 'x'),
})

const lists = {
  '/v1/provider-callbacks': () =>
    insertCallbacks(
      app.db,
      Array.from({ length: COUNT }, () => ({
        ...sent(),
        id: newId(),
        provider: 'midtrans',
        receivedAt: new Date(),
        trace: null,
      })),
    ),
  '/v1/provider-callbacks/rejected': async () => {
    for (let n = 0; n < COUNT; n++)
      await insertRejectedCallback(app.db, { ...sent(), reason: 'the signature is wrong' })
  },
}

test.each(Object.entries(lists))(
  'each page of the callback list %s has at most 512 KiB, and the pages together contain each callback once',
  async (path, insert) => {
    await insert()
    const seen: string[] = []
    let cursor: string | null = ''
    let pages = 0
    for (; cursor !== null; pages++) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`
      const answer = await owner('GET', `${path}?limit=100&provider_account_id=${shop.accountId}${after}`)
      expect(answer.status, answer.text).toBe(200)
      expect(answer.text.length).toBeLessThan(MAX_PAGE_BYTES + ENVELOPE_BYTES)
      seen.push(...answer.data.items.map(({ id }: { id: string }) => id))
      cursor = answer.data.next_cursor
    }
    expect(pages).toBeGreaterThan(1)
    expect(new Set(seen).size).toBe(COUNT)
    expect(seen).toHaveLength(COUNT)
  },
)
