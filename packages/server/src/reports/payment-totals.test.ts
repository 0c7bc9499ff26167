// Tests that reconciliation reads from the database which money the provider has returned, and which money it still
// has. Each test also uses the statement for a distributed database.

import { beforeEach, describe, expect, test } from 'vitest'
import { clusterPool } from '../../test/support/cluster-pool.ts'
import { testDatabase } from '../../test/support/database.ts'
import { now } from '../../test/support/make.ts'
import { bankAccount, refundScene } from '../../test/support/refund-scene.ts'
import { byHand } from '../../test/support/settlement.ts'
import { acceptMoney } from '../inbox/accept-money.ts'
import { dismissMoney } from '../inbox/dismiss-money.ts'
import { createRefund } from '../payments/refund/create-refund.ts'
import { resolveRefund } from '../payments/refund/resolve-refund.ts'
import { inquireRefund } from '../payments/refund/send-refund.ts'
import type { Inquiry, MoneyReturn } from '../providers/provider.ts'
import { dayOf, daysBefore, periodOfDays } from '../values/day.ts'
import { newId } from '../values/id.ts'
import { after } from '../values/time.ts'
import { findDifferences, type ProviderData } from './difference.ts'
import { type DayQuery, getPaymentsOfDay, type PaymentOfDay } from './payments-of-day.sql.ts'
import { inquireProviderData } from './poll-providers.ts'

const { db, url } = await testDatabase()

const AMOUNT = 100_000n
const DAY_MS = 86_400_000
const today = dayOf(now)

let scene: ReturnType<typeof refundScene>

beforeEach(async () => {
  scene = refundScene(db)
  await scene.begin()
  await scene.receive(AMOUNT, 'r-1')
})

const dayQuery = (date: string): DayQuery => ({
  ...{ viewer: null, mode: 'live', date },
  period: periodOfDays(date, date),
})

/** Reads the payment's totals, and checks that the statement for a distributed database returns the same. */
async function totals(until: DayQuery | 'now' = 'now'): Promise<PaymentOfDay> {
  const { tenantId, paymentId } = scene.key()
  const read = (of: typeof db) => getPaymentsOfDay(of, dayQuery(today), tenantId, [paymentId], until)
  const [payment] = await read(db)
  expect(await read(await clusterPool(url))).toEqual([payment])
  return payment as PaymentOfDay
}

const returned = (status: MoneyReturn['status'] = 'succeeded'): MoneyReturn => ({
  ...{ kind: 'refund', id: 'rf-1', amount: AMOUNT, status },
})
type Inquired = Extract<ProviderData, { source: 'inquiry' }>
const inquiry = (...returns: MoneyReturn[]): ProviderData => ({
  source: 'inquiry',
  status: {
    ...{ reference: scene.payment.paymentCode, providerPaymentId: 'p' },
    fact: { type: 'paid', amountPaid: AMOUNT },
    returns,
  },
})
const settlement = (amountReturned = 0n): ProviderData => ({
  source: 'settlement',
  lines: { paidTimes: 1n, paid: AMOUNT, returned: amountReturned },
  settlesDay: true,
})
async function differences(data: ProviderData, until?: DayQuery): Promise<string[]> {
  return findDifferences(await totals(until), data).map(({ kind, between }) => `${between} ${kind}`)
}

const request = async (input: Parameters<typeof createRefund>[3] = {}) =>
  (
    await createRefund(scene.app, { ...scene.key(), mode: 'live' }, newId(), input, {
      ...{ byUser: false, unprovenUpTo: null },
    })
  ).refund
const requestManual = () => {
  scene.terms = undefined
  return request({ bank_account: bankAccount })
}

