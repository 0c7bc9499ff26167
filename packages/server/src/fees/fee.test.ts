import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_AMOUNT, rupiah } from '../values/money.ts'
import { amountBelowCost } from './below-cost.ts'
import { type FeeTerms, feeOf, pricingTerm } from './fee.ts'
import { feeReason, formulaText } from './fee-reason.ts'
import { type FeeFormula, type FeeRule, feeRuleFor } from './fee-rule.ts'
import { priceOf, share, totalOf } from './price.ts'
import { feeChange } from './returned-fee.ts'

const none: FeeFormula = { percentBps: 0, fixed: 0n, min: null, max: null, taxBps: 0 }

const cents = (max: bigint) => fc.bigInt({ min: 0n, max })
const amount = fc.oneof(cents(100n), cents(100_000_000n), cents(MAX_AMOUNT)).map(each => each + 1n)
const formula: fc.Arbitrary<FeeFormula> = fc
  .record({
    percentBps: fc.integer({ min: 0, max: 10_000 }),
    fixed: cents(10_000_000n),
    bounds: fc.tuple(fc.option(cents(10_000_000n)), fc.option(cents(10_000_000n))),
    taxBps: fc.integer({ min: 0, max: 10_000 }),
  })
  .map(({ bounds: [one, other], ...rest }) => {
    const isOrdered = one === null || other === null || one <= other
    return { ...rest, min: isOrdered ? one : other, max: isOrdered ? other : one }
  })
const terms: fc.Arbitrary<FeeTerms> = fc.record({
  operator: fc.option(formula.map(each => ({ ...each, version: 1, refundsFees: false }))),
  partner: fc.option(formula.map(each => ({ ...each, version: 1, refundsFees: false }))),
})

describe('the fee of a payment is computed from the amount credited for it', () => {
  test('a fee never exceeds the credited amount', () => {
    fc.assert(
      fc.property(terms, amount, (of, credit) => {
        expect(totalOf(feeOf(of, credit).charged)).toBeLessThanOrEqual(credit)
      }),
    )
  })

  test("the operator's and the Partner's fee shares are never negative and add up to the fee", () => {
    fc.assert(
      fc.property(terms, amount, (of, credit) => {
        const { charged, operator, margin } = feeOf(of, credit)
        expect(totalOf(operator) + margin).toBe(totalOf(charged))
        for (const part of [charged.net, charged.tax, operator.net, operator.tax, margin])
          expect(part).toBeGreaterThanOrEqual(0n)
      }),
    )
  })

  test('the fee for a larger credited amount is never lower than for a smaller amount', () => {
    fc.assert(
      fc.property(terms, amount, amount, (of, one, other) => {
        const [smaller, larger] = one < other ? [one, other] : [other, one]
        expect(totalOf(feeOf(of, larger).charged)).toBeGreaterThanOrEqual(totalOf(feeOf(of, smaller).charged))
      }),
    )
  })

  test("if the Partner's price is lower than the operator's fee, the merchant pays the operator's fee", () => {
    fc.assert(
      fc.property(terms, amount, (of, credit) => {
        const cost = totalOf(feeOf({ ...of, partner: null }, credit).charged)
        expect(totalOf(feeOf(of, credit).charged)).toBeGreaterThanOrEqual(cost)
      }),
    )
  })

  test('the fee of a payment is zero if no fee schedule applies', () => {
    const { charged, margin } = feeOf({ operator: null, partner: null }, 100n)
    expect([charged, margin]).toEqual([{ net: 0n, tax: 0n }, 0n])
  })
})

