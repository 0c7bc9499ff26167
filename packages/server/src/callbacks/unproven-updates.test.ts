// Tests callbacks without one of our order references, which are matched by the provider’s ID. Also tests callbacks
// that a status inquiry must confirm. The provider is a test double.

import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, later, makeTenant, noCallbackRules, now } from '../../test/support/make.ts'
import { staticTokenCallbacks } from '../../test/support/static-token-callbacks.ts'
import { listEntriesOfPayment } from '../ledger/ledger.sql.ts'
import { findPaymentInBatch } from '../payments/payment.sql.ts'
import type { Payment, PaymentEvent } from '../payments/payment.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { listRecordsOfPayments } from '../payments/record/unexpected-money.sql.ts'
import type { CallbackRules } from '../provider-accounts/load-account.ts'
import {
  type CallbackUpdate,
  type Inquiry,
  type InquiryResult,
  ProviderError,
} from '../providers/provider.ts'
import { newId } from '../values/id.ts'

const { db } = await testDatabase()
let clock = now
let response: (inquiry: Inquiry) => Promise<InquiryResult> = async () => 'absent'
let rules: CallbackRules = noCallbackRules
const {
  applyBatch: together,
  applyOne: alone,
  received,
} = staticTokenCallbacks(db, {
  clock: () => clock,
  rules: () => rules,
  inquire: inquiry => response(inquiry),
})
/**
 * Returns an update that reports a payment as paid. The update identifies the payment only by the provider's
 * ID and contains none of our order references.
 */
const paid = (providerPaymentId: string, extra: { receipt?: string } = {}): CallbackUpdate => ({
  reference: null,
  providerPaymentId,
  fact: { type: 'paid', amountPaid: 10_000_000n, ...extra },
})
const callbackOf = async (id: string): Promise<{ status: string; reason: string | null }> =>
  (await db.raw('select status, reason from provider_callbacks where id = ?', [id])).rows[0]
const moneyAt = async (accountId: string): Promise<{ reference: string; receipt: string }[]> =>
  (
    await db.raw(
      'select reference, receipt from unexpected_money where provider_account_id = ? order by receipt',
      [accountId],
    )
  ).rows
const pending = async (providerAccountId: string, providerPaymentId: string) =>
  insertPendingPayment(db, { tenantId: await makeTenant(db), providerAccountId, providerPaymentId })
const stateOf = async ({ tenantId, id }: Payment) => ({
  status: (await findPaymentInBatch(db, tenantId, id, null))?.status,
  entries: (await listEntriesOfPayment(db, tenantId, id)).map(({ amount }) => amount),
})
const aMinuteLater = () => {
  clock = later(clock.getTime() - now.getTime() + 60_000)
}

