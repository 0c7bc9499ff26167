// Tests refunds and chargebacks at the provider. Each becomes one record, whose amount is on hold until the Owner
// decides.

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
import { inboxBench, type Paid, REASON } from '../support/inbox.ts'
import { refusal } from '../support/management-api.ts'
import { simulate } from '../support/merchant.ts'

/** The refunds and chargebacks that a status inquiry lists, by reference. */
const listed = new Map<string, MoneyReturn[]>()
const withReturns = <Report extends Pick<ProviderUpdate, 'fact'>>(report: Report, returns: MoneyReturn[]) =>
  returns.length > 0 ? { ...report, returns } : report

/**
 * Midtrans' adapter, whose refunds and chargebacks the test sets directly, so that the test does not depend on
 * Midtrans' JSON.
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

/** Sends a callback that lists these refunds and chargebacks. The status in the callback has no effect. */
const tellReturn = (reference: string, ...told: Told[]) =>
  tell(
    reference,
    {
      transaction_status: 'refund',
      returned: JSON.stringify(told.map(each => ({ kind: 'refund', status: 'succeeded', ...each }))),
    },
    // The callback is sent only once, because each copy would cause another inquiry and a longer pause before the next
    // one.
    1,
  )
const held = async (): Promise<number> => (await shop.call('GET', '/v1/account/balance')).data.held

beforeEach(() => listed.clear())

describe('a refund that the provider reports', () => {
  test('is one record with its amount, but moves no money until the Owner accepts it', async () => {
    const [payment, before] = [await paid(), await shop.balance()]
    await tellReturn(payment.payment_code, { id: 'rf-1', cents: 3_000_000, status: 'pending' })
    await tellReturn(payment.payment_code, { id: 'rf-1', cents: 3_000_000 })
    await tellReturn(payment.payment_code, { id: 'rf-1', cents: 3_000_000, status: 'pending' })
    const record = await recordOf(payment)
    expect(record).toMatchObject({
      kind: 'refund',
      status: 'open',
      amount: 3_000_000,
      receipt: 'rf-1',
      return_status: 'succeeded',
      payment_code: payment.payment_code,
      in_ledger: false,
    })
    expect([await shop.balance(), await held()]).toEqual([before, 3_000_000])
    expect(await toldOf(payment, 1)).toEqual([['payment.paid']])
    expect(refusal(await decide(record.id, 'refund'))[2]).toMatch(/accept or dismiss it$/)

    expect((await decide(record.id, 'accept')).data).toMatchObject({ status: 'accepted', in_ledger: true })
    expect([await shop.balance(), await held()]).toEqual([before - 3_000_000, 0])
    await tellReturn(payment.payment_code, { id: 'rf-1', cents: 3_000_000 })
    expect(await entriesOf(payment)).toEqual([
      ['credit', 10_000_000],
      ['debit', 3_000_000],
    ])
    expect(await toldOf(payment, 2)).toEqual([['payment.paid'], ['payment.refunded', 'debit', 3_000_000]])
    expect((await decide(record.id, 'accept')).status).toBe(409)
  })

  test('in two parts has two records', async () => {
    const payment = await paid()
    await tellReturn(payment.payment_code, { id: 'a', cents: 1_000_000 }, { id: 'b', cents: 2_000_000 })
    expect((await recordsOf(payment)).map(({ amount }: { amount: number }) => amount).toSorted()).toEqual([
      1_000_000, 2_000_000,
    ])
    for (const { id } of await recordsOf(payment)) await decide(id, 'accept')
    expect((await entriesOf(payment)).slice(1).toSorted()).toEqual([
      ['debit', 1_000_000],
      ['debit', 2_000_000],
    ])
  })

  test('without its amount causes a status inquiry', async () => {
    const payment = await paid()
    listed.set(payment.payment_code, [
      { kind: 'refund', id: 'rf-2', amount: 2_000_000n, status: 'succeeded' },
    ])
    await tellReturn(payment.payment_code, { id: 'rf-2' })
    expect(await recordOf(payment)).toMatchObject({ amount: 2_000_000, status: 'open' })
    await decide((await recordOf(payment)).id, 'dismiss')
  })

  test('without any known amount waits until the Owner enters the amount', async () => {
    const payment = await paid()
    await tellReturn(payment.payment_code, { id: 'rf-3' })
    const { id, amount } = await recordOf(payment)
    expect([amount, await held()]).toEqual([0, 0])
    expect(refusal(await decide(id, 'accept'))).toEqual([
      400,
      'BAD_REQUEST',
      'bad request: amount: is required because the provider did not report it',
    ])
    expect((await decide(id, 'accept', { amount: 2_500_000 })).data).toMatchObject({ amount: 2_500_000 })
    expect(await entriesOf(payment)).toContainEqual(['debit', 2_500_000])
  })

  test('that is not yet in the provider’s list has one record, which later gets the listed id and amount', async () => {
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
    expect(await recordOf(waiting)).toMatchObject({ receipt: 'rf-9', amount: 3_000_000, status: 'open' })
    // The Owner entered an amount that differs from the one that the provider lists.
    expect(await recordsOf(accepted)).toMatchObject([
      { receipt: 'rf-9', amount: 3_000_000, status: 'open' },
      { receipt: null, amount: 2_500_000, status: 'dismissed' },
    ])
    expect(await entriesOf(accepted)).toEqual([
      ['credit', 10_000_000],
      ['debit', 2_500_000],
      ['credit', 2_500_000],
    ])
    expect([await shop.balance(), await held()]).toEqual([before, 6_000_000])
    for (const payment of [waiting, accepted]) {
      const open = (await recordsOf(payment)).find(({ status }: { status: string }) => status === 'open')
      await decide(open.id, 'accept')
    }
    expect([await shop.balance(), await held()]).toEqual([before - 6_000_000, 0])
  })

  test('that fails closes its record, and a debit for it is credited back only once', async () => {
    const [open, accepted] = [await paid(), await paid()]
    const before = await shop.balance()
    for (const { payment_code } of [open, accepted])
      await tellReturn(payment_code, { id: 'rf-4', cents: 3_000_000, status: 'pending' })
    await decide((await recordOf(accepted)).id, 'accept')
    for (const { payment_code } of [open, accepted])
      await tellReturn(payment_code, { id: 'rf-4', cents: 3_000_000, status: 'failed' })
    expect([await shop.balance(), await held()]).toEqual([before, 0])
    for (const payment of [open, accepted])
      expect(await recordOf(payment)).toMatchObject({
        status: 'dismissed',
        return_status: 'failed',
        reason: 'the provider reports that it failed',
      })
    expect(await entriesOf(open)).toEqual([['credit', 10_000_000]])
    expect(await entriesOf(accepted)).toEqual([
      ['credit', 10_000_000],
      ['debit', 3_000_000],
      ['credit', 3_000_000],
    ])
  })

  test('that is reported as failed stays closed and holds no money when older reports of it arrive late', async () => {
    const payment = await paid()
    await tellReturn(payment.payment_code, { id: 'rf-8', cents: 3_000_000, status: 'failed' })
    await tellReturn(payment.payment_code, { id: 'rf-8', cents: 3_000_000, status: 'pending' })
    expect(await recordOf(payment)).toMatchObject({ status: 'dismissed', return_status: 'failed' })
    expect(await held()).toBe(0)
  })

  test('before its payment is known to be paid causes an inquiry: the payment is paid and the refund waits', async () => {
    const payment = await created()
    await simulate(demo, payment, 'paid', { silently: true })
    listed.set(payment.payment_code, [
      { kind: 'refund', id: 'rf-5', amount: 4_000_000n, status: 'succeeded' },
    ])
    await tellReturn(payment.payment_code, { id: 'rf-5', cents: 4_000_000 })
    expect(await statusOf(payment)).toBe('paid')
    expect(await entriesOf(payment)).toEqual([['credit', 10_000_000]])
    const { id } = await recordOf(payment)
    expect((await decide(id, 'accept')).status).toBe(200)
  })

  test('for a payment that is not paid cannot be debited', async () => {
    const payment = await created()
    await tellReturn(payment.payment_code, { id: 'rf-6', cents: 4_000_000 })
    const { id } = await recordOf(payment)
    expect(refusal(await decide(id, 'accept')).slice(0, 2)).toEqual([409, 'CONFLICT'])
    await decide(id, 'dismiss')
    expect(await entriesOf(payment)).toEqual([])
  })
})

