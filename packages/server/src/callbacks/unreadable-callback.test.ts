import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { later, now } from '../../test/support/make.ts'
import { newId } from '../values/id.ts'
import { insertCallbacks, updateCallbacks } from './callback.sql.ts'
import { digestOf } from './callback-message.ts'
import {
  countUnreadableRepeat,
  findPendingInquiry,
  insertUnreadable,
  recordInquiry,
  requeueUnreadableInquiries,
} from './unreadable-callback.sql.ts'

const { db } = await testDatabase()
const providerAccountId = newId()
const dropJobs = () => db.raw('delete from graphile_worker._private_jobs')
beforeEach(dropJobs)

/** Stores callbacks and adds them to the list of unreadable callbacks. Returns their IDs. */
async function kept(...bodies: string[]): Promise<string[]> {
  const callbacks = bodies.map(body => ({
    ...{ id: newId(), providerAccountId, provider: 'midtrans', path: '/v1', headers: {}, trace: null },
    ...{ body: Buffer.from(body), receivedAt: now },
  }))
  await insertCallbacks(db, callbacks)
  const ids = callbacks.map(({ id }) => id)
  await db.transaction(async tx => {
    const outcome = { status: 'unreadable', reason: 'amount', tenantId: null, paymentId: null } as const
    await updateCallbacks(
      tx,
      ids.map(id => ({ id, ...outcome })),
      now,
    )
    await insertUnreadable(
      tx,
      callbacks.map(each => ({ id: each.id, digest: digestOf(each) })),
    )
  })
  return ids
}
const statusesOf = async (ids: string[]): Promise<string[]> =>
  (await db.raw('select status from provider_callbacks where id = any(?) order by id', [ids])).rows.map(
    ({ status }: { status: string }) => status,
  )
const inquiries = async (): Promise<string[]> =>
  (
    await db.raw(
      `select key from graphile_worker.jobs where task_identifier = 'inquire_unreadable' order by key`,
    )
  ).rows.map(({ key }: { key: string }) => key)
const jobOf = (id: string | undefined) => `unreadable ${id}`
const done = (callbackId: string, inquiredAt: Date | null) =>
  recordInquiry(db, {
    ...{ callbackId, inquiredAt, lastReceivedAt: now, reason: 'asked', tenantId: null, paymentId: null },
  })

test('only one of several identical unreadable callbacks is listed, even if they arrive together', async () => {
  const together = await kept('a', 'a')
  expect((await statusesOf(together)).sort()).toEqual(['repeated', 'unreadable'])
  expect(await statusesOf(await kept('a'))).toEqual(['repeated'])
  const { rows } = await db.raw('select repeats from unreadable_callbacks where provider_account_id = ?', [
    providerAccountId,
  ])
  expect(rows).toEqual([{ repeats: 1 }])
})

test('an unreadable callback that arrives again is listed once but causes another status inquiry', async () => {
  const [id = ''] = await kept('b')
  await done(id, now)
  await dropJobs()
  const repeats = (account: string, path: string, body: string) =>
    countUnreadableRepeat(db, {
      providerAccountId: account,
      digest: digestOf({ path, body: Buffer.from(body) }),
      at: later(1),
    })
  expect(await repeats(newId(), '/v1', 'b')).toBe(false)
  expect(await repeats(providerAccountId, '/v2', 'b')).toBe(false)
  expect(await repeats(providerAccountId, '/v1', 'B')).toBe(false)
  expect(await inquiries()).toEqual([])
  expect(await repeats(providerAccountId, '/v1', 'b')).toBe(true)
  expect(await inquiries()).toEqual([jobOf(id)])
  expect(await findPendingInquiry(db, id)).toEqual({ lastReceivedAt: later(1) })
})

test('if an unreadable callback is received again during its status inquiry, another inquiry is sent afterward', async () => {
  const [id = ''] = await kept('c')
  await countUnreadableRepeat(db, {
    providerAccountId,
    digest: digestOf({ path: '/v1', body: Buffer.from('c') }),
    at: later(5),
  })
  await done(id, now)
  expect(await findPendingInquiry(db, id)).toEqual({ lastReceivedAt: later(5) })
})

test('a lost status inquiry job for an unreadable callback is queued again unless the inquiry was made', async () => {
  const [lost = '', queued = '', inquired = ''] = await kept('d', 'e', 'f')
  await done(inquired, now)
  await db.raw('delete from graphile_worker._private_jobs where key <> ?', [jobOf(queued)])
  await requeueUnreadableInquiries(db, now, 100)
  expect(await inquiries()).toEqual([jobOf(queued)])
  await requeueUnreadableInquiries(db, later(1), 100)
  expect(await inquiries()).toContain(jobOf(lost))
  expect(await inquiries()).not.toContain(jobOf(inquired))
})
