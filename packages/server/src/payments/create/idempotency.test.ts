import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { later, makePayment, now } from '../../../test/support/make-payment.ts'
import { PROVIDER_TIMEOUT_MS } from '../../providers/http-client.ts'
import { ABSENCE_COUNTS_AFTER_MS } from '../inquire/inquire-and-record.ts'
import { shownStatuses } from '../payment.ts'
import { createPaymentInput } from './create-input.ts'
import { FINGERPRINT_VERSION, fingerprintOf, isFingerprintVersion, orderOf } from './fingerprint.ts'
import { actionForRepeat, CHARGE_ENDS_AFTER_MS, pauseBeforeChargeMs } from './idempotency.ts'

const word = fc.stringMatching(/^[a-z]{1,8}$/)
const body = fc.record(
  {
    amount: fc.integer({ min: 1, max: 1e14 }),
    currency: fc.constant('IDR'),
    method_type: fc.constant('virtual_account'),
    method_detail: fc.record({ type: fc.constant('virtual_account'), bank: fc.constantFrom('BCA', 'BNI') }),
    customer_name: word,
    customer_email: word.map(name => `${name}@example.com`),
    customer_phone: word,
    items: fc.array(
      fc.record({ id: word, name: word, price: fc.nat(1e9), quantity: fc.integer({ min: 1, max: 99 }) }),
      { maxLength: 4 },
    ),
    expiry_minutes: fc.integer({ min: 2, max: 43_200 }),
  },
  { requiredKeys: ['amount', 'currency', 'method_type', 'method_detail'] },
)

const fingerprint = (sent: unknown) => fingerprintOf(createPaymentInput.parse(sent), 1).toString('hex')

/**
 * Returns the order with its keys in reverse order and with white space around its text values. These changes must not
 * change the order's fingerprint, which is a hash.
 */
function rewritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewritten)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).reverse()
  return Object.fromEntries(
    entries.map(([key, each]) => [
      key,
      /^(customer_|name$|id$|bank$)/.test(key) ? ` ${each}\n` : rewritten(each),
    ]),
  )
}

const holds = (law: (sent: object) => unknown) => fc.assert(fc.property(body, sent => void law(sent)))

const defaults = { customer_name: '', customer_email: '', customer_phone: '', items: [], expiry_minutes: 60 }

describe('fingerprints (hashes) of orders', () => {
  test("an order's fingerprint does not depend on white space or on the order of its JSON keys", () => {
    holds(sent => expect(fingerprint(rewritten(sent))).toBe(fingerprint(sent)))
  })

  test("a payment request's fingerprint does not depend on the order of its fields", () => {
    holds(sent => {
      const read = createPaymentInput.parse(sent)
      const { items, method_detail, ...rest } = read
      const turned = Object.fromEntries(Object.entries({ ...rest, items, method_detail }).reverse())
      expect(fingerprintOf(turned as typeof read, 1)).toEqual(fingerprintOf(read, 1))
    })
  })

  test("an order's fingerprint is the same whether its default values are sent or omitted", () => {
    holds(sent => expect(fingerprint({ ...defaults, ...sent })).toBe(fingerprint(sent)))
  })

  test("an order's fingerprint ignores unknown fields", () => {
    holds(sent => expect(fingerprint({ ...sent, note: 1 })).toBe(fingerprint(sent)))
  })

  test('two orders with different content have different fingerprints', () => {
    const parsed = body.map(sent => createPaymentInput.parse(sent))
    fc.assert(
      fc.property(parsed, parsed, (one, other) => {
        const same = JSON.stringify(one) === JSON.stringify(other)
        expect(fingerprintOf(one, 1).equals(fingerprintOf(other, 1))).toBe(same)
      }),
    )
  })

  test('without return_url and customer_ip, an order has the same fingerprint (hash) as in earlier releases', () => {
    const sent = {
      amount: 1_000,
      currency: 'IDR',
      method_type: 'virtual_account',
      method_detail: { type: 'virtual_account', bank: 'BCA' },
    }
    const text =
      '{"amount":1000,"currency":"IDR","customer_email":"","customer_name":"","customer_phone":"","expiry_minutes":60,"items":[],"method_detail":{"bank":"BCA","type":"virtual_account"},"method_type":"virtual_account"}'
    expect(fingerprint(sent)).toBe(createHash('sha256').update(text).digest('hex'))
  })

  test("a stored payment's fingerprint depends on its return_url and on the payer's IP address", () => {
    const of = (overrides: Parameters<typeof makePayment>[0]) =>
      fingerprintOf(orderOf(makePayment(overrides)), FINGERPRINT_VERSION).toString('hex')
    const all = [
      {},
      { returnUrl: 'https://shop.example.com/1001' },
      { returnUrl: 'https://shop.example.com/1002' },
      { customerIp: '203.0.113.7' },
      { customerIp: '203.0.113.8' },
    ].map(of)
    expect(new Set(all).size).toBe(all.length)
  })

  test('an order fingerprint is accepted only if this release can compute its version', () => {
    expect([FINGERPRINT_VERSION, FINGERPRINT_VERSION + 1].map(isFingerprintVersion)).toEqual([true, false])
  })

  test("fields that a later release adds to orders do not change the existing versions of an order's fingerprint", () => {
    fc.assert(
      fc.property(body, sent => {
        const read = createPaymentInput.parse(sent)
        const later = { ...read, items: read.items.map(each => ({ ...each, sku: 'x' })), purpose: 'x' }
        expect(fingerprintOf(later, 1)).toEqual(fingerprintOf(read, 1))
      }),
    )
  })

  test.each([
    { return_url: 'https://shop.example.com/' },
    { customer_ip: '198.51.100.27' },
    { amount: 1_001 },
    { expiry_minutes: 61 },
    { customer_name: 'Ani' },
    { customer_email: 'ani@example.com' },
    { customer_phone: '1' },
    { method_detail: { type: 'virtual_account', bank: 'BNI' } },
    { items: [] },
    {
      items: [
        { id: 'b', name: 'B', price: 1, quantity: 1 },
        { id: 'a', name: 'A', price: 1, quantity: 1 },
      ],
    },
  ])('a change of the order field %j changes the fingerprint of the order', change => {
    const sent = {
      amount: 1_000,
      currency: 'IDR',
      method_type: 'virtual_account',
      method_detail: { type: 'virtual_account', bank: 'BCA' },
      items: [
        { id: 'a', name: 'A', price: 1, quantity: 1 },
        { id: 'b', name: 'B', price: 1, quantity: 1 },
      ],
    }
    expect(fingerprint({ ...sent, ...change })).not.toBe(fingerprint(sent))
  })

  test('two orders have different fingerprints even if text in one order looks like the JSON of the other', () => {
    const base = { amount: 1, currency: 'IDR', method_type: 'qris', method_detail: { type: 'qris' } }
    expect(fingerprint({ ...base, customer_name: '","customer_phone":"1' })).not.toBe(
      fingerprint({ ...base, customer_phone: '1' }),
    )
  })
})

