import { describe, expect, test } from 'vitest'
import { inboxBench, REASON } from '../support/inbox.ts'
import { refusal } from '../support/management-api.ts'
import { simulate } from '../support/merchant.ts'

const { app, demo, owner, shop, accountId, ...bench } = await inboxBench()
const { tell, created, simulated, paid, recordsOf, recordOf, callbacksOf, toldOf } = bench
const { decide, giveBack, entriesOf, statusOf, timelineOf, lastAct } = bench

describe("a second payment for a paid payment awaits the Owner's decision", () => {
  async function paidTwice() {
    const payment = await paid()
    await tell(payment.payment_code, { gross_amount: '70000.00' })
    return payment
  }

  test('a second payment for a paid order is recorded once as unexpected money and is not credited', async () => {
    const payment = await paidTwice()
    expect(await recordOf(payment)).toMatchObject({
      kind: 'second_payment',
      status: 'open',
      amount: 7_000_000,
      in_ledger: false,
    })
    expect(await callbacksOf(payment)).toEqual({ ignored: 1, applied: 1, repeated: 8, refused: 1 })
    expect(await entriesOf(payment)).toEqual([['credit', 10_000_000]])
    expect(await toldOf(payment, 1)).toEqual([['payment.paid']])
  })

  test('a second payment is credited if the Owner accepts it, and its later refund is debited', async () => {
    const before = await shop.balance()
    const payment = await paidTwice()
    const { id } = await recordOf(payment)
    expect((await decide(id, 'accept')).data).toMatchObject({ status: 'accepted', in_ledger: true })
    expect(await shop.balance()).toBe(before + 17_000_000)
    expect((await giveBack(id, { reason: 'wants it back' })).status).toBe('refunded')
    expect(await entriesOf(payment)).toEqual([
      ['credit', 10_000_000],
      ['credit', 7_000_000],
      ['debit', 7_000_000],
    ])
    expect(await shop.balance()).toBe(before + 10_000_000)
    expect(await toldOf(payment, 3)).toEqual([
      ['payment.paid'],
      ['payment.paid_again', 'credit', 7_000_000],
      ['payment.refunded', 'debit', 7_000_000],
    ])
    const refund = `refund ${payment.payment_code}-R1`
    expect((await timelineOf(payment)).slice(-3)).toEqual([
      ['paid', 'paid', 'owner', REASON],
      ['paid', 'paid', 'owner', `${refund} requested: wants it back`],
      ['paid', 'paid', 'owner', `${refund} succeeded: wants it back`],
    ])
    expect((await shop.get(payment.id)).data).toMatchObject({
      ...{ status: 'paid', amount_paid: 10_000_000, amount_refunded: 0 },
    })
  })

  test('a second payment that was not credited can only be refunded in full', async () => {
    const payment = await paidTwice()
    const { id } = await recordOf(payment)
    expect(refusal(await decide(id, 'refund', { amount: 100 }))).toEqual([
      400,
      'BAD_REQUEST',
      'bad request: amount: must be 7000000 cents: money that was never credited can only be refunded in full',
    ])
    expect(refusal(await decide(id, 'refund'))[2]).toMatch(/bank_account: is required/)
    expect(await giveBack(id)).toMatchObject({
      ...{ status: 'refunded', in_ledger: false, refund_status: 'pending' },
    })
    expect(await entriesOf(payment)).toEqual([['credit', 10_000_000]])
    expect((await shop.call('GET', `/v1/payments/${payment.id}/refunds`)).data).toMatchObject([
      { origin: 'operator', in_ledger: false, status: 'succeeded', amount: 7_000_000 },
    ])
    expect(refusal(await decide(id, 'accept')).slice(0, 2)).toEqual([409, 'CONFLICT'])
  })

  test('a second payment of less than the order’s amount is also recorded as unexpected money', async () => {
    const payment = await paid()
    await tell(payment.payment_code, { gross_amount: '1.00' }, 2)
    expect(await recordOf(payment)).toMatchObject({ kind: 'second_payment', amount: 100, in_ledger: false })
    const refused = await owner('GET', `/v1/provider-callbacks?payment_id=${payment.id}&status=refused`)
    expect(refused.data.items[0].reason).toBe('the payment is paid already; this money waits for the Owner')
  })
})

