import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { inboxBench, REASON } from '../support/inbox.ts'
import { refusal } from '../support/management-api.ts'
import { merchantOf } from '../support/merchant.ts'

const { demo, owner, shop, accountId, ...bench } = await inboxBench()
const { tell, created, paid, recordsOf, recordOf, toldOf } = bench
const { decide, entriesOf, statusOf, timelineOf, lastAct } = bench

describe('money received under an unknown reference waits until the Owner assigns it to a payment', () => {
  test('money that is reported again under the same unknown order reference gets no second record and is not credited', async () => {
    const before = await shop.balance()
    const reference = `INV-${randomUUID()}`
    await tell(reference, { transaction_id: 'txn-1', settlement_time: '2026-11-20 10:04:05' })
    const { data } = await owner('GET', '/v1/unexpected-money?mode=test&kind=unknown_reference&status=open')
    expect(data.items).toMatchObject([
      {
        kind: 'unknown_reference',
        status: 'open',
        provider: 'midtrans',
        provider_account_id: accountId,
        mode: 'test',
        reference,
        receipt: 'txn-1',
        tenant_id: null,
        payment_id: null,
        payment_code: null,
        amount: 10_000_000,
        expected_amount: null,
        in_ledger: false,
        paid_at: '2026-11-20T03:04:05.000Z',
        decided_at: null,
        reason: null,
      },
    ])
    expect((await owner('GET', `/v1/unexpected-money/${data.items[0].id}`)).data).toEqual(data.items[0])
    const { items } = (await owner('GET', '/v1/provider-callbacks?mode=test&status=unmatched')).data
    expect(items).toHaveLength(5)
    expect(items[0].reason).toBe(
      `no payment of this account has the reference ${reference}; its money waits for the Owner`,
    )
    expect(await shop.balance()).toBe(before)
    await decide(data.items[0].id, 'refund')
  })

  async function stray(amount = '40000.00') {
    const reference = `INV-${randomUUID()}`
    await tell(reference, { gross_amount: amount })
    const { items } = (await owner('GET', '/v1/unexpected-money?mode=test&limit=1')).data
    expect(items[0].reference).toBe(reference)
    return { ...items[0], tellAgain: () => tell(reference, { transaction_id: items[0].receipt }) }
  }

  test('the Owner cannot accept money with an unknown order reference before the money is assigned to a payment', async () => {
    const { id } = await stray()
    expect(refusal(await decide(id, 'accept'))).toEqual([
      409,
      'CONFLICT',
      'conflict: it is unknown which payment this money is for; assign the money to a payment, or refund it',
    ])
  })

  test('assigning money with an unknown reference marks the payment as paid, even below its amount', async () => {
    const before = await shop.balance()
    const [money, payment] = [await stray(), await created()]
    expect((await decide(money.id, 'assign', { payment_id: payment.id.toUpperCase() })).data).toMatchObject({
      status: 'accepted',
      tenant_id: demo.client.tenant_id,
      payment_id: payment.id,
      payment_code: payment.payment_code,
      expected_amount: 10_000_000,
      in_ledger: true,
      reason: REASON,
      decided_at: expect.any(String),
    })
    expect(await lastAct()).toMatchObject({
      action: 'unexpected_money.assign',
      actor_tenant_id: demo.owner.tenant_id,
      tenant_id: demo.client.tenant_id,
      subject_id: money.id,
      before: { status: 'open', in_ledger: false, payment_id: null },
      after: {
        status: 'accepted',
        in_ledger: true,
        payment_id: payment.id,
        amount: '4000000',
        reason: REASON,
      },
    })
    expect((await shop.get(payment.id)).data).toMatchObject({ status: 'paid', amount_paid: 4_000_000 })
    expect(await timelineOf(payment)).toContainEqual(['pending', 'paid', 'owner', REASON])
    await money.tellAgain()
    expect(await entriesOf(payment)).toEqual([['credit', 4_000_000]])
    expect(await shop.balance()).toBe(before + 4_000_000)
    expect(await toldOf(payment, 1)).toEqual([['payment.paid']])
    expect(await recordsOf(payment)).toHaveLength(1)
    expect(refusal(await decide(money.id, 'assign', { payment_id: payment.id }))).toEqual([
      409,
      'CONFLICT',
      expect.stringMatching(/^conflict: this record was already accepted at 20.*Z: agreed by phone$/),
    ])
  })

  test('a cancelled payment becomes paid if the Owner assigns money with an unknown reference to it', async () => {
    const [money, payment] = [await stray('120000.00'), await created()]
    await shop.cancel(payment.id)
    await decide(money.id, 'assign', { payment_id: payment.id })
    expect(await statusOf(payment)).toBe('paid')
    expect(await recordOf(payment)).toMatchObject({ id: money.id, kind: 'unknown_reference' })
  })

  test('unexpected money cannot be assigned to a payment in another mode, or if it already belongs to a payment', async () => {
    const { id } = await stray()
    const live = (await merchantOf(demo, demo.client.live_key).create()).data
    const assigned = (money: string, payment_id: string) => decide(money, 'assign', { payment_id })
    expect(refusal(await assigned(id, live.id))).toEqual([
      409,
      'CONFLICT',
      'conflict: the money is in test mode, but the payment is in live mode',
    ])
    for (const none of [randomUUID(), 'none']) expect((await assigned(id, none)).status).toBe(404)
    const late = await recordOf(await paid(12_000_000))
    expect(refusal(await assigned(late.id, (await created()).id))).toEqual([
      409,
      'CONFLICT',
      `conflict: this money already belongs to payment ${late.payment_id}; accept or refund the money`,
    ])
    expect((await owner('GET', `/v1/unexpected-money/${id}`)).data.status).toBe('open')
  })
})
