// Tests refunds and chargebacks that a provider reports although Gapura did not request them. If the amount is
// known, a reported refund is debited at once. Otherwise, it is debited once the Owner (the operator's tenant)
// enters the amount.

import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { midtrans } from '../../src/providers/midtrans/midtrans.ts'
import {
  type AnyProvider,
  type MoneyReturn,
  type ProviderUpdate,
  parseProviderJson,
} from '../../src/providers/provider.ts'
import { providers } from '../../src/providers/registry.ts'
import { inboxBench, type Paid } from '../support/inbox.ts'
import { ledgerDifferences } from '../support/ledger.ts'
import { refusal } from '../support/management-api.ts'
import { simulate } from '../support/merchant.ts'

/** Maps a payment's reference to the refunds and chargebacks that the provider returns in a status inquiry. */
const listed = new Map<string, MoneyReturn[]>()
const withReturns = <Report extends Pick<ProviderUpdate, 'fact'>>(report: Report, returns: MoneyReturn[]) =>
  returns.length > 0 ? { ...report, returns } : report

/**
 * Midtrans' adapter, but with refunds and chargebacks that the test supplies. The test therefore does not depend on
 * Midtrans' JSON format.
 */
const returning: AnyProvider = {
  ...midtrans,
  async inquire(account, inquiry) {
    const word = await midtrans.inquire(account, inquiry)
    return typeof word === 'string' ? word : withReturns(word, listed.get(inquiry.reference) ?? [])
  },
  readCallback(account, request) {
    const reading = midtrans.readCallback(account, request)
    if (!('updates' in reading)) return reading
    const { returned } = parseProviderJson(request.body) as { returned?: string }
    const returns =
      returned === undefined ? [] : (JSON.parse(returned) as (MoneyReturn & { cents?: number })[])
    const told = returns.map(({ cents, ...each }) => ({
      ...each,
      amount: cents === undefined ? null : BigInt(cents),
    }))
    return { ...reading, updates: reading.updates.map(report => withReturns(report, told)) }
  },
}

const { demo, owner, shop, ...bench } = await inboxBench({
  providers: new Map([...providers, ['midtrans', returning]]),
})
const { tell, created, simulated, paid, recordOf, recordsOf, decide, entriesOf, statusOf, toldOf } = bench

type Told = { kind?: string; id: string | null; cents?: number; status?: string }

/**
 * Sends a callback with the given refunds and chargebacks. The callback also contains a payment status, which
 * changes nothing.
 */
const tellReturn = (reference: string, ...told: Told[]) =>
  tell(
    reference,
    {
      transaction_status: 'refund',
      returned: JSON.stringify(told.map(each => ({ kind: 'refund', status: 'succeeded', ...each }))),
    },
    // Sends no further copies of the callback: each copy would trigger a status inquiry, and each inquiry doubles the
    // delay before the next one.
    1,
  )
const refundsOf = async ({ id }: { id: string }) =>
  (await shop.call('GET', `/v1/payments/${id}/refunds`)).data
const held = async (): Promise<number> => (await shop.call('GET', '/v1/account/balance')).data.held
/**
 * Returns the ledger entries of a payment after a correction: the first debit, `debited`, was credited back,
 * and `cents` were debited instead.
 */
const corrected = (debited: number, cents: number) => [
  ['credit', 10_000_000],
  ['debit', debited],
  ['credit', debited],
  ['debit', cents],
]

const differences = () => ledgerDifferences(bench.app)

beforeEach(() => listed.clear())