describe('overpayments', () => {
  test('an overpayment is credited in full, and its refund returns the excess by default', async () => {
    const before = await shop.balance()
    const payment = await paid(12_000_000)
    const record = await recordOf(payment)
    expect(record).toMatchObject({
      kind: 'overpaid',
      amount: 12_000_000,
      expected_amount: 10_000_000,
      in_ledger: true,
      tenant_id: demo.client.tenant_id,
      payment_code: payment.payment_code,
    })
    expect(refusal(await decide(record.id, 'refund', { amount: 12_000_001 }))).toEqual([
      400,
      'BAD_REQUEST',
      'bad request: amount: must be at most 12000000 cents, the amount received',
    ])
    await giveBack(record.id)
    expect(await entriesOf(payment)).toEqual([
      ['credit', 12_000_000],
      ['debit', 2_000_000],
    ])
    expect(await shop.balance()).toBe(before + 10_000_000)
    expect(await toldOf(payment, 2)).toEqual([['payment.paid'], ['payment.refunded', 'debit', 2_000_000]])
    expect(await lastAct()).toMatchObject({ action: 'refund.resolve', after: { amount: '2000000' } })
    expect(refusal(await decide(record.id, 'refund')).slice(0, 2)).toEqual([409, 'CONFLICT'])
  })

  test('a refund of an accepted overpayment returns the amount that the Owner enters', async () => {
    const payment = await paid(12_000_000)
    const { id } = await recordOf(payment)
    expect((await decide(id, 'accept')).data).toMatchObject({ status: 'accepted', in_ledger: true })
    expect(await entriesOf(payment)).toEqual([['credit', 12_000_000]])
    await giveBack(id, { amount: 500 })
    expect(await entriesOf(payment)).toContainEqual(['debit', 500])
  })
})

describe('underpayments', () => {
  const underpaid = async () => {
    const payment = await paid(4_000_000)
    expect(await statusOf(payment)).toBe('challenged')
    return payment
  }

  test('if the Owner accepts an underpaid payment, it becomes paid with the amount received', async () => {
    const payment = await underpaid()
    const record = await recordOf(payment)
    expect(record).toMatchObject({ kind: 'underpaid', amount: 4_000_000, in_ledger: false })
    expect(await callbacksOf(payment)).toEqual({ ignored: 1, applied: 1, repeated: 4 })
    expect(await entriesOf(payment)).toEqual([])
    expect((await decide(record.id, 'accept')).data).toMatchObject({
      status: 'accepted',
      in_ledger: true,
      reason: REASON,
    })
    expect((await shop.get(payment.id)).data).toMatchObject({ status: 'paid', amount_paid: 4_000_000 })
    await simulated(payment, 'paid', { amount: 4_000_000, copies: 5 })
    expect(await entriesOf(payment)).toEqual([['credit', 4_000_000]])
    expect(await recordsOf(payment)).toHaveLength(1)
    expect(await toldOf(payment, 2)).toEqual([['payment.challenged'], ['payment.paid']])
  })

  test('an underpaid payment that the Owner refunds stays failed if the same money is reported again', async () => {
    const payment = await underpaid()
    await giveBack((await recordOf(payment)).id)
    const failed = { status: 'failed', failure_reason: REASON }
    expect((await shop.get(payment.id)).data).toMatchObject(failed)
    await simulated(payment, 'paid', { amount: 4_000_000, copies: 5 })
    expect((await shop.get(payment.id)).data).toMatchObject(failed)
    expect(await recordOf(payment)).toMatchObject({ status: 'refunded', in_ledger: false })
    expect(await entriesOf(payment)).toEqual([])
    expect(await toldOf(payment, 2)).toEqual([['payment.challenged'], ['payment.failed']])
  })

  test('of two partial amounts, only the amount that the Owner accepts is credited', async () => {
    const payment = await underpaid()
    await tell(payment.payment_code, { gross_amount: '30000.00' })
    const [lesser, greater] = await recordsOf(payment)
    await giveBack(greater.id)
    expect(await statusOf(payment)).toBe('challenged')
    const resolve = await owner('POST', `/v1/payments/${payment.id}/resolve`, {
      decision: 'accept',
      reason: REASON,
    })
    expect(refusal(resolve)).toEqual([
      409,
      'CONFLICT',
      'conflict: the money received for this payment was refunded to the payer',
    ])
    await decide(lesser.id, 'accept')
    expect((await shop.get(payment.id)).data).toMatchObject({ status: 'paid', amount_paid: 3_000_000 })
    expect(await entriesOf(payment)).toEqual([['credit', 3_000_000]])
  })

  test('if a larger partial payment is reported for a challenged payment, its failure_reason shows the larger amount', async () => {
    const payment = await underpaid()
    const shown = async () => (await shop.get(payment.id)).data.failure_reason
    expect(await shown()).toBe('amount mismatch: expected 10000000, received 4000000')
    await tell(payment.payment_code, { gross_amount: '60000.00' })
    expect(await shown()).toBe('amount mismatch: expected 10000000, received 6000000')
    await tell(payment.payment_code, { gross_amount: '50000.00' })
    expect(await shown()).toBe('amount mismatch: expected 10000000, received 6000000')
  })

  test('if the Owner accepts both partial amounts of an underpaid payment, their total is credited', async () => {
    const payment = await underpaid()
    await tell(payment.payment_code, { gross_amount: '60000.00' })
    for (const { id } of await recordsOf(payment)) await decide(id, 'accept')
    expect((await entriesOf(payment)).toSorted()).toEqual([
      ['credit', 4_000_000],
      ['credit', 6_000_000],
    ])
  })

  test('accepting an underpaid payment also accepts the record of the money that was received for it', async () => {
    const payment = await underpaid()
    await owner('POST', `/v1/payments/${payment.id}/resolve`, { decision: 'accept', reason: REASON })
    const record = await recordOf(payment)
    expect(record).toMatchObject({ status: 'accepted', in_ledger: true })
    expect((await decide(record.id, 'accept')).status).toBe(409)
    expect(await entriesOf(payment)).toEqual([['credit', 4_000_000]])
  })
})

