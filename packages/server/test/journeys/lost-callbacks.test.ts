// Tests that status inquiries find a paid payment whose callback was lost.

import { beforeAll, describe, expect, test } from 'vitest'
import { duePaymentSweep } from '../../src/payments/inquire/sweep-due-payments.ts'
import { midtrans } from '../../src/providers/midtrans/midtrans.ts'
import type { AnyProvider } from '../../src/providers/provider.ts'
import { providers } from '../../src/providers/registry.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { merchantOf, simulate } from '../support/merchant.ts'
import { sentWhile } from '../support/sent-statements.ts'

const MINUTE_S = 60
const HOUR_S = 3_600
const MONTH_MINUTES = 43_200

/** The service's clock is frozen unless a test moves it. */
let now = Date.now()
const asked: string[] = []
const counting: AnyProvider = {
  ...midtrans,
  inquire(account, inquiry) {
    asked.push(inquiry.reference)
    return midtrans.inquire(account, inquiry)
  },
}

let { app, demo }: TestApp = {} as TestApp
let shop: ReturnType<typeof merchantOf>
beforeAll(async () => {
  ;({ app, demo } = await testApp({
    worker: false,
    overrides: { clock: () => new Date(now), providers: new Map([...providers, ['midtrans', counting]]) },
  }))
  // Stops the timer that saves the list of payments that need an early status inquiry, because the timer would send SQL
  // statements during a test. The tests save this list themselves.
  app.earlyChecks.stop()
  shop = merchantOf(demo)
})

async function sweep(): Promise<void> {
  const checks = duePaymentSweep(app)
  while (await checks.begin()) await checks.ended()
  await checks.ended()
}

/**
 * Every `stepS` seconds, runs the periodic job that sends scheduled status inquiries, until the payment has the status.
 * Returns how many seconds passed on the test's clock.
 */
async function secondsUntil(id: string, status: string, atMostS: number, stepS = 15): Promise<number> {
  for (let seconds = 0; seconds <= atMostS; seconds += stepS) {
    await sweep()
    const { rows } = await app.db.raw('select status from payments where id = ?', [id])
    if (rows[0]?.status === status) return seconds
    now += stepS * 1_000
  }
  throw new Error(`the payment was not ${status} within ${atMostS} s`)
}
const inquiriesOf = (payment: { payment_code: string }) =>
  asked.filter(reference => reference === payment.payment_code).length

type Created = { id: string; payment_code: string }
async function created(extra: object = {}): Promise<Created> {
  const { status, data, text } = await shop.create(extra)
  expect(status, text).toBe(200)
  return data
}

describe('a payment whose callback was lost is found by status inquiries', () => {
  test.each([
    ['a virtual account valid for an hour', { expiry_minutes: 60 }],
    ['a virtual account valid for 30 days', { expiry_minutes: MONTH_MINUTES }],
    ['a QRIS code', { method_type: 'qris', method_detail: { type: 'qris' }, expiry_minutes: 60 }],
  ])('a payment whose callback was lost becomes paid within minutes: %s', async (_, extra) => {
    const payment = await created(extra)
    await simulate(demo, payment, 'paid', { silently: true })
    expect(await secondsUntil(payment.id, 'paid', 3 * MINUTE_S)).toBeLessThanOrEqual(3 * MINUTE_S)
    expect((await shop.ledger(payment.id)).data).toMatchObject([{ entry_type: 'credit' }])
  })

  test('a payment whose callback was lost becomes paid within seven hours, even in the third week after its creation', async () => {
    const payment = await created({ expiry_minutes: MONTH_MINUTES })
    now += 18 * 24 * HOUR_S * 1_000
    await sweep()
    await simulate(demo, payment, 'paid', { silently: true })
    await secondsUntil(payment.id, 'paid', 7 * HOUR_S, 600)
  })

  test('a payment whose callback was lost becomes paid within minutes after the provider’s fraud review approves it', async () => {
    const payment = await created()
    await simulate(demo, payment, 'challenged', { silently: true })
    await secondsUntil(payment.id, 'challenged', 3 * MINUTE_S)
    await simulate(demo, payment, 'paid', { silently: true })
    await secondsUntil(payment.id, 'paid', 6 * MINUTE_S)
  })

  test('a challenged payment stays challenged after its expiry while the provider is still reviewing it for fraud', async () => {
    const payment = await created({ expiry_minutes: 60 })
    await simulate(demo, payment, 'challenged', { silently: true })
    await secondsUntil(payment.id, 'challenged', 3 * MINUTE_S)
    now += 48 * HOUR_S * 1_000
    const before = inquiriesOf(payment)
    await sweep()
    expect(inquiriesOf(payment)).toBe(before + 1)
    expect((await shop.get(payment.id)).data.status).toBe('challenged')
  })
})