describe('a callback without one of our order references is matched by the provider’s ID', () => {
  test("if a callback has no order reference, its payment is found by the provider's ID and becomes paid", async () => {
    const account = newId()
    const [payment, foreign] = [await pending(account, 'P-1'), await pending(newId(), 'P-1')]
    const id = await received(account, paid('P-1', { receipt: 'R-1' }))
    await together([id])
    expect(await callbackOf(id)).toEqual({ status: 'applied', reason: null })
    const { tenantId } = payment
    expect(await findPaymentInBatch(db, tenantId, payment.id, null)).toMatchObject({
      status: 'paid',
      paidReference: payment.paymentCode,
      receipt: 'R-1',
    })
    expect((await stateOf(foreign)).status).toBe('pending')
  })

  test('if two payments have the same provider ID, money reported for this ID credits neither payment until the operator decides', async () => {
    const account = newId()
    const both = [await pending(account, 'P-2'), await pending(account, 'P-2')]
    const id = await received(account, paid('P-2'))
    aMinuteLater()
    await together([id])
    expect((await callbackOf(id)).status).toBe('unmatched')
    expect(await moneyAt(account)).toEqual([{ reference: '', receipt: 'P-2' }])
    for (const payment of both) expect((await stateOf(payment)).status).toBe('pending')
  })

  test('if a transfer from an unverified sender matches no payment, it is recorded as unexpected money under the transfer’s reference', async () => {
    const account = newId()
    const fact = {
      type: 'challenged',
      reason: 'the sender could not be verified',
      claim: { amountPaid: 10_000_000n, receipt: 'R-9' },
    } as const
    await together([await received(account, { reference: 'INVOICE-9', providerPaymentId: 'P-9', fact })])
    expect(await moneyAt(account)).toEqual([{ reference: 'INVOICE-9', receipt: 'R-9' }])
  })

  test('a callback without an order reference is retried for up to a minute, until a payment with its provider payment ID is stored', async () => {
    const account = newId()
    const [early, never] = [await received(account, paid('P-3')), await received(account, paid('P-4'))]
    await together([early, never])
    await alone(early)
    expect([(await callbackOf(early)).status, (await callbackOf(never)).status]).toEqual([
      'received',
      'received',
    ])
    const { rows } = await db.raw(
      `select key, run_at > now() as waits from graphile_worker.jobs where task_identifier = 'apply_callback' and key = any(?)`,
      [[early, never]],
    )
    expect(rows.map(({ waits }: { waits: boolean }) => waits)).toEqual([true, true])
    expect(await moneyAt(account)).toEqual([])

    const payment = await pending(account, 'P-3')
    await alone(early)
    expect((await stateOf(payment)).status).toBe('paid')
    aMinuteLater()
    await alone(never)
    expect((await callbackOf(never)).status).toBe('unmatched')
    expect(await moneyAt(account)).toEqual([{ reference: '', receipt: 'P-4' }])
  })

  test.each(['', 'a\0b', '\ud800'])(
    'reports of money without an order reference are recorded separately if their provider ID is unusable: %j',
    async providerPaymentId => {
      const account = newId()
      const ids = [
        await received(account, paid(providerPaymentId)),
        await received(account, paid(providerPaymentId)),
        await received(account, paid(providerPaymentId), paid(providerPaymentId)),
      ]
      aMinuteLater()
      await together(ids)
      const records = await moneyAt(account)
      expect(records).toHaveLength(4)
      for (const { reference, receipt } of records)
        expect([reference, receipt]).toEqual(['', expect.stringMatching(/^[0-9a-f]{64}-\d$/)])
    },
  )
})

describe('a callback without proof of payment credits nothing by itself if it is about an order that the merchant created outside the service', () => {
  const money = { type: 'paid', amountPaid: 4_000_000n, receipt: 'T-1' } as const
  const openPayment = (reference: string | null): CallbackUpdate => ({
    ...{ reference, providerPaymentId: 'T-1' },
    fact: { type: 'unproven', reason: 'an open payment', claimsPayment: true, ifUnmatched: money },
  })

  test.each(['INV-7', null])(
    'if the callback matches no payment, the reported money is recorded once for the Owner (order reference %j)',
    async reference => {
      const account = newId()
      const ids = [
        await received(account, openPayment(reference)),
        await received(account, openPayment(reference)),
      ]
      aMinuteLater()
      await together(ids)
      expect(await moneyAt(account)).toEqual([{ reference: reference ?? '', receipt: 'T-1' }])
      expect(await callbackOf(ids[0] as string)).toMatchObject({
        status: 'unmatched',
        reason: expect.stringContaining('its money waits for the Owner'),
      })
    },
  )

  test('if a callback matches a payment, the callback alone does not credit the payment; only a status inquiry can', async () => {
    const account = newId()
    const payment = await pending(account, 'P-6')
    response = async ({ reference }) => ({ reference, providerPaymentId: 'P-6', fact: { type: 'pending' } })
    const id = await received(account, openPayment(payment.paymentCode))
    aMinuteLater()
    await alone(id)
    expect((await callbackOf(id)).status).toBe('ignored')
    expect(await stateOf(payment)).toEqual({ status: 'pending', entries: [] })
    expect(await moneyAt(account)).toEqual([])
  })
})

