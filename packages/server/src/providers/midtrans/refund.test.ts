import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fakeServer, type Request } from '../../../test/support/fake-server.ts'
import { changesOf } from '../../../test/support/field-changes.ts'
import { accountAt, inquiry } from '../../../test/support/midtrans.ts'
import { aRefund } from '../../../test/support/refund.ts'
import type { RefundOutcome } from '../refund.ts'
import { midtrans } from './midtrans.ts'
import { refunds } from './refund.ts'

const { url, received, answers, replies: reply } = await fakeServer()
const order = {
  ...inquiry,
  channel: 'gopay',
  methodDetail: { type: 'e_wallet', wallet_type: 'GoPay' },
} as const
const refund = aRefund(order)
const request = (overrides = {}) => refunds.refund(accountAt(url), { ...refund, ...overrides })
const inquire = (asked = refund) => refunds.inquireRefund(accountAt(url), asked)
const typeOf = async (outcome: Promise<RefundOutcome>) => {
  const { type, ...rest } = await outcome
  return 'isRetriable' in rest && rest.isRetriable ? 'retriable' : type
}

/** The response to a successful refund request, as shown in docs.midtrans.com refund-transaction. */
const accepted = {
  status_code: '200',
  status_message: 'Success, refund request is approved',
  transaction_id: '447e846a-403e-47db-a5da-d7f3f06375d6',
  order_id: order.reference,
  payment_type: 'gopay',
  transaction_time: '2026-11-20 10:04:05',
  transaction_status: 'partial_refund',
  gross_amount: '100000.00',
  refund_chargeback_id: 17,
  refund_amount: '25000.00',
  refund_key: refund.reference,
}

describe('refund requests to Midtrans', () => {
  test('a refund request contains our reference, the amount in rupiah and the reason, but no idempotency key', async () => {
    reply(200, accepted)
    expect(await request()).toEqual({ type: 'pending', id: '17' })
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({
      method: 'POST',
      url: `/v2/${order.reference}/refund`,
      headers: { authorization: 'Basic U0ItTWlkLXNlcnZlci10ZXN0Og==' },
    })
    expect((received[0] as Request).headers).not.toHaveProperty('idempotency-key')
    expect(JSON.parse((received[0] as Request).body)).toEqual({
      refund_key: `${order.reference}-R1`,
      amount: 25_000,
      reason: 'one item returned',
    })
  })

  test('the refund_key contains only characters that Midtrans allows', () => {
    expect(`${order.reference}-2-R12`).toMatch(/^[A-Za-z0-9_-]+$/)
  })

  test.each<[string, string]>([
    ['201', 'unknown'],
    ['400', 'refused'],
    ['401', 'refused'],
    ['402', 'refused'],
    ['403', 'unknown'],
    ['404', 'refused'],
    ['406', 'unknown'],
    ['408', 'unknown'],
    ['412', 'refused'],
    ['413', 'refused'],
    ['414', 'retriable'],
    ['429', 'unknown'],
    ['500', 'unknown'],
    ['502', 'unknown'],
    ['503', 'unknown'],
    ['504', 'unknown'],
    ['999', 'unknown'],
  ])('a refund request that gets the code %s has the outcome %s', async (status_code, expected) => {
    reply(200, { status_code, status_message: 'words of Midtrans' })
    expect(await typeOf(request())).toBe(expected)
    reply(200, { status_code, status_message: 'words of Midtrans' })
    expect(await request({ isRepeated: true })).toEqual({ type: 'unknown', reason: 'words of Midtrans' })
  })

  test.each([
    ['0.00', 'refused'],
    ['25000.00', 'unknown'],
    [undefined, 'unknown'],
  ])(
    'if the response to a refund request has the code 202 (denied) and the refund_amount %s, the outcome is %s',
    async (refund_amount, expected) => {
      reply(200, { ...accepted, status_code: '202', transaction_status: 'settlement', refund_amount })
      expect(await typeOf(request())).toBe(expected)
    },
  )

  test('a refund counts as succeeded only once the bank has confirmed it', async () => {
    reply(200, { ...accepted, bank_confirmed_at: '2026-11-20 10:05:00' })
    expect(await request()).toEqual({ type: 'succeeded', id: '17' })
  })

  test.each<[string, object, string]>([
    ['for another refund_key', { refund_key: `${order.reference}-R2` }, 'unknown'],
    ['without refund_key, for our order', { refund_key: undefined }, 'pending'],
    ['without refund_key, for another order', { refund_key: undefined, order_id: 'x' }, 'unknown'],
    ['with an amount of zero', { refund_amount: '0.00' }, 'unknown'],
  ])(
    'a refund request that gets a successful response %s has the outcome %s',
    async (_, change, expected) => {
      reply(200, { ...accepted, ...change })
      expect(await typeOf(request())).toBe(expected)
    },
  )

  test.each([
    [502, '<html>Bad Gateway</html>'],
    [404, '{"message":"no Route matched"}'],
    [200, 'OK'],
    [429, ''],
  ])('a refund request that gets HTTP %d and the body %s has an unknown outcome', async (status, body) => {
    reply(status, body)
    expect(await typeOf(request())).toBe('unknown')
  })

  test("a refund's outcome is unknown if the connection breaks, but not if the connection is refused", async () => {
    answers(response => response.destroy())
    expect(await typeOf(request())).toBe('unknown')
    const unreachable = refunds.refund(accountAt('http://127.0.0.1:1'), refund)
    expect(await typeOf(unreachable)).toBe('retriable')
  })

  test("after Midtrans' error for a duplicate refund_key, the refund's outcome is unknown", async () => {
    const name = 'refund-error-406-duplicate-refund-key.json'
    const { response, expect: expected } = JSON.parse(
      readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8'),
    )
    reply(200, response)
    expect(await typeOf(request())).toBe(expected.refund.status)
  })

  test('a successful refund response with a broken field other than status_code never counts as a rejection', async () => {
    for (const { path, kind, message } of changesOf(accepted)) {
      // This test leaves status_code unchanged, because another code can mean that the refund was really
      // rejected.
      if (path[0] === 'status_code') continue
      reply(200, message)
      expect([path, kind, await typeOf(request())]).not.toEqual([path, kind, expect.stringMatching(/^re/)])
    }
  })
})

