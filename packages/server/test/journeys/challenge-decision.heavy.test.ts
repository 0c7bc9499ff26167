// Tests how the Owner (the operator's tenant) decides on a challenged payment, which a provider holds for
// review. Before the service applies the decision, it makes a status inquiry. If the provider does not
// confirm the money, the Owner must explicitly confirm the credit. If the provider later contradicts the
// credit, the credit is reversed.

import { describe, expect, test } from 'vitest'
import { inboxBench, type Paid, REASON } from '../support/inbox.ts'
import { refusal } from '../support/management-api.ts'
import { simulate, until } from '../support/merchant.ts'

const { app, demo, owner, shop, advance, ...bench } = await inboxBench()
const { tell, created, simulated, entriesOf, statusOf, timelineOf, toldOf, recordsOf, recordOf, lastAct } =
  bench

const resolve = (payment: Paid, decision: string, more: object = {}) =>
  owner('POST', `/v1/payments/${payment.id}/resolve`, { decision, reason: REASON, ...more })

/** Returns the payment's current status in the provider's sandbox. */
async function atProvider({ payment_code }: Paid): Promise<string> {
  const loaded = await app.accountOf(bench.accountId)
  const { server_key } = (loaded?.account.credentials ?? {}) as { server_key?: string }
  const answer = await fetch(`${demo.sandbox_url}/midtrans/v2/${payment_code}/status`, {
    headers: { authorization: `Basic ${Buffer.from(`${server_key}:`).toString('base64')}` },
  })
  const { transaction_status, fraud_status } = (await answer.json()) as Record<string, string>
  return `${transaction_status} ${fraud_status}`
}

/**
 * Creates a payment that the provider holds for review, so that the service must also send the Owner's decision to the
 * provider.
 */
async function held(): Promise<Paid> {
  const payment = await created()
  await simulated(payment, 'challenged')
  expect(await statusOf(payment)).toBe('challenged')
  return payment
}

/**
 * Creates a payment that a callback reports as challenged (held for review), although a status inquiry reports that
 * no money was paid.
 */
async function heldUnconfirmed(): Promise<Paid> {
  const payment = await created()
  const challenge = { transaction_status: 'capture', fraud_status: 'challenge', status_code: '201' }
  await tell(payment.payment_code, challenge, 1)
  expect(await statusOf(payment)).toBe('challenged')
  return payment
}

describe('accepting a challenged payment credits only what the provider confirms', () => {
  test('accepting a challenged payment (held for review) approves it at the provider and credits the confirmed amount once', async () => {
    const before = await shop.balance()
    const payment = await held()
    const answers = await Promise.all([resolve(payment, 'accept'), resolve(payment, 'accept')])
    expect(answers.map(({ status }) => status)).toContain(200)
    expect(await atProvider(payment)).toBe('capture accept')
    expect((await shop.get(payment.id)).data).toMatchObject({ status: 'paid', amount_paid: 10_000_000 })
    await bench.applied()
    expect(await entriesOf(payment)).toEqual([['credit', 10_000_000]])
    expect(await shop.balance()).toBe(before + 10_000_000)
    expect(await lastAct()).toMatchObject({
      action: 'payment.resolve',
      before: { status: 'challenged' },
      after: { status: 'paid', decision: 'accept', reason: REASON },
    })
  })

  test('accepting a challenged payment without the provider’s confirmation fails, and the error describes how to credit it anyway', async () => {
    const payment = await heldUnconfirmed()
    expect(refusal(await resolve(payment, 'accept'))).toEqual([
      409,
      'CONFLICT',
      `conflict: the provider does not confirm that the money was received; to credit payment ${payment.payment_code} anyway, send without_confirmation: true`,
    ])
    expect(await statusOf(payment)).toBe('challenged')
    expect(await entriesOf(payment)).toEqual([])
  })

  test('accepting a challenged payment (held for review) fails if it has expired at the provider', async () => {
    const payment = await held()
    await simulate(demo, payment, 'expired', { silently: true })
    expect(refusal(await resolve(payment, 'accept')).slice(0, 2)).toEqual([409, 'INVALID_STATE_TRANSITION'])
    expect(await statusOf(payment)).toBe('expired')
    expect(await entriesOf(payment)).toEqual([])
  })
})

async function credited(): Promise<Paid> {
  const payment = await heldUnconfirmed()
  const { data } = await resolve(payment, 'accept', { without_confirmation: true })
  expect(data).toMatchObject({ status: 'paid', amount_paid: 10_000_000 })
  return payment
}

