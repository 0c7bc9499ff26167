import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { makePayment, makeTenant } from '../../test/support/make.ts'
import { bankAccount, refundScene } from '../../test/support/refund-scene.ts'
import type { MethodData } from '../payments/method.ts'
import { insertPaymentInBatch } from '../payments/payment.sql.ts'
import type { PaymentEvent } from '../payments/payment.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { createRefund } from '../payments/refund/create-refund.ts'
import { resolveRefund } from '../payments/refund/resolve-refund.ts'
import { firstIdAt, newId } from '../values/id.ts'
import { after } from '../values/time.ts'
import { changesSince } from './live-change.ts'
import {
  listRecentChanges,
  MAX_ROWS_PER_KIND,
  pollRowsOfOwner,
  pollRowsOfTenants,
} from './polled-rows.sql.ts'

const { db } = await testDatabase()

/** Creates a payment ten minutes ago whose charge outcome is unknown. Returns a function that records its events. */
async function unknownPayment() {
  const tenantId = await makeTenant(db)
  const createdAt = after(new Date(), -10 * 60_000)
  const payment = makePayment({ tenantId, id: firstIdAt(createdAt), createdAt, updatedAt: createdAt })
  await insertPaymentInBatch(db, { ...payment, status: 'charging', transitionCount: 0, methodData: null })
  const record = (event: PaymentEvent, at: Date) =>
    db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId: payment.id, event, cause: 'inquiry' }], at))
  await record({ type: 'outcome_unknown', reason: 'no response', nextCheckAt: new Date() }, createdAt)
  const accept = (at: Date) =>
    record(
      {
        type: 'accepted',
        methodData: payment.methodData as MethodData,
        providerPaymentId: payment.providerPaymentId as string,
      },
      at,
    )
  return { payment, record, accept }
}

test('the live feed reports a payment that a provider accepts long after its creation', async () => {
  const { payment, accept } = await unknownPayment()
  const { tenantId, id } = payment
  const poll = async () => (await pollRowsOfTenants(db, [tenantId])).get(tenantId) ?? []
  const before = await poll()
  expect(before).toEqual([])
  await accept(new Date())
  const changed = await poll()
  expect(changesSince(before, changed)).toEqual([{ kind: 'payment', id, payment_id: null }])
  expect(changesSince(changed, await poll())).toEqual([])
})

test('recent changes include an older payment that was accepted or paid within the period', async () => {
  const { payment, record, accept } = await unknownPayment()
  const { tenantId, id } = payment
  const kinds = async (ms: number) => (await listRecentChanges(db, tenantId, ms)).map(({ kind }) => kind)
  await accept(after(new Date(), -20_000))
  expect(await kinds(0)).toEqual([])
  expect(await kinds(15_000)).toEqual(['payment'])
  await record({ type: 'paid', amountPaid: 10_000_000n, paidAt: new Date(), reference: 'r' }, new Date())
  const changes = await listRecentChanges(db, tenantId, 0)
  expect(changes).toEqual([
    { kind: 'payment', id, payment_id: null },
    { kind: 'delivery', id: expect.any(String), payment_id: id },
  ])
  const stranger = await makeTenant(db)
  expect(await listRecentChanges(db, stranger, 60_000)).toEqual([])
})

/** Inserts a callback that was received `secondsAgo` and is not processed yet. Returns its ID. */
async function insertCallback(secondsAgo: number): Promise<string> {
  const receivedAt = after(new Date(), -secondsAgo * 1_000)
  const id = firstIdAt(receivedAt)
  await db.raw(
    `insert into provider_callbacks (id, provider_account_id, provider, received_at, headers, body)
     values (?, ?, 'midtrans', ?, '{}', '')`,
    [id, newId(), receivedAt],
  )
  return id
}
const ignoreCallback = (id: string) =>
  db.raw(`update provider_callbacks set status = 'ignored', processed_at = now() where id = ?`, [id])

test("the Owner's live feed reports a processed callback, even if it was received long before", async () => {
  const id = await insertCallback(60)
  const before = await pollRowsOfOwner(db)
  await ignoreCallback(id)
  const changed = { kind: 'callback', id, payment_id: null }
  expect(changesSince(before, await pollRowsOfOwner(db))).toContainEqual(changed)
})

test("the Owner's live feed reports only the newest of very many waiting callbacks when they are processed", async () => {
  const newest = await insertCallback(60)
  const oldest = await insertCallback(3_600)
  for (let n = 1; n < MAX_ROWS_PER_KIND; n++) await insertCallback(60 + n)
  const before = await pollRowsOfOwner(db)
  await ignoreCallback(oldest)
  expect(changesSince(before, await pollRowsOfOwner(db))).toEqual([])
  await ignoreCallback(newest)
  const changes = changesSince(before, await pollRowsOfOwner(db))
  expect(changes).toEqual([{ kind: 'callback', id: newest, payment_id: null }])
})

test("the Owner's live feed reports a merchant's refund when it is created and when it is finished", async () => {
  const scene = refundScene(db)
  await scene.begin()
  // The provider cannot make the refund, so the refund stays pending until the Owner has transferred the
  // money to the payer.
  scene.terms = undefined
  await scene.receive(100_000n, 'r-1')
  const before = await pollRowsOfOwner(db)
  const { refund } = await createRefund(
    scene.app,
    { ...scene.key(), mode: 'live' },
    newId(),
    { bank_account: bankAccount },
    { byUser: false, unprovenUpTo: null },
  )
  const pending = await pollRowsOfOwner(db)
  const change = { kind: 'refund', id: refund.id, payment_id: scene.payment.id }
  expect(changesSince(before, pending)).toContainEqual(change)
  await resolveRefund(scene.app, null, refund.id, {
    ...{ outcome: 'succeeded', bank_reference: 'b-1' },
  })
  expect(changesSince(pending, await pollRowsOfOwner(db))).toContainEqual(change)
})