describe('an inquiry about a refund at Midtrans reads the status and amount of each refund that the response lists', () => {
  const entry = {
    refund_chargeback_id: 17,
    refund_amount: '25000.00',
    created_at: '2026-11-20 10:04:05',
    reason: 'one item returned',
    refund_key: refund.reference,
    refund_method: 'online',
  }
  const confirmed = { ...entry, bank_confirmed_at: '2026-11-20 10:05:00' }
  const theirs = {
    ...confirmed,
    refund_chargeback_id: 18,
    refund_key: 'MIDTRANS-18',
    refund_amount: '5000.00',
  }
  const paid = {
    status_code: '200',
    transaction_id: '447e846a-403e-47db-a5da-d7f3f06375d6',
    order_id: order.reference,
    gross_amount: '100000.00',
    payment_type: 'gopay',
    transaction_status: 'settlement',
  }
  const listing = (...entries: object[]) => ({
    ...paid,
    transaction_status: 'partial_refund',
    refund_amount: '30000.00',
    refunds: entries,
  })

  test.each<[string, object, object]>([
    ['without bank_confirmed_at is pending', listing(entry), { type: 'pending', id: '17' }],
    ['with bank_confirmed_at succeeded', listing(theirs, confirmed), { type: 'succeeded', id: '17' }],
    ['that is not listed is absent', listing(theirs), { type: 'absent' }],
    ['of a settled payment without refunds is absent', paid, { type: 'absent' }],
  ])('according to an inquiry response from Midtrans, a refund %s', async (_, answer, status) => {
    reply(200, answer)
    expect((await inquire()).status).toEqual(status)
  })

  test('each refund listed in the inquiry response is returned with its own amount', async () => {
    reply(200, listing(theirs, confirmed))
    expect((await inquire()).returns).toEqual([
      { kind: 'refund', id: '18', reference: 'MIDTRANS-18', amount: 500_000n, status: 'succeeded' },
      { kind: 'refund', id: '17', reference: refund.reference, amount: 2_500_000n, status: 'succeeded' },
    ])
  })

  test.each<[string, number, object]>([
    ['reports a refund but lists none', 200, { ...listing(), refunds: [] }],
    ['lists a refund without a key', 200, listing({ ...theirs, refund_key: null })],
    ['is about another order', 200, { ...listing(confirmed), order_id: 'x' }],
    ['does not find the order', 404, { status_code: '404', status_message: "Transaction doesn't exist." }],
    ['is an outage', 503, { status_code: '503' }],
    ['is not from Midtrans', 502, {}],
  ])(
    'if the response to a refund inquiry %s, the status of the refund is unknown',
    async (_, status, body) => {
      reply(status, body)
      expect((await inquire()).status.type).toBe('unknown')
    },
  )

  test('a listed refund is never reported as failed, even if one field of the response is changed', async () => {
    for (const { path, kind, message } of changesOf(listing(confirmed))) {
      reply(200, message)
      const { status } = await inquire()
      const mayHide = path[0] === 'refunds' && (path.length < 3 || path[2] === 'refund_key')
      expect([path, kind, status.type]).not.toEqual([path, kind, 'failed'])
      if (!mayHide) expect([path, kind, status.type]).not.toEqual([path, kind, 'absent'])
    }
  })
})

test('a notification alone never proves a refund, even if it lists refunds', () => {
  for (const name of [
    'refund-notif-not-ours-second-of-two-official.json',
    'refund-notif-partial-ours-first.json',
    'chargeback-notif-card-full.json',
    'notif-refund-official.json',
    'notif-partial-refund-official.json',
  ]) {
    const fixture = JSON.parse(readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8'))
    const reading = midtrans.readCallback(
      { id: '01990000-0000-7000-8000-000000000001', mode: 'test' },
      { path: '/', headers: {}, body: Buffer.from(fixture.raw_body), receivedAt: new Date() },
    )
    expect(reading).toMatchObject({ updates: [{ fact: { type: 'unproven' } }] })
    expect(reading).not.toMatchObject({ updates: [{ returns: expect.anything() }] })
  }
})