describe('a refund reported by the provider is debited once, even if the provider reports it several times', () => {
  test('a refund reported by the provider is debited once, and its success triggers a webhook', async () => {
    const [payment, before] = [await paid(), await shop.balance()]
    await tellReturn(payment.payment_code, { id: 'rf-1', cents: 3_000_000, status: 'pending' })
    expect(await shop.balance()).toBe(before - 3_000_000)
    expect(await toldOf(payment, 1)).toEqual([['payment.paid']])
    await tellReturn(payment.payment_code, { id: 'rf-1', cents: 3_000_000 })
    await tellReturn(payment.payment_code, { id: 'rf-1', cents: 3_000_000, status: 'pending' })
    expect(await refundsOf(payment)).toMatchObject([
      { status: 'succeeded', origin: 'provider', amount: 3_000_000, provider_refund_id: 'rf-1' },
    ])
    expect([await shop.balance(), await held()]).toEqual([before - 3_000_000, 0])
    expect(await entriesOf(payment)).toEqual([
      ['credit', 10_000_000],
      ['debit', 3_000_000],
    ])
    expect(await toldOf(payment, 2)).toEqual([['payment.paid'], ['payment.refunded', 'debit', 3_000_000]])
    expect((await decide((await recordOf(payment)).id, 'accept')).status).toBe(409)
  })

  test('if the provider reports two partial refunds of one payment, each refund is debited separately', async () => {
    const payment = await paid()
    await tellReturn(payment.payment_code, { id: 'a', cents: 1_000_000 }, { id: 'b', cents: 2_000_000 })
    expect((await entriesOf(payment)).slice(1).toSorted()).toEqual([
      ['debit', 1_000_000],
      ['debit', 2_000_000],
    ])
  })

  test('if the provider reports a refund without an amount, a status inquiry finds the amount', async () => {
    const payment = await paid()
    listed.set(payment.payment_code, [
      { kind: 'refund', id: 'rf-2', amount: 2_000_000n, status: 'succeeded' },
    ])
    await tellReturn(payment.payment_code, { id: 'rf-2' })
    expect(await entriesOf(payment)).toContainEqual(['debit', 2_000_000])
  })

  test('a refund reported without an amount is debited once the Owner enters the amount', async () => {
    const payment = await paid()
    await tellReturn(payment.payment_code, { id: 'rf-3' })
    const { id, amount } = await recordOf(payment)
    expect([amount, await held()]).toEqual([0, 0])
    expect(refusal(await decide(id, 'accept'))).toEqual([
      400,
      'BAD_REQUEST',
      'bad request: amount: is required, because the provider did not report the amount',
    ])
    expect((await decide(id, 'accept', { amount: 2_500_000 })).data).toMatchObject({ amount: 2_500_000 })
    expect(await entriesOf(payment)).toContainEqual(['debit', 2_500_000])
    expect(await refundsOf(payment)).toMatchObject([
      { status: 'succeeded', origin: 'provider', amount: 2_500_000 },
    ])
  })

  test('a later report completes an open refund record, but replaces an accepted record with another amount', async () => {
    const [waiting, accepted] = [await paid(), await paid()]
    const before = await shop.balance()
    const unlisted: MoneyReturn = { kind: 'refund', id: null, amount: null, status: 'pending' }
    for (const { payment_code } of [waiting, accepted]) {
      listed.set(payment_code, [unlisted])
      await tellReturn(payment_code, { id: null, status: 'pending' })
    }
    expect(await recordOf(waiting)).toMatchObject({ receipt: null, amount: 0, status: 'open' })
    await decide((await recordOf(accepted)).id, 'accept', { amount: 2_500_000 })

    for (const { payment_code } of [waiting, accepted])
      await tellReturn(payment_code, { id: 'rf-9', cents: 3_000_000 })
    expect(await recordOf(waiting)).toMatchObject({ receipt: 'rf-9', amount: 3_000_000, status: 'accepted' })
    // The provider now reports 3,000,000 cents, but the Owner (the operator) had entered 2,500,000 cents, so
    // a second record replaces the first.
    expect(await recordsOf(accepted)).toMatchObject([
      { receipt: 'rf-9', amount: 3_000_000, status: 'accepted' },
      { receipt: null, amount: 2_500_000, status: 'dismissed' },
    ])
    expect(await entriesOf(accepted)).toEqual(corrected(2_500_000, 3_000_000))
    expect([await shop.balance(), await held()]).toEqual([before - 6_000_000, 0])
  })

  test('a debited refund that later fails is credited back only once', async () => {
    const [payment, before] = [await paid(), await shop.balance()]
    const { payment_code } = payment
    await tellReturn(payment_code, { id: 'rf-4', cents: 3_000_000, status: 'pending' })
    for (let times = 0; times < 2; times++)
      await tellReturn(payment_code, { id: 'rf-4', cents: 3_000_000, status: 'failed' })
    expect([await shop.balance(), await held()]).toEqual([before, 0])
    expect(await recordOf(payment)).toMatchObject({
      status: 'dismissed',
      return_status: 'failed',
      reason: 'the provider reports that it failed',
    })
    expect(await entriesOf(payment)).toEqual([
      ['credit', 10_000_000],
      ['debit', 3_000_000],
      ['credit', 3_000_000],
    ])
    expect(await toldOf(payment, 2)).toEqual([['payment.paid'], ['refund.failed', 'credit', 3_000_000]])
  })

  test('a refund reported as failed stays closed, even if an older report about the refund arrives later', async () => {
    const payment = await paid()
    await tellReturn(payment.payment_code, { id: 'rf-8', cents: 3_000_000, status: 'failed' })
    await tellReturn(payment.payment_code, { id: 'rf-8', cents: 3_000_000, status: 'pending' })
    expect(await recordOf(payment)).toMatchObject({ status: 'dismissed', return_status: 'failed' })
    expect(await held()).toBe(0)
  })

  test('a refund reported before its payment is debited after an inquiry marks the payment as paid', async () => {
    const payment = await created()
    await simulate(demo, payment, 'paid', { silently: true })
    listed.set(payment.payment_code, [
      { kind: 'refund', id: 'rf-5', amount: 4_000_000n, status: 'succeeded' },
    ])
    await tellReturn(payment.payment_code, { id: 'rf-5', cents: 4_000_000 })
    expect(await statusOf(payment)).toBe('paid')
    expect(await entriesOf(payment)).toEqual([
      ['credit', 10_000_000],
      ['debit', 4_000_000],
    ])
  })

  test('the Owner cannot accept a reported refund of a payment that was never paid, so nothing is debited', async () => {
    const payment = await created()
    await tellReturn(payment.payment_code, { id: 'rf-6', cents: 4_000_000 })
    const { id } = await recordOf(payment)
    expect(refusal(await decide(id, 'accept')).slice(0, 2)).toEqual([409, 'CONFLICT'])
    await decide(id, 'dismiss')
    expect(await entriesOf(payment)).toEqual([])
  })
})