describe('money received after the payment has ended is credited', () => {
  test.each(['expired', 'cancelled'])(
    'money received for a payment that was already %s is credited and can be refunded',
    async status => {
      const before = await shop.balance()
      const payment = await created()
      if (status === 'cancelled') await shop.cancel(payment.id)
      else await simulated(payment, 'expired')
      expect(await statusOf(payment)).toBe(status)
      await simulated(payment, 'paid', { copies: 5 })
      expect(await statusOf(payment)).toBe('paid')
      const record = await recordOf(payment)
      expect(record).toMatchObject({ kind: 'late', amount: 10_000_000, in_ledger: true, status: 'open' })
      expect(await shop.balance()).toBe(before + 10_000_000)
      await decide(record.id, 'accept')
      await giveBack(record.id)
      expect(await shop.balance()).toBe(before)
      expect(await toldOf(payment, 3)).toEqual([
        [`payment.${status}`],
        ['payment.paid'],
        ['payment.refunded', 'debit', 10_000_000],
      ])
    },
  )
})

describe('a reversal of a paid payment is debited once', () => {
  test('a reversal is recorded once with one debit in the ledger, and its payment keeps the status `paid`', async () => {
    const before = await shop.balance()
    const payment = await paid()
    await simulated(payment, 'failed', { copies: 5 })
    const record = await recordOf(payment)
    expect(record).toMatchObject({ kind: 'reversal', status: 'open', amount: 10_000_000, in_ledger: true })
    expect(await entriesOf(payment)).toEqual([
      ['credit', 10_000_000],
      ['debit', 10_000_000],
    ])
    expect(await shop.balance()).toBe(before)
    expect((await shop.get(payment.id)).data).toMatchObject({ status: 'paid', amount_paid: 10_000_000 })
    expect(await toldOf(payment, 2)).toEqual([['payment.paid'], ['payment.reversed', 'debit', 10_000_000]])
    expect((await timelineOf(payment)).at(-1)).toEqual([
      'paid',
      'paid',
      'inquiry',
      `payment ${payment.payment_code} reversed by the provider: provider reported deny`,
    ])
    expect(await callbacksOf(payment)).toMatchObject({ ignored: 1, applied: 2 })
    expect(refusal(await decide(record.id, 'refund'))[2]).toMatch(/a reversal can only be accepted$/)
    expect((await decide(record.id, 'accept')).data).toMatchObject({ status: 'accepted', in_ledger: true })
    expect(await entriesOf(payment)).toHaveLength(2)
  })

  test('money that arrived after its payment was cancelled cannot be refunded once the provider has reversed it', async () => {
    const payment = await created()
    await shop.cancel(payment.id)
    await simulated(payment, 'paid')
    const late = await recordOf(payment)
    await simulated(payment, 'failed')
    expect(refusal(await decide(late.id, 'refund'))).toEqual([
      409,
      'CONFLICT',
      'conflict: this payment cannot be refunded, because the provider has taken back its money; the ledger already contains the debit of this money',
    ])
    expect(await entriesOf(payment)).toHaveLength(2)
  })

  test('a reversal changes nothing if it is forged or the provider does not confirm it', async () => {
    const payment = await paid()
    await simulate(demo, payment, 'failed', { bad_signature: true, copies: 5 })
    await tell(payment.payment_code, { transaction_status: 'deny', status_code: '202' })
    expect(await recordsOf(payment)).toEqual([])
    expect(await entriesOf(payment)).toEqual([['credit', 10_000_000]])
    expect(await toldOf(payment, 1)).toEqual([['payment.paid']])
    expect(await callbacksOf(payment)).toEqual({ ignored: 1, applied: 1, repeated: 9 })
  })
})

test('money received through an earlier charge attempt is recorded with the provider account used for that attempt', async () => {
  const payment = await created()
  // Simulates that the payment was charged again, as a second attempt, at another provider's account.
  const { rows } = await app.db.raw("select id from provider_accounts where provider_code = 'xendit' limit 1")
  await app.db.raw(
    "update payments set provider = 'xendit', provider_account_id = ?, attempt = 2 where id = ?",
    [rows[0].id, payment.id],
  )
  await simulated(payment, 'paid', { amount: 12_000_000 })
  expect(await recordOf(payment)).toMatchObject({ provider: 'midtrans', provider_account_id: accountId })
})
