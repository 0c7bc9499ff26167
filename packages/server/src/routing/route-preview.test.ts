import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { account, offering, providers, rule } from '../../test/support/routing-data.ts'
import { seeded } from '../../test/support/seeded-random.ts'
import { type Routes, type RoutingRule, routePayment } from './route.ts'
import { type Previewed, previewRoute, refusalOf } from './route-preview.ts'

const accounts = [account('south', 2), account('north', 1), account('west', 3)]
const bca = { mode: 'live', methodType: 'virtual_account', channel: 'bca', amount: 1_000n } as const

const preview = (routes: Partial<Routes>, wanted: Parameters<typeof previewRoute>[2] = bca) =>
  previewRoute(providers, { accounts, rules: [], ...routes }, wanted)
const told = (routes: Partial<Routes>) =>
  preview(routes).map(({ accountId, place, chance, rule }) => [
    accountId,
    place,
    chance,
    rule && `${rule.position}: ${rule.weight}`,
  ])

describe('a route preview', () => {
  test('without a matching rule, a route preview lists the provider accounts by priority and numbers them from 1', () => {
    expect(told({})).toEqual([
      ['north', 1, 1, null],
      ['south', 2, 1, null],
      ['west', 3, 1, null],
    ])
  })

  test('a route preview sorts accounts at the same position by probability, and then lists accounts without a rule', () => {
    const rules = [rule('west', { weight: 1 }), rule('south', { weight: 3 })]
    expect(told({ rules })).toEqual([
      ['south', 1, 0.75, '1: 3'],
      ['west', 1, 0.25, '1: 1'],
      ['north', 2, 1, null],
    ])
  })

  test('a route preview adds up the weights of rules at one position that select the same account', () => {
    const rules = [rule('west'), rule('south', { weight: 2 }), rule('west')]
    expect(told({ rules }).slice(0, 2)).toEqual([
      ['west', 1, 0.5, '1: 2'],
      ['south', 1, 0.5, '1: 2'],
    ])
  })

  test('a route preview lists an account only at the first position of its routing rules', () => {
    const rules = [
      rule('west', { position: 4 }),
      rule('west', { position: 7, weight: 9 }),
      rule('south', { position: 7 }),
    ]
    expect(told({ rules })).toEqual([
      ['west', 1, 1, '4: 1'],
      ['south', 2, 1, '7: 1'],
      ['north', 3, 1, null],
    ])
  })

  test('if no provider account offers the channel, the route preview is empty', () => {
    expect(preview({}, { ...bca, channel: 'mandiri' })).toEqual([])
  })
})

const anyRoutes = fc.record({
  rules: fc.array(
    fc
      .record({
        to: fc.constantFrom('north', 'south', 'west', 'stranger'),
        position: fc.integer({ min: 1, max: 3 }),
        weight: fc.integer({ min: 1, max: 4 }),
        channel: fc.constantFrom(null, 'bca', 'bca', 'bni'),
        minAmount: fc.constantFrom(null, 999n, 1_000n, 1_001n),
      })
      .map(({ to, ...rest }): RoutingRule => rule(to, rest)),
    { maxLength: 8 },
  ),
  accounts: fc.subarray(accounts, { minLength: 2 }),
})

/**
 * The number of random draws per test case. In the least likely case, an account's rule has weight 1 and competes with
 * seven rules of weight 4. The account then comes first in one of 29 draws (1 + 7 × 4 = 29). The probability that the
 * account never comes first in 1,000 draws is only 10^-15.
 */
const DRAWS = 1_000
const drawn = (routes: Routes, seed: number): string[][] => {
  const random = seeded(seed)
  return Array.from({ length: DRAWS }, () =>
    routePayment(providers, routes, bca, random).map(({ accountId }) => accountId),
  )
}

// The following tests use arbitrary routing rules and entitlements.
describe('for arbitrary routing rules, a route preview shows the order in which payments try the accounts', () => {
  test('the accounts at the first position of a route preview are exactly those that are tried first', () => {
    fc.assert(
      fc.property(anyRoutes, fc.nat(), (routes, seed) => {
        const firsts = new Set(drawn(routes, seed).flatMap(([first]) => (first ? [first] : [])))
        const possible = preview(routes).filter(({ place }) => place === 1)
        expect([...firsts].sort()).toEqual(possible.map(({ accountId }) => accountId).sort())
      }),
    )
  })

  test('a payment tries all accounts in the route preview, from the lowest position to the highest', () => {
    fc.assert(
      fc.property(anyRoutes, fc.nat(), (routes, seed) => {
        const placeOf = new Map(preview(routes).map(({ accountId, place }) => [accountId, place]))
        const orders = new Set(drawn(routes, seed).map(order => order.join()))
        for (const order of orders) {
          const places = order.split(',').map(id => placeOf.get(id))
          expect(places).toEqual(places.toSorted())
          expect(places).toHaveLength(placeOf.size)
        }
      }),
      { numRuns: 30 },
    )
  })

  test("a route preview's first-position probabilities match how often each account is tried first", () => {
    fc.assert(
      fc.property(anyRoutes, fc.nat(), (routes, seed) => {
        const all = preview(routes)
        for (const place of new Set(all.map(each => each.place)))
          expect(sum(all.filter(each => each.place === place))).toBeCloseTo(1)
        const orders = drawn(routes, seed)
        for (const { accountId, chance } of all.filter(each => each.place === 1)) {
          const share = orders.filter(([first]) => first === accountId).length / DRAWS
          // The tolerance is six standard deviations for this number of draws, so this test practically never
          // fails by chance.
          expect(Math.abs(share - chance)).toBeLessThan(0.1)
        }
      }),
    )
  })

  const sum = (candidates: Previewed[]) => candidates.reduce((total, { chance }) => total + chance, 0)
})

describe('a route preview shows the limit that a payment would exceed at each account', () => {
  const limited = new Map([
    offering('north', { virtual_account: ['bca'] }, { minAmount: 1_000n, maxExpiryMinutes: 1_000 }),
    offering('south', { virtual_account: ['bca'] }, { maxExpiryMinutes: 15 }),
  ])
  const refusals = (routes: Partial<Routes>, amount: bigint) => {
    const all = previewRoute(limited, { accounts, rules: [], ...routes }, { ...bca, amount })
    return all.map(each => refusalOf(each, all[0] as Previewed, amount))
  }

  test("for an amount outside an account's limits, a route preview shows the payment's error message", () => {
    expect(refusals({ accounts: [account('north', 1)] }, 900n)).toEqual([
      'amount: NORTH accepts at least 1000 cents for BCA',
    ])
    expect(refusals({ accounts: [account('north', 1)] }, 1_050n)).toEqual([
      'amount: NORTH accepts only whole rupiah (a multiple of 100 cents) for BCA',
    ])
  })

  test("a route preview reports a fallback account that would reject the first account's default expiry", () => {
    expect(refusals({}, 1_000n)).toEqual([
      undefined,
      'expiry_minutes: SOUTH allows an expiry of at most 15 minutes for BCA',
    ])
    expect(refusals({ rules: [rule('south')] }, 1_000n)).toEqual([undefined, undefined])
    expect(refusals({ rules: [rule('south'), rule('north', { weight: 2 })] }, 1_000n)).toEqual([
      undefined,
      undefined,
    ])
  })
})
