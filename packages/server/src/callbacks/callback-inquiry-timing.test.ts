// Tests callbacks whose status is not signed. The tests check when such a callback causes a status inquiry, when
// it waits, and when it uses the result of an earlier inquiry.

import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, later, makePayment, makeTenant, now } from '../../test/support/make.ts'
import { recordingApp } from '../../test/support/recording-app.ts'
import { findPaymentInBatch } from '../payments/payment.sql.ts'
import type { Payment } from '../payments/payment.ts'
import { accountSlots } from '../provider-accounts/account-slots.ts'
import { inquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import {
  type CallbackUpdate,
  type Inquiry,
  type InquiryResult,
  ProviderError,
  RateLimitedError,
} from '../providers/provider.ts'
import { newId } from '../values/id.ts'
import { callbackApplier, completeByInquiry } from './apply-callbacks.ts'
import { insertCallbacks } from './callback.sql.ts'
import type { CallbackMessage, InquiryResponse, NeededInquiry } from './callback-message.ts'

const { db } = await testDatabase()
const tenantId = await makeTenant(db)

let { app, state } = recordingApp(db)
let places = accountSlots(4)
let limits = inquiryLimits(app.clock)
let callbacks = callbackApplier(app, places, limits)
let providerAccountId: string
let inquired: string[]
let response: (inquiry: Inquiry) => Promise<InquiryResult>
const updates = new Map<string, CallbackUpdate[]>()
beforeEach(() => {
  ;({ app, state } = recordingApp(db))
  places = accountSlots(4)
  limits = inquiryLimits(app.clock)
  callbacks = callbackApplier(app, places, limits)
  providerAccountId = newId()
  inquired = []
  response = async ({ reference }) => ({ reference, providerPaymentId: 'p-1', fact: { type: 'expired' } })
  state.at = later(10_000)
  state.provider = {
    readCallback: (_, { body }) => ({
      updates: updates.get(body.toString()) ?? [],
      acknowledgement: { contentType: 'text/plain', body: '' },
    }),
    inquire: async (_: unknown, inquiry: Inquiry) => {
      inquired.push(inquiry.reference)
      return response(inquiry)
    },
  }
})

const pending = () => insertPendingPayment(db, { tenantId, providerAccountId })
const unproven = ({ paymentCode }: Payment): CallbackUpdate => ({
  ...{ reference: paymentCode, providerPaymentId: 'p-1' },
  fact: { type: 'unproven', reason: 'not signed' },
})
const unnamed: CallbackUpdate = {
  ...{ reference: null, providerPaymentId: 'none' },
  fact: { type: 'paid', amountPaid: 1n, receipt: 'r-1' },
}
async function received(receivedAt: Date, ...reported: CallbackUpdate[]): Promise<string> {
  const id = newId()
  updates.set(id, reported)
  const callback = { id, providerAccountId, path: '', headers: {}, body: Buffer.from(id), receivedAt }
  await insertCallbacks(db, [{ ...callback, provider: 'midtrans', trace: null }])
  return id
}
const statusOf = async (id: string) =>
  (await db.raw('select status from provider_callbacks where id = ?', [id])).rows[0].status
/**
 * Returns one entry per job that applies only the given callback. In an entry, `waits` is true if the job is
 * scheduled for a later time.
 */
const waitsOf = async (id: string) =>
  (await db.raw('select run_at > now() as waits from graphile_worker.jobs where key = ?', [id])).rows
const stored = ({ id }: Payment) => findPaymentInBatch(db, tenantId, id, null)

test("if a callback's status is not signed, the payment gets the status from a status inquiry", async () => {
  const payment = await pending()
  const id = await received(now, unproven(payment))
  await callbacks.applyOne(id)
  expect(inquired).toEqual([payment.paymentCode])
  expect(await stored(payment)).toMatchObject({ status: 'expired' })
  expect(await statusOf(id)).toBe('applied')
  expect(places.freeSlots()).toBe(4)
  expect(places.freeSlotsOfAccounts()).toEqual([])
})

test("an account's first callback is processed before at least 50 of another account's 150 waiting callbacks", async () => {
  await db.raw('delete from graphile_worker._private_jobs')
  const flood: string[] = []
  for (let n = 0; n < 150; n++) flood.push(await received(now, unproven(await pending())))
  await callbacks.applyBatch(flood)
  providerAccountId = newId()
  const other = await received(now, unproven(await pending()))
  await callbacks.applyBatch([other])
  const { rows } = await db.raw<{ rows: { key: string }[] }>(
    `select j.key from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = 'apply_callback' order by j.priority, j.run_at, j.id`,
  )
  expect(rows).toHaveLength(151)
  expect(rows.findIndex(({ key }) => key === other)).toBeLessThanOrEqual(100)
})

test('a callback that another job has already applied causes no status inquiry', async () => {
  const id = await received(now, { ...unnamed, fact: { type: 'expired' }, reference: 'unknown' })
  await callbacks.applyOne(id)
  await callbacks.applyOne(id)
  await callbacks.applyOne(newId())
  expect(inquired).toEqual([])
})

test('an unanswered status inquiry for a callback makes its provider account count as unresponsive', async () => {
  response = async () => {
    throw new ProviderError('unknown', 'no answer within 10 s')
  }
  const id = await received(now, unproven(await pending()))
  await expect(callbacks.applyOne(id)).rejects.toThrow('the provider did not respond to the status inquiry')
  expect(await statusOf(id)).toBe('received')
  expect(places.freeSlots()).toBe(4)
  expect(places.freeSlotsOfAccounts()).toMatchObject([{ accountId: providerAccountId }])
})

test('a rate limit error from the provider pauses status inquiries for its account', async () => {
  response = async () => {
    throw new RateLimitedError(60_000)
  }
  const id = await received(now, unproven(await pending()))
  await expect(callbacks.applyOne(id)).rejects.toThrow()
  expect(limits.pausedUntil(providerAccountId)).toEqual(later(70_000))
})

test("a repeated callback uses an earlier inquiry's result, even if no inquiry slot is free", async () => {
  response = async ({ reference }) => ({ reference, providerPaymentId: 'p-1', fact: { type: 'pending' } })
  const payment = await pending()
  await callbacks.applyOne(await received(now, unproven(payment)))
  while (places.take(providerAccountId));
  const replay = await received(now, unproven(payment))
  await callbacks.applyOne(replay)
  expect(inquired).toHaveLength(1)
  expect(await statusOf(replay)).toBe('ignored')
})

test('a callback about two payments waits until the status inquiries about both payments may be sent', async () => {
  response = async ({ reference }) => ({ reference, providerPaymentId: 'p-1', fact: { type: 'pending' } })
  const [one, other] = [await pending(), await pending()]
  await callbacks.applyOne(await received(now, unproven(one)))
  const id = await received(later(10_000), unproven(one), unproven(other))
  await callbacks.applyOne(id)
  expect(inquired).toEqual([one.paymentCode])
  expect(await statusOf(id)).toBe('received')
  expect(await waitsOf(id)).toEqual([{ waits: true }])
})

describe('if an unsigned callback reports a payment before the status API does, the status inquiry is repeated', () => {
  const claimed = (payment: Payment): CallbackUpdate => ({
    ...unproven(payment),
    fact: { type: 'unproven', reason: 'not signed', claimsPayment: true },
  })
  const reports = (fact: Exclude<InquiryResult, string>['fact']) => {
    response = async ({ reference }) => ({ reference, providerPaymentId: 'p-1', fact })
  }
  const at = (ms: number) => {
    state.at = later(ms)
  }

  test('a payment reported by an unsigned callback is credited as soon as a status inquiry confirms it', async () => {
    const payment = await pending()
    const id = await received(now, claimed(payment))
    for (const [ms, type] of [
      [0, 'pending'],
      [2_000, 'closed'],
      [6_000, 'cancelled'],
      [14_000, 'expired'],
    ] as const) {
      at(ms)
      reports({ type })
      await expect(callbacks.applyOne(id)).rejects.toThrow('the provider does not confirm the payment yet')
      expect(await statusOf(id)).toBe('received')
      expect(await stored(payment)).toMatchObject({ status: 'pending' })
    }
    // The provider responded, so its account does not count as unresponsive.
    expect(places.freeSlotsOfAccounts()).toEqual([])
    at(30_000)
    reports({ type: 'paid', amountPaid: payment.amount, receipt: 'p-1' })
    await callbacks.applyOne(id)
    expect(await statusOf(id)).toBe('applied')
    expect(await stored(payment)).toMatchObject({ status: 'paid' })
    expect(inquired).toHaveLength(5)
  })

  test.each(['not_reported', 'absent'] as const)(
    'if an unsigned callback reports a payment, the service accepts the inquiry result `%s` as final only after a minute',
    async result => {
      const payment = await pending()
      const id = await received(now, claimed(payment))
      response = async () => result
      at(0)
      await expect(callbacks.applyOne(id)).rejects.toThrow('the provider does not confirm the payment yet')
      expect(await statusOf(id)).toBe('received')
      at(60_000)
      await callbacks.applyOne(id)
      expect(inquired).toHaveLength(2)
      expect(await statusOf(id)).toBe('ignored')
      expect(await stored(payment)).toMatchObject({ status: 'pending', amountPaid: null })
    },
  )

  test('after an unsigned payment report, only an inquiry at least a minute later has a final result', async () => {
    const payment = await pending()
    reports({ type: 'closed' })
    const id = await received(now, claimed(payment))
    // The inquiry at 30 seconds is the fifth, so a pause of 32 seconds follows it. When this pause ends at 62
    // seconds, the callback is already more than a minute old.
    for (const ms of [0, 2_000, 6_000, 14_000, 30_000]) {
      at(ms)
      await expect(callbacks.applyOne(id)).rejects.toThrow('does not confirm')
    }
    const before = inquired.length
    at(60_000)
    await callbacks.applyOne(id)
    expect(inquired).toHaveLength(before)
    expect(await statusOf(id)).toBe('received')
    expect(await waitsOf(id)).toEqual([{ waits: true }])
    at(62_000)
    await callbacks.applyOne(id)
    expect(inquired).toHaveLength(before + 1)
    expect(await stored(payment)).toMatchObject({ status: 'cancelled' })
  })

  test('an unsigned callback without money cancels the payment if the status inquiry reports a closed order', async () => {
    const payment = await pending()
    reports({ type: 'closed' })
    await callbacks.applyOne(await received(now, unproven(payment)))
    expect(await stored(payment)).toMatchObject({ status: 'cancelled' })
  })
})

describe('a status inquiry overrules a signed payment report only if sent at least a minute after it', () => {
  const failed = { type: 'failed', reason: 'provider reported a failure' } as const
  const at = (ms: number) => {
    state.at = later(ms)
  }
  const failing = async (reported = now): Promise<{ payment: Payment; id: string }> => {
    const payment = await pending()
    const order = { reference: payment.paymentCode, providerPaymentId: 'p-1' }
    await callbacks.applyOne(await received(reported, { ...order, fact: failed }))
    response = async () => ({ ...order, fact: failed })
    const paid = { type: 'paid', amountPaid: payment.amount, receipt: 'p-1' } as const
    return { payment, id: await received(reported, { ...order, fact: paid }) }
  }

  test('a failed payment that a signed callback reports as paid is credited once inquiries stop reporting the failure', async () => {
    at(0)
    const { payment, id } = await failing()
    expect(await stored(payment)).toMatchObject({ status: 'failed' })
    for (const ms of [0, 2_000, 6_000, 14_000, 30_000]) {
      at(ms)
      await expect(callbacks.applyOne(id)).rejects.toThrow('the provider does not confirm the payment yet')
      expect(await statusOf(id)).toBe('received')
    }
    at(62_000)
    response = async ({ reference }) => ({ reference, providerPaymentId: 'p-1', fact: { type: 'pending' } })
    await callbacks.applyOne(id)
    expect(await statusOf(id)).toBe('applied')
    expect(await stored(payment)).toMatchObject({ status: 'paid', amountPaid: payment.amount })
  })

  test('a repeated report that a now reversed payment was paid is completed immediately', async () => {
    at(0)
    const payment = await pending()
    const order = { reference: payment.paymentCode, providerPaymentId: 'p-1' }
    const paid = { ...order, fact: { type: 'paid', amountPaid: payment.amount, receipt: 'p-1' } as const }
    response = async () => ({ ...order, fact: failed })
    await callbacks.applyOne(await received(now, paid))
    await callbacks.applyOne(await received(now, { ...order, fact: failed }))
    expect(await stored(payment)).toMatchObject({ status: 'paid', reversedAt: expect.any(Date) })
    at(2_000)
    const repeated = await received(now, paid)
    await callbacks.applyOne(repeated)
    expect(await statusOf(repeated)).not.toBe('received')
    const other = await received(now, { ...paid, fact: { ...paid.fact, receipt: 'p-2' } })
    at(6_000)
    await expect(callbacks.applyOne(other)).rejects.toThrow('the provider does not confirm the payment yet')
  })

  test('a payment is not credited if an inquiry one minute after a signed callback still reports a failure', async () => {
    at(0)
    const { payment, id } = await failing()
    at(59_999)
    await expect(callbacks.applyOne(id)).rejects.toThrow('does not confirm')
    at(60_000)
    await callbacks.applyOne(id)
    expect(await statusOf(id)).toBe('received')
    at(61_999)
    await callbacks.applyOne(id)
    expect(inquired).toHaveLength(2)
    expect(await statusOf(id)).toBe('repeated')
    expect(await stored(payment)).toMatchObject({ status: 'failed', amountPaid: null })
  })
})

describe("the service handles a callback that arrives before the response to its payment's charge", () => {
  test('a callback that arrives before its charge response is retried after a delay', async () => {
    const id = await received(now, unnamed)
    await callbacks.applyOne(id)
    expect(await statusOf(id)).toBe('received')
    expect(await waitsOf(id)).toEqual([{ waits: true }])
  })

  test("a callback for a payment that is not found yet is retried, without delaying its other payments' inquiries", async () => {
    const payment = await pending()
    const id = await received(now, unproven(payment), unnamed)
    await callbacks.applyOne(id)
    expect(inquired).toEqual([payment.paymentCode])
    expect(await statusOf(id)).toBe('received')
    expect(await waitsOf(id)).toEqual([{ waits: true }])
  })
})

test('a callback in a batch that cannot be applied yet gets its own job, without delaying the others', async () => {
  const payment = await pending()
  const [asking, early, done, gone] = [
    await received(now, unproven(payment)),
    await received(now, unnamed),
    await received(now, { ...unproven(payment), fact: { type: 'pending' } }),
    newId(),
  ]
  await callbacks.applyBatch([asking, early, done, gone])
  expect(inquired).toEqual([])
  expect(await statusOf(done)).toBe('ignored')
  expect(await waitsOf(asking)).toEqual([{ waits: false }])
  expect(await waitsOf(early)).toEqual([{ waits: true }])
  for (const id of [done, gone]) expect(await waitsOf(id)).toEqual([])
})

describe('a callback is not applied yet if its status inquiry fails or does not confirm the callback', () => {
  const payment = makePayment()
  function neededInquiry(fact: CallbackUpdate['fact'], needsConfirmation = false): NeededInquiry {
    const update = { reference: payment.paymentCode, providerPaymentId: 'p-1', fact }
    const message: CallbackMessage = {
      callback: { id: 'c-1', providerAccountId: payment.providerAccountId, receivedAt: now },
      ...{ provider: 'midtrans', mode: 'live', update, needsConfirmation },
    }
    return { message, update, payment }
  }
  const answered = (ms: number, asking: NeededInquiry, response: InquiryResponse | 'no answer') =>
    completeByInquiry({ clock: () => later(ms) }, [asking.message], [asking], async () => response)
  const paid = { type: 'paid', amountPaid: 1n, receipt: 'r-1' } as const
  const HOUR_MS = 3_600_000

  test('a signed report of money is applied unconfirmed after an hour without a response to status inquiries', async () => {
    await expect(answered(HOUR_MS - 1, neededInquiry(paid), 'no answer')).rejects.toThrow('did not respond')
    expect(await answered(HOUR_MS, neededInquiry(paid), 'no answer')).toMatchObject([
      { response: { result: 'not_reported', inquired: payment } },
    ])
  })

  test('a report of a failed payment is never applied while the provider does not respond to inquiries', async () => {
    const asking = neededInquiry({ type: 'failed', reason: 'deny' })
    await expect(answered(24 * HOUR_MS, asking, 'no answer')).rejects.toBeInstanceOf(ProviderError)
  })

  test('if a status inquiry returns `pending`, it is repeated until the callback is a minute old', async () => {
    const result = {
      reference: payment.paymentCode,
      providerPaymentId: 'p-1',
      fact: { type: 'pending' },
    } as const
    const behind = { result, inquired: payment }
    await expect(answered(59_999, neededInquiry(paid, true), behind)).rejects.toThrow('does not confirm')
    expect(await answered(60_000, neededInquiry(paid, true), behind)).toMatchObject([{ response: behind }])
    expect(await answered(0, neededInquiry(paid), behind)).toMatchObject([{ response: behind }])
    const confirmed = { result: { ...result, fact: paid }, inquired: payment }
    expect(await answered(0, neededInquiry(paid, true), confirmed)).toMatchObject([{ response: confirmed }])
  })

  test('callback messages that need no status inquiry pass the status inquiry step without a change', async () => {
    const { message } = neededInquiry(paid)
    const none = { callback: message.callback, status: 'ignored', reason: 'a payout' } as const
    const read = await completeByInquiry({ clock: () => now }, [message, none], [], async () => 'no answer')
    expect(read).toEqual([message, none])
  })
})
