// Tests that reconciliation reports no difference about correct refunds and won chargebacks, but still reports a debit
// for a refund that the provider did not make.

import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Payment } from '../../src/payments/payment.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import { findRefundById } from '../../src/payments/record/refund.sql.ts'
import { inquireRefund } from '../../src/payments/refund/send-refund.ts'
import type { MoneyReturn } from '../../src/providers/provider.ts'
import { daysBefore } from '../../src/values/day.ts'
import { type DailyShop, dailyShop, today } from '../support/daily-reconciliation.ts'
import { http, logIn, merchantOf, simulate, until } from '../support/merchant.ts'
import { merchantWith } from '../support/merchant-of-provider.ts'
import { bankAccount } from '../support/refund-scene.ts'
import { csvOf, newAccount, noonOf, payAt, pendingAt, upload } from '../support/settlement.ts'

const AMOUNT = 10_000_000n
type Created = { id: string; payment_code: string }

let shop: DailyShop
let owner: string
beforeAll(async () => {
  shop = await dailyShop()
  owner = await logIn(shop.demo, shop.demo.owner)
})

/**
 * Reconciles today or yesterday again, in the daily run and on request. Returns the payment's open differences, which
 * must be the same in both.
 */
async function differencesOf(
  { payment_code }: Pick<Created, 'payment_code'>,
  { mode = 'test', date = today } = {},
): Promise<string[]> {
  await shop.forgetRuns()
  await shop.reconcile(date === today ? 1 : 0)
  const ofPayment = (differences: string[]) =>
    differences.filter(each => each.startsWith(payment_code)).map(each => each.slice(payment_code.length + 1))
  const stored = ofPayment(await shop.open())
  const path = `/v1/reports/reconciliation?date=${date}&mode=${mode}`
  const { data } = await http('GET', shop.demo.base_url + path, { auth: owner })
  const requested = data.differences.map(
    ({ reference, between, kind }: Record<string, string>) => `${reference} ${between} ${kind}`,
  )
  expect(ofPayment(requested)).toEqual(stored)
  return stored
}

async function paidPayment(): Promise<Created> {
  const [payment] = (await shop.createPaidThere(1)) as [Created]
  await shop.pay(payment)
  return payment
}
const requestRefund = (merchant: ReturnType<typeof merchantOf>, { id }: Created, body: object = {}) =>
  merchant.call('POST', `/v1/payments/${id}/refunds`, {
    ...{ body, headers: { 'x-idempotency-key': randomUUID() } },
  })

/** Records a refund or chargeback as if the provider had reported it. */
async function report(
  { id: paymentId, payment_code: reference }: Created,
  returned: Partial<MoneyReturn>,
  tenantId = shop.demo.client.tenant_id,
): Promise<void> {
  const returns: MoneyReturn[] = [
    { kind: 'chargeback', id: 'cb-1', amount: AMOUNT, status: 'succeeded', ...returned },
  ]
  const reported = { event: () => undefined, reportedReturns: { reference, returns }, cause: 'callback' }
  await shop.app.db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId, ...reported }], new Date()))
}

describe('a status inquiry that reports a payment as paid agrees with refunds that the provider did not make', () => {
  test('a full refund of a virtual account payment by bank transfer is not reported as a difference', async () => {
    const payment = await paidPayment()
    const { data } = await requestRefund(merchantOf(shop.demo), payment, { bank_account: bankAccount })
    expect(data).toMatchObject({ method: 'manual', status: 'pending' })
    expect(await differencesOf(payment)).toEqual([])
    const resolved = await http('POST', `${shop.demo.base_url}/v1/refunds/${data.id}/resolve`, {
      auth: owner,
      body: { outcome: 'succeeded', bank_reference: 'TRF-1' },
    })
    expect(resolved.data.status).toBe('succeeded')
    expect(await differencesOf(payment)).toEqual([])
  })

  test('a won chargeback is not reported, but a chargeback that the provider does not list is', async () => {
    const payment = await paidPayment()
    await report(payment, {})
    expect(await differencesOf(payment)).toEqual(['ledger_provider status'])
    await report(payment, { status: 'failed' })
    expect(await differencesOf(payment)).toEqual([])
  })
})

describe('reconciliation requests the refunds of a payment from Xendit', () => {
  async function paidAtXendit(at = new Date()) {
    const merchant = await merchantWith(shop.app, shop.demo, 'xendit')
    const { data: payment } = await merchant.create({
      ...{ method_type: 'e_wallet', method_detail: { type: 'e_wallet', wallet_type: 'dana' } },
    })
    await simulate(shop.demo, payment, 'paid', { silently: true })
    const { tenantId } = merchant
    await payAt(
      shop.app,
      { tenantId, id: payment.id, paymentCode: payment.payment_code } as Payment,
      at,
      AMOUNT,
    )
    return { merchant, payment: payment as Created }
  }

  /** Sends inquiries about the refund until its success is recorded. */
  const succeeds = ({ id }: { id: string }) =>
    until('the refund succeeds', async () => {
      const refund = await findRefundById(shop.app.db, null, id)
      return refund && (await inquireRefund(shop.app, refund, () => {})).refund.status === 'succeeded'
    })

  test('a full refund of an e-wallet payment is not reported as a difference', async () => {
    const { merchant, payment } = await paidAtXendit()
    const { data } = await requestRefund(merchant, payment)
    expect(data).toMatchObject({ method: 'provider', status: 'pending' })
    expect(await differencesOf(payment)).toEqual([])
    await succeeds(data)
    expect(await differencesOf(payment)).toEqual([])
  })

  test('a refund that was made after the reconciled day is not reported', async () => {
    const yesterday = daysBefore(today, 1)
    const { merchant, payment } = await paidAtXendit(noonOf(yesterday))
    await succeeds((await requestRefund(merchant, payment)).data)
    expect(await differencesOf(payment, { date: yesterday })).toEqual([])
  })

  test('a debited refund that Xendit does not list is reported', async () => {
    const { merchant, payment } = await paidAtXendit()
    await report(payment, { kind: 'refund', id: 'rfd-unknown' }, merchant.tenantId)
    expect(await differencesOf(payment)).toEqual(['ledger_provider status'])
  })
})

describe('a settlement that lists only the payment agrees with refunds that the provider did not make', () => {
  test('a won chargeback is not reported, but a chargeback that the settlement does not contain is', async () => {
    const { app, demo } = shop
    const day = { date: today, accountId: await newAccount(demo, owner, 'http://127.0.0.1:9') }
    const { id, paymentCode: payment_code, ...rest } = await pendingAt(app, demo, day)
    const payment = { id, payment_code }
    await payAt(app, { id, paymentCode: payment_code, ...rest }, new Date())
    await upload(demo, owner, day, csvOf([payment_code]))
    expect(await differencesOf(payment, { mode: 'live' })).toEqual([])
    await report(payment, {})
    expect(await differencesOf(payment, { mode: 'live' })).toEqual(['ledger_provider status'])
    await report(payment, { status: 'failed' })
    expect(await differencesOf(payment, { mode: 'live' })).toEqual([])
  })
})