describe("the response to a repeated create request depends on the payment's current status", () => {
  const order = createPaymentInput.parse({
    amount: 1_000,
    currency: 'IDR',
    method_type: 'qris',
    method_detail: { type: 'qris' },
  })

  test.each([
    ['charging', now, 'wait'],
    ['charging', later(1 - CHARGE_ENDS_AFTER_MS), 'wait'],
    ['charging', later(-CHARGE_ENDS_AFTER_MS), 'inquire'],
    ['unknown', now, 'inquire'],
    ['uncharged', now, 'charge'],
    ['rejected', now, 'refuse'],
    ...shownStatuses.map(status => [status, now, 'replay'] as const),
  ] as const)(
    'if a payment has been %s since %s, the action for a repeated request with its idempotency key is: %s',
    (status, updatedAt, expected) => {
      const fingerprint = fingerprintOf(order, 1)
      const payment = makePayment({ status, updatedAt, nextCheckAt: later(3_600_000), fingerprint })
      expect(actionForRepeat(payment, order, now)).toBe(expected)
      expect(actionForRepeat(payment, { ...order, amount: 1_001 }, now)).toBe('conflict')
    },
  )

  test.each([
    [100, 0, 'charge'],
    [101, 9_999, 'postpone'],
    [101, 10_000, 'charge'],
    [150, 499_999, 'postpone'],
    [150, 500_000, 'charge'],
  ] as const)(
    'after %i charge attempts, the last of them %i ms ago, a repeated create request leads to this action: %s',
    (attempt, ms, expected) => {
      const fingerprint = fingerprintOf(order, 1)
      const payment = makePayment({ status: 'uncharged', attempt, updatedAt: now, fingerprint })
      expect(actionForRepeat(payment, order, later(ms))).toBe(expected)
    },
  )

  test('a payment cannot use up its attempt numbers within a hundred years', () => {
    let totalMs = 0
    for (let attempt = 1; attempt < 32_767; attempt++)
      totalMs += pauseBeforeChargeMs({ status: 'uncharged', attempt })
    expect(totalMs).toBeGreaterThan(100 * 365 * 86_400_000)
  })

  test('the pause before the next charge applies only to a payment that may be charged again', () => {
    expect(pauseBeforeChargeMs({ status: 'unknown', attempt: 150 })).toBe(0)
  })

  test('a report that an order does not exist counts only after the latest end of its charge', () => {
    expect(CHARGE_ENDS_AFTER_MS).toBe(5_000 + 3_000 + PROVIDER_TIMEOUT_MS)
    expect(CHARGE_ENDS_AFTER_MS).toBeLessThan(ABSENCE_COUNTS_AFTER_MS)
  })
})
