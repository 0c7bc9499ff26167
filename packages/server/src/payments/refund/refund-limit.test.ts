// Tests the maximum number of refunds that a merchant can create for one payment.

import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { refundScene } from '../../../test/support/refund-scene.ts'
import { newId } from '../../values/id.ts'
import { createRefund } from './create-refund.ts'

const { db } = await testDatabase()

let scene: ReturnType<typeof refundScene>
beforeEach(async () => {
  scene = refundScene(db)
  await scene.begin()
  await scene.receive(100_000n, 'r-1')
})

const request = (idempotencyKey: string = newId()) =>
  createRefund(
    scene.app,
    { ...scene.key(), mode: 'live' },
    idempotencyKey,
    { amount: 100 },
    { byUser: false, unprovenUpTo: null },
  )

test('a merchant can create at most 100 refunds of a payment, including failed refunds', async () => {
  scene.respond = () => ({ type: 'refused', reason: 'not possible', isRetriable: false })
  const first = newId()
  await request(first)
  scene.respond = () => ({ type: 'succeeded', id: newId() })
  for (let n = 1; n < 100; n++) await request()
  await expect(request()).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('at most 100 refunds, including failed ones'),
  })
  expect(await scene.refunds()).toHaveLength(100)
  expect(await request(first)).toMatchObject({ isReplayed: true, refund: { status: 'failed' } })
  // A refund that the provider reports is recorded nevertheless, because the money has left the balance.
  await scene.report({ kind: 'refund', id: 'rp-1', amount: 100n, status: 'succeeded' })
  expect(await scene.refunds()).toHaveLength(101)
  // The database also rejects a further refund of the merchant.
  await expect(
    db.raw(
      `insert into refunds select (jsonb_populate_record(r, :changes)).* from refunds r
       where r.payment_id = :paymentId and r.number = 2`,
      {
        paymentId: scene.payment.id,
        changes: JSON.stringify({ id: newId(), number: 900, reference: newId(), idempotency_key: newId() }),
      },
    ),
  ).rejects.toMatchObject({ constraint: 'refunds_are_limited' })
})
