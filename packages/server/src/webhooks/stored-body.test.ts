import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { makeTenant, now } from '../../test/support/make.ts'
import { storeUncompressed } from '../compression/compression-setting.ts'
import { createDb } from '../db/db.ts'
import { firstIdAt, LAST_ID } from '../values/id.ts'
import { findSentDelivery } from './delivery/delivery.sql.ts'
import { insertEvents } from './event.sql.ts'
import { testEvent } from './event.ts'
import { listTestModeEvents } from './listen/listen.sql.ts'
import { withBody } from './stored-body.ts'

const { db, url } = await testDatabase()
const tenantId = await makeTenant(db)

async function inserted(on = db, change: { body?: string } = {}) {
  const event = { ...testEvent(tenantId, new Date(now.getTime() - 60_000)), ...change }
  await on.transaction(tx => insertEvents(tx, [event]))
  const { rows } = await db.raw(
    'select body, body_compressed as "bodyCompressed" from webhook_events where id = ?',
    [event.id],
  )
  return { event, stored: rows[0] }
}

test('a webhook event’s body is stored compressed, and reading it returns exactly the bytes that are signed', async () => {
  const { event, stored } = await inserted()
  expect(stored).toEqual({ body: null, bodyCompressed: expect.any(Buffer) })
  expect(stored.bodyCompressed.length).toBeLessThan(event.body.length / 2)
  expect((await findSentDelivery(db, tenantId, event.id))?.body).toBe(event.body)
  const all = { afterId: firstIdAt(new Date(0)), beforeId: LAST_ID }
  const heard = await listTestModeEvents(db, tenantId, all, 100)
  expect(heard.find(({ id }) => id === event.id)?.body).toBe(event.body)
})

test('a webhook body that compression would not shorten is stored uncompressed', async () => {
  const { event, stored } = await inserted(db, { body: '{}' })
  expect(stored).toEqual({ body: '{}', bodyCompressed: null })
  expect((await findSentDelivery(db, tenantId, event.id))?.body).toBe('{}')
})

test("a process set to store messages uncompressed stores a webhook event's body as plain text", async () => {
  const uncompressed = createDb(url, { max: 2 })
  onTestFinished(() => uncompressed.destroy())
  storeUncompressed([uncompressed])
  const { event, stored } = await inserted(uncompressed)
  expect(stored).toEqual({ body: event.body, bodyCompressed: null })
})

test('reading a stored webhook event that has no body throws an error', () => {
  expect(() => withBody({ body: null, bodyCompressed: null })).toThrow(
    'neither a plain nor a compressed body',
  )
})
