// Tests how many status inquiries repeated create requests send while a charge's outcome is unknown.

import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { later, makePayment, makeTenant, now } from '../../../test/support/make.ts'
import { recordingApp } from '../../../test/support/recording-app.ts'
import { inquiryLimits } from '../../provider-accounts/inquiry-limits.ts'
import type { AnyProvider, Inquiry, InquiryResult } from '../../providers/provider.ts'
import { ProviderError, RateLimitedError } from '../../providers/provider.ts'
import { newId } from '../../values/id.ts'
import { insertPaymentInBatch } from '../payment.sql.ts'
import type { Payment } from '../payment.ts'
import { REPEAT_INQUIRY_INTERVAL_MS, repeatInquiries } from './repeat-inquiries.ts'

const { db } = await testDatabase()
const tenantId = await makeTenant(db)

let { app, state } = appWithLimits()
let inquiries = repeatInquiries()
let answer: (inquiry: Inquiry) => Promise<InquiryResult>
let inquired: string[]
beforeEach(() => {
  ;({ app, state } = appWithLimits())
  inquiries = repeatInquiries()
  inquired = []
  answer = async () => 'not_reported'
  useProvider({})
})

function appWithLimits() {
  const recording = recordingApp(db)
  return { ...recording, app: { ...recording.app, inquiryLimits: inquiryLimits(recording.app.clock) } }
}
function useProvider(provider: Partial<AnyProvider>): void {
  const inquire = (_: unknown, inquiry: Inquiry) => {
    inquired.push(inquiry.reference)
    return answer(inquiry)
  }
  state.provider = { ...provider, inquire }
}
async function unknownPayment(providerAccountId: string = newId()): Promise<Payment> {
  const payment = makePayment({
    ...{ tenantId, providerAccountId, status: 'unknown', transitionCount: 0 },
    ...{ methodData: null, providerPaymentId: null },
  })
  await insertPaymentInBatch(db, payment)
  return payment
}
const refresh = (payment: Payment) => inquiries.refresh(app, payment)
const refreshAll = (payments: Payment[]) => Promise.all(payments.map(refresh))

test('repeated requests that arrive together share one status inquiry and its result', async () => {
  const payment = await unknownPayment()
  const gate = Promise.withResolvers<InquiryResult>()
  answer = () => gate.promise
  const refreshed = refreshAll(Array.from({ length: 20 }, () => payment))
  const fact = { type: 'paid', amountPaid: payment.amount, paidAt: now, receipt: 'r-1' } as const
  gate.resolve({ reference: payment.paymentCode, providerPaymentId: 'p-1', fact })
  expect((await refreshed).map(({ status }) => status)).toEqual(Array(20).fill('paid'))
  expect(inquired).toEqual([payment.paymentCode])
})

test('a repeated request sends no status inquiry within five seconds of the last about this charge', async () => {
  const payment = await unknownPayment()
  const fails = async () => {
    throw new ProviderError('unavailable', 'could not be reached')
  }
  for (const each of [async () => 'not_reported' as const, fails]) {
    answer = each
    inquired = []
    expect(await refresh(payment)).toEqual(payment)
    state.at = new Date(state.at.getTime() + REPEAT_INQUIRY_INTERVAL_MS - 1)
    expect(await refresh(payment)).toEqual(payment)
    expect(inquired).toHaveLength(1)
    state.at = new Date(state.at.getTime() + 1)
  }
  await refresh(payment)
  await refresh({ ...payment, attempt: 2 })
  expect(inquired).toEqual([payment.paymentCode, payment.paymentCode, `${payment.paymentCode}-2`])
})

test('a repeated request that read the payment before another request’s inquiry was recorded gets the recorded status', async () => {
  const payment = await unknownPayment()
  const fact = { type: 'paid', amountPaid: payment.amount, paidAt: now, receipt: 'r-1' } as const
  answer = async () => ({ reference: payment.paymentCode, providerPaymentId: 'p-1', fact })
  const paid = await refresh(payment)
  expect(paid.status).toBe('paid')
  expect(await refresh(payment)).toEqual(paid)
  expect(inquired).toHaveLength(1)
})

test('a repeated request keeps a newer status than another request’s inquiry returns', async () => {
  const older = await unknownPayment()
  const newer: Payment = { ...older, status: 'uncharged', transitionCount: older.transitionCount + 1 }
  const gate = Promise.withResolvers<InquiryResult>()
  answer = () => gate.promise
  const refreshed = refreshAll([older, newer])
  gate.resolve('not_reported')
  expect((await refreshed).map(({ status }) => status)).toEqual(['unknown', 'uncharged'])
  expect((await refresh(newer)).status).toBe('uncharged')
  expect(inquired).toHaveLength(1)
})

test('after a 429 to an inquiry, repeated requests send no inquiries to the account during the pause', async () => {
  const accountId = newId()
  const [first, second] = [await unknownPayment(accountId), await unknownPayment(accountId)]
  answer = async () => {
    throw new RateLimitedError(60_000)
  }
  await refresh(first)
  state.at = later(59_999)
  expect(await refreshAll([first, second])).toEqual([first, second])
  expect(inquired).toEqual([first.paymentCode])
  await refresh(await unknownPayment())
  expect(inquired).toHaveLength(2)
  state.at = later(60_000)
  await refresh(second)
  expect(inquired).toHaveLength(3)
})

test("repeated requests use at most 5 percent of a provider's rate limit for inquiries", async () => {
  useProvider({ inquiryLimits: { perMinute: { live: 240, test: 60 } } })
  const accountId = newId()
  const payments = await Promise.all(Array.from({ length: 20 }, () => unknownPayment(accountId)))
  await refreshAll(payments)
  state.at = later(1_000)
  inquired = []
  for (let second = 1; second <= 60; second += 1) {
    state.at = later(second * 1_000)
    await refreshAll(payments)
  }
  expect(inquired).toHaveLength(12)
})

test('repeated create requests send at most 64 status inquiries to one account at a time', async () => {
  const accountId = newId()
  const payments = await Promise.all(Array.from({ length: 65 }, () => unknownPayment(accountId)))
  const last = payments.at(-1) as Payment
  const gate = Promise.withResolvers<InquiryResult>()
  answer = () => gate.promise
  const refreshed = refreshAll(payments)
  await refresh(last)
  expect(inquired).toHaveLength(64)
  gate.resolve('not_reported')
  await refreshed
  await refresh(last)
  expect(inquired.at(-1)).toBe(last.paymentCode)
})
