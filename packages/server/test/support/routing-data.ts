// Builds providers, accounts, and rules for routing tests.

import type { ListedMethodType } from '../../src/payments/method.ts'
import type { AnyProvider, Channel } from '../../src/providers/provider.ts'
import type { EntitledAccount, RoutingRule } from '../../src/routing/route.ts'

const usual = { wholeRupiah: true, minExpiryMinutes: 1, maxExpiryMinutes: 60 }

/** Returns a provider for routing tests, with only a code, a name, payment methods, and limits. */
export function offering(
  code: string,
  methods: Partial<Record<ListedMethodType, string[]>>,
  limits: Partial<Channel['limits']> = {},
): [string, AnyProvider] {
  const channels = (codes: string[]) =>
    codes.map(each => ({ code: each, name: each.toUpperCase(), limits: { ...usual, ...limits } }))
  const listed = Object.entries(methods).map(([type, codes]) => ({ type, channels: channels(codes) }))
  return [code, { code, name: code.toUpperCase(), methods: listed } as unknown as AnyProvider]
}
export const providers = new Map([
  offering('north', { virtual_account: ['bca', 'bni'], qris: ['qris'], cardless_credit: ['akulaku'] }),
  offering('south', { virtual_account: ['bca', 'bri'], e_wallet: ['gopay'] }),
  offering('west', { virtual_account: ['bca'] }),
])

export const account = (
  providerCode: string,
  priority: number,
  overrides: Partial<EntitledAccount> = {},
): EntitledAccount => ({
  id: providerCode,
  providerCode,
  mode: 'live',
  priority,
  ...overrides,
})
export const rule = (providerAccountId: string, overrides: Partial<RoutingRule> = {}): RoutingRule => ({
  position: 1,
  methodType: null,
  channel: null,
  minAmount: null,
  maxAmount: null,
  providerAccountId,
  weight: 1,
  ...overrides,
})