describe('if the Owner refunds unexpected money (money that awaits a decision), the refund is not debited twice', () => {
  test("a reported refund with the same amount as the Owner's bank transfer awaits a decision", async () => {
    const payment = await paid(12_000_000)
    await bench.refund((await recordOf(payment)).id)
    await tellReturn(payment.payment_code, { id: 'rf-21', cents: 2_000_000 })
    expect(await entriesOf(payment)).toEqual([
      ['credit', 12_000_000],
      ['debit', 2_000_000],
    ])
    const reported = (await recordsOf(payment)).find(({ kind }: { kind: string }) => kind === 'refund')
    expect(reported).toMatchObject({ status: 'open', amount: 2_000_000 })
    await decide(reported.id, 'dismiss')
    expect(await entriesOf(payment)).toHaveLength(2)
  })

  test("the Owner's refund of uncredited money and the provider's report of this refund count as one refund", async () => {
    const payment = await paid()
    await tell(payment.payment_code, { transaction_id: randomUUID() })
    const money = await recordOf(payment)
    await tellReturn(payment.payment_code, { id: 'rf-23', cents: 10_000_000, status: 'pending' })
    const refunded = (await decide(money.id, 'refund')).data
    expect(refunded).toMatchObject({ status: 'refunded', refund_status: 'pending', in_ledger: false })
    await tellReturn(payment.payment_code, { id: 'rf-23', cents: 10_000_000 })
    expect((await owner('GET', `/v1/refunds/${refunded.refund_id}`)).data).toMatchObject({
      ...{ origin: 'operator', method: 'provider', status: 'succeeded', provider_refund_id: 'rf-23' },
    })
    expect(await entriesOf(payment)).toEqual([['credit', 10_000_000]])
  })

  test('a reported refund of money that was never credited to the merchant is not debited', async () => {
    const payment = await paid()
    await tell(payment.payment_code, { transaction_id: randomUUID() })
    expect(await recordOf(payment)).toMatchObject({ kind: 'second_payment', in_ledger: false })
    await tellReturn(payment.payment_code, { id: 'rf-22', cents: 10_000_000 })
    expect(await entriesOf(payment)).toEqual([['credit', 10_000_000]])
    const reported = (await recordsOf(payment)).find(({ kind }: { kind: string }) => kind === 'refund')
    await decide(reported.id, 'dismiss')
  })
})

