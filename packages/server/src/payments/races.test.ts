// Tests races between processes. A process that read a payment earlier must never overwrite what another process
// has since recorded.

import { beforeEach, expect, test } from 'vitest'
import { alwaysHealthy } from '../../test/support/always-healthy.ts'
import { testDatabase } from '../../test/support/database.ts'
import {
  insertPendingPayment,
  later,
  makePayment,
  makeTenant,
  noCallbackRules,
  now,
} from '../../test/support/make.ts'
import { createLog } from '../logging/log.ts'
import { midtrans } from '../providers/midtrans/midtrans.ts'
import {
  type AcceptedCharge,
  type Inquiry,
  type InquiryResult,
  ProviderError,
} from '../providers/provider.ts'
import { newId } from '../values/id.ts'
import { chargePayment } from './create/charge-payment.ts'
import { inquireAndRecord } from './inquire/inquire-and-record.ts'
import { postponeCheckInBatch } from './inquire/next-check.sql.ts'
import { duePaymentSweep } from './inquire/sweep-due-payments.ts'
import { findPaymentInBatch, insertPaymentInBatch } from './payment.sql.ts'
import type { Payment, PaymentEvent } from './payment.ts'
import type { EventToRecord, RecordInBatch } from './record/event-batch.ts'
import { recordEvents } from './record/record-event.ts'

const { db } = await testDatabase()

let clock = now
let inquire: (inquiry: Inquiry) => Promise<InquiryResult>
let charge: () => Promise<AcceptedCharge>
/**
 * Called just before an update is recorded. Tests set it to a function that records another change first, as a
 * concurrent process might.
 */
let beforeRecord: (report: EventToRecord) => Promise<void>
beforeEach(() => {
  clock = now
  inquire = async () => 'absent'
  charge = async () => {
    throw new Error('no charge is expected')
  }
  beforeRecord = async () => {}
})

const write = async (report: EventToRecord) => {
  const [recorded] = await db.transaction(tx => recordEvents(tx, [report], clock))
  if (!recorded) throw new Error('recording the decision about the payment returned no result')
  return recorded
}
const record: RecordInBatch = async report => {
  await beforeRecord(report)
  return write(report)
}
const app = {
  db,
  recordInBatch: record,
  clock: () => clock,
  log: createLog('silent'),
  health: alwaysHealthy,
  publicUrl: 'https://pay.example.com',
  publicIp: undefined,
  accountOf: async (id: string) => ({
    provider: {
      ...midtrans,
      charge: () => charge(),
      inquire: (_: unknown, inquiry: Inquiry) => inquire(inquiry),
    },
    account: { id, mode: 'live' as const, credentials: {}, baseUrl: null },
    callbackRules: noCallbackRules,
  }),
}

const happens = ({ tenantId, id: paymentId }: Payment, event: PaymentEvent) =>
  write({ tenantId, paymentId, event, cause: 'test' })
const stored = async ({ tenantId, id }: Payment): Promise<Payment> =>
  (await findPaymentInBatch(db, tenantId, id, null)) as Payment

async function charging(overrides: Partial<Payment> = {}): Promise<Payment> {
  const payment = makePayment({
    status: 'charging',
    transitionCount: 0,
    methodData: null,
    providerPaymentId: null,
    ...overrides,
  })
  await insertPaymentInBatch(db, payment)
  return payment
}
/**
 * Records that the first charge attempt created no order and that a second charge attempt, with another
 * account, has started.
 */
async function startSecondTry(payment: Payment): Promise<void> {
  await happens(payment, { type: 'not_created', reason: 'the provider has no such order' })
  await happens(payment, {
    type: 'charge_started',
    provider: 'xendit',
    providerAccountId: newId(),
    reason: 'the provider has no such order',
    expiresAt: payment.expiresAt,
    nextCheckAt: later(15_000),
  })
}
async function checkAt(at: Date): Promise<void> {
  clock = at
  const checks = duePaymentSweep(app)
  while (await checks.begin());
  await checks.ended()
}