describe('a full refund by bank transfer is not a difference, because the provider still has the money', () => {
  test('a refund that the operator has not transferred yet is not expected in the data of the provider', async () => {
    await requestManual()
    expect(await totals()).toMatchObject({
      ...{ debited: 0n, pendingReturns: 0n, refundedManually: AMOUNT, creditedBesides: 0n },
      ...{ ledgerAmount: 0n, hasReturns: false },
    })
    expect(await differences(inquiry())).toEqual([])
    expect(await differences(settlement())).toEqual([])
  })

  test('a refund that the operator has transferred is not expected in the data of the provider', async () => {
    const { id } = await requestManual()
    await resolveRefund(scene.app, null, id, { outcome: 'succeeded', bank_reference: 'TRF-1' })
    expect(await totals()).toMatchObject({ debited: 0n, refundedManually: AMOUNT, ledgerAmount: 0n })
    expect(await differences(inquiry())).toEqual([])
    expect(await differences(settlement())).toEqual([])
  })

  test('a failed refund by bank transfer changes no total', async () => {
    const { id } = await requestManual()
    await resolveRefund(scene.app, null, id, { outcome: 'failed', reason: 'wrong account' })
    expect(await totals()).toMatchObject({ refundedManually: 0n, creditedBesides: 0n, ledgerAmount: AMOUNT })
    expect(await differences(inquiry())).toEqual([])
    expect(await differences(settlement())).toEqual([])
  })

  test('a reported refund is a difference until the Owner decides that it is the manual refund', async () => {
    await requestManual()
    await scene.report({ amount: AMOUNT })
    expect(await differences(inquiry(returned()))).toEqual(['ledger_provider status'])
    await dismissMoney(scene.app, null, (await scene.first()).id, 'it is the manual refund')
    expect(await totals()).toMatchObject({ dismissedRefunds: AMOUNT })
    expect(await differences(inquiry(returned()))).toEqual([])
    expect(await differences(settlement(AMOUNT))).toEqual([])
  })
})

describe('a refund by the provider is expected in its data as soon as it has succeeded', () => {
  test('the provider may list a pending refund or not, but must list it after it has succeeded', async () => {
    scene.respond = () => ({ type: 'pending', id: 'rf-1' })
    const refund = await request()
    expect(await totals()).toMatchObject({
      ...{ debited: 0n, pendingReturns: AMOUNT, refundedManually: 0n, ledgerAmount: 0n, hasReturns: true },
    })
    for (const data of [inquiry(), inquiry(returned()), settlement(), settlement(AMOUNT)])
      expect(await differences(data)).toEqual([])

    scene.inquire = () => ({ status: { type: 'succeeded', id: 'rf-1' }, returns: [] })
    await inquireRefund(scene.app, refund, () => {})
    expect(await totals()).toMatchObject({ debited: AMOUNT, pendingReturns: 0n })
    expect(await differences(inquiry(returned()))).toEqual([])
    expect(await differences(settlement(AMOUNT))).toEqual([])
    expect(await differences(inquiry())).toEqual(['ledger_provider status'])
    expect(await differences(settlement())).toEqual(['ledger_provider status'])
  })

  test('a refund that failed before it was made, or that was returned later, is not expected', async () => {
    scene.respond = () => ({ type: 'refused', reason: 'no', isRetriable: false })
    await request()
    expect(await totals()).toMatchObject({ debited: 0n, pendingReturns: 0n, creditedBesides: 0n })
    scene.respond = () => ({ type: 'succeeded', id: 'rf-2' })
    const { reference } = await request()
    await scene.report({ id: 'rf-2', reference, amount: AMOUNT, status: 'failed' })
    expect(await scene.balance()).toBe(AMOUNT)
    expect(await totals()).toMatchObject({ debited: 0n, pendingReturns: 0n, creditedBesides: 0n })
    expect(await differences(inquiry())).toEqual([])
    expect(await differences(settlement())).toEqual([])
  })

  test('a comparison up to the end of an earlier day counts a refund as pending if it succeeded later', async () => {
    scene.respond = () => ({ type: 'pending', id: 'rf-1' })
    const refund = await request()
    scene.state.at = after(now, 2 * DAY_MS)
    scene.inquire = () => ({ status: { type: 'succeeded', id: 'rf-1' }, returns: [] })
    await inquireRefund(scene.app, refund, () => {})
    expect(await totals(dayQuery(today))).toMatchObject({ debited: 0n, pendingReturns: AMOUNT })
    expect(await totals(dayQuery(daysBefore(today, 1)))).toMatchObject({ debited: 0n, pendingReturns: 0n })
    expect(await totals()).toMatchObject({ debited: AMOUNT, pendingReturns: 0n })
  })
})