describe('a chargeback reported by the provider is debited, and credited back if the merchant wins', () => {
  const chargeback = (payment: Paid, status: string) =>
    tellReturn(payment.payment_code, { kind: 'chargeback', id: 'cb-1', cents: 10_000_000, status })

  test('a chargeback is debited at once, and a lost dispute triggers only one webhook', async () => {
    const [payment, before] = [await paid(), await shop.balance()]
    await chargeback(payment, 'pending')
    expect(await shop.balance()).toBe(before - 10_000_000)
    await chargeback(payment, 'succeeded')
    await chargeback(payment, 'succeeded')
    expect(await refundsOf(payment)).toMatchObject([
      { origin: 'chargeback', status: 'succeeded', amount: 10_000_000 },
    ])
    expect(await entriesOf(payment)).toEqual([
      ['credit', 10_000_000],
      ['debit', 10_000_000],
    ])
    expect(await toldOf(payment, 2)).toEqual([['payment.paid'], ['payment.reversed', 'debit', 10_000_000]])
    const { data } = await shop.get(payment.id)
    expect([data.status, data.amount_refunded, data.amount_reversed]).toEqual(['paid', 0, 10_000_000])
  })

  test('a chargeback is credited back once if the merchant wins the dispute', async () => {
    const [payment, before] = [await paid(), await shop.balance()]
    await chargeback(payment, 'pending')
    for (let times = 0; times < 2; times++) await chargeback(payment, 'failed')
    expect(await recordOf(payment)).toMatchObject({ status: 'dismissed', reason: 'the chargeback was won' })
    expect(await refundsOf(payment)).toMatchObject([
      { status: 'failed', failure_reason: 'the chargeback was won' },
    ])
    expect(await shop.balance()).toBe(before)
  })

  test.each([
    ['lower', 6_000_000],
    ['higher', 10_000_000],
  ])(
    'if the final amount of a lost dispute is %s than the first disputed amount, the first debit is credited back, and only the final amount is debited',
    async (_, cents) => {
      const [payment, before] = [await paid(), await shop.balance()]
      const dispute = { kind: 'chargeback', id: 'cb-2' }
      const first = { ...dispute, cents: 8_000_000, status: 'pending' }
      const final = { ...dispute, cents, status: 'succeeded' }
      for (const report of [first, final, final, first]) await tellReturn(payment.payment_code, report)
      expect(await entriesOf(payment)).toEqual(corrected(8_000_000, cents))
      expect([await shop.balance(), await held()]).toEqual([before - cents, 0])
      expect(await recordsOf(payment)).toMatchObject([
        { receipt: 'cb-2', amount: cents, status: 'accepted', return_status: 'succeeded', in_ledger: true },
        {
          ...{ receipt: 'cb-2', amount: 8_000_000, status: 'dismissed', refund_status: 'failed' },
          reason: 'the provider later reported a different amount for this chargeback',
        },
      ])
      expect((await shop.get(payment.id)).data.amount_reversed).toBe(cents)
      expect(await toldOf(payment, 3)).toEqual([
        ['payment.paid'],
        ['refund.failed', 'credit', 8_000_000],
        ['payment.reversed', 'debit', cents],
      ])
      expect(await differences()).toEqual([])
    },
  )

  test('after a partial chargeback, a chargeback of the whole payment debits the whole amount once', async () => {
    const [payment, before] = [await paid(), await shop.balance()]
    const unlisted = { kind: 'chargeback', id: null }
    await tellReturn(payment.payment_code, unlisted)
    await decide((await recordOf(payment)).id, 'accept', { amount: 3_000_000 })
    for (let times = 0; times < 2; times++)
      await tellReturn(payment.payment_code, { ...unlisted, cents: 10_000_000 })
    await tellReturn(payment.payment_code, unlisted)
    expect(await recordsOf(payment)).toMatchObject([
      { amount: 10_000_000, status: 'accepted' },
      { amount: 3_000_000, status: 'dismissed' },
    ])
    expect(await entriesOf(payment)).toEqual(corrected(3_000_000, 10_000_000))
    expect(await toldOf(payment, 4)).toEqual([
      ['payment.paid'],
      ['payment.reversed', 'debit', 3_000_000],
      ['refund.failed', 'credit', 3_000_000],
      ['payment.reversed', 'debit', 10_000_000],
    ])
    expect([await shop.balance(), await held()]).toEqual([before - 10_000_000, 0])
    expect(await differences()).toEqual([])
  })
})

