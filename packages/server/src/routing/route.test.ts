import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { account, providers, rule } from '../../test/support/routing-data.ts'
import { seeded } from '../../test/support/seeded-random.ts'
import { activeMethods, type Routes, type RoutingRule, routePayment } from './route.ts'

const all = [account('south', 2), account('north', 1), account('west', 3)]
const bca = { mode: 'live', methodType: 'virtual_account', channel: 'bca', amount: 1_000n } as const

const chosen = (
  routes: Partial<Routes>,
  wanted: Parameters<typeof routePayment>[2] = bca,
  random = seeded(1),
) =>
  routePayment(providers, { accounts: all, rules: [], ...routes }, wanted, random).map(each => each.accountId)

describe("entitlements and routing rules determine a payment's route", () => {
  test("without a matching rule, a route follows the tenant's entitlement priorities, lower numbers first", () => {
    expect(chosen({})).toEqual(['north', 'south', 'west'])
  })

  test("a route contains only accounts that offer the payment's channel", () => {
    expect(chosen({}, { ...bca, channel: 'bri' })).toEqual(['south'])
    expect(chosen({}, { ...bca, channel: 'mandiri' })).toEqual([])
    expect(chosen({}, { ...bca, methodType: 'qris' })).toEqual([])
  })

  test("a route contains only accounts in the payment's mode", () => {
    const accounts = [...all, account('south', 0, { id: 'south test', mode: 'test' })]
    expect(chosen({ accounts })).toEqual(['north', 'south', 'west'])
    expect(chosen({ accounts }, { ...bca, mode: 'test' })).toEqual(['south test'])
  })

  test("a route is empty without accounts or without an adapter for the accounts' provider", () => {
    expect(chosen({ accounts: [] })).toEqual([])
    expect(chosen({ accounts: [account('east', 1)] })).toEqual([])
  })

  test("each account in a route is listed with its provider and the payment's channel", () => {
    const [first] = routePayment(providers, { accounts: all, rules: [] }, bca, seeded(1))
    expect(first).toMatchObject({ provider: { code: 'north' }, channel: { code: 'bca', name: 'BCA' } })
  })

  test('a route starts with the accounts named in routing rules; the other accounts follow by priority', () => {
    expect(chosen({ rules: [rule('west')] })).toEqual(['west', 'north', 'south'])
  })

  test('a route orders accounts by the positions of their routing rules, not by the list order', () => {
    const rules = [
      rule('south', { position: 3 }),
      rule('west', { position: 1 }),
      rule('north', { position: 2 }),
    ]
    expect(chosen({ rules })).toEqual(['west', 'north', 'south'])
  })

  test.each<[string, Partial<RoutingRule>]>([
    ['another method', { methodType: 'qris' }],
    ['another channel', { channel: 'bni' }],
    ['larger amounts', { minAmount: 1_001n }],
    ['smaller amounts', { maxAmount: 999n }],
  ])('a payment does not go to the account in a routing rule if the rule is for %s', (_, condition) => {
    expect(chosen({ rules: [rule('west', condition)] })[0]).toBe('north')
  })

  test.each<Partial<RoutingRule>>([
    { methodType: 'virtual_account', channel: 'bca' },
    { minAmount: 1_000n, maxAmount: 1_000n },
    { minAmount: 0n },
    { maxAmount: 10n ** 14n },
  ])(
    "a routing rule also applies to a payment whose amount is exactly the rule's minimum or maximum: %o",
    condition => {
      expect(chosen({ rules: [rule('west', condition)] })[0]).toBe('west')
    },
  )

  test('a routing rule is ignored if its account is unavailable to the tenant or cannot accept the payment', () => {
    const accounts = [...all, account('west', 1, { id: 'west test', mode: 'test' })]
    const rules = [rule('stranger'), rule('west test'), rule('west')]
    expect(chosen({ accounts, rules }, { ...bca, channel: 'bni' })).toEqual(['north'])
  })

  // A property test: regardless of the routing rules and the accounts, the route contains each account that can
  // accept the payment exactly once.
  test('a route lists each account that can accept the payment exactly once', () => {
    const rules = fc.array(
      fc.record({
        to: fc.constantFrom('north', 'south', 'west', 'stranger'),
        position: fc.nat(3),
        weight: fc.integer({ min: 1, max: 9 }),
      }),
    )
    fc.assert(
      fc.property(rules, fc.nat(), (list, seed) => {
        const given = list.map(({ to, ...rest }) => rule(to, rest))
        expect(chosen({ rules: given }, bca, seeded(seed)).sort()).toEqual(['north', 'south', 'west'])
      }),
    )
  })
})

describe('of several routing rules at the same position, one is chosen at random, with a probability proportional to its weight', () => {
  const rounds = 6_000
  function shares(rules: RoutingRule[]): Record<string, number> {
    const random = seeded(7)
    const counts: Record<string, number> = {}
    for (let i = 0; i < rounds; i++) {
      const [first = ''] = chosen({ rules }, bca, random)
      counts[first] = (counts[first] ?? 0) + 1
    }
    return counts
  }

  test('routing rules at the same position share the payments in proportion to their weights', () => {
    const {
      north = 0,
      south = 0,
      west = 0,
    } = shares([rule('north', { weight: 1 }), rule('south', { weight: 2 }), rule('west', { weight: 3 })])
    // The test draws so often that its tolerance of 2% is more than three standard deviations, so it rarely
    // fails by chance.
    expect(north / rounds).toBeCloseTo(1 / 6, 1)
    for (const [count, share] of [
      [north, 1 / 6],
      [south, 2 / 6],
      [west, 3 / 6],
    ] as const)
      expect(Math.abs(count / rounds - share)).toBeLessThan(0.02)
  })

  test('a routing rule at an earlier position takes precedence, even if a later rule has more weight', () => {
    expect(shares([rule('north', { weight: 1 }), rule('south', { position: 2, weight: 1_000 })])).toEqual({
      north: rounds,
    })
  })
})

