// Tests which event is recorded for each result of a status inquiry, and for which results no event is
// recorded.

import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { insertPendingPayment, later, makePayment, makeTenant, now } from '../../../test/support/make.ts'
import { recordingApp } from '../../../test/support/recording-app.ts'
import {
  type Inquiry,
  type InquiryResult,
  ProviderError,
  RateLimitedError,
} from '../../providers/provider.ts'
import { findPaymentInBatch, insertPaymentInBatch } from '../payment.sql.ts'
import type { Payment } from '../payment.ts'
import { inquireAndRecord, inquireAndRecordResult } from './inquire-and-record.ts'

const { db } = await testDatabase()
const tenantId = await makeTenant(db)

let { app, state } = recordingApp(db)
let answer: (inquiry: Inquiry) => Promise<InquiryResult>
beforeEach(() => {
  ;({ app, state } = recordingApp(db))
  state.provider = { inquire: (_: unknown, inquiry: Inquiry) => answer(inquiry) }
})

const says = (fact: Extract<InquiryResult, object>['fact'], more: object = {}) => {
  answer = async ({ reference }) => ({ reference, providerPaymentId: 'p-1', fact, ...more })
}
async function unfinished(status: 'charging' | 'unknown'): Promise<Payment> {
  const payment = makePayment({
    tenantId,
    status,
    transitionCount: 0,
    methodData: null,
    providerPaymentId: null,
  })
  await insertPaymentInBatch(db, payment)
  return payment
}
const stored = async ({ id }: Payment): Promise<Payment> =>
  (await findPaymentInBatch(db, tenantId, id, null)) as Payment
const paid = { type: 'paid', amountPaid: 10_000_000n, paidAt: now, receipt: 'r-1' } as const

test("a status inquiry's result changes the payment's status, and the change is recorded with the cause `inquiry`", async () => {
  says(paid)
  const payment = await insertPendingPayment(db, { tenantId })
  expect(await inquireAndRecordResult(app, payment)).toEqual({
    payment: await stored(payment),
    isAnswered: true,
  })
  expect(await stored(payment)).toMatchObject({ status: 'paid' })
  const { rows } = await db.raw('select cause from payment_transitions where payment_id = ? and number = 2', [
    payment.id,
  ])
  expect(rows).toEqual([{ cause: 'inquiry' }])
  expect(await inquireAndRecord(app, payment)).toEqual(await stored(payment))
})

test("refunds in a status inquiry's result are recorded", async () => {
  says(paid, { returns: [{ kind: 'refund', id: 'f-1', amount: 400n, status: 'pending' }] })
  const payment = await insertPendingPayment(db, { tenantId })
  await inquireAndRecordResult(app, payment)
  const { rows } = await db.raw('select kind, reference, amount from unexpected_money where payment_id = ?', [
    payment.id,
  ])
  expect(rows).toEqual([{ kind: 'refund', reference: payment.paymentCode, amount: 400n }])
})

test('a status inquiry without a status does not change the payment; only a failed one counts as unanswered', async () => {
  const payment = await insertPendingPayment(db, { tenantId })
  answer = async () => 'not_reported'
  expect(await inquireAndRecordResult(app, payment)).toEqual({ payment, isAnswered: true })
  answer = async () => {
    throw new ProviderError('unknown', 'no answer within 10 s')
  }
  expect(await inquireAndRecordResult(app, payment)).toEqual({ payment, isAnswered: false })
  expect(await stored(payment)).toEqual(payment)
})

test("if the provider's rate limit rejects an inquiry, the caller is notified of the pause", async () => {
  answer = async () => {
    throw new RateLimitedError(7_000)
  }
  const pauses: number[] = []
  await inquireAndRecordResult(app, await insertPendingPayment(db, { tenantId }), ms => pauses.push(ms))
  expect(pauses).toEqual([7_000])
})

describe("a provider's report that an order does not exist is ignored if the report may be outdated", () => {
  beforeEach(() => {
    answer = async () => 'absent'
  })

  test("a report that an order does not exist is ignored within 20 seconds of the payment's change", async () => {
    const payment = await unfinished('unknown')
    state.at = later(19_999)
    expect(await inquireAndRecordResult(app, payment)).toMatchObject({
      payment: { status: 'unknown' },
      isAnswered: true,
    })
    state.at = later(20_000)
    await inquireAndRecordResult(app, payment)
    expect(await stored(payment)).toMatchObject({
      status: 'uncharged',
      failureReason: 'the provider has no such order',
    })
  })

  test('the time of the inquiry, not of its response, decides whether a missing order is accepted', async () => {
    const payment = await unfinished('unknown')
    state.at = later(19_999)
    answer = async () => {
      state.at = later(60_000)
      return 'absent'
    }
    await inquireAndRecordResult(app, payment)
    expect(await stored(payment)).toMatchObject({ status: 'unknown' })
  })

  test('a report that an order does not exist is ignored while the order may be too new', async () => {
    state.provider = { ...state.provider, inquiryLimits: { earliestSeconds: 60 } }
    const payment = await unfinished('unknown')
    state.at = later(59_999)
    await inquireAndRecordResult(app, payment)
    expect(await stored(payment)).toMatchObject({ status: 'unknown' })
    state.at = later(60_000)
    await inquireAndRecordResult(app, payment)
    expect(await stored(payment)).toMatchObject({ status: 'uncharged' })
  })

  test('a report that an order does not exist changes nothing if the provider accepted the payment earlier', async () => {
    const payment = await insertPendingPayment(db, { tenantId })
    state.at = later(60_000)
    await inquireAndRecordResult(app, payment)
    expect(await stored(payment)).toEqual(payment)
  })
})

describe('a payment that the provider reports as unpaid fails only if its payment instructions are unknown', () => {
  test('an unpaid payment fails if its payment instructions were lost', async () => {
    says({ type: 'pending' })
    state.at = later(60_000)
    const payment = await unfinished('unknown')
    await inquireAndRecordResult(app, payment)
    expect(await stored(payment)).toMatchObject({
      status: 'failed',
      failureReason:
        'the provider accepted the order, but its payment instructions were lost; create a new payment',
    })
  })

  test('if the provider reports an unpaid order with payment instructions, the payment stores the instructions and becomes pending', async () => {
    const methodData = { type: 'virtual_account', bank: 'BCA', va_number: '9' } as const
    says({ type: 'pending', methodData })
    const payment = await unfinished('charging')
    await inquireAndRecordResult(app, payment)
    expect(await stored(payment)).toMatchObject({ status: 'pending', methodData, providerPaymentId: 'p-1' })
  })

  test('if the provider reports an unpaid order, a payment that already has its payment instructions does not change', async () => {
    says({ type: 'pending' })
    const payment = await insertPendingPayment(db, { tenantId })
    await inquireAndRecordResult(app, payment)
    expect(await stored(payment)).toEqual(payment)
  })
})

test('a status inquiry without a status never makes a payment fail, even without payment instructions', async () => {
  says({ type: 'nothing', reason: 'a payout' })
  state.at = later(60_000)
  const payment = await unfinished('unknown')
  await inquireAndRecordResult(app, payment)
  expect(await stored(payment)).toMatchObject({ status: 'unknown' })
})