describe('a chargeback that the provider reports', () => {
  const chargeback = (payment: Paid, status: string) =>
    tellReturn(payment.payment_code, { kind: 'chargeback', id: 'cb-1', cents: 10_000_000, status })

  test('whose loss the operator bears is dismissed by the Owner and changes nothing', async () => {
    const [payment, before] = [await paid(), await shop.balance()]
    await chargeback(payment, 'succeeded')
    const record = await recordOf(payment)
    expect(record).toMatchObject({ kind: 'chargeback', amount: 10_000_000 })
    expect((await decide(record.id, 'dismiss')).data).toMatchObject({ status: 'dismissed', reason: REASON })
    await chargeback(payment, 'succeeded')
    expect([await shop.balance(), await held()]).toEqual([before, 0])
    expect(await recordsOf(payment)).toHaveLength(1)
    expect((await decide(record.id, 'dismiss')).status).toBe(409)
  })

  test('that was dismissed while the dispute was open waits again once the dispute is lost', async () => {
    const payment = await paid()
    await chargeback(payment, 'pending')
    await decide((await recordOf(payment)).id, 'dismiss')
    await chargeback(payment, 'succeeded')
    const [again] = await recordsOf(payment)
    expect(again).toMatchObject({ status: 'open', return_status: 'succeeded', amount: 10_000_000 })
    await decide(again.id, 'accept')
    expect(await entriesOf(payment)).toContainEqual(['debit', 10_000_000])
  })

  test('closes its record if the merchant wins the dispute', async () => {
    const payment = await paid()
    await chargeback(payment, 'pending')
    await chargeback(payment, 'failed')
    expect(await recordOf(payment)).toMatchObject({ status: 'dismissed', reason: 'the chargeback was won' })
  })
})

test('a refund with an unknown reference is debited from the assigned payment, but credited back if it fails', async () => {
  const [payment, reference] = [await paid(), `INV-${randomUUID()}`]
  await tellReturn(reference, { id: 'rf-7', cents: 1_500_000 })
  const { items } = (await owner('GET', '/v1/unexpected-money?mode=test&kind=refund&status=open')).data
  expect(items).toMatchObject([{ reference, payment_id: null, amount: 1_500_000 }])
  expect(refusal(await decide(items[0].id, 'accept'))[2]).toMatch(/assign it to a payment, or dismiss it$/)
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

test('the only unexpected money that can be dismissed is a refund or a chargeback', async () => {
  const payment = await created()
  await simulated(payment, 'paid', { amount: 12_000_000 })
  expect(refusal(await decide((await recordOf(payment)).id, 'dismiss'))).toEqual([
    409,
    'CONFLICT',
    'conflict: only a refund or a chargeback can be dismissed; this is overpaid',
  ])
})