describe('a callback that reports a large amount must be confirmed by a status inquiry if only a static token authenticates it', () => {
  const account = newId()
  const reported = ({ paymentCode: reference }: Payment, amountPaid = 10_000_000n): CallbackUpdate => ({
    reference,
    providerPaymentId: 'forged',
    fact: { type: 'paid', amountPaid, receipt: 'forged' },
  })
  const settled = async (update: CallbackUpdate): Promise<string> => {
    rules = { ...noCallbackRules, inquireAbove: 9_999_999n }
    const id = await received(account, update)
    await alone(id)
    return id
  }
  const says = (fact: Exclude<InquiryResult, string>['fact']) => {
    response = async ({ reference }) => ({ reference, providerPaymentId: 'P-5', fact })
  }

  test('if a callback’s amount exceeds the limit for unconfirmed callbacks, the amount that the provider reports in a status inquiry is credited', async () => {
    const payment = await pending(account, newId())
    says({ type: 'paid', amountPaid: 10_000_000n, receipt: 'true' })
    await settled(reported(payment, 90_000_000n))
    expect(await stateOf(payment)).toEqual({ status: 'paid', entries: [10_000_000n] })
    expect(await findPaymentInBatch(db, payment.tenantId, payment.id, null)).toMatchObject({
      receipt: 'true',
    })
  })

  test('if a callback’s amount is so high that an inquiry must confirm it, and the provider has no such order, nothing is credited', async () => {
    const payment = await pending(account, newId())
    response = async () => 'absent'
    const id = await settled(reported(payment))
    expect(await callbackOf(id)).toEqual({
      status: 'ignored',
      reason: 'status inquiry: the provider has no such payment',
    })
    expect(await stateOf(payment)).toEqual({ status: 'pending', entries: [] })
  })

  test("a payment is challenged (held for review) if its callback's amount exceeds the limit for static tokens and the status inquiry reports no status", async () => {
    const payment = await pending(account, newId())
    response = async () => 'not_reported'
    await settled(reported(payment))
    expect(await stateOf(payment)).toEqual({ status: 'challenged', entries: [] })
  })

  test('if the amount of a callback exceeds the limit for static tokens and the status inquiry reports the order as expired, the payment expires', async () => {
    const payment = await pending(account, newId())
    says({ type: 'expired' })
    await settled(reported(payment))
    expect(await stateOf(payment)).toEqual({ status: 'expired', entries: [] })
  })

  test("if a callback's amount exceeds the limit for callbacks with a static token, the callback is retried while the provider reports the order as pending", async () => {
    const payment = await pending(account, newId())
    says({ type: 'pending' })
    rules = { ...noCallbackRules, inquireAbove: 9_999_999n }
    const id = await received(account, reported(payment))
    await expect(alone(id)).rejects.toThrow('the provider does not confirm the payment yet')
    expect((await callbackOf(id)).status).toBe('received')
    says({ type: 'paid', amountPaid: 10_000_000n })
    await alone(id)
    expect((await stateOf(payment)).status).toBe('pending')
    clock = later(clock.getTime() - now.getTime() + 2_000)
    await alone(id)
    expect((await stateOf(payment)).status).toBe('paid')
  })

  const recordsOf = async ({ tenantId, id }: Payment) =>
    (await db.transaction(tx => listRecordsOfPayments(tx, [{ tenantId, paymentId: id }]))).map(
      ({ kind, status, amount, receipt }) => [kind, status, amount, receipt],
    )
  const ended = async (event: PaymentEvent) => {
    const payment = await pending(account, newId())
    const { tenantId, id: paymentId } = payment
    await db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId, event, cause: 'test' }], now))
    return payment
  }
  const anHourLater = () => {
    clock = later(clock.getTime() - now.getTime() + 3_600_000)
  }
  const unconfirmed = [['unconfirmed', 'open', 90_000_000n, 'forged']]

  test.each<['expired' | 'cancelled' | 'failed', PaymentEvent]>([
    ['expired', { type: 'expired' }],
    ['cancelled', { type: 'cancelled' }],
    ['failed', { type: 'failed', reason: 'deny' }],
  ])(
    'money for a payment that is %s waits for the operator if it exceeds the limit for unconfirmed callbacks and the provider reports no status',
    async (status, event) => {
      const payment = await ended(event)
      response = async () => 'not_reported'
      const id = await settled(reported(payment, 90_000_000n))
      expect(await callbackOf(id)).toEqual({
        status: 'refused',
        reason: 'the provider has not confirmed this money; it waits for the Owner',
      })
      expect(await stateOf(payment)).toEqual({ status, entries: [] })
      expect(await recordsOf(payment)).toEqual(unconfirmed)
      aMinuteLater()
      await settled(reported(payment, 90_000_000n))
      expect(await recordsOf(payment)).toEqual(unconfirmed)
    },
  )

  test('money for an already paid payment waits for the operator if it exceeds the limit for unconfirmed callbacks and the provider reports no status', async () => {
    const payment = await pending(account, newId())
    says({ type: 'paid', amountPaid: 10_000_000n, receipt: 'true' })
    await settled(reported(payment))
    response = async () => 'not_reported'
    aMinuteLater()
    await settled({ ...reported(payment), fact: { type: 'paid', amountPaid: 10_000_000n, receipt: 'true' } })
    expect(await recordsOf(payment)).toEqual([])
    aMinuteLater()
    await settled(reported(payment, 90_000_000n))
    expect(await stateOf(payment)).toEqual({ status: 'paid', entries: [10_000_000n] })
    expect(await recordsOf(payment)).toEqual(unconfirmed)
  })

  test('a large amount reported for an expired payment waits for the operator if the provider does not answer the status inquiry for an hour', async () => {
    const payment = await ended({ type: 'expired' })
    response = async () => {
      throw new ProviderError('unknown', 'no answer')
    }
    rules = { ...noCallbackRules, inquireAbove: 9_999_999n }
    const id = await received(account, reported(payment, 90_000_000n))
    await expect(alone(id)).rejects.toThrow('did not respond')
    expect(await recordsOf(payment)).toEqual([])
    anHourLater()
    await alone(id)
    expect(await recordsOf(payment)).toEqual(unconfirmed)
  })

  test('a large amount reported for an expired payment waits for the operator if the provider still lists the payment as pending after a minute', async () => {
    const [payment, waiting] = [await ended({ type: 'expired' }), await pending(account, newId())]
    says({ type: 'pending' })
    rules = { ...noCallbackRules, inquireAbove: 9_999_999n }
    const ids = [
      await received(account, reported(payment, 90_000_000n)),
      await received(account, reported(waiting, 90_000_000n)),
    ]
    for (const id of ids) await expect(alone(id)).rejects.toThrow('does not confirm the payment yet')
    aMinuteLater()
    for (const id of ids) await alone(id)
    expect(await recordsOf(payment)).toEqual(unconfirmed)
    expect(await recordsOf(waiting)).toEqual([])
    expect((await stateOf(waiting)).status).toBe('pending')
  })

  test('if a status inquiry confirms money that waits for a decision by the operator, the money is credited once', async () => {
    const payment = await ended({ type: 'expired' })
    response = async () => 'not_reported'
    await settled(reported(payment, 90_000_000n))
    says({ type: 'paid', amountPaid: 90_000_000n, receipt: 'forged' })
    aMinuteLater()
    await settled(reported(payment, 90_000_000n))
    expect(await stateOf(payment)).toEqual({ status: 'paid', entries: [90_000_000n] })
    expect(await recordsOf(payment)).toEqual([
      ['unconfirmed', 'dismissed', 90_000_000n, 'forged'],
      ['late', 'open', 90_000_000n, 'forged'],
    ])
  })

  test('if a callback’s amount does not exceed the limit for unconfirmed callbacks, the amount is credited without a status inquiry', async () => {
    const payment = await pending(account, newId())
    response = async () => {
      throw new Error('the provider must not be polled')
    }
    rules = { ...noCallbackRules, inquireAbove: 10_000_000n }
    await alone(await received(account, reported(payment)))
    expect((await stateOf(payment)).status).toBe('paid')
  })
})