describe('reading a pending payment triggers early status inquiries at a limited rate', () => {
  /** Creates an old payment, whose next scheduled status inquiry is an hour away. */
  async function oldPayment(): Promise<Created> {
    const payment = await created({ expiry_minutes: MONTH_MINUTES })
    now += 3.5 * HOUR_S * 1_000
    await sweep()
    now += 15 * MINUTE_S * 1_000
    return payment
  }

  test('a pending payment gets an additional status inquiry only when the merchant reads the payment for the second time', async () => {
    const payment = await oldPayment()
    await simulate(demo, payment, 'paid', { silently: true })
    const before = inquiriesOf(payment)
    expect((await shop.get(payment.id)).data.status).toBe('pending')
    await app.earlyChecks.write()
    await sweep()
    expect(inquiriesOf(payment)).toBe(before)
    now += 10_000
    await shop.get(payment.id)
    // Reading the payment does not send a status inquiry, because a read request never waits for a provider.
    expect(inquiriesOf(payment)).toBe(before)
    await app.earlyChecks.write()
    await sweep()
    expect((await shop.get(payment.id)).data.status).toBe('paid')
  })

  test('while the return page is open, a status inquiry is sent at most every 45 seconds', async () => {
    const payment = await oldPayment()
    const before = inquiriesOf(payment)
    const key = { tenantId: demo.client.tenant_id, paymentId: payment.id }
    for (let second = 0; second < 90; second += 1) {
      app.earlyChecks.notePayerWaiting(key)
      await app.earlyChecks.write()
      await sweep()
      now += 1_000
    }
    expect(inquiriesOf(payment)).toBe(before + 2)
  })

  test("in a payment's first 45 seconds, an open return page triggers no status inquiry", async () => {
    const payment = await created({ method_type: 'qris', method_detail: { type: 'qris' } })
    const key = { tenantId: demo.client.tenant_id, paymentId: payment.id }
    for (let second = 0; second < 50; second += 1) {
      app.earlyChecks.notePayerWaiting(key)
      await app.earlyChecks.write()
      await sweep()
      expect(inquiriesOf(payment)).toBe(second < 45 ? 0 : 1)
      now += 1_000
    }
  })

  test('a merchant that polls an old payment triggers at most one status inquiry every 15 minutes', async () => {
    const payment = await created({ expiry_minutes: MONTH_MINUTES })
    now += 10 * 24 * HOUR_S * 1_000
    await sweep()
    const before = inquiriesOf(payment)
    for (let minute = 0; minute < 60; minute += 1) {
      now += MINUTE_S * 1_000
      await shop.get(payment.id)
      await app.earlyChecks.write()
      await sweep()
    }
    expect(inquiriesOf(payment) - before).toBeLessThanOrEqual(4)
    expect(inquiriesOf(payment)).toBeGreaterThan(before)
  })
})

test('each read of a pending payment sends only one SQL statement about payments, which is a SELECT', async () => {
  const payment = await created()
  await shop.get(payment.id)
  const sent = await sentWhile(async () => {
    for (let n = 0; n < 3; n += 1) await shop.get(payment.id)
  })
  const ofPayments = sent.filter(({ text }) => /\bpayments\b/.test(text))
  expect(ofPayments).toHaveLength(3)
  for (const { text } of ofPayments) expect(text).toMatch(/^select/)
})