describe('the Owner can credit a challenged payment without the provider’s confirmation', () => {
  test("a credit without the provider's confirmation is marked as unconfirmed in the ledger, the timeline, and the audit log", async () => {
    const payment = await credited()
    const words = `credited without the provider's confirmation: ${REASON}`
    expect((await shop.ledger(payment.id)).data).toMatchObject([
      { entry_type: 'credit', amount: 10_000_000, reason: `payment ${payment.payment_code} ${words}` },
    ])
    expect((await timelineOf(payment)).at(-1)).toEqual(['challenged', 'paid', 'owner', words])
    expect((await lastAct()).after).toMatchObject({
      status: 'paid',
      without_confirmation: true,
      reason: REASON,
    })
  })

  test.each([
    ['expired', 'expired'],
    ['failed', 'deny'],
    ['cancelled', 'cancelled'],
  ])(
    'if a payment was credited without the provider’s confirmation, the credit is reversed when the provider reports the payment as %s',
    async (outcome, word) => {
      const before = await shop.balance()
      const payment = await credited()
      await simulated(payment, outcome, { copies: 5 })
      expect(await shop.balance()).toBe(before)
      expect(await entriesOf(payment)).toEqual([
        ['credit', 10_000_000],
        ['debit', 10_000_000],
      ])
      expect(await recordOf(payment)).toMatchObject({ kind: 'reversal', status: 'open', in_ledger: true })
      expect((await timelineOf(payment)).at(-1)?.at(-1)).toContain(word)
      expect(await toldOf(payment, 3)).toEqual([
        ['payment.challenged'],
        ['payment.paid'],
        ['payment.reversed', 'debit', 10_000_000],
      ])
    },
  )

  test('money reported for a credit without the provider’s confirmation is not credited again', async () => {
    const payment = await credited()
    await simulated(payment, 'paid', { copies: 5 })
    expect(await entriesOf(payment)).toEqual([['credit', 10_000_000]])
    expect(await recordsOf(payment)).toEqual([])
    await tell(payment.payment_code, { transaction_status: 'expire', status_code: '202' }, 1)
    expect(await entriesOf(payment)).toEqual([['credit', 10_000_000]])
  })

  test('if less money arrives than was credited without confirmation, the credit is completely reversed', async () => {
    const before = await shop.balance()
    const payment = await credited()
    await simulated(payment, 'paid', { amount: 4_000_000, copies: 5 })
    expect(await shop.balance()).toBe(before)
    const [arrived, reversal] = await recordsOf(payment)
    expect(reversal).toMatchObject({ kind: 'reversal', amount: 10_000_000 })
    expect(arrived).toMatchObject({ kind: 'paid_after_reversal', status: 'open', amount: 4_000_000 })
    await bench.decide(arrived.id, 'accept')
    expect(await shop.balance()).toBe(before + 4_000_000)
  })
})

describe('the Owner can reject an unpaid challenged payment', () => {
  test('rejecting a challenged payment (held for review) also rejects it at the provider', async () => {
    const payment = await held()
    expect((await resolve(payment, 'reject')).data).toMatchObject({ status: 'failed' })
    expect(await atProvider(payment)).toMatch(/^deny /)
    expect(await entriesOf(payment)).toEqual([])
  })

  test('rejecting a challenged payment (held for review) fails if the provider reports it as paid', async () => {
    const payment = await held()
    await simulate(demo, payment, 'paid', { silently: true })
    expect(refusal(await resolve(payment, 'reject'))).toEqual([
      409,
      'INVALID_STATE_TRANSITION',
      'invalid state transition: from paid to failed',
    ])
    expect(await entriesOf(payment)).toEqual([['credit', 10_000_000]])
  })
})

test('a decision on a challenged payment is rejected if without_confirmation is not a boolean', async () => {
  const payment = await heldUnconfirmed()
  const answer = await resolve(payment, 'accept', { without_confirmation: 'yes' })
  expect(refusal(answer).slice(0, 2)).toEqual([400, 'BAD_REQUEST'])
})

// This test must be the last one, because it moves the clock by an hour. The Owner's access token has then expired.
test('an unconfirmed credit is reversed if the payment expires at the provider, even without a callback', async () => {
  const payment = await credited()
  await simulate(demo, payment, 'expired', { silently: true })
  advance(60 * 60_000)
  await until('the credit is reversed', async () => {
    const { rows } = await app.db.raw(
      "select amount from ledger_entries where payment_id = ? and entry_type = 'debit'",
      [payment.id],
    )
    return rows.length === 1 && rows[0].amount === 10_000_000n
  })
})