describe('a refund or chargeback that the provider reported is expected in its data until it fails', () => {
  test.each(['chargeback', 'refund'] as const)(
    'a %s is expected until the provider reports that it failed',
    async kind => {
      await scene.report({ kind, amount: AMOUNT })
      expect(await totals()).toMatchObject({ debited: AMOUNT, creditedBesides: 0n, hasReturns: true })
      expect(await differences(inquiry())).toEqual(['ledger_provider status'])
      expect(await differences(settlement())).toEqual(['ledger_provider status'])

      await scene.report({ kind, amount: AMOUNT, status: 'failed' })
      const won = { debited: 0n, creditedBesides: 0n, ledgerAmount: AMOUNT }
      expect(await totals()).toMatchObject(won)
      expect(await differences(inquiry())).toEqual([])
      expect(await differences(settlement())).toEqual([])
      // Earlier versions of the service posted such a debit and its credit without a refund.
      await byHand({ db }, [
        'update ledger_entries set refund_id = null where payment_id = ?',
        [scene.payment.id],
      ])
      expect(await totals()).toMatchObject(won)
    },
  )

  test('a chargeback is not expected after the Owner recorded it as won', async () => {
    scene.state.provider.omitsWonChargebacks = true
    scene.state.provider.inquire = async () => (inquiry() as Inquired).status
    await scene.report({ kind: 'chargeback', id: null, amount: AMOUNT })
    const [chargeback] = await scene.refunds()
    await resolveRefund(scene.app, null, chargeback?.id ?? '', { outcome: 'failed', reason: 'won' })
    expect(await totals()).toMatchObject({ debited: 0n, creditedBesides: 0n, ledgerAmount: AMOUNT })
    expect(await differences(inquiry())).toEqual([])
    expect(await differences(settlement())).toEqual([])
  })

  test('a reversal is expected, and so is money that was received after it', async () => {
    await scene.record({ event: { type: 'reversed', reason: 'deny', unexpectedMoneyId: newId() } })
    expect(await totals()).toMatchObject({ debited: AMOUNT, creditedBesides: 0n, hasReturns: false })
    expect(await differences(inquiry())).toEqual(['ledger_provider status'])
    await scene.receive(AMOUNT, 'r-1')
    const records = await scene.records()
    const again = records.find(({ kind }) => kind === 'paid_after_reversal')
    await acceptMoney(scene.app, null, again?.id ?? '', { reason: 'it is there again' })
    expect(await totals()).toMatchObject({ debited: AMOUNT, creditedBesides: AMOUNT, ledgerAmount: AMOUNT })
    expect(await differences(inquiry())).toEqual([])
  })
})

test("a status inquiry names the payment's recorded refunds and chargebacks, because Xendit lists refunds only then", async () => {
  const sent: Inquiry[] = []
  scene.state.provider.inquire = async (_, asked) => {
    sent.push(asked)
    return (inquiry() as Inquired).status
  }
  await inquireProviderData(scene.app, await totals())
  const { reference } = await request({ amount: 40_000 })
  await scene.report({ kind: 'chargeback', id: 'cb-1', amount: 60_000n, status: 'pending' })
  await inquireProviderData(scene.app, await totals())
  expect(sent[0]).not.toHaveProperty('reportedReturns')
  expect(sent[1]?.reportedReturns).toEqual([
    { kind: 'refund', id: 'rf-1', reference, amount: 40_000n, status: 'succeeded' },
    { kind: 'chargeback', id: 'cb-1', amount: 60_000n, status: 'pending' },
  ])
})

describe("the operator's refund of money that was never credited is expected once the provider has made it", () => {
  const twice = (amountReturned = 0n): ProviderData => ({
    source: 'settlement',
    lines: { paidTimes: 2n, paid: 2n * AMOUNT, returned: amountReturned },
    settlesDay: true,
  })

  test("a second payment's refund may be missing in a settlement only while it is pending", async () => {
    await scene.receive(AMOUNT, 'r-2')
    await scene.report({ amount: AMOUNT, status: 'pending' })
    const records = await scene.records()
    await scene.giveBack({}, records.find(({ kind }) => kind === 'second_payment')?.id)
    expect(await scene.refunds()).toMatchObject([
      { source: 'uncredited', method: 'provider', status: 'pending' },
    ])
    expect(await totals()).toMatchObject({
      ...{ pendingReturns: AMOUNT, refundedUncredited: AMOUNT, returnedUncredited: 0n, ledgerAmount: AMOUNT },
    })
    for (const data of [twice(), twice(AMOUNT)]) expect(await differences(data)).toEqual([])
    await scene.report({ amount: AMOUNT })
    expect(await totals()).toMatchObject({ pendingReturns: 0n, returnedUncredited: AMOUNT })
    expect(await differences(twice(AMOUNT))).toEqual([])
    expect(await differences(twice())).toEqual(['ledger_provider status'])
  })
})
