// Tests that the operator can apply a stored callback again, and that a dry run previews the changes.

import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, makeTenant, now } from '../../test/support/make.ts'
import { recordingApp } from '../../test/support/recording-app.ts'
import { GatewayError } from '../faults/errors.ts'
import { findBalance } from '../ledger/ledger.sql.ts'
import { findPaymentInBatch } from '../payments/payment.sql.ts'
import type { Payment } from '../payments/payment.ts'
import {
  type CallbackReading,
  type Inquiry,
  type InquiryResult,
  ProviderError,
  type ProviderUpdate,
} from '../providers/provider.ts'
import { newId } from '../values/id.ts'
import { insertCallbacks, updateCallbacks } from './callback.sql.ts'
import { digestOf } from './callback-message.ts'
import { reprocessCallback } from './reprocess-callback.ts'
import { insertUnreadable } from './unreadable-callback.sql.ts'

const { db } = await testDatabase()
const owner = { tenantId: newId(), userId: newId() }

let { app, state } = recordingApp(db)
let reading: CallbackReading
let response: (inquiry: Inquiry) => Promise<InquiryResult>
let tenantId: string
let payment: Payment
beforeEach(async () => {
  ;({ app, state } = recordingApp(db))
  state.provider = {
    readCallback: () => reading,
    inquire: (_: unknown, inquiry: Inquiry) => response(inquiry),
  }
  response = async () => 'absent'
  tenantId = await makeTenant(db)
  payment = await insertPendingPayment(db, { tenantId, amount: 1_000n })
  updates(paid)
})

const acknowledgement = { contentType: 'text/plain', body: 'OK' }
const paid = { type: 'paid', amountPaid: 1_000n, paidAt: now, receipt: 'r-1' } as const
function updates(fact: ProviderUpdate['fact'], reference = payment.paymentCode) {
  reading = { updates: [{ reference, providerPaymentId: 'p-1', fact }], acknowledgement }
}
/** Stores a callback that the adapter could not parse. */
async function unreadable(): Promise<string> {
  const source = { id: newId(), providerAccountId: payment.providerAccountId, receivedAt: now }
  const callback = { ...source, path: '/v1', headers: {}, body: Buffer.from(source.id) }
  await insertCallbacks(db, [{ ...callback, provider: 'midtrans', trace: null }])
  await db.transaction(async tx => {
    const outcome = {
      id: source.id,
      status: 'unreadable',
      reason: 'amount',
      tenantId: null,
      paymentId: null,
    } as const
    await updateCallbacks(tx, [outcome], now)
    await insertUnreadable(tx, [{ id: source.id, digest: digestOf(callback) }])
  })
  return source.id
}
const reprocess = (id: string, dryRun = false) => reprocessCallback(app, owner, id, { dryRun })
const statusOf = async (id: string) =>
  (await db.raw('select status from provider_callbacks where id = ?', [id])).rows[0].status
const isWaiting = async (id: string) =>
  (await db.raw('select from unreadable_callbacks where callback_id = ?', [id])).rows.length > 0
const audited = async (id: string) =>
  (
    await db.raw(
      'select actor_user_id, tenant_id, action, before, after from audit_log where subject_id = ?',
      [id],
    )
  ).rows
const balance = () => findBalance(db, tenantId, 'live')
const stored = async (): Promise<Payment> =>
  (await findPaymentInBatch(db, tenantId, payment.id, null)) as Payment

describe('a callback that was stored as unreadable can be reprocessed once the service can parse it', () => {
  const outcome = { status: 'applied', reason: null, from: 'pending', to: 'paid' }

  test('reprocessing an unreadable callback applies it, and the audit log entry contains the user who reprocessed it', async () => {
    const id = await unreadable()
    expect(await reprocess(id)).toEqual({ id, ...outcome, tenantId, paymentId: payment.id })
    expect(await balance()).toBe(1_000n)
    expect(await statusOf(id)).toBe('applied')
    expect(await isWaiting(id)).toBe(false)
    expect(await audited(id)).toEqual([
      {
        ...{ actor_user_id: owner.userId, tenant_id: tenantId, action: 'callback.reprocess' },
        before: { payment_id: payment.id, status: 'pending' },
        after: { payment_id: payment.id, status: 'paid', outcome: 'applied' },
      },
    ])
  })

  test('a dry run of reprocessing a callback shows what would change but changes nothing', async () => {
    const id = await unreadable()
    expect(await reprocess(id, true)).toMatchObject(outcome)
    expect(await stored()).toEqual(payment)
    expect(await balance()).toBe(0n)
    expect(await statusOf(id)).toBe('unreadable')
    expect(await isWaiting(id)).toBe(true)
    expect(await audited(id)).toEqual([])
  })

  test('a reprocessed callback that matches no payment gets its final status at once, without waiting in the queue', async () => {
    const id = await unreadable()
    reading = { updates: [{ reference: null, providerPaymentId: 'none', fact: paid }], acknowledgement }
    const reason = expect.stringContaining('its money waits for the Owner')
    expect(await reprocess(id)).toMatchObject({ status: 'unmatched', reason, paymentId: null })
    expect(await statusOf(id)).toBe('unmatched')
    expect(await isWaiting(id)).toBe(false)
  })
})

test('a reprocessed callback that still cannot be parsed stays in the list of unreadable callbacks', async () => {
  const id = await unreadable()
  reading = { unreadable: { reason: 'amount', candidates: [], refusal: { status: 500, ...acknowledgement } } }
  expect(await reprocess(id)).toMatchObject({ status: 'unreadable', reason: 'amount' })
  expect(await isWaiting(id)).toBe(true)
})

test('reprocessing a callback with an unknown ID fails with a NOT_FOUND error that contains the ID', async () => {
  for (const id of ['none', newId()])
    await expect(reprocess(id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining(id),
    })
})

describe('a callback that needs a status inquiry can be reprocessed', () => {
  beforeEach(() => updates({ type: 'unproven', reason: 'not signed' }))

  test('reprocessing a stored callback first sends its status inquiry, then applies the result to the payment', async () => {
    response = async ({ reference }) => ({ reference, providerPaymentId: 'p-1', fact: paid })
    expect(await reprocess(await unreadable())).toMatchObject({ status: 'applied', to: 'paid' })
    expect(await balance()).toBe(1_000n)
  })

  test('if the provider does not respond, reprocessing a callback fails with an error naming the provider', async () => {
    response = async () => {
      throw new ProviderError('unknown', 'no answer within 10 s')
    }
    const id = await unreadable()
    await expect(reprocess(id)).rejects.toMatchObject({
      code: 'PROVIDER_ERROR',
      message: expect.stringMatching(/midtrans.*did not respond/),
    })
    expect(await statusOf(id)).toBe('unreadable')
    expect(await stored()).toEqual(payment)
  })

  test('an internal error while reprocessing a callback is not attributed to the provider', async () => {
    const id = await unreadable()
    const { accountOf } = app
    let inquired = 0
    // Makes the provider account disappear after the callback is parsed but before the status inquiry is sent.
    app.accountOf = async account => (++inquired === 2 ? (undefined as never) : accountOf(account))
    await expect(reprocess(id)).rejects.toSatisfy(error => !(error instanceof GatewayError))
  })
})

test('a dry run of reprocessing a callback releases its database connection', async () => {
  const id = await unreadable()
  for (let n = 0; n < 12; n++) await reprocess(id, true)
  expect(await stored()).toEqual(payment)
})