describe("a payment's price is computed from its fee rule's formula", () => {
  test("a fee rule's price is a percentage plus a fixed amount, plus tax on their sum", () => {
    const rule = { ...none, percentBps: 70, fixed: rupiah(4_000), taxBps: 1_100 }
    expect(priceOf(rule, rupiah(150_000))).toEqual({ net: 505_000n, tax: 55_550n })
  })

  test("a fee rule's minimum and maximum apply to the price before tax", () => {
    const rule = { ...none, percentBps: 100, min: rupiah(1_000), max: rupiah(5_000), taxBps: 1_100 }
    expect(priceOf(rule, rupiah(10_000))).toEqual({ net: 100_000n, tax: 11_000n })
    expect(priceOf(rule, rupiah(1_000_000))).toEqual({ net: 500_000n, tax: 55_000n })
  })

  test("a fee rule's price and its tax are each rounded once, with halves rounded up", () => {
    expect(priceOf({ ...none, percentBps: 70 }, 71n).net).toBe(0n)
    expect(priceOf({ ...none, percentBps: 70 }, 72n).net).toBe(1n)
    expect(share(50n, 1n, 100n)).toBe(1n)
    expect(share(49n, 1n, 100n)).toBe(0n)
    expect(priceOf({ ...none, fixed: 50n, taxBps: 100 }, 1n)).toEqual({ net: 50n, tax: 1n })
  })

  test('if a fee is reduced to the credited amount, its tax is reduced in the same proportion', () => {
    const operator = { ...none, fixed: 1_000n, taxBps: 1_000, version: 1, refundsFees: false }
    expect(feeOf({ operator, partner: null }, 110n).charged).toEqual({ net: 100n, tax: 10n })
  })
})

describe("the fee rule for a payment is chosen by the payment's method and channel", () => {
  const of = (methodType: FeeRule['methodType'], channel: string | null): FeeRule => ({
    ...none,
    methodType,
    channel,
  })
  const general = of(null, null)
  const method = of('virtual_account', null)
  const channel = of(null, 'bca')
  const both = of('virtual_account', 'bca')
  const bca = { methodType: 'virtual_account', channel: 'bca' } as const

  test("the most specific matching rule sets a payment's fee, regardless of the order of rules", () => {
    const inOrder = [general, method, channel, both]
    for (let count = inOrder.length; count > 0; count--) {
      const rules = inOrder.slice(0, count)
      for (const given of [rules, rules.toReversed()]) expect(feeRuleFor(given, bca)).toBe(rules.at(-1))
    }
  })

  test('no fee rule is used if none matches the payment', () => {
    expect(feeRuleFor([of('qris', null), of(null, 'bni'), of('qris', 'bca')], bca)).toBeUndefined()
  })
})

describe("amountBelowCost returns a payment amount at which a Partner's price is below its cost, if it finds such an amount", () => {
  test('amountBelowCost returns an amount if the price is over 2 cents below the cost at some amount', () => {
    fc.assert(
      fc.property(formula, formula, amount, (price, cost, at) => {
        const isBelow = totalOf(priceOf(price, at)) + 2n < totalOf(priceOf(cost, at))
        if (isBelow) expect(amountBelowCost(price, cost)).toBeDefined()
      }),
      { numRuns: 1_000 },
    )
  })

  test.each([0, 1_100])(
    'with a tax rate of %i basis points for both, a price is below a cost that is one cent higher, but not below an equal cost',
    taxBps => {
      const cost = { ...none, fixed: rupiah(4_000), taxBps }
      expect(amountBelowCost({ ...cost, fixed: cost.fixed - 1n }, cost)).toBe(1n)
      expect(amountBelowCost(cost, cost)).toBeUndefined()
    },
  )

  test('with equal taxes, a price with a higher or equal percentage and fixed part is never below cost', () => {
    fc.assert(
      fc.property(formula, cents(1_000n), fc.nat(100), (cost, fixed, percentBps) => {
        const more = { fixed: cost.fixed + fixed, percentBps: cost.percentBps + percentBps }
        expect(amountBelowCost({ ...cost, ...more }, cost)).toBeUndefined()
      }),
    )
  })

  test("if amountBelowCost returns an amount, the Partner's price for this amount is below its cost", () => {
    fc.assert(
      fc.property(formula, formula, (price, cost) => {
        const at = amountBelowCost(price, cost)
        if (at !== undefined) expect(totalOf(priceOf(price, at))).toBeLessThan(totalOf(priceOf(cost, at)))
      }),
    )
  })

  test('amountBelowCost returns undefined if no price is below the cost', () => {
    const cost = { ...none, fixed: rupiah(4_000) }
    expect(amountBelowCost({ ...none, percentBps: 100 }, cost)).toBe(1n)
    expect(amountBelowCost({ ...none, fixed: rupiah(4_000) }, cost)).toBeUndefined()
    expect(amountBelowCost({ ...none, percentBps: 100, min: rupiah(4_000) }, cost)).toBeUndefined()
  })
})