test('payment instructions of the first charge attempt are not stored during the second attempt', async () => {
  const payment = await charging()
  const answered = Promise.withResolvers<AcceptedCharge>()
  charge = () => answered.promise
  const charged = chargePayment(app, payment, [])
  await startSecondTry(payment)
  const late = { type: 'virtual_account', bank: 'BCA', va_number: '1111111111' } as const
  answered.resolve({ providerPaymentId: 'first', methodData: late })
  await charged
  expect(await stored(payment)).toMatchObject({ status: 'charging', attempt: 2, methodData: null })

  const own = { type: 'virtual_account', bank: 'BCA', va_number: '2222222222' } as const
  await happens(payment, { type: 'accepted', providerPaymentId: 'second', methodData: own })
  expect(await stored(payment)).toMatchObject({
    status: 'pending',
    providerPaymentId: 'second',
    methodData: own,
  })
})

test('a late failure of the first charge attempt does not make the second attempt fail', async () => {
  const payment = await charging()
  const answered = Promise.withResolvers<AcceptedCharge>()
  charge = () => answered.promise
  const charged = chargePayment(app, payment, [])
  await startSecondTry(payment)
  answered.reject(new ProviderError('declined', 'not accepted'))
  await charged
  expect(await stored(payment)).toMatchObject({ status: 'charging', attempt: 2 })
})

test('lost payment instructions of the first charge attempt do not fail a second attempt in progress', async () => {
  const payment = await charging({ status: 'unknown' })
  inquire = async ({ reference }) => {
    await startSecondTry(payment)
    return { reference, providerPaymentId: 'first', fact: { type: 'pending' } }
  }
  await inquireAndRecord(app, payment)
  expect(await stored(payment)).toMatchObject({ status: 'charging', attempt: 2 })
})

test('a payment does not expire if it becomes challenged just before the expiry is recorded', async () => {
  const payment = await insertPendingPayment(db)
  inquire = async ({ reference }) => ({ reference, providerPaymentId: 't-1', fact: { type: 'pending' } })
  beforeRecord = async ({ cause }) => {
    if (cause === 'expiry') await happens(payment, { type: 'challenged', reason: 'held by fraud detection' })
  }
  await checkAt(payment.expiresAt)
  expect(await stored(payment)).toMatchObject({ status: 'challenged' })
})

test('a status inquiry about an interrupted first charge attempt does not change the second attempt', async () => {
  const payment = await charging({ nextCheckAt: later(30_000) })
  inquire = async () => {
    throw new ProviderError('unavailable', 'could not be reached')
  }
  beforeRecord = async ({ paymentId, cause }) => {
    if (paymentId === payment.id && cause === 'inquiry') await startSecondTry(payment)
  }
  await checkAt(later(30_000))
  expect(await stored(payment)).toMatchObject({ status: 'charging', attempt: 2 })
})

test('a finished status inquiry does not postpone the next inquiry that a concurrent status change scheduled', async () => {
  const payment = await insertPendingPayment(db)
  await happens(payment, { type: 'cancelled' })
  const { nextCheckAt } = await stored(payment)
  expect(nextCheckAt).not.toBeNull()
  await postponeCheckInBatch(db, payment, null)
  expect(await stored(payment)).toMatchObject({ nextCheckAt })
})

test('if the operator accepts one of two partial payments, the other payment still awaits a decision', async () => {
  const payment = await insertPendingPayment(db, { tenantId: await makeTenant(db), amount: 100n })
  const reference = payment.paymentCode
  const part = (received: bigint, receipt?: string): PaymentEvent => ({
    type: 'underpaid',
    received,
    paidAt: now,
    reason: `amount mismatch: expected 100, received ${received}`,
    reference,
    ...(receipt !== undefined && { receipt }),
  })
  await happens(payment, part(30n))
  await happens(payment, part(60n, 'a'))
  const { rows } = await db.raw('select id from unexpected_money where payment_id = ? and receipt = ?', [
    payment.id,
    'a',
  ])
  await happens(payment, {
    type: 'paid',
    amountPaid: 60n,
    paidAt: now,
    reference,
    receipt: 'a',
    acceptedId: rows[0].id,
  })
  const { rows: parts } = await db.raw(
    'select amount, status, credited from unexpected_money where payment_id = ? and receipt = ?',
    [payment.id, ''],
  )
  expect(parts).toEqual([{ amount: 30n, status: 'open', credited: false }])
})
