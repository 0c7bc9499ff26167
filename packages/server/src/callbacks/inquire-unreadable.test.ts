// Tests status inquiries about payments whose IDs appear in an unreadable callback, which the adapter cannot parse.

import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, later, makePayment, makeTenant, now } from '../../test/support/make.ts'
import { recordingApp } from '../../test/support/recording-app.ts'
import { findBalance } from '../ledger/ledger.sql.ts'
import { insertPaymentInBatch } from '../payments/payment.sql.ts'
import type { Payment } from '../payments/payment.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { accountSlots } from '../provider-accounts/account-slots.ts'
import { inquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import {
  type CallbackReading,
  type Inquiry,
  type InquiryResult,
  ProviderError,
  RateLimitedError,
} from '../providers/provider.ts'
import { newId } from '../values/id.ts'
import { insertCallbacks, updateCallbacks } from './callback.sql.ts'
import { digestOf } from './callback-message.ts'
import { inquireUnreadable } from './inquire-unreadable.ts'
import { insertUnreadable } from './unreadable-callback.sql.ts'

const { db } = await testDatabase()
const HOUR_MS = 3_600_000

let { app, state } = recordingApp(db)
let places = accountSlots(4)
let limits = inquiryLimits(() => state.at)
let tenantId: string
let payment: Payment
let candidates: string[]
let inquired: Inquiry[]
let response: (inquiry: Inquiry) => Promise<InquiryResult>
beforeEach(async () => {
  ;({ app, state } = recordingApp(db))
  places = accountSlots(4)
  limits = inquiryLimits(() => state.at)
  tenantId = await makeTenant(db)
  payment = await insertPendingPayment(db, { tenantId, amount: 1_000n, providerPaymentId: newId() })
  candidates = [payment.paymentCode]
  inquired = []
  response = async ({ reference }) => ({ reference, providerPaymentId: 'p-1', fact: paid })
  state.provider = {
    readCallback: () => unreadable(),
    inquire: async (_: unknown, inquiry: Inquiry) => {
      inquired.push(inquiry)
      return response(inquiry)
    },
  }
})

const paid = { type: 'paid', amountPaid: 1_000n, paidAt: now, receipt: 'r-1' } as const
const refusal = { status: 500, contentType: 'text/plain', body: '' }
const unreadable = (): CallbackReading => ({ unreadable: { reason: 'amount is text', candidates, refusal } })
const fails = async () => {
  throw new ProviderError('unknown', 'no answer within 10 s')
}
async function kept(): Promise<string> {
  const source = { id: newId(), providerAccountId: payment.providerAccountId, receivedAt: now }
  const callback = { ...source, path: '/v1', headers: {}, body: Buffer.from(source.id) }
  await insertCallbacks(db, [{ ...callback, provider: 'midtrans', trace: null }])
  await db.transaction(async tx => {
    const outcome = {
      id: source.id,
      status: 'unreadable',
      reason: '',
      tenantId: null,
      paymentId: null,
    } as const
    await updateCallbacks(tx, [outcome], now)
    await insertUnreadable(tx, [{ id: source.id, digest: digestOf(callback) }])
  })
  return source.id
}
const inquire = (id: string) => inquireUnreadable(app, { places, limits }, id)
const storedOf = async (id: string) =>
  (
    await db.raw(
      `select status, c.reason, c.tenant_id, c.payment_id, u.inquired_at
       from provider_callbacks c join unreadable_callbacks u on callback_id = c.id where c.id = ?`,
      [id],
    )
  ).rows[0]
const jobWaits = async (id: string) =>
  (
    await db.raw('select run_at > now() as waits from graphile_worker.jobs where key = ?', [
      `unreadable ${id}`,
    ])
  ).rows[0]?.waits
const balance = () => findBalance(db, tenantId, 'live')

describe('an unreadable callback causes inquiries about the payments whose references or IDs it contains', () => {
  test("an unreadable callback with a paid payment's reference causes a status inquiry that credits the payment", async () => {
    const id = await kept()
    state.at = later(5_000)
    await inquire(id)
    expect(inquired).toMatchObject([{ reference: payment.paymentCode }])
    expect(await balance()).toBe(1_000n)
    expect(await storedOf(id)).toEqual({
      ...{ status: 'unreadable', tenant_id: tenantId, payment_id: payment.id, inquired_at: later(5_000) },
      reason: `amount is text; inquired about ${payment.paymentCode} (provider: paid; payment: paid)`,
    })
    expect(places.freeSlots()).toBe(4)
    expect(places.freeSlotsOfAccounts()).toEqual([])
    const { rows } = await db.raw(
      "select to_status from payment_transitions where payment_id = ? and cause = 'inquiry'",
      [payment.id],
    )
    expect(rows).toEqual([{ to_status: 'paid' }])
  })

  test('if the status inquiry about an unreadable callback lists a refund, the refund is debited', async () => {
    response = async ({ reference }) => ({
      ...{ reference, providerPaymentId: 'p-1', fact: paid },
      returns: [{ kind: 'refund', id: 'rf-1', amount: 400n, status: 'succeeded' }],
    })
    await inquire(await kept())
    expect(await balance()).toBe(600n)
  })

  test("an unreadable callback with both a payment's reference and its provider ID causes one status inquiry", async () => {
    candidates = [payment.providerPaymentId as string, payment.paymentCode, 'unknown']
    await inquire(await kept())
    expect(inquired).toHaveLength(1)
  })

  test("an unreadable callback causes status inquiries only about its own provider account's payments", async () => {
    const other = await insertPendingPayment(db, { tenantId })
    candidates = [other.paymentCode]
    const id = await kept()
    await inquire(id)
    expect(inquired).toEqual([])
    expect(await storedOf(id)).toMatchObject({
      reason: 'amount is text; the callback names no payment of this account',
      payment_id: null,
      inquired_at: now,
    })
    expect(places.freeSlots()).toBe(4)
  })

  test('if values in an unreadable callback match several payments, the service sends an inquiry about each', async () => {
    const { providerAccountId } = payment
    const other = await insertPendingPayment(db, { tenantId, providerAccountId })
    candidates.push(other.paymentCode)
    response = async ({ reference }) =>
      reference === payment.paymentCode
        ? 'absent'
        : { reference, providerPaymentId: 'p-1', fact: { type: 'expired' } }
    const id = await kept()
    await inquire(id)
    expect(await storedOf(id)).toMatchObject({
      ...{ tenant_id: null, payment_id: null, inquired_at: now },
      reason: `amount is text; inquired about ${payment.paymentCode} (provider: absent; payment: pending), ${other.paymentCode} (provider: expired; payment: expired)`,
    })
  })

  test('if an unreadable callback refers to several charge attempts, each attempt gets a status inquiry', async () => {
    const charging = await insertPendingPayment(db, { tenantId })
    candidates = [charging.paymentCode, `${charging.paymentCode}-2`]
    await db.raw(
      `insert into payment_references (reference, tenant_id, payment_id, provider_account_id, number, provider, started_at)
       values (?, ?, ?, ?, 2, 'midtrans', now())`,
      [candidates[1] as string, tenantId, charging.id, charging.providerAccountId],
    )
    payment = charging
    const id = await kept()
    response = async () => 'not_reported'
    await inquire(id)
    expect(inquired.map(({ reference }) => reference)).toEqual(candidates)
    expect(await storedOf(id)).toMatchObject({ payment_id: charging.id, inquired_at: now })
  })

  test("the stored summary of an unreadable callback's status inquiries is truncated to 1,000 characters", async () => {
    const { providerAccountId } = payment
    const many = await Promise.all(
      Array.from({ length: 20 }, () => insertPendingPayment(db, { tenantId, providerAccountId })),
    )
    candidates = many.map(({ paymentCode }) => paymentCode)
    response = async () => 'not_reported'
    const id = await kept()
    await inquire(id)
    expect((await storedOf(id)).reason).toHaveLength('amount is text; '.length + 1_000)
  })
})

describe('a failed inquiry about a payment in an unreadable callback is retried', () => {
  test('if the provider does not respond, the status inquiry is retried and the provider account counts as unresponsive', async () => {
    const id = await kept()
    response = fails
    await expect(inquire(id)).rejects.toThrow('did not respond to every status inquiry')
    expect(await storedOf(id)).toMatchObject({
      inquired_at: null,
      reason: `amount is text; inquired about ${payment.paymentCode} (provider: no answer; payment: pending)`,
    })
    expect(places.freeSlotsOfAccounts()).toMatchObject([{ accountId: payment.providerAccountId }])
    expect(places.freeSlots()).toBe(4)
    response = async ({ reference }) => ({ reference, providerPaymentId: 'p-1', fact: paid })
    await inquire(id)
    expect(await balance()).toBe(1_000n)
    expect(places.freeSlotsOfAccounts()).toEqual([])
  })

  test("if one of an unreadable callback's status inquiries fails, all are repeated later", async () => {
    const { providerAccountId } = payment
    const other = await insertPendingPayment(db, { tenantId, providerAccountId })
    candidates.push(other.paymentCode)
    response = async ({ reference }) => (reference === other.paymentCode ? fails() : 'absent')
    const id = await kept()
    await expect(inquire(id)).rejects.toBeInstanceOf(ProviderError)
    expect(await storedOf(id)).toMatchObject({ inquired_at: null })
    expect(places.freeSlotsOfAccounts()).toHaveLength(1)
  })

  test('failed inquiries about an unreadable callback are retried for an hour after it was last received', async () => {
    response = fails
    const id = await kept()
    state.at = later(HOUR_MS - 1)
    await expect(inquire(id)).rejects.toThrow()
    state.at = later(HOUR_MS)
    await inquire(id)
    expect(await storedOf(id)).toMatchObject({ inquired_at: later(HOUR_MS) })
  })

  test('a status inquiry that ends with an internal error or a timeout frees its inquiry slot', async () => {
    const id = await kept()
    const { accountOf } = app
    let loaded = 0
    app.accountOf = async account => (++loaded > 1 ? (undefined as never) : accountOf(account))
    await expect(inquire(id)).rejects.toThrow(`there is no provider account ${payment.providerAccountId}`)
    expect(places.freeSlots()).toBe(4)
    expect(places.freeSlotsOfAccounts()).toHaveLength(1)
  })

  test("if a provider's rate limit rejects a status inquiry, the service pauses further inquiries for this provider account", async () => {
    response = async () => {
      throw new RateLimitedError(60_000)
    }
    const id = await kept()
    await expect(inquire(id)).rejects.toThrow()
    expect(limits.pausedUntil(payment.providerAccountId)).toEqual(later(60_000))
    // The provider account's status inquiries are paused. When the callback's job is retried, it is therefore
    // postponed and sends no inquiry.
    await inquire(id)
    expect(inquired).toHaveLength(1)
    expect(await jobWaits(id)).toBe(true)
    expect(await storedOf(id)).toMatchObject({ inquired_at: null })
  })
})

describe('an unreadable callback causes no status inquiry if it was processed, is now readable or names no payment', () => {
  test('no status inquiry is sent for an unknown callback or a processed unreadable callback', async () => {
    const id = await kept()
    await inquire(id)
    await inquire(id)
    await inquire(newId())
    expect(inquired).toHaveLength(1)
  })

  test('an unreadable callback that refers to no payment causes no status inquiry', async () => {
    candidates = []
    const id = await kept()
    // The test provides no slots for status inquiries, because a callback that refers to no payment needs
    // none.
    places = accountSlots(0)
    await inquire(id)
    expect(await storedOf(id)).toMatchObject({
      inquired_at: now,
      reason: 'amount is text; the callback names no payment of this account',
    })
  })

  test('an unreadable callback that the current version of the service can parse causes no status inquiry', async () => {
    state.provider.readCallback = () => ({ updates: [], acknowledgement: refusal })
    const id = await kept()
    await inquire(id)
    expect(inquired).toEqual([])
    expect((await storedOf(id)).reason).toMatch(/^this version can parse the callback; reprocess it; /)
  })

  test('handling an unreadable callback without its provider account fails and sends no status inquiry', async () => {
    const id = await kept()
    app.accountOf = async () => undefined as never
    await expect(inquire(id)).rejects.toThrow(payment.providerAccountId)
  })
})

test('payment instructions in an inquiry result are added to the payment, with a generated QR image if necessary', async () => {
  const data = { type: 'qris', qr_string: '00020101', qr_image_url: '' } as const
  payment = makePayment({
    ...{ tenantId, status: 'unknown', transitionCount: 0, methodType: 'qris', channel: 'qris' },
    ...{ methodDetail: { type: 'qris' }, methodData: null, providerPaymentId: null },
  })
  await insertPaymentInBatch(db, payment)
  candidates = [payment.paymentCode]
  response = async ({ reference }) => ({
    reference,
    providerPaymentId: 'p-1',
    fact: { type: 'pending', methodData: data },
  })
  await inquire(await kept())
  const { rows } = await db.raw('select status, method_data from payments where id = ?', [payment.id])
  expect(rows).toMatchObject([
    { status: 'pending', method_data: { qr_image_url: expect.stringContaining('https://pay.example.com/') } },
  ])
})

test("a status inquiry's result is applied to the payment's current state, not to its state before the inquiry", async () => {
  const id = await kept()
  response = async ({ reference }) => {
    await db.transaction(tx =>
      recordEvents(
        tx,
        [{ tenantId, paymentId: payment.id, event: { type: 'cancelled' }, cause: 'test' }],
        now,
      ),
    )
    return { reference, providerPaymentId: 'p-1', fact: { type: 'expired' } }
  }
  await inquire(id)
  expect((await storedOf(id)).reason).toMatch(/provider: expired; payment: cancelled/)
})