test('if the amount of a refund assigned to a payment changes, the new amount is debited once', async () => {
  const [payment, reference] = [await paid(), `INV-${randomUUID()}`]
  await tellReturn(reference, { id: 'rf-10', cents: 1_500_000, status: 'pending' })
  const { items } = (await owner('GET', '/v1/unexpected-money?mode=test&kind=refund&status=open')).data
  await decide(items[0].id, 'assign', { payment_id: payment.id })
  for (let times = 0; times < 2; times++) await tellReturn(reference, { id: 'rf-10', cents: 1_000_000 })
  expect(await recordsOf(payment)).toMatchObject([
    { reference, amount: 1_000_000, status: 'accepted', refund_status: 'succeeded' },
    { reference, amount: 1_500_000, status: 'dismissed', refund_status: 'failed' },
  ])
  expect(await entriesOf(payment)).toEqual(corrected(1_500_000, 1_000_000))
  await tellReturn(reference, { id: 'rf-10', cents: 1_000_000, status: 'failed' })
  expect((await entriesOf(payment)).slice(4)).toEqual([['credit', 1_000_000]])
  expect(await differences()).toEqual([])
})

test('a refund with an unknown reference is debited once the Owner assigns the refund to a payment', async () => {
  const [payment, reference] = [await paid(), `INV-${randomUUID()}`]
  await tellReturn(reference, { id: 'rf-7', cents: 1_500_000 })
  const { items } = (await owner('GET', '/v1/unexpected-money?mode=test&kind=refund&status=open')).data
  expect(items).toMatchObject([{ reference, payment_id: null, amount: 1_500_000 }])
  expect(refusal(await decide(items[0].id, 'accept'))[2]).toMatch(
    /assign the money to a payment, or dismiss it$/,
  )
  expect((await decide(items[0].id, 'assign', { payment_id: payment.id })).data).toMatchObject({
    status: 'accepted',
    payment_id: payment.id,
    in_ledger: true,
  })
  expect(await entriesOf(payment)).toContainEqual(['debit', 1_500_000])
  for (let times = 0; times < 2; times++)
    await tellReturn(reference, { id: 'rf-7', cents: 1_500_000, status: 'failed' })
  expect(await recordOf(payment)).toMatchObject({ status: 'dismissed', return_status: 'failed' })
  expect(await entriesOf(payment)).toEqual([
    ['credit', 10_000_000],
    ['debit', 1_500_000],
    ['credit', 1_500_000],
  ])
})

test('the Owner cannot dismiss an overpayment, because the provider has confirmed that it was received', async () => {
  const payment = await created()
  await simulated(payment, 'paid', { amount: 12_000_000 })
  expect(refusal(await decide((await recordOf(payment)).id, 'dismiss'))).toEqual([
    409,
    'CONFLICT',
    'conflict: only a refund, a chargeback or unconfirmed money can be dismissed; the kind of this record is overpaid',
  ])
})
