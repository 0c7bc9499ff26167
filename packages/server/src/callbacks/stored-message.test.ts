// Tests how a callback's message is stored: when it is received, after it is applied, and when it is applied again.

import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, makeTenant, now } from '../../test/support/make.ts'
import { recordingApp } from '../../test/support/recording-app.ts'
import { MAX_COMPRESSED_BYTES } from '../compression/compress.ts'
import { storeUncompressed } from '../compression/compression-setting.ts'
import { createDb, type Db } from '../db/db.ts'
import { firstPage } from '../db/list-order.ts'
import { insertProviderAccount } from '../provider-accounts/provider-account.sql.ts'
import type { CallbackReading } from '../providers/provider.ts'
import { newId } from '../values/id.ts'
import { findCallback, insertCallbacks } from './callback.sql.ts'
import { listCallbacks } from './callback-list.sql.ts'
import { readMessages } from './callback-message.ts'
import { recordCallbacks } from './record-callbacks.ts'
import { reprocessCallback } from './reprocess-callback.ts'
import { compressMessage, withMessage } from './stored-message.ts'

const { db, url } = await testDatabase()
const owner = { tenantId: newId(), userId: newId() }
const headers = { 'content-type': 'application/json', 'user-agent': 'Veritrans' }
const body = Buffer.from(
  JSON.stringify({ order_id: 'order-1', transaction_status: 'settlement', note: 'x'.repeat(300) }),
)
const acknowledgement = { contentType: 'text/plain', body: 'OK' }
const unreadable: CallbackReading = {
  unreadable: { reason: 'amount is text', candidates: [], refusal: { status: 500, ...acknowledgement } },
}
const payment = await insertPendingPayment(db, { tenantId: await makeTenant(db), amount: 1_000n })
const paid: CallbackReading = {
  updates: [
    {
      ...{ reference: payment.paymentCode, providerPaymentId: 'p-1' },
      fact: { type: 'paid', amountPaid: 1_000n, paidAt: now, receipt: 'r-1' },
    },
  ],
  acknowledgement,
}

let reading: CallbackReading = paid
const { app: recording, state } = recordingApp(db)
state.provider = { readCallback: () => reading }
const appOn = (on: Db) => ({ ...recording, db: on })

const account = {
  id: payment.providerAccountId,
  providerCode: 'midtrans',
  mode: 'live',
  name: 'Midtrans',
} as const
const enabled = { baseUrl: null, enabled: true, callbackSources: [], inquireAbove: null }
await insertProviderAccount(db, { ...account, ...enabled, credentialsSealed: 'sealed' })

async function received(
  message: { headers: Record<string, string>; body: Buffer } = { headers, body },
): Promise<string> {
  const callback = { id: newId(), providerAccountId: payment.providerAccountId, receivedAt: now, path: '/v1' }
  await insertCallbacks(db, [{ ...callback, ...message, provider: 'midtrans', trace: null }])
  return callback.id
}
async function apply(id: string, on = db): Promise<void> {
  const callback = await findCallback(on, id)
  if (!callback) throw new Error('the callback is missing')
  const read = await readMessages(appOn(on), callback)
  await on.transaction(tx => recordCallbacks(appOn(on), tx, [read], { isFinal: true }))
}
const rowOf = async (id: string) =>
  (
    await db.raw(
      'select status, headers, body, message_compressed as compressed from provider_callbacks where id = ?',
      [id],
    )
  ).rows[0]
const plain = { headers, body, compressed: null }

test('compressing and decompressing a message does not change its headers or body', () => {
  const texts = fc.dictionary(fc.string(), fc.string({ unit: 'binary' }), { maxKeys: 5 })
  fc.assert(
    fc.property(texts, fc.uint8Array({ maxLength: 2_000 }), (named, sent) => {
      const message = { headers: { ...named, ...headers }, body: Buffer.from(sent) }
      const compressed = compressMessage(message)
      if (compressed === null) return
      const read = withMessage({ headers: null, body: null, compressed })
      expect(read.body.equals(message.body)).toBe(true)
      expect(read.headers).toEqual(JSON.parse(JSON.stringify(message.headers)))
    }),
  )
})

test('a callback is stored uncompressed until it is applied, and compressed afterward', async () => {
  const id = await received()
  expect(await rowOf(id)).toEqual({ status: 'received', ...plain })
  await apply(id)
  const applied = await rowOf(id)
  expect(applied).toMatchObject({ headers: null, body: null, compressed: expect.any(Buffer) })
  expect(applied.compressed.length).toBeLessThan(body.length)
})

test('reading a compressed callback returns its original headers and body', async () => {
  const id = await received()
  await apply(id)
  expect(await findCallback(db, id)).toMatchObject({ headers, body })
  const filter = { provider: null, providerAccountId: null, mode: null, status: null, paymentId: payment.id }
  const listed = await listCallbacks(db, filter, firstPage(), 100)
  expect(listed.find(each => each.id === id)).toMatchObject({ headers, body, bodyBytes: body.length })
  expect((await rowOf(id)).body).toBeNull()
})

test('a compressed callback can be reprocessed, and stays compressed in the database', async () => {
  const id = await received()
  await apply(id)
  let read: unknown
  state.provider = {
    readCallback: (_: unknown, message: unknown) => {
      read = message
      return reading
    },
  }
  const result = await reprocessCallback(recording, owner, id, { dryRun: false })
  state.provider = { readCallback: () => reading }
  expect(result.status).toBe('repeated')
  expect(read).toMatchObject({ headers, body })
  expect((await rowOf(id)).compressed).toEqual(expect.any(Buffer))
})

test('an unreadable callback is stored uncompressed, so that a previous release can read it', async () => {
  reading = unreadable
  onTestFinished(() => {
    reading = paid
  })
  const id = await received()
  await apply(id)
  expect(await rowOf(id)).toEqual({ status: 'unreadable', ...plain })
})

test('if this version can no longer parse a compressed callback, the callback is listed as unreadable', async () => {
  const message = { headers, body: Buffer.from(`${body}once`) }
  const id = await received(message)
  await apply(id)
  reading = unreadable
  onTestFinished(() => {
    reading = paid
  })
  const result = await reprocessCallback(recording, owner, id, { dryRun: true })
  expect(result.status).toBe('unreadable')
})

test('a callback too large for compression is stored uncompressed', async () => {
  const long = { headers, body: Buffer.alloc(MAX_COMPRESSED_BYTES + 1, 'x') }
  const id = await received(long)
  await apply(id)
  const stored = await rowOf(id)
  expect(stored).toMatchObject({ headers, compressed: null })
  expect(stored.body.equals(long.body)).toBe(true)
})

test('a process configured to store messages uncompressed can still read compressed callbacks', async () => {
  const uncompressed = createDb(url, { max: 2 })
  onTestFinished(() => uncompressed.destroy())
  storeUncompressed([uncompressed])
  const [id, compressed] = [await received(), await received()]
  await apply(compressed)
  await apply(id, uncompressed)
  expect(await rowOf(id)).toMatchObject(plain)
  expect(await findCallback(uncompressed, compressed)).toMatchObject({ headers, body })
})
