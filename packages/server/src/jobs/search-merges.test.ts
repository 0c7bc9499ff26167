import { expect, test, vi } from 'vitest'
import { asOwner, testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, makeTenant } from '../../test/support/make.ts'
import type { Db } from '../db/db.ts'
import { createLog } from '../logging/log.ts'
import { mergeSearchIndex } from '../payments/read/merge-search-index.sql.ts'
import { startSearchMerges } from './search-merges.ts'

const { db } = await testDatabase()
const tenantId = await makeTenant(db)
const { id } = await insertPendingPayment(db, { tenantId })

/** Creates copies of the payment whose payment codes and customer names contain different words. */
const createCopies = (count: number) =>
  asOwner(db, owner =>
    owner.raw(
      `insert into payments
       select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'idempotency_key', gen_random_uuid(),
         'payment_code', 'GP261120-' || upper(substr(md5(n::text), 1, 10)),
         'customer_name', md5(n || 'a') || ' ' || md5(n || 'b') || ' ' || md5(n || 'c')))).*
       from payments p, generate_series(1, ?) n where p.id = ?`,
      [count, id],
    ),
  )
/**
 * Merges the list of new words, which are not in the search index yet, into the index. Returns the size of
 * this list before the merge, in bytes.
 */
async function bytesToMerge(): Promise<number> {
  const { rows } = await asOwner(db, owner =>
    owner.raw(`select gin_clean_pending_list('payment_search_by_period') * 8192 as bytes`),
  )
  return Number(rows[0].bytes)
}
const merge = async () => (await db.raw('select merge_search_index() as merged')).rows[0].merged

test('after the service has merged new words into the search index, no words are left to merge', async () => {
  await createCopies(5)
  await mergeSearchIndex(db)
  expect(await bytesToMerge()).toBe(0)
  await createCopies(5)
  expect(await bytesToMerge()).toBeGreaterThan(0)
})

test('if one process is merging new words into the search index, a second process skips the merge', async () => {
  await createCopies(5)
  await db.transaction(async tx => {
    await tx.raw(`select pg_advisory_xact_lock(hashtext('gapura_search_merges'))`)
    expect(await merge()).toBe(false)
  })
  expect(await bytesToMerge()).toBeGreaterThan(0)
})

test('while the database is unavailable, merging search words is retried, and only the first error is logged', async () => {
  const raw = vi.fn().mockRejectedValue(new Error('connection refused'))
  const warn = vi.fn()
  const unavailable = { client: { config: {} }, raw } as unknown as Db
  const merges = startSearchMerges({ db: unavailable, log: Object.assign(createLog('silent'), { warn }) })
  await expect.poll(() => raw.mock.calls.length).toBeGreaterThan(2)
  await merges.stop()
  expect(warn).toHaveBeenCalledTimes(1)
})