describe("a refund returns a share of the payment's fee if the fee schedule marks the fee as refundable", () => {
  const term = formula.chain(each => fc.boolean().map(refundsFees => ({ ...each, version: 1, refundsFees })))
  const terms = fc.record({ operator: fc.option(term), partner: fc.option(term) })
  const parts = fc.array(fc.bigInt({ min: 1n, max: 10_000_000n }), { minLength: 1, maxLength: 20 })
  const chargeOf = (of: FeeTerms, credit: bigint) => {
    const { charged, operator } = feeOf(of, credit)
    return { ...charged, operatorNet: operator.net, operatorTax: operator.tax }
  }

  test("a payment's full refund, in one or more refunds, returns exactly its refundable fees", () => {
    fc.assert(
      fc.property(terms, parts, (of, amounts) => {
        const credit = amounts.reduce((sum, amount) => sum + amount, 0n)
        const charge = chargeOf(of, credit)
        const left = { ...charge }
        let before = 0n
        for (const amount of amounts) {
          const change = feeChange(charge, of, credit, { before, after: before + amount })
          before += amount
          for (const part of ['net', 'tax', 'operatorNet', 'operatorTax'] as const) {
            expect(change[part]).toBeLessThanOrEqual(0n)
            left[part] += change[part]
          }
        }
        const merchant = pricingTerm(of, credit)?.refundsFees === true
        const operator = of.operator?.refundsFees === true
        expect(left).toEqual({
          net: merchant ? 0n : charge.net,
          tax: merchant ? 0n : charge.tax,
          operatorNet: operator ? 0n : charge.operatorNet,
          operatorTax: operator ? 0n : charge.operatorTax,
        })
      }),
    )
  })

  test('if a successful refund later fails, the fee returned for it is charged again', () => {
    fc.assert(
      fc.property(terms, parts, (of, amounts) => {
        const [first = 1n, ...rest] = amounts
        const credit = rest.reduce((sum, amount) => sum + amount, first)
        const charge = chargeOf(of, credit)
        const returned = feeChange(charge, of, credit, { before: 0n, after: first })
        const again = feeChange(charge, of, credit, { before: first, after: 0n })
        for (const part of ['net', 'tax', 'operatorNet', 'operatorTax'] as const)
          expect(again[part]).toBe(-returned[part])
      }),
    )
  })

  test('even if refunds exceed the amount paid, no more than the whole fee is returned', () => {
    const of = { operator: { ...none, fixed: 700n, version: 1, refundsFees: true }, partner: null }
    const charge = chargeOf(of, 1_000n)
    expect(feeChange(charge, of, 1_000n, { before: 0n, after: 1_500n }).net).toBe(-700n)
    expect(feeChange(charge, of, 1_000n, { before: 1_000n, after: 1_500n }).net).toBe(0n)
  })
})

test("the reason for a fee's ledger entry contains the channel, the formula and the tax", () => {
  const rule = { ...none, percentBps: 70, fixed: rupiah(4_000), taxBps: 1_100 }
  expect(feeReason(rule, { methodType: 'virtual_account', channel: 'bca' })).toBe(
    'fee: virtual_account BCA 0.7% + Rp 4.000, PPN 11%',
  )
  expect(feeReason({ ...none, percentBps: 70 }, { methodType: 'qris', channel: 'qris' })).toBe(
    'fee: qris 0.7%',
  )
  expect(formulaText({ ...none, min: 150n, max: rupiah(1_234_567) })).toBe(
    'Rp 0, at least Rp 1,50, at most Rp 1.234.567',
  )
})
