// Tests that an attacker who replays a recorded callback cannot cause a flood of status inquiries.

import { beforeEach, expect, test } from 'vitest'
import { alwaysHealthy } from '../../test/support/always-healthy.ts'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, later, makeTenant, noCallbackRules, now } from '../../test/support/make.ts'
import { listEntriesOfPayment } from '../ledger/ledger.sql.ts'
import { createLog } from '../logging/log.ts'
import type { Payment } from '../payments/payment.ts'
import type { Recorded, RecordInBatch } from '../payments/record/event-batch.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { accountSlots } from '../provider-accounts/account-slots.ts'
import { inquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import { duitku } from '../providers/duitku/duitku.ts'
import {
  type AnyProvider,
  type Inquiry,
  type InquiryResult,
  type ProviderUpdate,
  RateLimitedError,
} from '../providers/provider.ts'
import { newId } from '../values/id.ts'
import { callbackApplier } from './apply-callbacks.ts'
import { insertCallbacks } from './callback.sql.ts'
import { digestOf } from './callback-message.ts'
import { inquireUnreadable } from './inquire-unreadable.ts'
import { insertUnreadable } from './unreadable-callback.sql.ts'

const { db } = await testDatabase()
/** The ID of a provider account that has no rate limit for status inquiries. */
const UNLIMITED = newId()
/** In this test, the provider adapter treats callbacks to this request path as unreadable. */
const UNREADABLE = '/unreadable'
let clock = now
let inquired: string[] = []
let response: (inquiry: Inquiry) => InquiryResult
/** Whether the callbacks in the test report that a payment was made. */
let reportsPayment = false

const provider: AnyProvider = {
  ...duitku,
  inquiryLimits: { perMinute: { test: 20, live: 20 } },
  async inquire(_: unknown, inquiry: Inquiry) {
    inquired.push(inquiry.reference)
    return response(inquiry)
  },
  readCallback(_, { body, path }) {
    const reference = body.toString()
    const reply = { contentType: 'text/plain', body: '' }
    if (path === UNREADABLE)
      return { unreadable: { reason: 'amount', candidates: [reference], refusal: { ...reply, status: 500 } } }
    const fact: ProviderUpdate['fact'] = {
      type: 'unproven',
      reason: 'the signature does not cover the result',
      ...(reportsPayment && { claimsPayment: true }),
    }
    return { updates: [{ reference, providerPaymentId: 'D-1', fact }], acknowledgement: reply }
  },
}
const limits = inquiryLimits(() => clock)
const places = accountSlots(200)
const record: RecordInBatch = async update => {
  const [recorded] = await db.transaction(tx => recordEvents(tx, [update], clock))
  return recorded as Recorded
}
const app = {
  db,
  clock: () => clock,
  log: createLog('silent'),
  health: alwaysHealthy,
  publicUrl: 'https://pay.example.com',
  accountOf: async (id: string) => ({
    provider,
    account: {
      id,
      mode: 'live' as const,
      credentials: {},
      baseUrl: id === UNLIMITED ? 'http://sandbox' : null,
    },
    callbackRules: noCallbackRules,
  }),
  recordInBatch: record,
}
const { applyOne: alone } = callbackApplier(app, places, limits)

const paid = ({ reference, amount }: Inquiry): InquiryResult => ({
  reference,
  providerPaymentId: 'D-1',
  fact: { type: 'paid', amountPaid: amount, receipt: 'D-1' },
})
beforeEach(() => {
  inquired = []
  response = paid
  reportsPayment = false
})

const pending = async (providerAccountId: string) =>
  insertPendingPayment(db, { tenantId: await makeTenant(db), providerAccountId })

async function hints(
  { paymentCode, providerAccountId }: Payment,
  copies: number,
  path = '',
): Promise<string[]> {
  const ids = Array.from({ length: copies }, newId)
  const rest = { providerAccountId, provider: 'duitku', path, headers: {}, trace: null }
  const body = Buffer.from(paymentCode)
  await insertCallbacks(
    db,
    ids.map(id => ({ ...rest, id, body, receivedAt: clock })),
  )
  return ids
}

const open = async (ids: string[]): Promise<string[]> => {
  const { rows } = await db.raw(
    "select id from provider_callbacks where id = any(?) and status = 'received' order by id",
    [ids],
  )
  return rows.map(({ id }: { id: string }) => id)
}
const waits = (ms: number) => {
  clock = later(clock.getTime() - now.getTime() + ms)
}
/** Runs the jobs of all unapplied callbacks at the same time, with one job for each callback. */
async function applyOpen(ids: string[]): Promise<void> {
  await Promise.allSettled((await open(ids)).map(alone))
  waits(2_000)
}
async function applyUntilSettled(ids: string[]): Promise<number> {
  for (let rounds = 0; rounds < 200; rounds++) {
    if ((await open(ids)).length === 0) return rounds
    await applyOpen(ids)
  }
  throw new Error('some callbacks were never applied')
}
const creditsOf = async ({ tenantId, id }: Payment) =>
  (await listEntriesOfPayment(db, tenantId, id)).map(({ entryType, amount }) => [entryType, amount])
const countFor = ({ paymentCode }: Payment) => inquired.filter(each => each === paymentCode).length

test('300 replays of an unsigned callback cause at most seven status inquiries and delay no other credit', async () => {
  const accountId = newId()
  const [replayed, genuine] = [await pending(accountId), await pending(accountId)]
  const ids: string[] = []
  let creditedInRound: number | undefined
  for (let round = 0; round < 30; round++) {
    ids.push(...(await hints(replayed, 10)))
    if (round === 2) ids.push(...(await hints(genuine, 1)))
    await applyOpen(ids)
    if ((await creditsOf(genuine)).length > 0) creditedInRound ??= round
  }
  expect(creditedInRound).toBeLessThan(15)
  await applyUntilSettled(ids)
  expect(countFor(replayed)).toBeLessThanOrEqual(7)
  expect(countFor(genuine)).toBe(1)
  for (const payment of [replayed, genuine])
    expect(await creditsOf(payment)).toEqual([['credit', payment.amount]])
})

test('a callback replayed for an hour causes at most 18 status inquiries', async () => {
  const payment = await pending(newId())
  for (let minute = 0; minute < 60; minute++) {
    const ids = await hints(payment, 2)
    await Promise.all(ids.map(alone))
    waits(60_000)
  }
  expect(inquired.length).toBeGreaterThan(1)
  expect(inquired.length).toBeLessThanOrEqual(18)
})

test('inquiries about callbacks use only the part of the rate limit reserved for callbacks', async () => {
  const accountId = newId()
  const payments = await Promise.all(Array.from({ length: 12 }, () => pending(accountId)))
  const ids = (await Promise.all(payments.map(payment => hints(payment, 1)))).flat()
  await Promise.all(ids.map(alone))
  expect(inquired).toHaveLength(1)
  const rounds = await applyUntilSettled(ids)
  expect(rounds).toBeGreaterThan(30)
  expect(inquired.toSorted()).toEqual(payments.map(({ paymentCode }) => paymentCode).toSorted())
})

test('a callback does not use the result of an inquiry that started before the callback arrived', async () => {
  const payment = await pending(newId())
  response = ({ reference }) => ({ reference, providerPaymentId: 'D-1', fact: { type: 'pending' } })
  const [first] = await hints(payment, 1)
  await alone(first as string)
  waits(1_000)
  const later = await hints(payment, 1)
  response = paid
  await Promise.all(later.map(alone))
  expect(await open(later)).toEqual(later)
  await applyUntilSettled(later)
  expect(inquired).toHaveLength(2)
  expect(await creditsOf(payment)).toEqual([['credit', payment.amount]])
})

test('300 concurrent replays of a callback cause only two status inquiries, one after the other', async () => {
  const payment = await pending(UNLIMITED)
  const ids = await hints(payment, 300)
  waits(5_000)
  await Promise.all(ids.map(alone))
  expect(inquired).toHaveLength(1)
  await applyUntilSettled(ids)
  expect(inquired).toHaveLength(2)
  expect(await creditsOf(payment)).toEqual([['credit', payment.amount]])
})

test('300 forged reports of a payment cause at most eight status inquiries and credit no money', async () => {
  const payment = await pending(UNLIMITED)
  reportsPayment = true
  response = ({ reference }) => ({ reference, providerPaymentId: 'D-1', fact: { type: 'pending' } })
  const ids = await hints(payment, 300)
  // A status inquiry is repeated only while the callbacks are less than a minute old. After that, its result
  // is final.
  expect(await applyUntilSettled(ids)).toBeGreaterThanOrEqual(30)
  expect(inquired.length).toBeLessThanOrEqual(8)
  expect(await creditsOf(payment)).toEqual([])
})

test("if a payment has changed since a status inquiry, the inquiry's result is not applied to it", async () => {
  const payment = await pending(newId())
  const late = await hints(payment, 2)
  waits(5_000)
  await alone(late[0] as string)
  await alone(late[1] as string)
  expect(inquired).toHaveLength(1)
  expect(await open(late)).toEqual([late[1]])
})

test("after an HTTP 429 response, the account's status inquiries pause, and the money is credited afterward", async () => {
  const payment = await pending(newId())
  response = () => {
    throw new RateLimitedError(60_000)
  }
  const ids = await hints(payment, 1)
  await expect(alone(ids[0] as string)).rejects.toThrow('the provider did not respond to the status inquiry')
  response = paid
  for (let second = 0; second < 50; second += 10) {
    waits(10_000)
    await alone(ids[0] as string)
  }
  expect(inquired).toHaveLength(1)
  await applyUntilSettled(ids)
  expect(await creditsOf(payment)).toEqual([['credit', payment.amount]])
})

test('an unreadable callback causes a status inquiry only when the rate limit for callbacks allows it', async () => {
  const accountId = newId()
  const [hinted, payment] = [await pending(accountId), await pending(accountId)]
  await Promise.all((await hints(hinted, 1)).map(alone))
  const [id] = (await hints(payment, 1, UNREADABLE)) as [string]
  await db.transaction(tx =>
    insertUnreadable(tx, [{ id, digest: digestOf({ path: '', body: Buffer.from(id) }) }]),
  )
  await inquireUnreadable(app, { places, limits }, id)
  expect(countFor(payment)).toBe(0)
  waits(10_000)
  await inquireUnreadable(app, { places, limits }, id)
  expect(await creditsOf(payment)).toEqual([['credit', payment.amount]])
})