describe("a tenant's active payment methods are listed separately for each provider", () => {
  const tree = (routes: Partial<Routes>, mode: 'live' | 'test' | null = 'live') =>
    Object.fromEntries(
      activeMethods(providers, { accounts: all, rules: [], ...routes }, mode).map(({ provider, methods }) => [
        provider.code,
        Object.fromEntries(
          methods.map(method => [method.type, method.channels.map(channel => channel.code)]),
        ),
      ]),
    )

  test("without routing rules, the active methods are those of all enabled accounts' providers, sorted by priority", () => {
    expect(tree({})).toEqual({
      north: { virtual_account: ['bca', 'bni'], qris: ['qris'], cardless_credit: ['akulaku'] },
      south: { virtual_account: ['bca', 'bri'], e_wallet: ['gopay'] },
      west: { virtual_account: ['bca'] },
    })
    expect(Object.keys(tree({}))).toEqual(['north', 'south', 'west'])
  })

  test('a channel with a routing rule for one provider is listed only under that provider', () => {
    expect(tree({ rules: [rule('south', { methodType: 'virtual_account', channel: 'bca' })] })).toEqual({
      north: { virtual_account: ['bni'], qris: ['qris'], cardless_credit: ['akulaku'] },
      south: { virtual_account: ['bca', 'bri'], e_wallet: ['gopay'] },
    })
  })

  test('a channel with routing rules for two providers is listed under both providers', () => {
    const rules = [rule('south', { channel: 'bca' }), rule('west', { channel: 'bca', position: 2 })]
    const { north, south, west } = tree({ rules })
    expect([north?.virtual_account, south?.virtual_account, west?.virtual_account]).toEqual([
      ['bni'],
      ['bca', 'bri'],
      ['bca'],
    ])
  })

  test('a routing rule for one provider restricts only the channels that this provider offers', () => {
    expect(tree({ rules: [rule('west', { methodType: 'virtual_account' })] })).toEqual({
      north: { virtual_account: ['bni'], qris: ['qris'], cardless_credit: ['akulaku'] },
      south: { virtual_account: ['bri'], e_wallet: ['gopay'] },
      west: { virtual_account: ['bca'] },
    })
  })

  test("a routing rule that covers only some amounts does not restrict the tenant's active methods", () => {
    expect(tree({ rules: [rule('west', { channel: 'bca', minAmount: 1_000n })] })).toEqual(tree({}))
  })

  test('a routing rule for an account that the tenant may not use does not change the active methods', () => {
    expect(tree({ rules: [rule('stranger')] })).toEqual(tree({}))
  })

  test('the list of active methods covers the requested modes and contains each provider only once', () => {
    const accounts = [
      account('north', 1),
      account('south', 2, { mode: 'test' }),
      account('north', 3, { id: 'n2', mode: 'test' }),
    ]
    expect(Object.keys(tree({ accounts }))).toEqual(['north'])
    expect(Object.keys(tree({ accounts }, 'test'))).toEqual(['south', 'north'])
    expect(Object.keys(tree({ accounts }, null))).toEqual(['north', 'south'])
  })

  test("a routing rule changes the list of active payment methods only in its account's mode, live or test", () => {
    const accounts = [
      account('north', 1),
      account('south', 2, { id: 'south test', mode: 'test' }),
      account('west', 3, { id: 'west test', mode: 'test' }),
    ]
    const rules = [rule('west test', { methodType: 'virtual_account', channel: 'bca' })]
    const { north, south, west } = tree({ accounts, rules }, null)
    expect([north?.virtual_account, south?.virtual_account, west?.virtual_account]).toEqual([
      ['bca', 'bni'],
      ['bri'],
      ['bca'],
    ])
  })

  test('the list of active methods is empty for a tenant without accounts', () => {
    expect(tree({ accounts: [] })).toEqual({})
  })

  // This test uses arbitrary routing rules without amount conditions.
  test('in the active methods, each channel belongs to the provider that would receive its payments', () => {
    const anyRule = fc.record({
      to: fc.constantFrom('north', 'south', 'west'),
      position: fc.nat(3),
      methodType: fc.option(fc.constantFrom('virtual_account', 'qris', 'e_wallet' as const), { nil: null }),
      channel: fc.option(fc.constantFrom('bca', 'bni', 'bri', 'qris'), { nil: null }),
    })
    fc.assert(
      fc.property(fc.array(anyRule), fc.nat(), (list, seed) => {
        const rules = list.map(({ to, ...rest }) => rule(to, rest as Partial<RoutingRule>))
        const listed = tree({ rules })
        for (const { code, methods } of providers.values()) {
          for (const { type, channels } of methods) {
            for (const channel of channels) {
              const [first = ''] = chosen(
                { rules },
                { ...bca, methodType: type, channel: channel.code },
                seeded(seed),
              )
              expect(listed[first]?.[type]).toContain(channel.code)
              if (first === code) expect(listed[code]?.[type]).toContain(channel.code)
            }
          }
        }
      }),
    )
  })
})
