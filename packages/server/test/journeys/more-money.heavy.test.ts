// Tests that additional money that the provider reports for a payment awaits the Owner's decision. Examples are a
// receipt (money received from the payer) above the credited amount, and a new payment after the first one was
// reversed.

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { inboxBench, type Paid } from '../support/inbox.ts'
import { simulate } from '../support/merchant.ts'

const { demo, shop, ...bench } = await inboxBench()
const { tell, created, simulated, paid, recordOf, recordsOf, decide, entriesOf, statusOf, toldOf } = bench

const rupiah = (cents: number): string => (cents / 100).toFixed(2)
const report = (payment: Paid, receipt: string, cents: number) =>
  tell(payment.payment_code, { transaction_id: receipt, gross_amount: rupiah(cents) })

describe("the difference between a higher reported amount and the recorded amount awaits the Owner's decision", () => {
  test('the Owner can also accept the difference if accepted money is reported with a higher amount', async () => {
    const before = await shop.balance()
    const [payment, receipt] = [await created(), randomUUID()]
    await report(payment, receipt, 4_000_000)
    await decide((await recordOf(payment)).id, 'accept', { without_confirmation: true })
    await report(payment, receipt, 10_000_000)
    const [increase, part] = await recordsOf(payment)
    expect(part).toMatchObject({ kind: 'underpaid', status: 'accepted', amount: 4_000_000 })
    expect(increase).toMatchObject({
      kind: 'increase',
      status: 'open',
      amount: 6_000_000,
      receipt,
      in_ledger: false,
    })
    await decide(increase.id, 'accept')
    expect(await entriesOf(payment)).toEqual([
      ['credit', 4_000_000],
      ['credit', 6_000_000],
    ])
    expect(await shop.balance()).toBe(before + 10_000_000)
    expect(await toldOf(payment, 3)).toEqual([
      ['payment.challenged'],
      ['payment.paid'],
      ['payment.paid_again', 'credit', 6_000_000],
    ])
  })

  test("several increases of a paid payment's amount share one record until the Owner decides", async () => {
    const payment = await paid()
    await simulated(payment, 'paid', { amount: 15_000_000, copies: 5 })
    await simulated(payment, 'paid', { amount: 16_000_000, copies: 5 })
    const first = await recordOf(payment)
    expect(first).toMatchObject({ kind: 'increase', status: 'open', amount: 6_000_000 })
    await bench.giveBack(first.id)
    await simulated(payment, 'paid', { amount: 16_000_000, copies: 5 })
    expect(await recordsOf(payment)).toHaveLength(1)
    await simulated(payment, 'paid', { amount: 18_000_000, copies: 5 })
    const [second] = await recordsOf(payment)
    expect(second).toMatchObject({ kind: 'increase', status: 'open', amount: 2_000_000 })
    expect(await entriesOf(payment)).toEqual([['credit', 10_000_000]])
  })

  test("if the provider reports assigned money again with a larger amount, the difference awaits the Owner's decision", async () => {
    const [payment, receipt, reference] = [await created(), randomUUID(), `INV-${randomUUID()}`]
    const arrived = (cents: number) =>
      tell(reference, { transaction_id: receipt, gross_amount: rupiah(cents) })
    const waiting = async () =>
      (await bench.owner('GET', '/v1/unexpected-money?mode=test&kind=unknown_reference&status=open')).data
        .items
    await arrived(10_000_000)
    const [first] = await waiting()
    await decide(first.id, 'assign', { payment_id: payment.id })
    await arrived(10_000_000)
    expect(await waiting()).toEqual([])
    await arrived(12_500_000)
    const [second] = await waiting()
    expect(second).toMatchObject({ reference, receipt, amount: 2_500_000, payment_id: null })
    await decide(second.id, 'assign', { payment_id: payment.id })
    expect(await entriesOf(payment)).toEqual([
      ['credit', 10_000_000],
      ['credit', 2_500_000],
    ])
  })
})

describe('a reversed payment can be paid again and reversed again', () => {
  test("if a reversed payment is paid again, the money awaits the Owner's decision", async () => {
    const before = await shop.balance()
    const payment = await paid()
    await simulated(payment, 'failed')
    const { receipt } = await recordOf(payment)
    await report(payment, receipt, 10_000_000)
    expect(await recordsOf(payment)).toHaveLength(1)

    await simulated(payment, 'paid', { copies: 2 })
    const [again, reversal] = await recordsOf(payment)
    expect(reversal).toMatchObject({ kind: 'reversal', amount: 10_000_000, in_ledger: true })
    expect(again).toMatchObject({ kind: 'paid_after_reversal', status: 'open', amount: 10_000_000 })
    expect(await shop.balance()).toBe(before)
    await decide(again.id, 'accept')
    expect(await shop.balance()).toBe(before + 10_000_000)
    expect(await statusOf(payment)).toBe('paid')
    expect(await toldOf(payment, 3)).toEqual([
      ['payment.paid'],
      ['payment.reversed', 'debit', 10_000_000],
      ['payment.paid_again', 'credit', 10_000_000],
    ])
  })

  test('if a payment is credited again after a reversal, a second reversal debits this credit', async () => {
    const before = await shop.balance()
    const payment = await paid()
    await simulated(payment, 'failed')
    await simulated(payment, 'paid')
    const [again] = await recordsOf(payment)
    await decide(again.id, 'accept')
    await simulated(payment, 'failed', { copies: 2 })
    expect(await shop.balance()).toBe(before)
    const kinds = (await recordsOf(payment)).map(({ kind }: { kind: string }) => kind)
    expect(kinds).toEqual(['reversal', 'paid_after_reversal', 'reversal'])
    expect(await entriesOf(payment)).toEqual([
      ['credit', 10_000_000],
      ['debit', 10_000_000],
      ['credit', 10_000_000],
      ['debit', 10_000_000],
    ])
  })

  test('a payment that is reversed twice leaves only one open record', async () => {
    const before = await shop.balance()
    const payment = await paid()
    for (const outcome of ['failed', 'paid', 'failed']) await simulated(payment, outcome)
    const { items } = (await bench.owner('GET', `/v1/unexpected-money?payment_id=${payment.id}&status=open`))
      .data
    expect(items).toMatchObject([{ kind: 'reversal', in_ledger: true }])
    expect(await shop.balance()).toBe(before)
    expect(await toldOf(payment, 2)).toHaveLength(2)
  })
})

test('a forged report of a higher amount changes nothing', async () => {
  const payment = await paid()
  await simulate(demo, payment, 'paid', { amount: 15_000_000, bad_signature: true, copies: 5 })
  expect(await recordsOf(payment)).toEqual([])
})
