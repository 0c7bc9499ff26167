import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { makeTenant } from '../../../test/support/make.ts'
import { loadSecrets } from '../../secrets/secrets.ts'
import { firstIdAt } from '../../values/id.ts'
import { after } from '../../values/time.ts'
import { insertEvents } from '../event.sql.ts'
import { testEvent } from '../event.ts'
import { listenForEvents } from './listen.ts'

const { db } = await testDatabase()
const secrets = await loadSecrets(db, { masterKey: Buffer.alloc(32, 1) })
const app = { db, secrets, clock: () => new Date() }
const HOUR_MS = 3_600_000

let tenantId: string
beforeEach(async () => {
  tenantId = await makeTenant(db)
})

/** Stores an event whose ID contains the time `ms` milliseconds from now, and returns this ID. */
async function insertEvent(ms: number): Promise<string> {
  const at = after(new Date(), ms)
  const event = { ...testEvent(tenantId, at), id: firstIdAt(at) }
  await db.transaction(tx => insertEvents(tx, [event]))
  return event.id
}

async function hear(afterId: string): Promise<{ ids: string[]; afterId: string }> {
  const reader = { owner: tenantId, onReceived: () => {} }
  const wait = { waitMs: 0, stopping: AbortSignal.abort() }
  const { events, afterId: next } = await listenForEvents(app, reader, afterId, wait)
  return { ids: events.map(({ id }) => id), afterId: next }
}

describe('after the clocks are set back, a listener still gets each new event once', () => {
  test('a new event whose id is smaller than the position of the listener is returned once', async () => {
    const lastHeard = await insertEvent(HOUR_MS)
    const id = await insertEvent(-2_000)
    const heard = await hear(lastHeard)
    expect(heard.ids).toEqual([id])
    expect((await hear(heard.afterId)).ids).toEqual([])
  })

  test('a response without events contains a position that is not ahead of the clock', async () => {
    const { ids, afterId } = await hear(firstIdAt(after(new Date(), HOUR_MS)))
    expect(ids).toEqual([])
    expect(afterId < firstIdAt(new Date())).toBe(true)
    const id = await insertEvent(-2_000)
    expect((await hear(afterId)).ids).toEqual([id])
  })
})

test('a listener gets an event whose id is ahead of the clock only after the time in the id', async () => {
  const start = firstIdAt(after(new Date(), -HOUR_MS))
  await insertEvent(HOUR_MS)
  const id = await insertEvent(-2_000)
  expect((await hear(start)).ids).toEqual([id])
})
